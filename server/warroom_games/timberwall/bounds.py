"""The bounds of a match for programs that learn."""

from warroom_games.bounds import Bounds, Flags, Letters
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.state import EXPLORED, IN_SIGHT, SEATS, UNKNOWN


def bounds_of(seats: int, options: Options) -> Bounds:
    """Return the bounds of a match with these options."""
    size = options.size
    tiles, edges = size**2, 2 * size**2
    side = range(size)
    return {
        "x": side,
        "y": side,
        "forests": options.forests,
        "forests.[]": side,
        "neutral_walls": Flags(range(edges)),
        "ranks": seats,
        "units": tiles,
        "enemies": tiles,
        "walls": edges,
        "cooling": edges,
        "seat": SEATS,
        "owner": SEATS,
        "tiles": size,
        "tiles.[]": Letters(IN_SIGHT + EXPLORED + UNKNOWN, size),
        # Only one of them is ever there (§10.1, §10.6).
        **({"public.board": None} if options.fog else {"private": None, "holdings": seats}),
    }
