"""One decision of Timberwall's AI as its document sees it: who is held, who may enter, and which ways are open.

Nothing here asks the bot.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from warroom_bots.api import Decision
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.geometry import Step, Tile
from warroom_games.timberwall.ground import Ground, survey_views
from warroom_games.timberwall.listing import every_action
from warroom_games.timberwall.units import SETTLED, tier, wall_damage

OPENING_ROUNDS = 8
NEAR = 3
GATHERER, HUNTER = 2, 3
NEVER = 1 << 20


@dataclass(frozen=True)
class Case:
    """What the AI knows at one moment, and how many units it has spawned in the match."""

    ground: Ground
    spawned: int

    @cached_property
    def legal(self) -> list[rules.Action]:
        """Every legal action."""
        return every_action(self.ground)

    @cached_property
    def forests(self) -> frozenset[Tile]:
        """All forests."""
        return self.ground.forests

    @cached_property
    def free(self) -> frozenset[Tile]:
        """The forests without a known unit."""
        return self.forests - self.ground.own.keys() - self.ground.enemies.keys()

    @property
    def is_opening(self) -> bool:
        """Whether this is one of the first rounds."""
        return self.ground.table.round <= OPENING_ROUNDS

    def at(self, action: rules.Stepping) -> tuple[Tile, Step]:
        """Return where an action begins, and its step."""
        source = self.ground.grid.tile(action.x, action.y)
        return source, self.ground.grid.steps[source][action.direction]

    def rank(self, tile: Tile) -> int:
        """Return the tier of the own unit on a tile."""
        return tier(self.ground.own[tile].points)

    def foe(self, tile: Tile) -> int:
        """Return the tier of the enemy on a tile."""
        return tier(self.ground.enemies[tile].points)

    def foes_near(self, tile: Tile, distance: int) -> list[Tile]:
        """Return the visible enemies within a distance."""
        return [enemy for enemy in self.ground.enemies if self.ground.grid.distance(enemy, tile) <= distance]

    def friends_beside(self, tile: Tile) -> list[Tile]:
        """Return the own units around a tile."""
        return [other for other in self.ground.own if other in self.ground.grid.neighbours[tile]]

    def is_held(self, tile: Tile) -> bool:
        """Tell whether a forest holds a unit (3A); tier 3 and up only in the opening, until the handover (4.5, 5)."""
        if tile not in self.forests:
            return False
        if self.rank(tile) < HUNTER:
            return True
        is_relieved = self.ground.own[tile].forest >= SETTLED and any(
            self.rank(friend) < HUNTER for friend in self.friends_beside(tile)
        )
        return self.is_opening and not is_relieved

    def is_guard(self, tile: Tile) -> bool:
        """Tell whether a unit is at its base in the way of an enemy there: the "wall of flesh" of the AI defence."""
        is_home = self.ground.grid.distance(tile, self.ground.home) <= NEAR
        return is_home and bool(self.foes_near(self.ground.home, NEAR))

    def is_outranked(self, tile: Tile, mover: Tile) -> bool:
        """Tell whether a unit would stand on a tile with an enemy of a higher tier beside it, nothing being between."""
        for step in self.ground.grid.steps[tile].values():
            if step.target in self.ground.enemies and self.foe(step.target) > self.rank(mover):
                between = [other for other in step.beside if other != mover and not self.ground.is_empty(other)]
                if self.ground.barred.isdisjoint(step.edges) and not between:
                    return True
        return False

    @cached_property
    def is_emergency(self) -> bool:
        """Whether tier 1 may hit walls: the base is in danger, or no gatherer of tier 2 is free (3C)."""
        is_free = any(self.rank(tile) == GATHERER and not self.is_held(tile) for tile in self.ground.own)
        return bool(self.foes_near(self.ground.home, NEAR)) or not is_free

    def may_break(self, tile: Tile) -> bool:
        """Tell whether a unit may hit walls (3C)."""
        return self.rank(tile) >= GATHERER or self.is_emergency

    def may_enter(self, tile: Tile, target: Tile) -> bool:
        """Tell whether a unit may step on a tile: tier 3 on no free forest while an enemy is visible (5)."""
        return target not in self.free or self.rank(tile) < HUNTER or not self.ground.enemies

    def first_action(self, tile: Tile, goals: Collection[Tile]) -> rules.Action | None:
        """Return a legal action that begins a way to one of the goals, around all units, breaking walls if allowed."""
        for action in self.legal:
            if isinstance(action, rules.Move | rules.HitWall):
                source, step = self.at(action)
                is_hit = isinstance(action, rules.HitWall)
                if source == tile and self.may_enter(tile, step.target) and (not is_hit or self.may_break(tile)):
                    if not is_hit and self._leads(tile, step.target, goals):
                        return action
                    if is_hit and (step.target in goals or self._leads(tile, step.target, goals)):
                        return action
        return None

    def _leads(self, tile: Tile, start: Tile, goals: Collection[Tile]) -> bool:
        """Tell whether a way that does not come back to the unit's own tile leads from a tile to a goal."""
        if not self.ground.is_empty(start):
            return False
        seen, queue, breaks = {tile, start}, [start], self.may_break(tile)
        for place in queue:
            if place in goals:
                return True
            for step in self.ground.grid.steps[place].values():
                if step.target in seen or not self._is_passable(step, breaks, tile):
                    continue
                if step.target in goals:
                    return True
                seen.add(step.target)
                if self.ground.is_empty(step.target) and self.may_enter(tile, step.target):
                    queue.append(step.target)
        return False

    def _is_passable(self, step: Step, breaks: bool, own: Tile) -> bool:
        if not self.ground.barred.isdisjoint(step.edges):
            return breaks and step.is_straight
        units = self.ground.own.keys() | self.ground.enemies.keys()
        return not any(beside in units and beside != own for beside in step.beside)

    def walkers(self, goal: Tile) -> set[Tile]:
        """Return the own units that can walk to a free tile without a hit on any wall."""
        seen, found, queue = {goal}, set[Tile](), [goal]
        for place in queue:
            for step in self.ground.grid.steps[place].values():
                if step.target in seen or not self.ground.is_open(step):
                    continue
                seen.add(step.target)
                if step.target in self.ground.own:
                    found.add(step.target)
                elif self.ground.is_empty(step.target):
                    queue.append(step.target)
        return found

    def turns(self, goal: Tile, points: int) -> dict[Tile, int]:
        """Return by tile in how many turns a unit of so many points is at a goal, on a board without units."""
        found: dict[Tile, int] = {}
        heap = [(0, goal)]
        while heap:
            cost, place = heappop(heap)
            if place in found:
                continue
            found[place] = cost
            if place in (self.ground.home, self.ground.goal):
                continue
            for step in self.ground.grid.steps[place].values():
                if self.ground.barred.isdisjoint(step.edges):
                    heappush(heap, (cost + 1, step.target))
                elif step.is_straight:
                    wall = self.ground.walls.get(step.edges[0])
                    hits = 1 if wall is None else -(-wall.hp // wall_damage(points))
                    heappush(heap, (cost + 1 + hits, step.target))
        return found

    @cached_property
    def steps_home(self) -> dict[Tile, int]:
        """By tile: the steps on foot to the tiles around the own base."""
        found = dict.fromkeys(self.ground.grid.neighbours[self.ground.home], 1)
        queue = list(found)
        for place in queue:
            for step in self.ground.grid.steps[place].values():
                is_open = self.ground.barred.isdisjoint(step.edges) and step.target != self.ground.home
                if is_open and step.target not in found:
                    found[step.target] = found[place] + 1
                    queue.append(step.target)
        return found

    def is_homeward(self, tile: Tile, neighbour: Tile) -> bool:
        """Tell whether a neighbour is nearer to the own base on foot (4.3)."""
        return self.steps_home.get(neighbour, NEVER) < self.steps_home.get(tile, NEVER)


def case_of(decision: Decision, spawned: int = 0) -> Case:
    """Return the case that the AI has before it."""
    return Case(survey_views(decision.public, decision.private, decision.seat), spawned)
