"""What the warden builds and breaks: section 4.3 of the document, and its rules about walls."""

from warroom_bots.timberwall.doctrine import Rule
from warroom_bots.timberwall.holding import is_held
from warroom_bots.timberwall.lookout import Lookout, walkers
from warroom_bots.timberwall.spawning import ARMY_TIER, LOST, NEARBY, is_base_threatened
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.ground import Ground
from warroom_games.timberwall.units import tier

BREAKER_TIER = 2


def fortify(lookout: Lookout) -> rules.Action | None:
    """Build a wall between a unit on a forest and an enemy of its tier or more beside it (4.3)."""
    ground = lookout.ground
    plans = {ground.grid.edge(plan.x, plan.y, plan.side): plan for plan in lookout.ways(rules.BuildWall)}
    for tile in sorted(lookout.forests & ground.own.keys()):
        for step in ground.grid.steps[tile].values():
            enemy = ground.enemies.get(step.target)
            if step.is_straight and step.edges[0] in plans and enemy is not None:
                is_strong = tier(enemy.points) >= lookout.own_tier(tile)
                if is_strong and not faces_home(lookout, tile, step.target):
                    return plans[step.edges[0]]
    return None


def faces_home(lookout: Lookout, tile: Tile, neighbour: Tile) -> bool:
    """Tell whether the way home from a tile leads over a neighbour, where no wall is wanted (4.3)."""
    steps = steps_home(lookout.ground)
    return steps.get(neighbour, LOST) < steps.get(tile, LOST)


def steps_home(ground: Ground) -> dict[Tile, int]:
    """Return by tile how many steps it is on foot to the own base, around walls; a tile without a way is left out.

    The walls of the base itself are not counted: a unit beside it is at home.
    """
    steps = dict.fromkeys(sorted(ground.grid.neighbours[ground.home]), 1)
    queue = list(steps)
    for tile in queue:
        for step in ground.grid.steps[tile].values():
            if step.target not in steps and ground.barred.isdisjoint(step.edges) and step.target != ground.home:
                steps[step.target] = steps[tile] + 1
                queue.append(step.target)
    return steps


def may_break(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit may hit walls: from tier 2 on, or in an emergency (3C)."""
    return lookout.own_tier(tile) >= BREAKER_TIER or not lookout.obeys(Rule.BREAKING) or is_emergency(lookout)


def is_emergency(lookout: Lookout) -> bool:
    """Tell whether tier 1 must lend a hand: the base is in danger, or no gatherer of tier 2 is free to do it."""
    return is_base_threatened(lookout, NEARBY) or not any(
        lookout.own_tier(tile) == BREAKER_TIER and not is_held(lookout, tile) for tile in lookout.ground.own
    )


def shut_forests(lookout: Lookout) -> list[Tile]:
    """Return the free forests into which no unit can walk: none that a forest does not hold has an open way."""
    return [
        tile
        for tile in lookout.free_forests
        if all(is_held(lookout, walker) for walker in walkers(lookout.ground, tile))
    ]


def open_forest(lookout: Lookout) -> rules.Action | None:
    """Break a neutral wall of a free forest into which no unit can walk (AI interaction).

    A unit that can go in afterwards comes first.
    """
    hits = [
        hit
        for hit in lookout.ways(rules.HitWall)
        if lookout.step(hit).edges[0] not in lookout.ground.walls and may_break(lookout, lookout.source(hit))
    ]
    targets = {lookout.target(hit) for hit in hits}
    if targets.isdisjoint(lookout.free_forests):
        return None
    shut = set(shut_forests(lookout))
    return min(
        (hit for hit in hits if lookout.target(hit) in shut),
        key=lambda hit: (is_held(lookout, lookout.source(hit)), lookout.own_tier(lookout.source(hit)) >= ARMY_TIER),
        default=None,
    )
