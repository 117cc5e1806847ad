"""Games of Warroom that begin where a match comes late or seldom: versions of their own, which only tests host."""

from typing import Final

from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_games.graph_battle.options import Options as BattleOptions
from warroom_games.graph_battle.rules import GraphBattle
from warroom_games.graph_battle.state import State as BattleState
from warroom_games.rng import Rng
from warroom_games.timberwall.options import Options as TimberOptions
from warroom_games.timberwall.rules import Timberwall
from warroom_games.timberwall.sight import first_memories
from warroom_games.timberwall.state import Holding, Unit, Wall
from warroom_games.timberwall.state import State as TimberState

VERSION: Final = 1_000
"""Newer than any, so that new rooms are made of it."""
CONQUERED: Seat = 0
ENOUGH_WOOD = 30
OUTPOSTS = ((4, 1), (5, 8))
"""By seat, beyond the reach of the own base, where no forest grows: walls may be built there."""


class AfterAConquest(GraphBattle):
    """Graph Battle in which the first seat has lost its last node already."""

    info = replace(GraphBattle.info, rules_version=VERSION)

    def setup(self, seats: int, options: BattleOptions, rng: Rng) -> BattleState:
        """Give all nodes of the first seat to the next one."""
        state = super().setup(seats, options, rng)
        lost, heir = state.table.colors[CONQUERED], state.table.colors[CONQUERED + 1]
        nodes = tuple(replace(node, color=heir) if node.color == lost else node for node in state.table.nodes)
        table = replace(state.table, nodes=nodes, out=(CONQUERED,), seat=CONQUERED + 1)
        return BattleState(table, state.rng)


class WithWood(Timberwall):
    """Timberwall in which both sides have wood, and a unit where a wall can be built."""

    info = replace(Timberwall.info, rules_version=VERSION)

    def setup(self, seats: int, options: TimberOptions, rng: Rng) -> TimberState:
        """Add them to the usual opening."""
        state = super().setup(seats, options, rng)
        holdings = tuple(map(_supplied, state.board.holdings, OUTPOSTS))
        board = replace(state.board, holdings=holdings)
        return replace(state, board=board, memories=first_memories(state.table, board))


def _supplied(holding: Holding, outpost: tuple[int, int]) -> Holding:
    return replace(holding, wood=ENOUGH_WOOD, units=(*holding.units, Unit(*outpost, 1)))


class WithLostWalls(WithWood):
    """Timberwall in which each side remembers an own wall, far from all units, that is gone."""

    def setup(self, seats: int, options: TimberOptions, rng: Rng) -> TimberState:
        """Put the walls into the memories alone."""
        state = super().setup(seats, options, rng)
        if not options.fog:
            return state
        far = options.size - 2
        lost = (Wall(far, 0, "east", 0, 100), Wall(0, far, "south", 1, 100))
        memories = tuple(
            replace(memory, walls=(*memory.walls, wall)) for memory, wall in zip(state.memories, lost, strict=True)
        )
        return replace(state, memories=memories)


AFTER_A_CONQUEST = AfterAConquest()
WITH_WOOD = WithWood()
WITH_LOST_WALLS = WithLostWalls()
