"""The warden's spawns, none of which ends a turn: sections 3B and 4.2 of the document, and its defence of the base."""

from collections.abc import Iterable

from warroom_bots.games.timberwall.situation import LOST, Situation, field
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.economy import WOOD_PER_RESERVE
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.ground import Ground
from warroom_games.timberwall.opening import FIRST_RESERVES
from warroom_games.timberwall.state import Unit
from warroom_games.timberwall.units import LEVELS, tier

OPENING_ROUNDS = 8
OPENING_SPAWNS = 2
SCOUT = 2
"""Points of a unit spawned to take a forest."""
STRONG = 4
"""Minimum points of a strong blocker: the highest level of tier 1."""
NEARBY = 3
"""Distance from a forest or the base within which an enemy calls for a response."""
DESPERATE = 5
"""Distance within which an enemy threatens the base."""
ARMY_TIER = 3
TOP_TIER = 4

FLOORS = {rank: min(points for points in LEVELS if tier(points) == rank) for rank in range(1, TOP_TIER + 1)}
"""The points of the first level of each tier."""
MUSTER = FLOORS[ARMY_TIER]


def is_opening(situation: Situation) -> bool:
    """Whether the match is in its opening."""
    return situation.ground.table.round <= OPENING_ROUNDS


def reserves_spent(ground: Ground) -> int:
    """Return the reserves that a seat spent in the opening, when there is no wood to convert yet."""
    income = (ground.table.round - 1) // ground.table.options.reserve_rounds
    return max(0, FIRST_RESERVES + income - ground.knowledge.reserves)


def is_base_threatened(situation: Situation, distance: int = DESPERATE) -> bool:
    """Whether an enemy is near the own base."""
    return bool(situation.enemies_within([situation.ground.home], distance))


def bans_trash(situation: Situation) -> bool:
    """Whether tier 1 must not be spawned: after turn 8, unless an enemy is adjacent to the base (4.2)."""
    is_late = not is_opening(situation) and situation.obeys(Rule.NO_TRASH)
    return is_late and not is_base_threatened(situation, 1)


def grab_forests(situation: Situation) -> rules.Action | None:
    """Spawn at most two units in the opening, nearest to a free forest (3B, opening)."""
    if not is_opening(situation) or situation.spawned >= OPENING_SPAWNS:
        return None
    return deployed(situation, min(SCOUT, situation.ground.knowledge.reserves), situation.free_forests)


def spawn_army(situation: Situation) -> rules.Action | None:
    """Spawn the strongest affordable unit of tier 3 or 4, and nothing weaker before (3B, T4 rush)."""
    points = [action.points for action in situation.ways(rules.Deploy) if action.points >= MUSTER]
    return deployed(situation, max(points), [situation.ground.goal]) if points else None


def convert_for_army(situation: Situation) -> rules.Action | None:
    """Convert wood to reserves until tier 3 is affordable (4.2)."""
    if situation.ground.knowledge.reserves >= MUSTER:
        return None
    return next(situation.ways(rules.Convert), None)


def spawn_in_despair(situation: Situation) -> rules.Action | None:
    """Spawn tier 2 if the base is threatened, has no defender and tier 3 is not affordable (4.2)."""
    ground = situation.ground
    defended = any(ground.grid.distance(tile, ground.home) <= NEARBY for tile in ground.own)
    near = situation.enemies_within([ground.home], DESPERATE)
    return None if defended or not near else deployed(situation, FLOORS[2], near)


def afforded(situation: Situation, points: int, towards: Iterable[Tile]) -> rules.Action | None:
    """Spawn a unit of *points*, or convert the wood for it; None if even that is not enough."""
    own = situation.ground.knowledge
    if own.reserves < points <= own.reserves + own.wood // WOOD_PER_RESERVE:
        return next(situation.ways(rules.Convert))
    return deployed(situation, points, towards)


def deployed(situation: Situation, points: int, towards: Iterable[Tile]) -> rules.Action | None:
    """Return the deployment from which a unit reaches one of the tiles soonest."""
    goals = list(towards)
    options = [action for action in situation.ways(rules.Deploy) if action.points == points]
    if not goals or not options:
        return None
    ground = situation.ground
    costs = field(ground, goals, Unit(0, 0, points))
    spots = [(costs.get(ground.grid.tile(way.x, way.y), LOST), order) for order, way in enumerate(options)]
    return options[min(spots)[1]]
