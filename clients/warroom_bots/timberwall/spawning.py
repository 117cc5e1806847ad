"""The warden's spawns: sections 3B and 4.2 of the document, and its defence of the base. None of them ends a turn."""

from collections.abc import Iterable

from warroom_bots.timberwall.fighting import is_stronger
from warroom_bots.timberwall.lookout import Lookout
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.economy import WOOD_PER_RESERVE
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.opening import FIRST_UNITS
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


def is_opening(lookout: Lookout) -> bool:
    """Tell whether the game has just begun."""
    return lookout.ground.table.round <= OPENING_ROUNDS


def intruders(lookout: Lookout) -> list[Tile]:
    """Return the enemies within 3 tiles of any forest or of the own base."""
    return lookout.enemies_within([*lookout.ground.forests, lookout.ground.home], NEARBY)


def is_base_threatened(lookout: Lookout, distance: int = DESPERATE) -> bool:
    """Tell whether an enemy is near to the own base."""
    return bool(lookout.enemies_within([lookout.ground.home], distance))


def bans_trash(lookout: Lookout) -> bool:
    """Tell whether tier 1 must not be spawned: after turn 8, unless an enemy stands beside the base (4.2)."""
    return not is_opening(lookout) and not is_base_threatened(lookout, 1)


def grab_forests(lookout: Lookout) -> rules.Action | None:
    """Spawn at most two units at the start of the game, nearest to a free forest (3B, opening)."""
    may_spawn = is_opening(lookout) and len(lookout.ground.own) < len(FIRST_UNITS) + OPENING_SPAWNS
    return _deployed(lookout, SCOUT, lookout.free_forests) if may_spawn else None


def answer_intruder(lookout: Lookout) -> rules.Action | None:
    """Spawn a unit one tier above an enemy near a forest or the base, converting wood first if need be (3B)."""
    near = intruders(lookout)
    ranks = [tier(lookout.ground.enemies[tile].points) for tile in near]
    wanted = min(max(ranks, default=0) + 1, TOP_TIER)
    if not near or any(tier(unit.points) >= wanted for unit in lookout.ground.own.values()):
        return None
    return _afforded(lookout, FLOORS[wanted], near)


def block_with_flesh(lookout: Lookout) -> rules.Action | None:
    """Spawn the strongest blocker there is towards an enemy within 3 tiles of the base (Wall of Flesh).

    Where a stronger unit can strike already, a blocker would only be in its way.
    """
    near = lookout.enemies_within([lookout.ground.home], NEARBY)
    least = FLOORS[2] if bans_trash(lookout) else STRONG
    points = [action.points for action in lookout.ways(rules.Deploy) if action.points >= least]
    if not near or not points or any(is_stronger(lookout, attack) for attack in lookout.fights(near)):
        return None
    return _deployed(lookout, max(points), near)


def spawn_army(lookout: Lookout) -> rules.Action | None:
    """Spawn the strongest unit of tier 3 or 4 once one is affordable, and nothing less before (3B, T4 rush)."""
    points = [action.points for action in lookout.ways(rules.Deploy) if tier(action.points) >= ARMY_TIER]
    return _deployed(lookout, max(points), [lookout.ground.goal]) if points else None


def convert_for_army(lookout: Lookout) -> rules.Action | None:
    """Convert wood to reserves until tier 3 is affordable (4.2)."""
    if lookout.ground.knowledge.reserves >= FLOORS[ARMY_TIER]:
        return None
    return next(lookout.ways(rules.Convert), None)


def spawn_in_despair(lookout: Lookout) -> rules.Action | None:
    """Spawn tier 2 when the base is threatened, nobody defends it and tier 3 is out of reach (4.2)."""
    ground = lookout.ground
    defended = any(ground.grid.distance(tile, ground.home) <= NEARBY for tile in ground.own)
    near = lookout.enemies_within([ground.home], DESPERATE)
    return None if defended or not near else _deployed(lookout, FLOORS[2], near)


def _afforded(lookout: Lookout, points: int, towards: Iterable[Tile]) -> rules.Action | None:
    """Spawn a unit of so many points, or convert the wood that it takes; nothing if even that is too little."""
    own = lookout.ground.knowledge
    if own.reserves < points <= own.reserves + own.wood // WOOD_PER_RESERVE:
        return next(lookout.ways(rules.Convert))
    return _deployed(lookout, points, towards)


def _deployed(lookout: Lookout, points: int, towards: Iterable[Tile]) -> rules.Action | None:
    """Return the deployment of a unit nearest to one of some tiles."""
    plain, goals = lookout.ground.grid, list(towards)
    options = [action for action in lookout.ways(rules.Deploy) if action.points == points]
    if not goals or not options:
        return None
    return min(options, key=lambda action: min(plain.distance(plain.tile(action.x, action.y), goal) for goal in goals))
