"""The bounds of a match for programs that learn."""

from warroom_games.bounds import Bounds, Flags
from warroom_games.tile_blitz.board import COLORS, TILES, opening
from warroom_games.tile_blitz.cards import DECK
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.turns import SHOWN_TURNS, TURN_CARDS, TURN_GOLD


def bounds_of(seats: int, options: Options) -> Bounds:
    """Return the bounds of a match with these seats and options."""
    everyone = tuple(range(seats))
    tiles = range(1, TILES + 1)
    drawn = TURN_CARDS * options.max_rounds  # by one seat
    bought = TURN_GOLD * options.max_rounds + options.purple_gold
    troops = bought + sum(tile.troops for tile in opening(COLORS[seats]))
    # Each card has an id of its own, and a deck that is opened may stay almost full.
    cards = range(drawn * seats + DECK)
    return {
        "tile": tiles,
        "source": tiles,
        "target": tiles,
        "count": range(bought + 1),
        "troops": range(troops + 1),
        "tanks": range(drawn // 2 + 1),
        "build_tank.cards.[]": cards,
        "hand": drawn,
        "hand.[].id": cards,
        "tiles": TILES,
        "players": seats,
        "out": Flags(everyone),
        "seat": everyone,
        "first": everyone,
        "upcoming": SHOWN_TURNS,
        "upcoming.[]": everyone,
    }
