"""The state of a match: the complete board, the public table, and what each seat knows."""

from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.timberwall.actions import Side
from warroom_games.timberwall.options import Options

T = TypeVar("T")

Color: TypeAlias = Literal["green", "red"]
Spot: TypeAlias = tuple[int, int]
"""Column and row."""
Ending: TypeAlias = Literal["base", "forests", "cap", "left"]

COLORS: tuple[Color, Color] = ("green", "red")
SEATS: tuple[Seat, Seat] = (0, 1)

IN_SIGHT = "."
EXPLORED = "-"
UNKNOWN = "?"


class Unit(Struct, frozen=True, gc=False):
    """A unit: its tile, its points, and the own turn ends, up to 3, that it has been still or in a forest."""

    x: int
    y: int
    points: int
    still: int = 0
    forest: int = 0


class Edge(Struct, frozen=True, gc=False):
    """The edge east or south of a tile."""

    x: int
    y: int
    side: Side


class Wall(Struct, frozen=True, gc=False):
    """A wall that a player built on an edge."""

    x: int
    y: int
    side: Side
    owner: Seat
    hp: int


class Cooling(Struct, frozen=True, gc=False):
    """An edge that lost its wall, and the round from which it may have one again."""

    x: int
    y: int
    side: Side
    ready_round: int


class Base(Struct, frozen=True, gc=False):
    """A base: its tile and its remaining points."""

    x: int
    y: int
    hp: int


class Holding(Struct, frozen=True):
    """The possessions of one seat."""

    wood: int
    reserves: int
    has_built: bool
    """Whether the seat built its wall of this turn."""
    units: tuple[Unit, ...]


class Board(Struct, frozen=True):
    """Everything on the board, seen or not, and the possessions of each seat."""

    holdings: tuple[Holding, ...]
    neutral_walls: tuple[int, ...]
    """The numbers of the edges with one: 2 (y * size + x), and 1 more for a south edge."""
    walls: tuple[Wall, ...]
    cooling: tuple[Cooling, ...]


class Memory(Struct, frozen=True):
    """What one seat sees and remembers of the board; its own units and stores are in its holding."""

    enemies: tuple[Unit, ...]
    """Those in sight, row by row."""
    neutral_walls: tuple[int, ...]
    walls: tuple[Wall, ...]
    """As last seen; the neutral ones likewise."""
    cooling: tuple[Cooling, ...]
    """The edges that it knows to be cooling."""
    tiles: tuple[str, ...]
    """A text per row, a letter per tile: `.` in sight, `-` explored, `?` never seen."""


class Table(Struct, frozen=True, kw_only=True):
    """The public view."""

    options: Options
    colors: tuple[Color, Color] = COLORS
    bases: tuple[Base, Base]
    forests: tuple[Spot, ...]
    neutral_walls: tuple[int, ...]
    """The numbers of the edges that had one at the start."""
    seat: Seat
    """Whose turn it is."""
    turn: int = 1
    round: int = 1
    held: tuple[int, int] = (0, 0)
    """The number of forests that each seat's units stand on."""
    streaks: tuple[int, int] = (0, 0)
    """The number of own turns in a row that each seat has ended with every forest."""
    ended: Ending | None = None
    ranks: tuple[int, ...] = ()
    """The rank of each seat, once the match is over."""
    board: Board | None = None
    """Everything on the board, if the fog is off."""


class State(Struct, frozen=True):
    """The table, the board, the memory of each seat (none if the fog is off), and the generator."""

    table: Table
    board: Board
    memories: tuple[Memory, ...]
    rng: Rng


class Knowledge(Struct, frozen=True):
    """The private view: what one seat knows besides the table."""

    seat: Seat
    wood: int
    reserves: int
    has_built: bool
    units: tuple[Unit, ...]
    enemies: tuple[Unit, ...]
    neutral_walls: tuple[int, ...]
    walls: tuple[Wall, ...]
    cooling: tuple[Cooling, ...]
    tiles: tuple[str, ...]


def rival_of(seat: Seat) -> Seat:
    """Return the other seat."""
    return 1 - seat


def knowledge(state: State, seat: Seat) -> Knowledge:
    """Return what a seat knows: in the fog its holding and memory, otherwise everything."""  # §10.1, §10.6
    if not state.memories:
        return open_knowledge(state.board, state.table.options.size, seat)
    own, memory = state.board.holdings[seat], state.memories[seat]
    return Knowledge(
        seat, own.wood, own.reserves, own.has_built, own.units,
        memory.enemies, memory.neutral_walls, memory.walls, memory.cooling, memory.tiles,
    )  # fmt: skip


def open_knowledge(board: Board, size: int, seat: Seat) -> Knowledge:
    """Return what a seat knows of a board without fog."""  # §10.6
    own, rival = board.holdings[seat], board.holdings[rival_of(seat)]
    return Knowledge(
        seat, own.wood, own.reserves, own.has_built, own.units,
        rival.units, board.neutral_walls, board.walls, board.cooling, (IN_SIGHT * size,) * size,
    )  # fmt: skip


def replaced(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Return the items with the one at *index* replaced."""
    return (*items[:index], item, *items[index + 1 :])


def dropped(items: tuple[T, ...], index: int) -> tuple[T, ...]:
    """Return the items without the one at *index*. The last one takes its place, so that a patch stays short."""
    if index == len(items) - 1:
        return items[:-1]
    return (*items[:index], items[-1], *items[index + 1 : -1])
