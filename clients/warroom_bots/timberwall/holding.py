"""When the warden's units stay in their forests: sections 3A, 4.5 and 5 of the document."""

from warroom_bots.timberwall.lookout import Lookout
from warroom_bots.timberwall.spawning import ARMY_TIER, is_base_threatened
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.units import SETTLED, tier


def is_anchored(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit stands on a forest, and so must hold its position (3A)."""
    return tile in lookout.ground.forests


def is_blocked(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit has begun to occupy a forest that does not give wood yet; hunters are exempt (4.5)."""
    unit = lookout.ground.own[tile]
    return 0 < unit.forest < SETTLED and tier(unit.points) < ARMY_TIER and not is_base_threatened(lookout)


def hands_over(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a tier 3 that has activated a forest has a gatherer beside it to take over (5, handover)."""
    unit = lookout.ground.own[tile]
    is_active = tier(unit.points) >= ARMY_TIER and unit.forest >= SETTLED
    return is_active and any(lookout.own_tier(friend) < ARMY_TIER for friend in lookout.friends_beside(tile))


def may_leave(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit may move at all: not off a forest, but to save the base or after a handover."""
    if is_blocked(lookout, tile):
        return False
    return not is_anchored(lookout, tile) or is_base_threatened(lookout) or hands_over(lookout, tile)


def is_outranked(lookout: Lookout, tile: Tile, rank: int) -> bool:
    """Tell whether an enemy of a higher tier than *rank* stands next to a tile."""
    neighbours, enemies = lookout.ground.grid.neighbours[tile], lookout.ground.enemies
    return any(tier(enemy.points) > rank for other, enemy in enemies.items() if other in neighbours)


def retreat(lookout: Lookout) -> rules.Action | None:
    """Take a unit with an enemy of a higher tier beside it to the nearest friend or the base (3A, 3C)."""
    plain, own, home = lookout.ground.grid, lookout.ground.own, lookout.ground.home
    ways = []
    for order, move in enumerate(lookout.ways(rules.Move)):
        tile, target = lookout.source(move), lookout.target(move)
        rank = lookout.own_tier(tile)
        if is_outranked(lookout, tile, rank) and not is_outranked(lookout, target, rank):
            refuge = min(plain.distance(target, other) for other in (home, *own) if other != tile)
            ways.append((-own[tile].points, refuge, order, move))
    return min(ways)[3] if ways else None
