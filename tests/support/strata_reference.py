"""Strata a second time, slow and plain: what docs/rules/strata.md says, sharing nothing with the rules.

Maps of coordinates instead of indexes, links found by measuring distances, fractions instead of sixths, and every
action tried on every vertex.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

Spot = tuple[int, int, int]

SIDE = {0: 3, 1: 5, 2: 7, 3: 5, 4: 3}
SPOTS = [(layer, x, y) for layer in range(5) for x, y in product(range(SIDE[layer]), repeat=2)]
CORNERS = {"A": [(0, 0, 0), (0, 2, 2)], "B": [(4, 0, 0), (4, 2, 2)]}
RIVAL = {"A": "B", "B": "A"}


class World(NamedTuple):
    """Stacks by spot as (player, pieces, energy); pools by player as (pieces, energy); what the mover has done."""

    stacks: dict[Spot, tuple[str, int, int]]
    pools: dict[str, tuple[int, int]]
    mover: str
    turn: int
    done: frozenset[str]
    max_turns: int
    must_move: bool


def histories(world: World | None, depth: int) -> int:
    """Count the ways in which *depth* actions can follow; None is a match that is over."""
    if depth == 0 or world is None:
        return 1
    return sum(histories(after(world, action), depth - 1) for action in actions(world))


def actions(world: World) -> Iterator[tuple[Any, ...]]:
    """Yield every legal action as its name and its spots."""
    for spot in SPOTS:
        if may_place(world, spot):
            yield "place", spot
    for spot in SPOTS:
        if may_infuse(world, spot):
            yield "infuse", spot
    for source in world.stacks:
        yield from (("move", source, target) for target in SPOTS if may_move(world, source, target))
    if owes(world) <= {"move"}:
        for source in world.stacks:
            yield from (("attack", source, target) for target in world.stacks if may_attack(world, source, target))
        if not owes(world):
            yield ("end_turn",)


def owes(world: World) -> set[str]:
    """The duties that are undone and could be done."""
    undone = {"place", "infuse", "move"} - world.done
    can = {
        "place": any(may_place(world, spot) for spot in CORNERS[world.mover]),
        "infuse": any(may_infuse(world, spot) for spot in world.stacks),
        "move": world.must_move
        and any(may_move(world, source, target) for source in world.stacks for target in SPOTS),
    }  # fmt: skip
    return {duty for duty in undone if can[duty]}


def may_place(world: World, spot: Spot) -> bool:
    is_free = spot not in world.stacks or world.stacks[spot][0] == world.mover
    return spot in CORNERS[world.mover] and is_free and world.pools[world.mover][0] > 0


def may_infuse(world: World, spot: Spot) -> bool:
    player, pieces, energy = world.stacks.get(spot, ("", 0, 0))
    return player == world.mover and world.pools[player][1] > 0 and unclamped(spot, pieces, energy + 1) <= 10


def may_move(world: World, source: Spot, target: Spot) -> bool:
    player, pieces, energy = world.stacks[source]
    if player != world.mover or "move" in world.done or target in world.stacks or not touching(source, target):
        return False
    return energy >= 1 and unclamped(source, pieces, energy) >= demand(target)


def may_attack(world: World, source: Spot, target: Spot) -> bool:
    player, other = world.stacks[source][0], world.stacks[target][0]
    return player == world.mover and other == RIVAL[player] and touching(source, target) and force(world, source) > 0


def touching(one: Spot, other: Spot) -> bool:
    """Whether two spots are joined."""
    if one[0] == other[0]:
        side = SIDE[one[0]]
        steps = [min((a - b) % side, (b - a) % side) for a, b in zip(one[1:], other[1:], strict=True)]
        return sorted(steps) == [0, 1]
    # Seen from above, with the origin in the middle of the stack, partners lie exactly on top of each other.
    return abs(one[0] - other[0]) == 1 and centred(one) == centred(other)


def centred(spot: Spot) -> tuple[Fraction, Fraction]:
    middle = Fraction(SIDE[spot[0]] - 1, 2)
    return spot[1] - middle, spot[2] - middle


def unclamped(spot: Spot, pieces: int, energy: int) -> Fraction:
    return Fraction(pieces * energy) / {3: 1, 5: 2, 7: 3}[SIDE[spot[0]]]


def demand(spot: Spot) -> int:
    return {3: 1, 5: 4, 7: 9}[SIDE[spot[0]]]


def force(world: World, spot: Spot) -> Fraction:
    """The force that a stack exerts."""
    _, pieces, energy = world.stacks[spot]
    raw = min(Fraction(10), unclamped(spot, pieces, energy))
    return raw if pieces >= 1 and energy >= 1 and raw >= demand(spot) else Fraction(0)


def after(world: World, action: tuple[Any, ...]) -> World | None:
    """Return the world after an action, or None if it ended the match."""
    name, *spots = action
    stacks, pools, mover = dict(world.stacks), dict(world.pools), world.mover
    have_pieces, have_energy = pools[mover]
    match name:
        case "place":
            _, pieces, energy = stacks.get(spots[0], (mover, 0, 0))
            stacks[spots[0]] = (mover, pieces + 1, energy)
            pools[mover] = (have_pieces - 1, have_energy)
        case "infuse":
            _, pieces, energy = stacks[spots[0]]
            stacks[spots[0]] = (mover, pieces, energy + 1)
            pools[mover] = (have_pieces, have_energy - 1)
        case "move":
            stacks[spots[1]] = stacks.pop(spots[0])
        case "attack":
            return fought(world, spots[0], spots[1])
        case _:
            return passed(world)
    return world._replace(stacks=stacks, pools=pools, done=world.done | {name})


def fought(world: World, source: Spot, target: Spot) -> World | None:
    stacks = dict(world.stacks)
    one, a, e = stacks.pop(source)
    other, d, f = stacks.pop(target)
    if a != d:
        stacks[target] = (one if force(world, source) > force(world, target) else other, abs(a - d), abs(e - f))
    if len({player for player, _, _ in stacks.values()}) == 1:
        return None
    return passed(world._replace(stacks=stacks))


def passed(world: World) -> World | None:
    if world.turn == world.max_turns:
        return None
    rival = RIVAL[world.mover]
    pieces, energy = world.pools[rival]
    pools = {**world.pools, rival: (pieces + 1, energy + 1)}
    return world._replace(pools=pools, mover=rival, turn=world.turn + 1, done=frozenset())
