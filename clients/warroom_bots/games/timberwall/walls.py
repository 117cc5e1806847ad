"""The walls that the warden builds and breaks: section 4.3 of the document, and its rules about walls."""

from warroom_bots.games.timberwall.holding_position import is_held
from warroom_bots.games.timberwall.situation import LOST, Situation, walkers
from warroom_bots.games.timberwall.spawns import ARMY_TIER, NEARBY, is_base_threatened
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.ground import Ground
from warroom_games.timberwall.units import tier

BREAKER_TIER = 2


def fortify(situation: Situation) -> rules.Action | None:
    """Build a wall between a unit on a forest and an adjacent enemy of at least its tier (4.3)."""
    ground = situation.ground
    plans = {ground.grid.edge(plan.x, plan.y, plan.side): plan for plan in situation.ways(rules.BuildWall)}
    for tile in sorted(situation.forests & ground.own.keys()):
        for step in ground.grid.steps[tile].values():
            enemy = ground.enemies.get(step.target)
            if step.is_straight and step.edges[0] in plans and enemy is not None:
                is_strong = tier(enemy.points) >= situation.own_tier(tile)
                if is_strong and not faces_home(situation, tile, step.target):
                    return plans[step.edges[0]]
    return None


def faces_home(situation: Situation, tile: Tile, neighbour: Tile) -> bool:
    """Whether the shortest path home from a tile crosses a neighbour, where no wall is wanted (4.3)."""
    steps = steps_home(situation.ground)
    return steps.get(neighbour, LOST) < steps.get(tile, LOST)


def steps_home(ground: Ground) -> dict[Tile, int]:
    """Return the walking distance of each tile to the own base, around walls; unreachable tiles are missing.

    The walls of the base itself do not count: a unit adjacent to the base is home.
    """
    steps = dict.fromkeys(sorted(ground.grid.neighbours[ground.home]), 1)
    queue = list(steps)
    for tile in queue:
        for step in ground.grid.steps[tile].values():
            if step.target not in steps and ground.barred.isdisjoint(step.edges) and step.target != ground.home:
                steps[step.target] = steps[tile] + 1
                queue.append(step.target)
    return steps


def may_break(situation: Situation, tile: Tile) -> bool:
    """Whether a unit may hit walls: from tier 2 on, or in an emergency (3C)."""
    return situation.own_tier(tile) >= BREAKER_TIER or not situation.obeys(Rule.BREAKING) or is_emergency(situation)


def is_emergency(situation: Situation) -> bool:
    """Whether tier 1 must help: the base is in danger, or no gatherer of tier 2 is free."""
    return is_base_threatened(situation, NEARBY) or not any(
        situation.own_tier(tile) == BREAKER_TIER and not is_held(situation, tile) for tile in situation.ground.own
    )


def shut_forests(situation: Situation) -> list[Tile]:
    """Return the free forests that no unit can reach on foot; units held by a forest do not count."""
    return [
        tile
        for tile in situation.free_forests
        if all(is_held(situation, walker) for walker in walkers(situation.ground, tile))
    ]


def open_forest(situation: Situation) -> rules.Action | None:
    """Break a neutral wall of a free forest that no unit can enter (AI interaction).

    Units that can enter afterwards come first.
    """
    hits = [
        hit
        for hit in situation.ways(rules.HitWall)
        if situation.step(hit).edges[0] not in situation.ground.walls and may_break(situation, situation.source(hit))
    ]
    targets = {situation.target(hit) for hit in hits}
    if targets.isdisjoint(situation.free_forests):
        return None
    shut = set(shut_forests(situation))
    return min(
        (hit for hit in hits if situation.target(hit) in shut),
        key=lambda hit: (
            is_held(situation, situation.source(hit)),
            situation.own_tier(situation.source(hit)) >= ARMY_TIER,
        ),
        default=None,
    )
