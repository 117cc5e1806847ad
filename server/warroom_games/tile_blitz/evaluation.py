"""What a table is worth to a seat: of use to bots, and no part of the rules."""

from warroom_games.api import Seat
from warroom_games.estimates import MOST, of_ranks, of_shares
from warroom_games.tile_blitz.state import Color, Table
from warroom_games.tile_blitz.victory import rank

# In halves, so that a card is a whole number: two of a pair make a tank of power 2, and about half the cards find one.
_TILE = 2
_POWER = 2
_GOLD = 2
_CARD = 1
_LAST_TILES = 20
"""What a tile is worth at the end of the last round, which counts tiles first."""


def evaluate(table: Table, seat: Seat) -> int:
    """Return how well a seat stands, in thousandths: its wealth beside that of its strongest rival."""
    if table.ended:
        return of_ranks(rank(table, table.ended).ranks, seat)
    if seat in table.out:
        return -MOST
    wealths = _wealths(table)
    own = wealths.pop(table.players[seat].color)
    return of_shares(own, max(wealths.values()))


def _wealths(table: Table) -> dict[Color, int]:
    """Return the wealth of each colour in play: tiles, which count more late in the match, units, gold and cards."""
    tile = (
        _TILE + (_LAST_TILES - _TILE) * max(0, 2 * table.round - table.options.max_rounds) // table.options.max_rounds
    )
    wealths = {
        player.color: _GOLD * player.gold + _CARD * player.cards
        for seat, player in enumerate(table.players)
        if seat not in table.out
    }
    for held in table.tiles:
        if held.color:
            wealths[held.color] += tile + _POWER * held.power
    return wealths
