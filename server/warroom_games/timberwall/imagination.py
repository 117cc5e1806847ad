"""Positions that fit what a viewer knows: docs/rules/timberwall.md, section 10.7.

An imagined position respects what a viewer can infer: nobody has more points than the turns so far can have brought,
has moved further than one tile a turn, or holds another number of forests than the table says.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from warroom_games.api import Seat, View
from warroom_games.rng import Rng
from warroom_games.timberwall.actions import Side
from warroom_games.timberwall.geometry import around, edges_of, grid
from warroom_games.timberwall.ground import ZONE
from warroom_games.timberwall.opening import FIRST_RESERVES, FIRST_UNITS
from warroom_games.timberwall.sight import fresh_memory, sees_edge
from warroom_games.timberwall.state import (
    IN_SIGHT,
    SEATS,
    UNKNOWN,
    Board,
    Cooling,
    Edge,
    Holding,
    Knowledge,
    Memory,
    Spot,
    State,
    Table,
    Unit,
    Wall,
    replaced,
)
from warroom_games.timberwall.units import LEVELS, SETTLED
from warroom_games.timberwall.walls import COOLING_ROUNDS, HP

MOST_WOOD = 40
MOST_DEPLOYED = 6
LOST_ONE_IN = 8
"""One in this many units and walls out of sight is imagined to be gone."""


def imagine(public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
    """Return a state that has these views for *seat* (None: a spectator)."""
    table = msgspec.convert(public, Table)
    coins, rng = rng.spawn()
    if table.board is not None:
        return State(replace(table, board=None), table.board, (), coins)
    known = _nothing_known(table) if seat is None else msgspec.convert(private, Knowledge)
    holdings, rng = _imagined_holdings(table, known, seat, rng)
    board, rng = _imagined_board(table, known, holdings, rng)
    memories = tuple(_imagined_memory(table, board, other) for other in SEATS)
    if seat is not None:
        memories = replaced(memories, seat, _memory_of(known))
    return State(table, board, memories, coins)


def _memory_of(known: Knowledge) -> Memory:
    return Memory(known.enemies, known.neutral_walls, known.walls, known.cooling, known.tiles)


def _nothing_known(table: Table) -> Knowledge:
    """Return the knowledge of a spectator: the walls of the start."""
    size = table.options.size
    return Knowledge(0, 0, 0, False, (), (), table.neutral_walls, (), (), (UNKNOWN * size,) * size)


# --- units and stores -------------------------------------------------------------------------------------------


def _imagined_holdings(table: Table, known: Knowledge, seat: Seat | None, rng: Rng) -> tuple[tuple[Holding, ...], Rng]:
    """Return possible holdings of each seat; *seat*'s own is known."""
    taken = {(x, y) for y, row in enumerate(known.tiles) for x, shade in enumerate(row) if shade == IN_SIGHT}
    holdings = []
    for other in SEATS:
        if other == seat:
            holding = Holding(known.wood, known.reserves, known.has_built, known.units)
        else:
            holding, rng = _imagined_holding(table, other, known.enemies, taken, rng)
            taken.update((unit.x, unit.y) for unit in holding.units)
        holdings.append(holding)
    return tuple(holdings), rng


def _imagined_holding(
    table: Table, seat: Seat, shown: tuple[Unit, ...], taken: set[Spot], rng: Rng
) -> tuple[Holding, Rng]:
    """Return a possible holding of a seat besides the units that are *shown*; *taken* tiles are occupied."""
    is_its_turn = table.seat == seat
    turns = (table.turn - is_its_turn) // 2
    pieces, reserves, rng = _imagined_pieces(table, shown, turns, rng, may_have_deployed=turns > 0 or is_its_turn)
    wood, rng = rng.below(MOST_WOOD + 1) if turns >= SETTLED else (0, rng)
    has_built, rng = rng.below(2) if is_its_turn else (0, rng)
    holders = table.held[seat] - sum((unit.x, unit.y) in table.forests for unit in shown)
    pieces += [LEVELS[0]] * (holders - len(pieces))
    order, rng = rng.shuffle(pieces)
    woods, rng = rng.sample([spot for spot in table.forests if spot not in taken], holders)
    camps, rng = rng.shuffle(_camps(table, seat, turns, taken))
    units = [*shown]
    for spot, points in zip((*woods, *camps), order, strict=False):
        count, rng = rng.below(SETTLED) if spot in woods else rng.below(min(turns, SETTLED) + 1)
        units.append(Unit(*spot, points, count + 1, count + 1) if spot in woods else Unit(*spot, points, count))
    return Holding(wood, reserves, bool(has_built), tuple(units)), rng


def _imagined_pieces(
    table: Table, shown: tuple[Unit, ...], turns: int, rng: Rng, *, may_have_deployed: bool
) -> tuple[list[int], int, Rng]:
    """Return the points of hidden units and the reserves that a seat may have after this many own turns."""
    points = [unit.points for unit in shown]
    pieces = [first for first in FIRST_UNITS if first not in points]
    income = turns // table.options.reserve_rounds
    spare = max(0, FIRST_RESERVES + sum(FIRST_UNITS) + income - sum(points) - sum(pieces))
    if not may_have_deployed:
        return pieces, spare, rng
    kept = []
    for piece in pieces:
        luck, rng = rng.below(LOST_ONE_IN)
        kept += [piece] if luck or not turns else []
    spent, rng = rng.below(spare + 1)
    reserves = spare - spent
    while spent and len(kept) < MOST_DEPLOYED:
        piece, rng = rng.choice([level for level in LEVELS if level <= spent])
        kept.append(piece)
        spent -= piece
    return kept, reserves, rng


def _camps(table: Table, seat: Seat, turns: int, taken: set[Spot]) -> list[Spot]:
    """Return the tiles without a forest that a seat's units may have reached unseen."""
    plain = grid(table.options.size)
    bases = [(base.x, base.y) for base in table.bases]
    near = around(plain.size, plain.tile(*bases[seat]), min(ZONE + turns, plain.size))
    closed = {*bases, *table.forests} | taken
    return [spot for spot in map(plain.spot, sorted(near)) if spot not in closed]


# --- walls ------------------------------------------------------------------------------------------------------


def _imagined_board(table: Table, known: Knowledge, holdings: tuple[Holding, ...], rng: Rng) -> tuple[Board, Rng]:
    """Return the board with walls that may have fallen or been built unseen."""
    walls = {_number(table, wall): wall for wall in known.walls}
    cooling = {_number(table, edge): edge for edge in known.cooling}
    neutral = set(known.neutral_walls)
    for number in _doubtful(table, known) if table.turn > 1 else ():
        luck, rng = rng.below(LOST_ONE_IN)
        if not luck and number not in cooling:
            walls.pop(number, None)
            neutral.discard(number)
            ago, rng = rng.below(min(COOLING_ROUNDS, table.round))
            cooling[number] = Cooling(*_place(table, number), table.round - ago + COOLING_ROUNDS)
    for seat, number in _building_sites(table, known, holdings):
        luck, rng = rng.below(LOST_ONE_IN)
        if not luck and number not in walls and number not in neutral and number not in cooling:
            walls[number] = Wall(*_place(table, number), seat, HP)
    return Board(holdings, tuple(sorted(neutral)), tuple(walls.values()), tuple(cooling.values())), rng


def _doubtful(table: Table, known: Knowledge) -> list[int]:
    """Return the edges where a wall may have fallen unseen: one out of sight, or one of the start that is gone."""
    walls = {_number(table, wall) for wall in known.walls}.union(known.neutral_walls)
    numbers = sorted(walls.union(table.neutral_walls))
    return [
        number for number in numbers if number not in walls or not sees_edge(known.tiles, Edge(*_place(table, number)))
    ]


def _building_sites(table: Table, known: Knowledge, holdings: tuple[Holding, ...]) -> Iterator[tuple[Seat, int]]:
    """Yield edges out of sight on which a seat may have built a wall beside a unit."""
    plain = grid(table.options.size)
    near = frozenset[int]().union(*(around(plain.size, plain.tile(base.x, base.y), ZONE) for base in table.bases))
    for seat, holding in enumerate(holdings):
        for unit in holding.units:
            for number in edges_of(plain.size, plain.tile(unit.x, unit.y)):
                is_unseen = not sees_edge(known.tiles, Edge(*plain.place(number)))
                if is_unseen and near.isdisjoint(plain.parted(number)):
                    yield seat, number


def _imagined_memory(table: Table, board: Board, seat: Seat) -> Memory:
    """Return the memory of a seat that has seen only what it sees now, and its own walls."""
    return fresh_memory(table, board, seat, tuple(wall for wall in board.walls if wall.owner == seat))


def _number(table: Table, edge: Wall | Cooling) -> int:
    return grid(table.options.size).edge(edge.x, edge.y, edge.side)


def _place(table: Table, number: int) -> tuple[int, int, Side]:
    return grid(table.options.size).place(number)
