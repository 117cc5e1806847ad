"""Where the warden's units go: sections 4.1 and 5 of the document. Each role has its goals, the weightier first."""

from collections.abc import Iterator
from typing import NamedTuple

from warroom_bots.timberwall.doctrine import Rule
from warroom_bots.timberwall.fighting import is_aggressive, skirmishers
from warroom_bots.timberwall.holding import is_blocked, is_held, may_leave, shunned
from warroom_bots.timberwall.lookout import Lookout, advance
from warroom_bots.timberwall.spawning import ARMY_TIER, NEARBY, is_opening
from warroom_bots.timberwall.walling import may_break
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.units import tier

HANDOVER = 60
PRESS = 24
GATHER = 20
RELIEVE = 18
HUNT_IN_FOREST = 15
AGGRESSION = 8
"""What aggression mode adds to enemies on forests, so that they come before empty ones (4.1)."""
IDLE_GATHER = 12
LEFTOVER = 4


class Goal(NamedTuple):
    """Tiles that a unit should get to, and how much that is worth in steps."""

    weight: int
    tiles: list[Tile]


def goals(lookout: Lookout, tile: Tile) -> Iterator[Goal]:
    """Return the goals of a unit by its role: hunter from tier 3 on, gatherer below."""
    return (hunter_goals if lookout.own_tier(tile) >= ARMY_TIER else gatherer_goals)(lookout, tile)


def gatherer_goals(lookout: Lookout, tile: Tile) -> Iterator[Goal]:
    """Yield free forests, those to be taken over, those of the enemy, and the enemy base last (3C, 4.1, 5)."""
    yield Goal(GATHER, lookout.free_forests)
    yield Goal(RELIEVE, awaiting_relief(lookout))
    yield _hunt_in_forests(lookout, tile)
    yield Goal(LEFTOVER, [lookout.ground.goal])


def hunter_goals(lookout: Lookout, tile: Tile) -> Iterator[Goal]:
    """Yield the enemy base, enemies on forests, and empty forests when they are nobody else's to take (5)."""
    yield Goal(PRESS, [lookout.ground.goal])
    yield _hunt_in_forests(lookout, tile)
    if lookout.ground.enemies and lookout.obeys(Rule.HUNTERS):
        return
    if is_opening(lookout) and lookout.obeys(Rule.HANDOVER):
        yield Goal(HANDOVER, unclaimed_forests(lookout))
    elif not has_gatherer_near(lookout, tile):
        yield Goal(IDLE_GATHER, lookout.free_forests)


def has_gatherer_near(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a lower tier is near enough to take the forests instead of a hunter (hunter role)."""
    distance = lookout.ground.grid.distance
    return any(lookout.own_tier(other) < ARMY_TIER and distance(tile, other) <= NEARBY for other in lookout.ground.own)


def unclaimed_forests(lookout: Lookout) -> list[Tile]:
    """Return the free forests without a gatherer beside them: those left after a handover are not gone back to (5)."""
    own_tier = lookout.own_tier
    return [
        tile
        for tile in lookout.free_forests
        if all(own_tier(friend) >= ARMY_TIER for friend in lookout.friends_beside(tile))
    ]


def awaiting_relief(lookout: Lookout) -> list[Tile]:
    """Return the forests that a tier 3 holds until a gatherer comes to take over (5, handover)."""
    return sorted(tile for tile in lookout.forests & lookout.ground.own.keys() if lookout.own_tier(tile) >= ARMY_TIER)


def _hunt_in_forests(lookout: Lookout, tile: Tile) -> Goal:
    weight = HUNT_IN_FOREST + AGGRESSION * is_aggressive(lookout)
    return Goal(weight, _matched(lookout, tile, sorted(lookout.forests & lookout.ground.enemies.keys())))


def _matched(lookout: Lookout, tile: Tile, enemies: list[Tile]) -> list[Tile]:
    """Return those enemies whose tier is not above that of the own unit on a tile (3C)."""
    rank = lookout.own_tier(tile)
    return [enemy for enemy in enemies if tier(lookout.ground.enemies[enemy].points) <= rank]


def intercept(lookout: Lookout) -> rules.Action | None:
    """Bring the nearest unit that is a match for it towards an enemy near the own base, even off a forest (4.5, 5)."""
    near = lookout.enemies_within([lookout.ground.home], NEARBY)
    free = [tile for tile in sorted(lookout.ground.own) if not is_blocked(lookout, tile)]
    return _best(lookout, [(tile, Goal(0, _matched(lookout, tile, near))) for tile in free])


def press(lookout: Lookout) -> rules.Action | None:
    """Bring a hunter nearer to the enemy base that is before it already, past enemies in the open (5)."""
    free = [tile for tile in sorted(skirmishers(lookout)) if may_leave(lookout, tile)]
    return _best(lookout, [(tile, Goal(PRESS, [lookout.ground.goal])) for tile in free])


def pursue(lookout: Lookout) -> rules.Action | None:
    """Bring the unit nearer to its goal for which that is worth most."""
    free = [tile for tile in sorted(lookout.ground.own) if may_leave(lookout, tile)]
    return _best(lookout, [(tile, goal) for tile in free for goal in goals(lookout, tile)])


def _best(lookout: Lookout, wishes: list[tuple[Tile, Goal]]) -> rules.Action | None:
    """Return the step that is worth most among those of some units to their goals."""
    held = {tile for tile in lookout.ground.own if is_held(lookout, tile)}
    hopes = [(_hope(lookout, tile, goal), tile, goal) for tile, goal in wishes if goal.tiles]
    most: tuple[int, rules.Action] | None = None
    for hope, tile, goal in sorted(hopes, key=lambda entry: -entry[0]):
        if most is not None and hope <= most[0]:
            break
        closed = (held - {tile}).union(shunned(lookout, tile)) - {*goal.tiles}
        found = advance(
            lookout, tile, goal.tiles, may_break=may_break(lookout, tile), closed=closed, patience=None
        )  # fmt: skip
        if found is not None and (most is None or goal.weight - found[0] > most[0]):
            most = goal.weight - found[0], found[1]
    return None if most is None else most[1]


def _hope(lookout: Lookout, tile: Tile, goal: Goal) -> int:
    """Return what a step towards a goal is worth at most: as if nothing were in the way."""
    return goal.weight - min(lookout.ground.grid.distance(tile, other) for other in goal.tiles)
