"""The goals of the warden's units by role, most valuable first: sections 4.1 and 5 of the document."""

from collections.abc import Iterator
from typing import NamedTuple

from warroom_bots.games.timberwall.attacks import is_aggressive, skirmishers
from warroom_bots.games.timberwall.holding_position import is_blocked, is_held, may_leave, shunned
from warroom_bots.games.timberwall.situation import Situation, advance
from warroom_bots.games.timberwall.spawns import ARMY_TIER, NEARBY, is_opening
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_bots.games.timberwall.walls import may_break
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.units import tier

HANDOVER = 60
PRESS = 24
GATHER = 20
RELIEVE = 18
HUNT_IN_FOREST = 15
AGGRESSION = 8
"""Bonus for enemies on forests in aggression mode, so that they come before empty forests (4.1)."""
IDLE_GATHER = 12
LEFTOVER = 4


class Goal(NamedTuple):
    """Target tiles of a unit, and their value in steps."""

    weight: int
    tiles: list[Tile]


def goals(situation: Situation, tile: Tile) -> Iterator[Goal]:
    """Return the goals of a unit by its role: hunter from tier 3 on, gatherer below."""
    return (hunter_goals if situation.own_tier(tile) >= ARMY_TIER else gatherer_goals)(situation, tile)


def gatherer_goals(situation: Situation, tile: Tile) -> Iterator[Goal]:
    """Yield free forests, forests to take over, forests of the enemy, and the enemy base last (3C, 4.1, 5)."""
    yield Goal(GATHER, situation.free_forests)
    yield Goal(RELIEVE, awaiting_relief(situation))
    yield _hunt_in_forests(situation, tile)
    yield Goal(LEFTOVER, [situation.ground.goal])


def hunter_goals(situation: Situation, tile: Tile) -> Iterator[Goal]:
    """Yield the enemy base, enemies on forests, and empty forests that no gatherer will take (5)."""
    yield Goal(PRESS, [situation.ground.goal])
    yield _hunt_in_forests(situation, tile)
    if situation.ground.enemies and situation.obeys(Rule.HUNTERS):
        return
    if is_opening(situation) and situation.obeys(Rule.HANDOVER):
        yield Goal(HANDOVER, unclaimed_forests(situation))
    elif not has_gatherer_near(situation, tile):
        yield Goal(IDLE_GATHER, situation.free_forests)


def has_gatherer_near(situation: Situation, tile: Tile) -> bool:
    """Whether a lower tier is near enough to take the forests instead of a hunter (hunter role)."""
    distance = situation.ground.grid.distance
    return any(
        situation.own_tier(other) < ARMY_TIER and distance(tile, other) <= NEARBY for other in situation.ground.own
    )


def unclaimed_forests(situation: Situation) -> list[Tile]:
    """Return the free forests without an adjacent gatherer, so that nobody returns after a handover (5)."""
    own_tier = situation.own_tier
    return [
        tile
        for tile in situation.free_forests
        if all(own_tier(friend) >= ARMY_TIER for friend in situation.friends_beside(tile))
    ]


def awaiting_relief(situation: Situation) -> list[Tile]:
    """Return the forests that a tier 3 holds until a gatherer takes over (5, handover)."""
    return sorted(
        tile for tile in situation.forests & situation.ground.own.keys() if situation.own_tier(tile) >= ARMY_TIER
    )


def _hunt_in_forests(situation: Situation, tile: Tile) -> Goal:
    weight = HUNT_IN_FOREST + AGGRESSION * is_aggressive(situation)
    return Goal(weight, _matched(situation, tile, sorted(situation.forests & situation.ground.enemies.keys())))


def _matched(situation: Situation, tile: Tile, enemies: list[Tile]) -> list[Tile]:
    """Return the enemies whose tier is at most that of the own unit on a tile (3C)."""
    rank = situation.own_tier(tile)
    return [enemy for enemy in enemies if tier(situation.ground.enemies[enemy].points) <= rank]


def intercept(situation: Situation) -> rules.Action | None:
    """Move the nearest unit of sufficient tier towards an enemy near the own base, even off a forest (4.5, 5)."""
    near = situation.enemies_within([situation.ground.home], NEARBY)
    free = [tile for tile in sorted(situation.ground.own) if not is_blocked(situation, tile)]
    return _best(situation, [(tile, Goal(0, _matched(situation, tile, near))) for tile in free])


def press(situation: Situation) -> rules.Action | None:
    """Move a hunter that is near the enemy base closer to it, past enemies in the open (5)."""
    free = [tile for tile in sorted(skirmishers(situation)) if may_leave(situation, tile)]
    return _best(situation, [(tile, Goal(PRESS, [situation.ground.goal])) for tile in free])


def pursue(situation: Situation) -> rules.Action | None:
    """Make the most valuable step of any unit towards its goal."""
    free = [tile for tile in sorted(situation.ground.own) if may_leave(situation, tile)]
    return _best(situation, [(tile, goal) for tile in free for goal in goals(situation, tile)])


def _best(situation: Situation, candidates: list[tuple[Tile, Goal]]) -> rules.Action | None:
    """Return the most valuable step of these units towards their goals."""
    held = {tile for tile in situation.ground.own if is_held(situation, tile)}
    hopes = [(_hope(situation, tile, goal), tile, goal) for tile, goal in candidates if goal.tiles]
    most: tuple[int, rules.Action] | None = None
    for hope, tile, goal in sorted(hopes, key=lambda entry: -entry[0]):
        if most is not None and hope <= most[0]:
            break
        closed = (held - {tile}).union(shunned(situation, tile)) - {*goal.tiles}
        found = advance(
            situation, tile, goal.tiles, may_break=may_break(situation, tile), closed=closed, patience=None
        )  # fmt: skip
        if found is not None and (most is None or goal.weight - found[0] > most[0]):
            most = goal.weight - found[0], found[1]
    return None if most is None else most[1]


def _hope(situation: Situation, tile: Tile, goal: Goal) -> int:
    """Return the upper bound of a step's value: as if nothing were in the way."""
    return goal.weight - min(situation.ground.grid.distance(tile, other) for other in goal.tiles)
