"""A bot for Timberwall that takes the best available attack, and otherwise marches on the enemy base."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.timberwall.lookout import Lookout, advance, look_at
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.units import tier

DANGER = 4
"""Distance at which an enemy near the own base calls for defenders."""

ARMY = 3
"""Minimum tier of a unit that marches on the enemy base."""

Idea: TypeAlias = Callable[[Lookout], rules.Action | None]


class GreedyBot:
    """Hits the base, wins safe fights, deploys what it can afford, and marches with its strongest unit."""

    def choose(self, decision: Decision) -> Action:
        """Return the action of the first idea that has one."""
        lookout = look_at(decision)
        action = next(filter(None, (idea(lookout) for idea in IDEAS)), rules.Pass())
        return msgspec.to_builtins(action)


def hit_base(lookout: Lookout) -> rules.Action | None:
    """Hit the enemy base with the strongest unit that can."""
    ground = lookout.ground
    hits = [action for action in lookout.ways(rules.Attack) if lookout.target(action) == ground.goal]
    return max(hits, key=lambda action: ground.own[lookout.source(action)].points, default=None)


def win_fight(lookout: Lookout) -> rules.Action | None:
    """Attack where the enemy falls even without luck, strongest enemy first."""
    ground = lookout.ground
    wins = [
        action
        for action in lookout.ways(rules.Attack)
        if (target := lookout.target(action)) in ground.enemies
        and ground.own[lookout.source(action)].points > lookout.defence(target)
    ]
    return max(wins, key=lambda action: ground.enemies[lookout.target(action)].points, default=None)


def convert_wood(lookout: Lookout) -> rules.Action | None:
    """Turn all wood into reserves."""
    return next(lookout.ways(rules.ConvertAll), None)


def deploy_strongest(lookout: Lookout) -> rules.Action | None:
    """Deploy the strongest unit, of tier 3 or more unless the base is in danger."""
    ground = lookout.ground
    is_in_danger = bool(lookout.enemies_within([ground.home], DANGER))
    options = [action for action in lookout.ways(rules.Deploy) if is_in_danger or tier(action.points) >= ARMY]
    goal = ground.goal
    return max(
        options,
        key=lambda action: (action.points, -ground.grid.distance(ground.grid.tile(action.x, action.y), goal)),
        default=None,
    )


def merge_up(lookout: Lookout) -> rules.Action | None:
    """Merge the pair that makes the strongest unit, as long as the army has none of tier 3."""
    own = lookout.ground.own
    if any(tier(unit.points) >= ARMY for unit in own.values()):
        return None
    return max(
        lookout.ways(rules.Merge),
        key=lambda action: own[lookout.source(action)].points + own[lookout.target(action)].points,
        default=None,
    )


def march(lookout: Lookout) -> rules.Action | None:
    """Bring the strongest unit that can get there nearer to the enemy base."""
    ground = lookout.ground
    for tile in sorted(ground.own, key=lambda tile: (-ground.own[tile].points, tile)):
        if found := advance(lookout, tile, [ground.goal]):
            return found[1]
    return None


IDEAS: tuple[Idea, ...] = (hit_base, win_fight, convert_wood, deploy_strongest, merge_up, march)
"""The ideas in order."""

BOT = BotKind(
    name="greedy",
    game="timberwall",
    summary="wins what fights it can and marches on the base",
    make=lambda _: GreedyBot(),
)
