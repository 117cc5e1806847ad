"""The number of histories from small openings, by the rules and by a count that shares nothing with them.

The independent count below is written from docs/rules/graph_battle.md alone: maps of cells instead of tuples of
nodes, recursion over single flips instead of drawn words, and no generator at all.
"""

import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from chance import Chance, outcomes
from graph_positions import position

from warroom_games.codec import encode
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import State

FILE = Path(__file__).parents[2] / "golden/perft/graph_battle.toml"
OPENINGS = tomllib.loads(FILE.read_text())["opening"]
FIELDS = {"seat": 0, "round": 1, "last_attack_round": 0}


def opening(entry: dict[str, Any]) -> State:
    return position(entry["picture"], **{name: entry[name] for name in FIELDS if name in entry})


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
    """Cells with their colour letter and strength; whose turn it is; rounds."""

    cells: dict[tuple[int, int], tuple[str, int]]
    players: str
    mover: str
    round: int
    quiet_since: int


def counted(world: World | None, depth: int) -> int:
    """Count histories; None is a match that is over."""
    if depth == 0 or world is None:
        return 1
    return sum(counted(following, depth - 1) for following in moves(world))


def moves(world: World) -> Iterator[World | None]:
    for source, target in attacks(world):
        (_, a), (_, d) = world.cells[source], world.cells[target]
        for left, right, is_won in fights(a, d):
            cells = dict(world.cells)
            cells[source] = (world.mover, 1 if is_won else left)
            cells[target] = (world.mover, left - 1) if is_won else (cells[target][0], right)
            yield from settled(world._replace(cells=cells, quiet_since=world.round))
    yield from ended(world)


def attacks(world: World) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [
        (source, target)
        for source, (color, strength) in world.cells.items()
        for target, (other, _) in world.cells.items()
        if color == world.mover != other and strength > 1 and touching(source, target)
    ]


def touching(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one != other and max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def fights(a: int, d: int) -> Iterator[tuple[int, int, bool]]:
    if d == 0:
        yield a, 0, True
    else:
        yield from fights(a, d - 1)
    if a == 2:
        yield 1, d, False
    else:
        yield from fights(a - 1, d)


def settled(world: World) -> Iterator[World | None]:
    if len(alive(world)) == 1:
        yield None
    elif attacks(world):
        yield world
    else:
        yield from ended(world)


def alive(world: World) -> list[str]:
    colors = {color for color, _ in world.cells.values()}
    return [player for player in world.players if player in colors]


def ended(world: World) -> Iterator[World | None]:
    in_play = alive(world)
    place = in_play.index(world.mover) + 1
    is_last = place == len(in_play)
    for cells in reinforced(world):
        if is_last and (world.round == 100 or world.round - world.quiet_since == 10):
            yield None
        else:
            mover = in_play[place % len(in_play)]
            yield from settled(world._replace(cells=cells, mover=mover, round=world.round + is_last))


def reinforced(world: World) -> Iterator[dict[tuple[int, int], tuple[str, int]]]:
    own = {cell for cell, (color, _) in world.cells.items() if color == world.mover}
    enemies = set(world.cells) - own
    pieces: list[set[tuple[int, int]]] = []
    for cell in own:
        near = [piece for piece in pieces if any(touching(cell, other) for other in piece)]
        pieces = [piece for piece in pieces if piece not in near] + [{cell}.union(*near)]
    size = max(map(len, pieces))
    for piece in pieces:
        border = [cell for cell in piece if any(touching(cell, enemy) for enemy in enemies)]
        if len(piece) == size:
            for lucky in combinations(border, size % len(border)):
                gains = {cell: size // len(border) + (cell in lucky) for cell in border}
                yield {cell: (color, n + gains.get(cell, 0)) for cell, (color, n) in world.cells.items()}


def drawn(entry: dict[str, Any]) -> World:
    words = [line.split() for line in entry["picture"].strip().splitlines()]
    cells = {
        (row, column): (word[0], int(word[1:]))
        for row, line in enumerate(words)
        for column, word in enumerate(line)
        if word != "."
    }
    return World(
        cells, "RGYBP", "RGYBP"[entry.get("seat", 0)], entry.get("round", 1), entry.get("last_attack_round", 0)
    )


CASES = [
    pytest.param(
        entry, depth, count, id=f"{entry['name']}, depth {depth}", marks=[pytest.mark.long] if count > 10_000 else []
    )
    for entry in OPENINGS
    for depth, count in enumerate(entry["counts"], start=1)
]


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_the_rules_make_as_many_histories_as_recorded(entry: dict[str, Any], depth: int, count: int) -> None:
    assert histories(opening(entry), depth) == count


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_an_independent_count_agrees(entry: dict[str, Any], depth: int, count: int) -> None:
    assert counted(drawn(entry), depth) == count
