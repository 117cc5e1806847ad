"""The warden's spawns: sections 3B and 4.2 of the document, and its defence of the base. None of them ends a turn."""

from collections.abc import Iterable

from warroom_bots.timberwall.doctrine import Rule
from warroom_bots.timberwall.lookout import Lookout, field
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
"""The points of a unit that is spawned to grab a forest."""
STRONG = 4
"""The least points of a strong blocker: the highest level of tier 1."""
NEARBY = 3
"""How near to a forest or the base an enemy calls for an answer."""
DESPERATE = 5
"""How near an enemy is when the base counts as threatened."""
ARMY_TIER = 3
TOP_TIER = 4

FLOORS = {rank: min(points for points in LEVELS if tier(points) == rank) for rank in range(1, TOP_TIER + 1)}
"""By tier: the points of its first level."""
MUSTER = FLOORS[ARMY_TIER]
LOST = 10_000
"""More turns than any way takes."""


def is_opening(lookout: Lookout) -> bool:
    """Tell whether the game has just begun."""
    return lookout.ground.table.round <= OPENING_ROUNDS


def reserves_spent(ground: Ground) -> int:
    """Return how many reserves a seat has spent in the opening, where there is no wood to convert yet."""
    income = (ground.table.round - 1) // ground.table.options.reserve_rounds
    return max(0, FIRST_RESERVES + income - ground.knowledge.reserves)


def is_base_threatened(lookout: Lookout, distance: int = DESPERATE) -> bool:
    """Tell whether an enemy is near to the own base."""
    return bool(lookout.enemies_within([lookout.ground.home], distance))


def bans_trash(lookout: Lookout) -> bool:
    """Tell whether tier 1 must not be spawned: after turn 8, unless an enemy stands beside the base (4.2)."""
    is_late = not is_opening(lookout) and lookout.obeys(Rule.NO_TRASH)
    return is_late and not is_base_threatened(lookout, 1)


def grab_forests(lookout: Lookout) -> rules.Action | None:
    """Spawn at most two units at the start of the game, nearest to a free forest (3B, opening)."""
    if not is_opening(lookout) or lookout.spawned >= OPENING_SPAWNS:
        return None
    return deployed(lookout, min(SCOUT, lookout.ground.knowledge.reserves), lookout.free_forests)


def spawn_army(lookout: Lookout) -> rules.Action | None:
    """Spawn the strongest unit of tier 3 or 4 once one is affordable, and nothing less before (3B, T4 rush)."""
    points = [action.points for action in lookout.ways(rules.Deploy) if action.points >= MUSTER]
    return deployed(lookout, max(points), [lookout.ground.goal]) if points else None


def convert_for_army(lookout: Lookout) -> rules.Action | None:
    """Convert wood to reserves until tier 3 is affordable (4.2)."""
    if lookout.ground.knowledge.reserves >= MUSTER:
        return None
    return next(lookout.ways(rules.Convert), None)


def spawn_in_despair(lookout: Lookout) -> rules.Action | None:
    """Spawn tier 2 when the base is threatened, nobody defends it and tier 3 is out of reach (4.2)."""
    ground = lookout.ground
    defended = any(ground.grid.distance(tile, ground.home) <= NEARBY for tile in ground.own)
    near = lookout.enemies_within([ground.home], DESPERATE)
    return None if defended or not near else deployed(lookout, FLOORS[2], near)


def afforded(lookout: Lookout, points: int, towards: Iterable[Tile]) -> rules.Action | None:
    """Spawn a unit of so many points, or convert the wood that it takes; nothing if even that is too little."""
    own = lookout.ground.knowledge
    if own.reserves < points <= own.reserves + own.wood // WOOD_PER_RESERVE:
        return next(lookout.ways(rules.Convert))
    return deployed(lookout, points, towards)


def deployed(lookout: Lookout, points: int, towards: Iterable[Tile]) -> rules.Action | None:
    """Return the deployment of a unit from which it walks soonest to one of some tiles."""
    goals = list(towards)
    options = [action for action in lookout.ways(rules.Deploy) if action.points == points]
    if not goals or not options:
        return None
    ground = lookout.ground
    costs = field(ground, goals, Unit(0, 0, points))
    spots = [(costs.get(ground.grid.tile(way.x, way.y), LOST), order) for order, way in enumerate(options)]
    return options[min(spots)[1]]
