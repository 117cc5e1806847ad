"""When the warden's units stay where they are: sections 3A, 4.5 and 5 of the document."""

from warroom_bots.timberwall.doctrine import Rule
from warroom_bots.timberwall.lookout import Lookout
from warroom_bots.timberwall.spawning import ARMY_TIER, NEARBY, is_base_threatened, is_opening
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.units import SETTLED, tier


def is_anchored(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit stands on a forest, and so must hold its position (3A)."""
    return lookout.obeys(Rule.ANCHOR) and tile in lookout.forests


def is_blocked(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit has begun to occupy a forest that does not give wood yet; hunters are exempt (4.5)."""
    unit = lookout.ground.own[tile]
    has_begun = 0 < unit.forest < SETTLED and tier(unit.points) < ARMY_TIER
    return has_begun and not is_base_threatened(lookout)


def hands_over(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a tier 3 that has activated a forest has a gatherer beside it to take over (5, handover)."""
    unit = lookout.ground.own[tile]
    is_active = tier(unit.points) >= ARMY_TIER and unit.forest >= SETTLED
    return is_active and any(lookout.own_tier(friend) < ARMY_TIER for friend in lookout.friends_beside(tile))


def is_hunter(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether no forest holds a unit: from tier 3 on, once the opening is over (4.5)."""
    is_free = not is_opening(lookout) or not lookout.obeys(Rule.HANDOVER)
    return lookout.own_tier(tile) >= ARMY_TIER and is_free


def guards_base(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit is at its base while an enemy is there too, and so stays to be in its way (AI defence)."""
    distance, home = lookout.ground.grid.distance, lookout.ground.home
    is_near = distance(tile, home) <= NEARBY and is_base_threatened(lookout, NEARBY)
    return is_near and lookout.obeys(Rule.FLESH)


def is_held(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a forest holds a unit, which then neither leaves nor makes way."""
    if is_blocked(lookout, tile):
        return True
    return is_anchored(lookout, tile) and not is_hunter(lookout, tile) and not hands_over(lookout, tile)


def may_leave(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit may go where it likes: not off a forest, but as a hunter or after a handover."""
    return not is_held(lookout, tile) and not guards_base(lookout, tile)


def shunned(lookout: Lookout, tile: Tile) -> list[Tile]:
    """Return the free forests that a unit does not enter: all of them for tier 3 while an enemy is visible (5)."""
    is_hunting = lookout.own_tier(tile) >= ARMY_TIER and bool(lookout.ground.enemies)
    return lookout.free_forests if is_hunting and lookout.obeys(Rule.HUNTERS) else []


def is_outranked(lookout: Lookout, tile: Tile, mover: Tile) -> bool:
    """Tell whether an enemy of a higher tier than the unit on *mover* could attack that unit on a tile next to it."""
    ground, rank = lookout.ground, lookout.own_tier(mover)
    others = (ground.own.keys() | ground.enemies.keys()) - {mover}
    return any(
        tier(ground.enemies[step.target].points) > rank
        and ground.barred.isdisjoint(step.edges)
        and others.isdisjoint(step.beside)
        for step in ground.grid.steps[tile].values()
        if step.target in ground.enemies
    )


def retreat(lookout: Lookout) -> rules.Action | None:
    """Take a unit with an enemy of a higher tier beside it to the nearest friend or the base (3A, 3C)."""
    plain, own, home = lookout.ground.grid, lookout.ground.own, lookout.ground.home
    ways = []
    for order, move in enumerate(lookout.ways(rules.Move)):
        tile, target = lookout.source(move), lookout.target(move)
        is_in_danger = is_outranked(lookout, tile, tile) and not guards_base(lookout, tile)
        is_safe = not is_outranked(lookout, target, tile) and target not in shunned(lookout, tile)
        if is_in_danger and is_safe:
            refuge = min(plain.distance(target, other) for other in (home, *own) if other != tile)
            ways.append((-own[tile].points, refuge, order, move))
    return min(ways)[3] if ways else None
