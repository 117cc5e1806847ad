"""Whom the warden attacks: sections 3C, 4.1 and 4.4 of the document, and its absolute priority."""

from warroom_bots.timberwall.doctrine import Rule
from warroom_bots.timberwall.lookout import Lookout
from warroom_bots.timberwall.spawning import ARMY_TIER, NEARBY
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.economy import WOOD_PER_FOREST
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.state import rival_of
from warroom_games.timberwall.units import SETTLED, tier

SWARM = 2


def strike_base(lookout: Lookout) -> rules.Action | None:
    """Hit the enemy base with the strongest unit that can, whatever else there is to do (absolute priority)."""
    own = lookout.ground.own
    hits = [action for action in lookout.ways(rules.Attack) if lookout.target(action) == lookout.ground.goal]
    return max(hits, key=lambda action: own[lookout.source(action)].points, default=None)


def incomes(lookout: Lookout) -> tuple[int, int]:
    """Return the own and the enemy's wood a turn; forests held out of sight count as active (4.1)."""
    ground = lookout.ground
    active = sum(unit.forest >= SETTLED for unit in ground.own.values())
    seen = [enemy for tile, enemy in ground.enemies.items() if tile in lookout.forests]
    unseen = ground.table.held[rival_of(ground.seat)] - len(seen)
    theirs = sum(enemy.forest >= SETTLED for enemy in seen) + unseen
    return WOOD_PER_FOREST * active, WOOD_PER_FOREST * theirs


def is_aggressive(lookout: Lookout) -> bool:
    """Tell whether the enemy earns as much wood, so that equal trades are welcome (4.1)."""
    own, theirs = incomes(lookout)
    return lookout.obeys(Rule.WOOD_WAR) and theirs >= own


def is_match(lookout: Lookout, attack: rules.Attack) -> bool:
    """Tell whether the attacker is of the enemy's tier at least (3C)."""
    enemy = lookout.ground.enemies[lookout.target(attack)]
    return lookout.own_tier(lookout.source(attack)) >= tier(enemy.points)


def is_stronger(lookout: Lookout, attack: rules.Attack) -> bool:
    """Tell whether the attacker's power is the defender's at least (4.4)."""
    return lookout.ground.own[lookout.source(attack)].points >= lookout.defence(lookout.target(attack))


def is_swarm(lookout: Lookout, attack: rules.Attack) -> bool:
    """Tell whether at least two allies stand beside the attacker (4.4)."""
    return len(lookout.friends_beside(lookout.source(attack))) >= SWARM


def may_engage(lookout: Lookout, attack: rules.Attack) -> bool:
    """Tell whether an attack is wanted: by the enemy's tier or a higher one, with more power, or in a swarm."""
    has_rank = lookout.obeys(Rule.ATTACK) or is_aggressive(lookout)
    if has_rank and is_match(lookout, attack):
        return True
    return lookout.obeys(Rule.POWER) and (is_stronger(lookout, attack) or is_swarm(lookout, attack))


def engage(lookout: Lookout) -> rules.Action | None:
    """Attack with every unit that has nothing better to do: all but hunters before the enemy base (3C, 5)."""
    return _fiercest(lookout, [attack for attack in _wanted(lookout) if not is_skirmish(lookout, attack)])


def skirmish(lookout: Lookout) -> rules.Action | None:
    """Attack with a hunter before the enemy base that cannot get nearer to it (3C)."""
    return _fiercest(lookout, _wanted(lookout))


def skirmishers(lookout: Lookout) -> set[Tile]:
    """Return the hunters before the enemy base that could attack an enemy in the open."""
    return {lookout.source(attack) for attack in _wanted(lookout) if is_skirmish(lookout, attack)}


def is_skirmish(lookout: Lookout, attack: rules.Attack) -> bool:
    """Tell whether an attack may wait: within 3 tiles of the enemy base that comes before enemies in the open (5)."""
    source, target, distance = lookout.source(attack), lookout.target(attack), lookout.ground.grid.distance
    is_open = target not in lookout.forests and distance(target, lookout.ground.home) > NEARBY
    is_pressing = lookout.own_tier(source) >= ARMY_TIER and distance(source, lookout.ground.goal) <= NEARBY
    return is_open and is_pressing


def _wanted(lookout: Lookout) -> list[rules.Attack]:
    return [attack for attack in lookout.fights(lookout.ground.enemies) if may_engage(lookout, attack)]


def _fiercest(lookout: Lookout, attacks: list[rules.Attack]) -> rules.Action | None:
    """Return the attack on an enemy on a forest (3C), then on one that falls even without luck, then near the base."""
    ground = lookout.ground

    def urgency(attack: rules.Attack) -> tuple[bool, bool, int, int]:
        target, points = lookout.target(attack), ground.own[lookout.source(attack)].points
        is_won = points > lookout.defence(target)
        return target not in lookout.forests, not is_won, ground.grid.distance(target, ground.home), -points

    return min(attacks, key=urgency, default=None)
