"""The number of histories from small openings, by the rules and by a count that shares nothing with them.

The independent count below is written from docs/rules/graph_battle.md alone: maps of cells instead of tuples of
nodes, recursion over single flips instead of drawn words, and no generator at all.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any, NamedTuple

import msgspec
import pytest
from graph_positions import position
from perft_cases import cases
from scripted_rng import Chance, outcomes

from warroom_games.codec import encode
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import State

FIELDS = ("seat", "order", "round", "last_attack_round")

Cell = tuple[int, int]
Cells = dict[Cell, tuple[str, int]]


def opening(entry: dict[str, Any]) -> State:
    fields = {name: entry[name] for name in FIELDS if name in entry}
    return position(entry["picture"], options=Options(**entry.get("options", {})), **fields)


# --- by the rules -----------------------------------------------------------------------------------------------


def histories(state: State, depth: int) -> int:
    if depth == 0 or not GAME.to_act(state):
        return 1
    seat = state.table.seat
    return sum(
        histories(following, depth - 1)
        for action in GAME.legal_actions(state, seat)
        for following in _different(state, seat, action)
    )


def _different(state: State, seat: int, action: Any) -> list[State]:
    """The states after an action, one for each different story that the events can tell."""

    def act(chance: Chance) -> tuple[bytes, State]:
        step = GAME.apply(msgspec.structs.replace(state, rng=chance), seat, action)
        return encode(step.events), step.state

    return list(dict(story for _, story in outcomes(act)).values())


# --- and independently ------------------------------------------------------------------------------------------


class World(NamedTuple):
    """Cells with their colour letter and strength; who plays in this round and whose turn it is; rounds; options."""

    cells: Cells
    players: str
    order: str
    mover: str
    round: int
    quiet_since: int
    options: dict[str, Any]


def counted(world: World | None, depth: int) -> int:
    """Count histories; None is a match that is over."""
    if depth == 0 or world is None:
        return 1
    return sum(counted(following, depth - 1) for following in moves(world))


def moves(world: World) -> Iterator[World | None]:
    for source, target in attacks(world):
        (_, a), (_, d) = world.cells[source], world.cells[target]
        for left, right, is_won in fights(a, d, 0 if world.options.get("attack") == "quick" else -1):
            cells = dict(world.cells)
            cells[source] = (world.mover, 1 if is_won else left)
            cells[target] = (world.mover, left - 1) if is_won else (cells[target][0], right)
            yield from settled(world._replace(cells=cells, quiet_since=world.round))
    yield from ended(world, None)
    if world.options.get("reinforcement") == "capital":
        for _, border in largest(world):
            for cell in border:
                yield from ended(world, cell)


def attacks(world: World) -> list[tuple[Cell, Cell]]:
    return [
        (source, target)
        for source, (color, strength) in world.cells.items()
        for target, (other, _) in world.cells.items()
        if color == world.mover != other and strength > 1 and touching(world, source, target)
    ]


def touching(world: World, one: Cell, other: Cell) -> bool:
    down, right = other[0] - one[0], other[1] - one[1]
    if world.options.get("board") == "hex" and down in (-1, 1):
        # Measured in halves of a cell, a touching hexagon of the next row is half a cell to the left or right.
        return abs(2 * other[1] + other[0] % 2 - 2 * one[1] - one[0] % 2) == 1
    return max(abs(down), abs(right)) == 1


def fights(a: int, d: int, beaten: int) -> Iterator[tuple[int, int, bool]]:
    """Yield the strengths that are left; the defender is beaten at strength *beaten*."""
    if d == beaten:
        yield a, 0, True
        return
    yield from fights(a, d - 1, beaten)
    if a == 2:
        yield 1, d, False
    else:
        yield from fights(a - 1, d, beaten)


def settled(world: World) -> Iterator[World | None]:
    if len(alive(world)) == 1:
        yield None
    elif attacks(world):
        yield world
    else:
        yield from ended(world, None)


def alive(world: World) -> list[str]:
    colors = {color for color, _ in world.cells.values()}
    return [player for player in world.players if player in colors]


def ended(world: World, capital: Cell | None) -> Iterator[World | None]:
    in_play = alive(world)
    left = [player for player in world.order[world.order.index(world.mover) + 1 :] if player in in_play]
    for cells in reinforced(world, capital):
        after = world._replace(cells=cells)
        if is_won(after, is_last=not left) or (not left and is_capped(world)):
            yield None
        elif left:
            yield from settled(after._replace(mover=left[0]))
        else:
            is_drawn = world.options.get("order") == "random_each_round"
            for order in permutations(in_play) if is_drawn else [in_play]:
                yield from settled(after._replace(order="".join(order), mover=order[0], round=world.round + 1))


def is_won(world: World, *, is_last: bool) -> bool:
    match world.options.get("victory"):
        case "majority":
            held = [color for color, _ in world.cells.values()]
            return any(held.count(color) / len(held) >= 0.6 for color in alive(world))
        case "rounds":
            return is_last and world.round == world.options["victory_rounds"]
        case _:
            return False


def is_capped(world: World) -> bool:
    return world.round == 100 or world.round - world.quiet_since == 10


def largest(world: World) -> list[tuple[int, list[Cell]]]:
    """Return the size and the border of each largest territory of the mover."""
    own = {cell for cell, (color, _) in world.cells.items() if color == world.mover}
    enemies = set(world.cells) - own
    pieces: list[set[Cell]] = []
    for cell in own:
        near = [piece for piece in pieces if any(touching(world, cell, other) for other in piece)]
        pieces = [piece for piece in pieces if piece not in near] + [{cell}.union(*near)]
    size = max(map(len, pieces))
    return [
        (size, sorted(cell for cell in piece if any(touching(world, cell, enemy) for enemy in enemies)))
        for piece in pieces
        if len(piece) == size
    ]


def reinforced(world: World, capital: Cell | None) -> Iterator[Cells]:
    for size, border in largest(world):
        match world.options.get("reinforcement"):
            case "none":
                yield world.cells
                return
            case "capital" if capital is None:
                strongest = max(world.cells[cell][1] for cell in border)
                yield gained(world, {next(cell for cell in border if world.cells[cell][1] == strongest): size})
            case "capital":
                if capital in border:
                    yield gained(world, {capital: size})
            case _:
                for lucky in combinations(border, size % len(border)):
                    yield gained(world, {cell: size // len(border) + (cell in lucky) for cell in border})


def gained(world: World, gains: dict[Cell, int]) -> Cells:
    return {cell: (color, n + gains.get(cell, 0)) for cell, (color, n) in world.cells.items()}


def drawn(entry: dict[str, Any]) -> World:
    words = [line.split() for line in entry["picture"].strip().splitlines()]
    cells = {
        (row, column): (word[0], int(word[1:]))
        for row, line in enumerate(words)
        for column, word in enumerate(line)
        if word != "."
    }
    order = "".join("RGYBP"[seat] for seat in entry.get("order", range(5)))
    mover = "RGYBP"[entry["seat"]] if "seat" in entry else order[0]
    since = entry.get("last_attack_round", 0)
    return World(cells, "RGYBP", order, mover, entry.get("round", 1), since, entry.get("options", {}))


CASES = cases("graph_battle", quick=3_000)


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_the_rules_make_as_many_histories_as_recorded(entry: dict[str, Any], depth: int, count: int) -> None:
    assert histories(opening(entry), depth) == count


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_an_independent_count_agrees(entry: dict[str, Any], depth: int, count: int) -> None:
    assert counted(drawn(entry), depth) == count
