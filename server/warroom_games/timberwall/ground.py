"""The board as one seat knows it, by tile and edge. Its actions are judged by this alone."""

from dataclasses import dataclass

import msgspec

from warroom_games.api import Seat, View
from warroom_games.timberwall.geometry import Edge, Grid, Step, Tile, around, grid
from warroom_games.timberwall.state import Knowledge, Table, Unit, Wall, open_knowledge, rival_of

ZONE = 2
"""Units are deployed, and walls are not built, within this distance of a base."""  # §5.2, §7.2


@dataclass(frozen=True, slots=True)
class Ground:
    """The knowledge of a seat, prepared for questions. It contains nothing that the seat does not know."""

    table: Table
    knowledge: Knowledge
    seat: Seat
    grid: Grid
    own: dict[Tile, Unit]
    enemies: dict[Tile, Unit]
    walls: dict[Edge, Wall]
    """Walls that players built."""
    barred: frozenset[Edge]
    """The edges with a wall, neutral or not."""
    cooling: dict[Edge, int]
    """By edge: the round from which it may have a wall again."""
    home: Tile
    goal: Tile
    """The tiles of the own base and of the enemy base."""

    def is_open(self, step: Step) -> bool:
        """Whether no wall and no corner blocks a step."""  # §4.2, §4.3
        if not self.barred.isdisjoint(step.edges):
            return False
        for tile in step.beside:  # noqa: SIM110 - the loop is the fastest form, and this is asked most
            if tile in self.own or tile in self.enemies:
                return False
        return True

    def is_empty(self, tile: Tile) -> bool:
        """Whether a unit may enter a tile."""  # §1.2, §4.1
        return not (tile in self.own or tile in self.enemies or tile == self.home or tile == self.goal)

    @property
    def zone(self) -> frozenset[Tile]:
        """The tiles on which units may be deployed, occupied or not."""  # §5.2
        return around(self.grid.size, self.home, ZONE) - {self.home}

    @property
    def wall_free(self) -> frozenset[Tile]:
        """The tiles near a base, on whose edges nobody may build."""  # §7.2
        size = self.grid.size
        return around(size, self.home, ZONE) | around(size, self.goal, ZONE)

    @property
    def forests(self) -> frozenset[Tile]:
        """The tiles with a forest."""
        return frozenset(self.grid.tile(x, y) for x, y in self.table.forests)


def survey(table: Table, knowledge: Knowledge) -> Ground:
    """Return the ground as a seat knows it."""
    seat, size = knowledge.seat, table.options.size
    plain = grid(size)
    walls = {plain.edge(wall.x, wall.y, wall.side): wall for wall in knowledge.walls}
    home, goal = table.bases[seat], table.bases[rival_of(seat)]
    return Ground(
        table,
        knowledge,
        seat,
        plain,
        {unit.y * size + unit.x: unit for unit in knowledge.units},
        {unit.y * size + unit.x: unit for unit in knowledge.enemies},
        walls,
        frozenset(knowledge.neutral_walls).union(walls),
        {plain.edge(edge.x, edge.y, edge.side): edge.ready_round for edge in knowledge.cooling},
        plain.tile(home.x, home.y),
        plain.tile(goal.x, goal.y),
    )


def survey_views(public: View, private: View | None, seat: Seat) -> Ground:
    """Return the ground from the views that a client holds."""
    table = msgspec.convert(public, Table)
    if table.board is not None:
        return survey(table, open_knowledge(table.board, table.options.size, seat))
    return survey(table, msgspec.convert(private, Knowledge))
