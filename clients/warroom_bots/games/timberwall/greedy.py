"""A bot for Timberwall that takes the best available attack, and otherwise marches on the enemy base."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.games.timberwall.situation import Situation, advance, look_at
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.units import tier

DANGER = 4
"""Distance at which an enemy near the own base calls for defenders."""

ARMY = 3
"""Minimum tier of a unit that marches on the enemy base."""

Idea: TypeAlias = Callable[[Situation], rules.Action | None]


class GreedyBot:
    """Hits the base, wins safe fights, deploys what it can afford, and marches with its strongest unit."""

    def choose(self, decision: Decision) -> Action:
        """Return the action of the first idea that has one."""
        situation = look_at(decision)
        action = next(filter(None, (idea(situation) for idea in IDEAS)), rules.Pass())
        return msgspec.to_builtins(action)


def hit_base(situation: Situation) -> rules.Action | None:
    """Hit the enemy base with the strongest unit that can."""
    ground = situation.ground
    hits = [action for action in situation.ways(rules.Attack) if situation.target(action) == ground.goal]
    return max(hits, key=lambda action: ground.own[situation.source(action)].points, default=None)


def win_fight(situation: Situation) -> rules.Action | None:
    """Attack where the enemy falls even without luck, strongest enemy first."""
    ground = situation.ground
    wins = [
        action
        for action in situation.ways(rules.Attack)
        if (target := situation.target(action)) in ground.enemies
        and ground.own[situation.source(action)].points > situation.defence(target)
    ]
    return max(wins, key=lambda action: ground.enemies[situation.target(action)].points, default=None)


def convert_wood(situation: Situation) -> rules.Action | None:
    """Turn all wood into reserves."""
    return next(situation.ways(rules.ConvertAll), None)


def deploy_strongest(situation: Situation) -> rules.Action | None:
    """Deploy the strongest unit, of tier 3 or more unless the base is in danger."""
    ground = situation.ground
    is_in_danger = bool(situation.enemies_within([ground.home], DANGER))
    options = [action for action in situation.ways(rules.Deploy) if is_in_danger or tier(action.points) >= ARMY]
    goal = ground.goal
    return max(
        options,
        key=lambda action: (action.points, -ground.grid.distance(ground.grid.tile(action.x, action.y), goal)),
        default=None,
    )


def merge_up(situation: Situation) -> rules.Action | None:
    """Merge the pair that makes the strongest unit, as long as the army has none of tier 3."""
    own = situation.ground.own
    if any(tier(unit.points) >= ARMY for unit in own.values()):
        return None
    return max(
        situation.ways(rules.Merge),
        key=lambda action: own[situation.source(action)].points + own[situation.target(action)].points,
        default=None,
    )


def march(situation: Situation) -> rules.Action | None:
    """Bring the strongest unit that can get there nearer to the enemy base."""
    ground = situation.ground
    for tile in sorted(ground.own, key=lambda tile: (-ground.own[tile].points, tile)):
        if found := advance(situation, tile, [ground.goal]):
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
