"""What the standings are worth to a seat: of use to bots, and no part of the rules."""

from warroom_games.api import Seat
from warroom_games.estimates import of_shares
from warroom_games.thardferr.costs import MARKET_PRICES
from warroom_games.thardferr.state import LEAST_LAND, Stores
from warroom_games.thardferr.views import Secret, Standing, Table

_LAND = 40
"""The strength that a piece of land is good for: it carries buildings, which house units."""
_GOLD = 150
"""The gold that buys one strength."""


def evaluate(table: Table, secret: Secret, seat: Seat) -> int:
    """Return how well a seat stands, in thousandths: its strength, land and stores beside the average of the others."""
    if not table.kingdoms:
        return 0
    wealths = [_wealth(standing) for standing in table.kingdoms]
    own = wealths.pop(seat)
    if own and secret.kingdom is not None:
        own += _riches(secret.kingdom.stores)
    return of_shares(own * len(wealths), sum(wealths))


def _wealth(standing: Standing) -> int:
    return standing.strength + _LAND * standing.land if standing.land >= LEAST_LAND else 0


def _riches(stores: Stores) -> int:
    """Return the strength that gold and goods will buy."""
    gold = stores.gold + MARKET_PRICES["iron"] * stores.iron + MARKET_PRICES["wood"] * stores.wood
    return gold // _GOLD
