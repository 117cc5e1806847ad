"""The warden's attacks: sections 3C, 4.1 and 4.4 of the document, and its absolute priority."""

from warroom_bots.games.timberwall.situation import Situation
from warroom_bots.games.timberwall.spawns import ARMY_TIER, NEARBY
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.economy import WOOD_PER_FOREST
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.state import rival_of
from warroom_games.timberwall.units import SETTLED, tier

SWARM = 2


def strike_base(situation: Situation) -> rules.Action | None:
    """Hit the enemy base with the strongest unit that can, before anything else (absolute priority)."""
    own = situation.ground.own
    hits = [action for action in situation.ways(rules.Attack) if situation.target(action) == situation.ground.goal]
    return max(hits, key=lambda action: own[situation.source(action)].points, default=None)


def incomes(situation: Situation) -> tuple[int, int]:
    """Return the own and the enemy's wood per turn; forests held out of sight count as active (4.1)."""
    ground = situation.ground
    active = sum(unit.forest >= SETTLED for unit in ground.own.values())
    seen = [enemy for tile, enemy in ground.enemies.items() if tile in situation.forests]
    unseen = ground.table.held[rival_of(ground.seat)] - len(seen)
    theirs = sum(enemy.forest >= SETTLED for enemy in seen) + unseen
    return WOOD_PER_FOREST * active, WOOD_PER_FOREST * theirs


def is_aggressive(situation: Situation) -> bool:
    """Whether the enemy earns at least as much wood, so that equal trades are welcome (4.1)."""
    own, theirs = incomes(situation)
    return situation.obeys(Rule.WOOD_WAR) and theirs >= own


def is_match(situation: Situation, attack: rules.Attack) -> bool:
    """Whether the attacker has at least the enemy's tier (3C)."""
    enemy = situation.ground.enemies[situation.target(attack)]
    return situation.own_tier(situation.source(attack)) >= tier(enemy.points)


def is_stronger(situation: Situation, attack: rules.Attack) -> bool:
    """Whether the attacker has at least the defender's power (4.4)."""
    return situation.ground.own[situation.source(attack)].points >= situation.defence(situation.target(attack))


def is_swarm(situation: Situation, attack: rules.Attack) -> bool:
    """Whether at least two allies are adjacent to the attacker (4.4)."""
    return len(situation.friends_beside(situation.source(attack))) >= SWARM


def may_engage(situation: Situation, attack: rules.Attack) -> bool:
    """Whether an attack is wanted: with at least the enemy's tier, with more power, or in a swarm."""
    has_rank = situation.obeys(Rule.ATTACK) or is_aggressive(situation)
    if has_rank and is_match(situation, attack):
        return True
    return situation.obeys(Rule.POWER) and (is_stronger(situation, attack) or is_swarm(situation, attack))


def engage(situation: Situation) -> rules.Action | None:
    """Attack with any unit except hunters near the enemy base, which have a better target (3C, 5)."""
    return _fiercest(situation, [attack for attack in _wanted(situation) if not is_skirmish(situation, attack)])


def skirmish(situation: Situation) -> rules.Action | None:
    """Attack with a hunter near the enemy base that cannot get closer to it (3C)."""
    return _fiercest(situation, _wanted(situation))


def skirmishers(situation: Situation) -> set[Tile]:
    """Return the hunters near the enemy base that could attack an enemy in the open."""
    return {situation.source(attack) for attack in _wanted(situation) if is_skirmish(situation, attack)}


def is_skirmish(situation: Situation, attack: rules.Attack) -> bool:
    """Whether an attack may wait: within 3 tiles of the enemy base, the base comes before enemies in the open (5)."""
    source, target, distance = situation.source(attack), situation.target(attack), situation.ground.grid.distance
    is_open = target not in situation.forests and distance(target, situation.ground.home) > NEARBY
    is_pressing = situation.own_tier(source) >= ARMY_TIER and distance(source, situation.ground.goal) <= NEARBY
    return is_open and is_pressing


def _wanted(situation: Situation) -> list[rules.Attack]:
    return [attack for attack in situation.fights(situation.ground.enemies) if may_engage(situation, attack)]


def _fiercest(situation: Situation, attacks: list[rules.Attack]) -> rules.Action | None:
    """Return the most urgent attack: on a forest first (3C), then one that wins without luck, then near the base."""
    ground = situation.ground

    def urgency(attack: rules.Attack) -> tuple[bool, bool, int, int]:
        target, points = situation.target(attack), ground.own[situation.source(attack)].points
        is_won = points > situation.defence(target)
        return target not in situation.forests, not is_won, ground.grid.distance(target, ground.home), -points

    return min(attacks, key=urgency, default=None)
