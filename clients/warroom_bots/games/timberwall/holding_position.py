"""Decides which of the warden's units hold their position: sections 3A, 4.5 and 5 of the document."""

from warroom_bots.games.timberwall.situation import Situation
from warroom_bots.games.timberwall.spawns import ARMY_TIER, NEARBY, is_base_threatened, is_opening
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.units import SETTLED, tier


def is_anchored(situation: Situation, tile: Tile) -> bool:
    """Whether a unit is on a forest and must hold its position (3A)."""
    return situation.obeys(Rule.ANCHOR) and tile in situation.forests


def is_blocked(situation: Situation, tile: Tile) -> bool:
    """Whether a unit occupies a forest that gives no wood yet; hunters are exempt (4.5)."""
    unit = situation.ground.own[tile]
    has_begun = 0 < unit.forest < SETTLED and tier(unit.points) < ARMY_TIER
    return has_begun and not is_base_threatened(situation)


def hands_over(situation: Situation, tile: Tile) -> bool:
    """Whether a tier 3 on an active forest has an adjacent gatherer to take over (5, handover)."""
    unit = situation.ground.own[tile]
    is_active = tier(unit.points) >= ARMY_TIER and unit.forest >= SETTLED
    return is_active and any(situation.own_tier(friend) < ARMY_TIER for friend in situation.friends_beside(tile))


def is_hunter(situation: Situation, tile: Tile) -> bool:
    """Whether forests do not hold a unit: from tier 3 on, after the opening (4.5)."""
    is_free = not is_opening(situation) or not situation.obeys(Rule.HANDOVER)
    return situation.own_tier(tile) >= ARMY_TIER and is_free


def guards_base(situation: Situation, tile: Tile) -> bool:
    """Whether a unit stays at its base to block an enemy that is there too (AI defence)."""
    distance, home = situation.ground.grid.distance, situation.ground.home
    is_near = distance(tile, home) <= NEARBY and is_base_threatened(situation, NEARBY)
    return is_near and situation.obeys(Rule.FLESH)


def is_held(situation: Situation, tile: Tile) -> bool:
    """Whether a forest holds a unit, which then neither leaves nor makes way."""
    if is_blocked(situation, tile):
        return True
    return is_anchored(situation, tile) and not is_hunter(situation, tile) and not hands_over(situation, tile)


def may_leave(situation: Situation, tile: Tile) -> bool:
    """Whether a unit may move freely: a unit on a forest only as a hunter or after a handover."""
    return not is_held(situation, tile) and not guards_base(situation, tile)


def shunned(situation: Situation, tile: Tile) -> list[Tile]:
    """Return the free forests that a unit must not enter: all of them for tier 3 while an enemy is visible (5)."""
    is_hunting = situation.own_tier(tile) >= ARMY_TIER and bool(situation.ground.enemies)
    return situation.free_forests if is_hunting and situation.obeys(Rule.HUNTERS) else []


def is_outranked(situation: Situation, tile: Tile, mover: Tile) -> bool:
    """Whether the unit on *mover* could be attacked on *tile* by an enemy of a higher tier."""
    ground, rank = situation.ground, situation.own_tier(mover)
    others = (ground.own.keys() | ground.enemies.keys()) - {mover}
    return any(
        tier(ground.enemies[step.target].points) > rank
        and ground.barred.isdisjoint(step.edges)
        and others.isdisjoint(step.beside)
        for step in ground.grid.steps[tile].values()
        if step.target in ground.enemies
    )


def retreat(situation: Situation) -> rules.Action | None:
    """Move a unit away from an adjacent enemy of a higher tier, to the nearest friend or the base (3A, 3C)."""
    plain, own, home = situation.ground.grid, situation.ground.own, situation.ground.home
    ways = []
    for order, move in enumerate(situation.ways(rules.Move)):
        tile, target = situation.source(move), situation.target(move)
        is_in_danger = is_outranked(situation, tile, tile) and not guards_base(situation, tile)
        is_safe = not is_outranked(situation, target, tile) and target not in shunned(situation, tile)
        if is_in_danger and is_safe:
            refuge = min(plain.distance(target, other) for other in (home, *own) if other != tile)
            ways.append((-own[tile].points, refuge, order, move))
    return min(ways)[3] if ways else None
