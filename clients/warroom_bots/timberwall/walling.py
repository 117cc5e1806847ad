"""What the warden builds and breaks: section 4.3 of the document, and its rules about walls."""

from warroom_bots.timberwall.lookout import Lookout
from warroom_bots.timberwall.spawning import NEARBY, is_base_threatened
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile, edges_of
from warroom_games.timberwall.units import tier

BREAKER_TIER = 2


def fortify(lookout: Lookout) -> rules.Action | None:
    """Build a wall between a unit on a forest and an enemy of its tier or more beside it (4.3)."""
    ground = lookout.ground
    plans = {ground.grid.edge(plan.x, plan.y, plan.side): plan for plan in lookout.ways(rules.BuildWall)}
    for tile in sorted(ground.forests & ground.own.keys()):
        for step in ground.grid.steps[tile].values():
            enemy = ground.enemies.get(step.target)
            if step.is_straight and step.edges[0] in plans and enemy is not None:
                is_strong = tier(enemy.points) >= lookout.own_tier(tile)
                if is_strong and not faces_home(lookout, tile, step.target):
                    return plans[step.edges[0]]
    return None


def faces_home(lookout: Lookout, tile: Tile, neighbour: Tile) -> bool:
    """Tell whether a neighbour is on the side of the own base, where no wall is wanted (4.3)."""
    distance, home = lookout.ground.grid.distance, lookout.ground.home
    return distance(neighbour, home) < distance(tile, home)


def may_break(lookout: Lookout, tile: Tile) -> bool:
    """Tell whether a unit may hit walls: from tier 2 on, or in an emergency (3C)."""
    return lookout.own_tier(tile) >= BREAKER_TIER or is_emergency(lookout)


def is_emergency(lookout: Lookout) -> bool:
    """Tell whether tier 1 must lend a hand: the base is in danger, or there is nobody else."""
    own = lookout.ground.own
    return is_base_threatened(lookout, NEARBY) or all(lookout.own_tier(tile) < BREAKER_TIER for tile in own)


def open_forest(lookout: Lookout) -> rules.Action | None:
    """Break a neutral wall of a free forest that is walled in all around (AI interaction)."""
    ground = lookout.ground
    free = {tile for tile in lookout.free_forests if ground.barred.issuperset(edges_of(ground.grid.size, tile))}
    for hit in lookout.ways(rules.HitWall):
        is_neutral = lookout.step(hit).edges[0] not in ground.walls
        if is_neutral and lookout.target(hit) in free and may_break(lookout, lookout.source(hit)):
            return hit
    return None
