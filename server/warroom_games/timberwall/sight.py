"""The fog: what each seat sees and remembers. docs/rules/timberwall.md, section 10."""

from functools import lru_cache

from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_games.timberwall.geometry import grid, masks
from warroom_games.timberwall.state import (
    EXPLORED,
    IN_SIGHT,
    SEATS,
    UNKNOWN,
    Base,
    Board,
    Cooling,
    Edge,
    Memory,
    Spot,
    State,
    Table,
    Unit,
    Wall,
    dropped,
    replaced,
    rival_of,
)

BASE_SIGHT = 3
UNIT_SIGHT = 2

NOWHERE = range(0)

_KNOWN_ROWS = 1 << 14
"""The number of cached rows of tiles. A few of them occur again and again."""


def first_memories(table: Table, board: Board) -> tuple[Memory, ...]:
    """Return what both seats know before the first turn; nothing if the fog is off."""  # §10.3, §10.6
    if not table.options.fog:
        return ()
    return tuple(fresh_memory(table, board, seat, ()) for seat in SEATS)


def fresh_memory(table: Table, board: Board, seat: Seat, walls: tuple[Wall, ...]) -> Memory:
    """Return the memory of a seat that knew some walls and the neutral ones, after its first look."""
    size = table.options.size
    blank = Memory((), table.neutral_walls, walls, (), (UNKNOWN * size,) * size)
    return look(blank, table, board, seat, rows=range(size))


def observed(state: State, board: Board, *, has_moved: bool = True) -> State:
    """Return the state with another board, after both seats have looked at it.

    *has_moved* says whether any unit appeared, vanished or moved.
    """
    old, size = state.board, state.table.options.size
    has_new_walls = board.walls is not old.walls or board.neutral_walls is not old.neutral_walls
    memories = []
    for seat, memory in enumerate(state.memories):
        units, rivals = board.holdings[seat].units, board.holdings[rival_of(seat)].units
        rows = _unsettled(old.holdings[seat].units, units, size) if has_moved else NOWHERE
        # A seat that sees units must learn that they grew older.
        is_news = rivals is not old.holdings[rival_of(seat)].units and (has_moved or memory.enemies)
        if rows or has_new_walls or is_news:
            memory = look(memory, state.table, board, seat, rows=rows, has_new_walls=has_new_walls)
        memories.append(memory)
    return State(state.table, board, tuple(memories), state.rng)


def look(memory: Memory, table: Table, board: Board, seat: Seat, *, rows: range, has_new_walls: bool = False) -> Memory:
    """Return a seat's memory after a look around. Its sight may have changed in *rows*."""
    tiles = _shaded(memory.tiles, board.holdings[seat].units, table.bases[seat], rows) if rows else memory.tiles
    rivals = board.holdings[rival_of(seat)].units
    enemies = tuple(sorted([unit for unit in rivals if tiles[unit.y][unit.x] == IN_SIGHT], key=_by_row))
    if has_new_walls or tiles is not memory.tiles:
        neutral_walls = recall_neutral(memory.neutral_walls, board.neutral_walls, tiles)
        return Memory(enemies, neutral_walls, recall(memory.walls, board.walls, tiles), memory.cooling, tiles)
    # The same object if nothing changed: a diff skips it.
    return memory if enemies == memory.enemies else replace(memory, enemies=enemies)


def recall(remembered: tuple[Wall, ...], walls: tuple[Wall, ...], tiles: tuple[str, ...]) -> tuple[Wall, ...]:
    """Return the remembered built walls, updated where they are in sight."""  # §10.3
    seen = {(wall.x, wall.y, wall.side): wall for wall in walls if sees_edge(tiles, wall)}
    for wall in [wall for wall in remembered if sees_edge(tiles, wall)]:
        now = seen.pop((wall.x, wall.y, wall.side), None)
        if now is None:
            remembered = dropped(remembered, remembered.index(wall))
        elif now != wall:
            remembered = replaced(remembered, remembered.index(wall), now)
    # Sorted by place: the order of building must not be revealed.
    return remembered + tuple(seen[place] for place in sorted(seen)) if seen else remembered


def recall_neutral(remembered: tuple[int, ...], standing: tuple[int, ...], tiles: tuple[str, ...]) -> tuple[int, ...]:
    """Return the remembered neutral walls without those that are seen to be gone; nobody builds new ones."""  # §10.3
    if len(remembered) == len(standing):
        return remembered  # none was lost, and none can be built
    place = grid(len(tiles)).place
    lost = {number for number in set(remembered).difference(standing) if sees_edge(tiles, Edge(*place(number)))}
    return tuple(number for number in remembered if number not in lost) if lost else remembered


def sees_edge(tiles: tuple[str, ...], edge: Edge | Wall | Cooling) -> bool:
    """Whether one of the two tiles of an edge is in sight."""  # §10.2
    x, y = edge.x, edge.y
    return IN_SIGHT in (tiles[y][x], tiles[y][x + 1] if edge.side == "east" else tiles[y + 1][x])


def tiles_of(edge: Edge | Wall | Cooling) -> tuple[Spot, Spot]:
    """Return the two tiles of an edge."""
    x, y = edge.x, edge.y
    return (x, y), ((x + 1, y) if edge.side == "east" else (x, y + 1))


def sees(state: State, seat: Seat, spot: Spot) -> bool:
    """Whether a seat has a tile in sight."""  # §10.1
    return not state.memories or state.memories[seat].tiles[spot[1]][spot[0]] == IN_SIGHT


def is_openly_watched(state: State, seat: Seat, spot: Spot) -> bool:
    """Whether a seat sees a tile from its base, or from a unit that the other seat has in sight.

    Then both seats know it: a unit that is seen by another one sees that one, and the bases are known.
    """  # §10.5
    base = state.table.bases[seat]
    if _distance((base.x, base.y), spot) <= BASE_SIGHT:
        return True
    return any(
        _distance((unit.x, unit.y), spot) <= UNIT_SIGHT and sees(state, rival_of(seat), (unit.x, unit.y))
        for unit in state.board.holdings[seat].units
    )


def remember(state: State, seat: Seat, cooling: Cooling) -> State:
    """Return the state in which a seat knows that an edge is cooling."""  # §10.4
    memory = state.memories[seat]
    return _with_memory(state, seat, replace(memory, cooling=(*memory.cooling, cooling)))


def forget_wall(state: State, seat: Seat, edge: Edge) -> State:
    """Return the state in which a seat knows that a wall is gone."""  # §10.4
    memory = state.memories[seat]
    for index, wall in enumerate(memory.walls):
        if (wall.x, wall.y, wall.side) == (edge.x, edge.y, edge.side):
            return _with_memory(state, seat, replace(memory, walls=dropped(memory.walls, index)))
    return state


def forget_cooled(state: State) -> State:
    """Return the state without the edges that have cooled down by this round, known or not."""  # §7.5
    now = state.table.round
    memories = tuple(
        replace(memory, cooling=still_cooling(memory.cooling, now)) if memory.cooling else memory
        for memory in state.memories
    )
    board = state.board
    if board.cooling:
        board = replace(board, cooling=still_cooling(board.cooling, now))
    return State(state.table, board, memories, state.rng)


def still_cooling(edges: tuple[Cooling, ...], now: int) -> tuple[Cooling, ...]:
    """Return the edges on which nobody may build yet in round *now*."""  # §7.5
    left = tuple(edge for edge in edges if edge.ready_round > now)
    return edges if len(left) == len(edges) else left


def _with_memory(state: State, seat: Seat, memory: Memory) -> State:
    return State(state.table, state.board, replaced(state.memories, seat, memory), state.rng)


def _distance(one: Spot, other: Spot) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _by_row(unit: Unit) -> Spot:
    return unit.y, unit.x


def _unsettled(old: tuple[Unit, ...], new: tuple[Unit, ...], size: int) -> range:
    """Return the rows around units that appeared or vanished."""
    if old is new:
        return NOWHERE
    if len(old) == len(new):
        rows = [unit.y for pair in zip(old, new, strict=True) if pair[0] is not pair[1] for unit in pair]
    else:
        rows = [y for _, y in {(unit.x, unit.y) for unit in old} ^ {(unit.x, unit.y) for unit in new}]
    return range(max(min(rows) - UNIT_SIGHT, 0), min(max(rows) + UNIT_SIGHT + 1, size))


def _shaded(tiles: tuple[str, ...], units: tuple[Unit, ...], base: Base, rows: range) -> tuple[str, ...]:
    """Return the tiles with some rows updated."""
    size = len(tiles)
    around = masks(size, UNIT_SIGHT)
    lit = masks(size, BASE_SIGHT)[base.y * size + base.x]
    for unit in units:
        lit |= around[unit.y * size + unit.x]
    whole = (1 << size) - 1
    fresh = tuple([_row(tiles[y], lit >> y * size & whole) for y in rows])
    if fresh == tiles[rows.start : rows.stop]:
        return tiles
    return tiles[: rows.start] + fresh + tiles[rows.stop :]


@lru_cache(_KNOWN_ROWS)
def _row(row: str, lit: int) -> str:
    """Return a row of tiles in which those with a bit set in *lit* are in sight now."""
    faded = row.replace(IN_SIGHT, EXPLORED)
    return "".join(IN_SIGHT if lit >> x & 1 else shade for x, shade in enumerate(faded))
