"""The number of histories from small openings, by the rules and by a count that shares nothing with them.

The independent count below is written from docs/rules/timberwall.md alone: tiles are complex numbers, edges are pairs
of tiles, everything on the board is a set, and chance is a list of outcomes.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from perft_cases import cases
from scripted_rng import Chance, outcomes
from timberwall_positions import position, unit

from warroom_games.codec import encode
from warroom_games.timberwall.ground import survey
from warroom_games.timberwall.listing import every_action
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State, knowledge

PAIRS = ("wood", "reserves", "hp", "held", "streaks")
PLAIN = ("seat", "turn", "round", "max_turns", "fog", "base_hit_spends_unit", "reserve_rounds")


def opening(entry: dict[str, Any]) -> State:
    fields = {name: entry[name] for name in PLAIN if name in entry}
    fields |= {name: tuple(entry[name]) for name in PAIRS if name in entry}
    sides = [{(x, y): unit(*rest) for x, y, *rest in entry.get(color, [])} for color in ("green", "red")]
    return position(
        *sides,
        neutral=[tuple(edge) for edge in entry.get("neutral", [])],
        walls={(x, y, side): (owner, hp) for x, y, side, owner, hp in entry.get("walls", [])},
        cooling={(x, y, side): ready for x, y, side, ready in entry.get("cooling", [])},
        forests=tuple(tuple(spot) for spot in entry.get("forests", [[9, 0]])),
        **fields,
    )


# --- by the rules -----------------------------------------------------------------------------------------------


def histories(state: State, depth: int) -> int:
    if depth == 0 or not GAME.to_act(state):
        return 1
    seat = state.table.seat
    actions = list(every_action(survey(state.table, knowledge(state, seat))))
    if depth == 1 and not any(type(action).__name__ == "Attack" for action in actions):
        return len(actions)
    return sum(histories(after, depth - 1) for action in actions for after in _different(state, seat, action))


def _different(state: State, seat: int, action: Any) -> list[State]:
    """The states after an action, one for each different position that chance can make of it."""

    def acted(chance: Chance) -> State:
        after: State = GAME.apply(replace(state, rng=chance), seat, action).state
        return after

    return list({encode((after.table, after.board)): after for _, after in outcomes(acted)}.values())


# --- and independently ------------------------------------------------------------------------------------------

SIZE = 10
BASES = (1 + 1j, 8 + 8j)
CELLS = [complex(x, y) for x in range(SIZE) for y in range(SIZE)]
STEPS = [complex(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
LADDER = [1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 75, 100, 125, 250, 375, 500]


class Man(NamedTuple):
    """A unit."""

    owner: int
    cell: complex
    points: int
    still: int
    forest: int


class World(NamedTuple):
    """Everything; walls are {edge: (owner or None, hp)} as frozen items."""

    men: frozenset[Man]
    walls: frozenset[tuple[frozenset[complex], tuple[int | None, int]]]
    cooling: frozenset[tuple[frozenset[complex], int]]
    wood: tuple[int, int]
    reserves: tuple[int, int]
    hp: tuple[int, int]
    streaks: tuple[int, int]
    has_built: bool
    mover: int
    turn: int
    forests: frozenset[complex]
    last_turn: int
    spends: bool
    reserve_rounds: int
    is_over: bool = False


def counted(world: World, depth: int) -> int:
    """Count histories."""
    if depth == 0 or world.is_over:
        return 1
    return sum(counted(after, depth - 1) for choice in choices(world) for after in set(choice))


def choices(world: World) -> Iterator[Iterable[World]]:
    """Yield for each action the worlds it may lead to."""
    me = world.mover
    yield [ended(world)]
    if world.wood[me] >= 20:
        yield [converted(world, 1)]
        yield [converted(world, world.wood[me] // 20)]
    taken = {man.cell for man in world.men}
    for cell in CELLS:
        if chebyshev(cell, BASES[me]) in (1, 2) and cell not in taken:
            for points in (step for step in LADDER if step <= world.reserves[me]):
                men = world.men | {Man(me, cell, points, 0, 0)}
                yield [world._replace(men=men, reserves=added(world.reserves, me, -points))]
    yield from masonry(world)
    for man in (man for man in world.men if man.owner == me):
        yield from deeds(world, man)


def masonry(world: World) -> Iterator[list[World]]:
    me, walls, cold = world.mover, dict(world.walls), dict(world.cooling)
    own = {man.cell for man in world.men if man.owner == me}
    edges = {frozenset((cell, cell + step)) for cell in own for step in (1, -1, 1j, -1j) if cell + step in CELLS}
    if not world.has_built and world.wood[me] >= 10:
        for edge in edges - set(walls) - set(cold):
            if all(chebyshev(cell, base) > 2 for cell in edge for base in BASES):
                built = world.walls | {(edge, (me, 100))}
                yield [world._replace(walls=built, has_built=True, wood=added(world.wood, me, -10))]
    yield from ([without_wall(world, edge)] for edge, (owner, _) in walls.items() if owner == me)


def without_wall(world: World, edge: frozenset[complex]) -> World:
    walls = frozenset(item for item in world.walls if item[0] != edge)
    return world._replace(walls=walls, cooling=world.cooling | {(edge, (world.turn + 1) // 2 + 6)})


def deeds(world: World, man: Man) -> Iterator[list[World]]:
    walls, board = dict(world.walls), {other.cell: other for other in world.men}
    for step in STEPS:
        cell = man.cell + step
        if cell not in CELLS:
            continue
        corner = {man.cell, cell, man.cell + step.real, man.cell + 1j * step.imag}
        edges = [frozenset((a, b)) for a in corner for b in corner if abs(a - b) == 1]
        if any(edge in walls for edge in edges):
            if abs(step) == 1:
                yield [ended(hit(world, man, edges[0]))]
        elif not any(other in board for other in corner - {man.cell, cell}):
            yield [ended(after) for after in arrivals(world, man, cell, board.get(cell))]


def arrivals(world: World, man: Man, cell: complex, there: Man | None) -> Iterator[World]:
    """What may become of a unit that nothing keeps from going to a cell."""
    foe = 1 - man.owner
    if there is not None and there.owner == foe:
        yield from fights(world, man, there)
    elif there is not None:
        if tier(man.points) == tier(there.points) and there.points < 500:
            yield merged(world, man, there)
    elif cell == BASES[foe]:
        men = world.men - {man} if world.spends else world.men
        yield world._replace(men=men, hp=added(world.hp, foe, -man.points))
    elif cell != BASES[man.owner]:
        yield world._replace(men=world.men - {man} | {Man(man.owner, cell, man.points, 0, 0)})


def hit(world: World, man: Man, edge: frozenset[complex]) -> World:
    owner, hp = dict(world.walls)[edge]
    left = 0 if owner is None else hp - {1: 34, 2: 51}.get(tier(man.points), 100)
    if left <= 0:
        return without_wall(world, edge)
    return world._replace(walls=world.walls - {(edge, (owner, hp))} | {(edge, (owner, left))})


def merged(world: World, man: Man, other: Man) -> World:
    total = man.points + other.points
    men = world.men - {man, other} | {other._replace(points=min(500, total))}
    return world._replace(men=men | {man._replace(points=total - 500)} if total > 500 else men)


def fights(world: World, man: Man, foe: Man) -> Iterator[World]:
    allies = [ally for ally in world.men if ally.owner == foe.owner and chebyshev(ally.cell, foe.cell) == 1]
    defence = foe.points + (foe.still >= 3) + any(tier(ally.points) == tier(foe.points) for ally in allies)
    rest = world.men - {man, foe}
    moved = Man(man.owner, foe.cell, 0, 0, 0)
    base = {1: 1, 2: 5, 3: 25, 4: 125}
    for luck in (-(2 ** (tier(man.points) - 1)), 0, 2 ** (tier(man.points) - 1)):
        attack = max(0, man.points + luck)
        winner, loser = moved._replace(points=min(man.points, attack - defence)), foe._replace(points=0)
        if attack > defence:
            yield world._replace(men=rest | {winner})
        elif attack < defence:
            yield world._replace(men=rest | {loser._replace(points=min(foe.points, defence - attack))})
        else:
            yield world._replace(men=rest)
            yield world._replace(men=rest | {moved._replace(points=base[tier(man.points)])})
            yield world._replace(men=rest | {foe._replace(points=base[tier(foe.points)])})


def ended(world: World) -> World:
    me = world.mover
    aged = frozenset(older(man, world.forests) if man.owner == me else man for man in world.men)
    wood = 2 * sum(man.owner == me and man.forest >= 3 for man in aged)
    holds_all = world.forests <= {man.cell for man in aged if man.owner == me}
    streak = world.streaks[me] + 1 if holds_all else 0
    turn = world.turn + 1
    return world._replace(
        men=aged,
        wood=added(world.wood, me, wood),
        reserves=added(world.reserves, me, (world.turn + 1) // 2 % world.reserve_rounds == 0),
        streaks=added(world.streaks, me, streak - world.streaks[me]),
        is_over=min(world.hp) <= 0 or streak == 10 or world.turn == world.last_turn,
        cooling=frozenset(item for item in world.cooling if item[1] > (turn + 1) // 2),
        has_built=False,
        mover=1 - me,
        turn=turn,
    )


def older(man: Man, forests: frozenset[complex]) -> Man:
    forest = min(3, man.forest + 1) if man.cell in forests else 0
    return man._replace(still=min(3, man.still + 1), forest=forest)


def converted(world: World, reserves: int) -> World:
    me = world.mover
    return world._replace(wood=added(world.wood, me, -20 * reserves), reserves=added(world.reserves, me, reserves))


def added(pair: tuple[int, int], index: int, amount: int) -> tuple[int, int]:
    return (pair[0] + amount, pair[1]) if index == 0 else (pair[0], pair[1] + amount)


def chebyshev(one: complex, other: complex) -> int:
    return int(max(abs((one - other).real), abs((one - other).imag)))


def tier(points: int) -> int:
    return 1 + (points >= 5) + (points >= 25) + (points >= 125)


def drawn(entry: dict[str, Any]) -> World:
    def edge(x: int, y: int, side: str) -> frozenset[complex]:
        return frozenset((complex(x, y), complex(x, y) + (1 if side == "east" else 1j)))

    men = frozenset(
        Man(owner, complex(x, y), points, *(rest or [0, 0]))
        for owner, color in enumerate(("green", "red"))
        for x, y, points, *rest in entry.get(color, [])
    )
    neutral = [(edge(*place), (None, 100)) for place in entry.get("neutral", [])]
    built = [(edge(x, y, side), (owner, hp)) for x, y, side, owner, hp in entry.get("walls", [])]
    return World(
        men=men,
        walls=frozenset([*neutral, *built]),
        cooling=frozenset((edge(x, y, side), ready) for x, y, side, ready in entry.get("cooling", [])),
        wood=tuple(entry.get("wood", (0, 0))),
        reserves=tuple(entry.get("reserves", (0, 0))),
        hp=tuple(entry.get("hp", (100, 100))),
        streaks=tuple(entry.get("streaks", (0, 0))),
        has_built=False,
        mover=entry.get("seat", 0),
        turn=entry.get("turn", 1),
        forests=frozenset(complex(x, y) for x, y in entry.get("forests", [[9, 0]])),
        last_turn=entry.get("max_turns", 300),
        spends=entry.get("base_hit_spends_unit", False),
        reserve_rounds=entry.get("reserve_rounds", 1),
    )


CASES = cases("timberwall", quick=5_000)


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_the_rules_make_as_many_histories_as_recorded(entry: dict[str, Any], depth: int, count: int) -> None:
    assert histories(opening(entry), depth) == count


@pytest.mark.parametrize(("entry", "depth", "count"), CASES)
def test_an_independent_count_agrees(entry: dict[str, Any], depth: int, count: int) -> None:
    assert counted(drawn(entry), depth) == count
