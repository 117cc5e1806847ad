"""When the warden's units stay in their forests: sections 3A, 4.5 and 5 of the document."""

from warroom_bots.timberwall.lookout import Lookout
from warroom_bots.timberwall.spawning import ARMY_TIER, NEARBY, is_base_threatened, is_opening
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


def is_hunter(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether no forest holds a unit: from tier 3 on, once the opening is over (4.5)."""
    return lookout.own_tier(tile) >= ARMY_TIER and not is_opening(lookout)


def guards_base(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit is at its base while an enemy is there too, and so stays to be in its way (AI defence)."""
    distance, home = lookout.ground.grid.distance, lookout.ground.home
    return distance(tile, home) <= NEARBY and is_base_threatened(lookout, NEARBY)


def may_leave(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit may go where it likes: not off a forest, but as a hunter or after a handover."""
    if is_blocked(lookout, tile) or guards_base(lookout, tile):
        return False
    return not is_anchored(lookout, tile) or is_hunter(lookout, tile) or hands_over(lookout, tile)


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
        is_in_danger = is_outranked(lookout, tile, rank) and not guards_base(lookout, tile)
        if is_in_danger and not is_outranked(lookout, target, rank):
            refuge = min(plain.distance(target, other) for other in (home, *own) if other != tile)
            ways.append((-own[tile].points, refuge, order, move))
    return min(ways)[3] if ways else None
