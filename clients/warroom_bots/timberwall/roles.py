"""Where the warden's units go: sections 4.1 and 5 of the document. Each role has its goals, the weightier first."""

from collections.abc import Iterator
from typing import NamedTuple

from warroom_bots.timberwall.fighting import is_aggressive
from warroom_bots.timberwall.holding import may_leave
from warroom_bots.timberwall.lookout import Lookout, advance
from warroom_bots.timberwall.spawning import ARMY_TIER, DESPERATE, NEARBY
from warroom_bots.timberwall.walling import may_break
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Tile
from warroom_games.timberwall.units import tier

HANDOVER = 40
INTERCEPT = 30
DEFEND = 26
GATHER = 20
HUNT_IN_FOREST = 15
AGGRESSION = 8
"""What aggression mode adds to enemies on forests (4.1)."""
PRESS = 14
IDLE_GATHER = 12

EARLY_TURNS = 24
"""The handover is for the early game: until a forest is held, but not longer than this."""


class Goal(NamedTuple):
    """Tiles that a unit should get to, and how much that is worth in steps."""

    weight: int
    tiles: list[Tile]


def goals(lookout: Lookout, tile: Tile) -> Iterator[Goal]:
    """Return the goals of a unit by its role: hunter from tier 3 on, gatherer below."""
    return hunter_goals(lookout) if lookout.own_tier(tile) >= ARMY_TIER else gatherer_goals(lookout, tile)


def gatherer_goals(lookout: Lookout, tile: Tile) -> Iterator[Goal]:
    """Yield free forests, and enemies near the base that are no stronger (5, tiers 1 and 2)."""
    rank, ground = lookout.own_tier(tile), lookout.ground
    near = lookout.enemies_within([ground.home], NEARBY)
    yield Goal(DEFEND, [enemy for enemy in near if tier(ground.enemies[enemy].points) <= rank])
    yield Goal(GATHER, lookout.free_forests)


def hunter_goals(lookout: Lookout) -> Iterator[Goal]:
    """Yield enemies near the own base, enemies on forests, the enemy base, and forests when nobody is in sight (5)."""
    ground = lookout.ground
    yield Goal(INTERCEPT, lookout.enemies_within([ground.home], DESPERATE))
    on_forests = sorted(ground.forests & ground.enemies.keys())
    yield Goal(HUNT_IN_FOREST + AGGRESSION * is_aggressive(lookout), on_forests)
    yield Goal(PRESS, [ground.goal])
    if is_early(lookout):
        yield Goal(HANDOVER, lookout.free_forests)
    elif not ground.enemies:
        yield Goal(IDLE_GATHER, lookout.free_forests)


def is_early(lookout: Lookout) -> bool:
    """Tell whether a tier 3 must first of all occupy a forest (5, handover)."""
    table = lookout.ground.table
    return table.turn <= EARLY_TURNS and not table.held[lookout.ground.seat]


def pursue(lookout: Lookout) -> rules.Action | None:
    """Bring the unit nearer to its goal for which that is worth most."""
    best: tuple[int, Tile, rules.Action] | None = None
    for tile in sorted(lookout.ground.own):
        if may_leave(lookout, tile):
            for goal in goals(lookout, tile):
                found = advance(lookout, tile, goal.tiles) if goal.tiles else None
                if found is None or (isinstance(found[1], rules.HitWall) and not may_break(lookout, tile)):
                    continue
                if best is None or goal.weight - found[0] > best[0]:
                    best = goal.weight - found[0], tile, found[1]
    return best and best[2]
