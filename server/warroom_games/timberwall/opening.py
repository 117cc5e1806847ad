"""The opening position: docs/rules/timberwall.md, sections 1 and 5.1."""

from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.timberwall.geometry import Edge, around, edges_of, grid
from warroom_games.timberwall.ground import ZONE
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.sight import first_memories
from warroom_games.timberwall.state import SEATS, Base, Board, Holding, Spot, State, Table, Unit

BASE_HP = 100
FIRST_RESERVES = 5
FIRST_UNITS = (25, 5, 1)
FOREST_DISTANCE = 4
"""The minimum distance of forests from both bases."""  # §1.4


def open_match(options: Options, rng: Rng) -> State:
    """Return the start position."""
    bases = base_spots(options.size)
    forests, rng = _plant(options, rng)
    edges = neutral_edges(options.size, (*bases, *forests))
    holdings = []
    for seat in SEATS:
        holding, rng = _muster(options.size, bases[seat], rng)
        holdings.append(holding)
    first, rng = rng.below(2)  # §3.1
    table = Table(
        options=options,
        bases=(Base(*bases[0], BASE_HP), Base(*bases[1], BASE_HP)),
        forests=forests,
        neutral_walls=edges,
        seat=first,
    )
    board = Board(tuple(holdings), edges, (), ())
    return State(table, board, first_memories(table, board), rng)


def base_spots(size: int) -> tuple[Spot, Spot]:
    """Return the tiles of the bases: one tile in from two corners."""  # §1.2
    return (1, 1), (size - 2, size - 2)


def neutral_edges(size: int, spots: tuple[Spot, ...]) -> tuple[Edge, ...]:
    """Return the edges around bases and forests, each once, row by row."""  # §1.5
    plain = grid(size)
    return tuple(sorted({edge for spot in spots for edge in edges_of(size, plain.tile(*spot))}))


def zone_spots(size: int, seat: Seat) -> list[Spot]:
    """Return the tiles on which a seat deploys, row by row."""  # §5.2
    plain = grid(size)
    base = plain.tile(*base_spots(size)[seat])
    return [plain.spot(tile) for tile in sorted(around(size, base, ZONE) - {base})]


def _plant(options: Options, rng: Rng) -> tuple[tuple[Spot, ...], Rng]:
    """Draw the forests."""  # §1.4
    plain = grid(options.size)
    bases = [plain.tile(*spot) for spot in base_spots(options.size)]
    far = [
        tile for tile in range(options.size**2) if all(plain.distance(tile, base) >= FOREST_DISTANCE for base in bases)
    ]
    tiles, rng = rng.sample(far, options.forests)
    return tuple(plain.spot(tile) for tile in sorted(tiles)), rng


def _muster(size: int, base: Spot, rng: Rng) -> tuple[Holding, Rng]:
    """Draw the tiles of a seat's first units."""  # §5.1
    seat = base_spots(size).index(base)
    spots, rng = rng.sample(zone_spots(size, seat), len(FIRST_UNITS))
    units = tuple(Unit(*spot, points) for spot, points in zip(spots, FIRST_UNITS, strict=True))
    return Holding(0, FIRST_RESERVES, False, units), rng
