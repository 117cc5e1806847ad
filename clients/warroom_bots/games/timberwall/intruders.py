"""The warden's response to intruders: section 3B of the document, and its defence of the base."""

from warroom_bots.games.timberwall.attacks import may_engage
from warroom_bots.games.timberwall.holding_position import is_held
from warroom_bots.games.timberwall.situation import LOST, Situation, open_field
from warroom_bots.games.timberwall.spawns import FLOORS, NEARBY, STRONG, TOP_TIER, afforded, bans_trash, deployed
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.state import Unit
from warroom_games.timberwall.units import tier


def intruders(situation: Situation) -> list[Tile]:
    """Return the enemies within 3 tiles of any forest or of the own base, strongest first."""
    near = situation.enemies_within([*situation.forests, situation.ground.home], NEARBY)
    return sorted(near, key=lambda tile: (-situation.ground.enemies[tile].points, tile))


def wanted_tier(situation: Situation, intruder: Tile) -> int:
    """Return the tier to send against an intruder: one above its own, if there is one (3B)."""
    return min(tier(situation.ground.enemies[intruder].points) + 1, TOP_TIER)


def is_answered(situation: Situation, intruder: Tile) -> bool:
    """Whether a unit of the wanted tier reaches an intruder as soon as a spawned one would (3B).

    A unit held by a forest counts only if it can attack the intruder from its tile.
    """
    wanted = wanted_tier(situation, intruder)
    ranked = [tile for tile in situation.ground.own if situation.own_tier(tile) >= wanted]
    at_hand = {situation.source(attack) for attack in situation.fights([intruder])}
    if not ranked or not at_hand.isdisjoint(ranked):
        return bool(ranked)
    free = [tile for tile in situation.ground.zone if situation.ground.is_empty(tile)]
    ready = [tile for tile in ranked if not is_held(situation, tile)]
    costs = open_field(situation.ground, intruder, Unit(0, 0, FLOORS[wanted]))
    soonest = min((costs.get(tile, LOST) for tile in free), default=LOST)
    return any(costs.get(tile, LOST) <= soonest for tile in ready)


def answer_intruder(situation: Situation) -> rules.Action | None:
    """Spawn a unit one tier above an enemy near a forest or the base; convert wood first if necessary (3B)."""
    for intruder in intruders(situation):
        points = FLOORS[wanted_tier(situation, intruder)]
        if not is_answered(situation, intruder) and (answer := afforded(situation, points, [intruder])):
            return answer
    return None


def block_with_flesh(situation: Situation) -> rules.Action | None:
    """Spawn the strongest available blocker towards an enemy within 3 tiles of the base (AI defence).

    If a unit can already attack that enemy, a blocker would only be in its way.
    """
    near = situation.enemies_within([situation.ground.home], NEARBY)
    least = FLOORS[2] if bans_trash(situation) else STRONG
    points = [action.points for action in situation.ways(rules.Deploy) if action.points >= least]
    if not near or not points or any(may_engage(situation, attack) for attack in situation.fights(near)):
        return None
    return deployed(situation, max(points), near)
