"""What the standings are worth to a seat: of use to bots, and no part of the rules."""

from warroom_games.api import Seat
from warroom_games.estimates import of_shares
from warroom_games.thardferr.state import LEAST_LAND
from warroom_games.thardferr.views import Table

_LAND = 40
"""The strength that a piece of land is good for: it carries buildings, which house units."""


def evaluate(table: Table, seat: Seat) -> int:
    """Return how well a seat stands, in thousandths: its strength and land beside the average of the others."""
    if not table.kingdoms:
        return 0
    wealths = [
        kingdom.strength + _LAND * kingdom.land if kingdom.land >= LEAST_LAND else 0 for kingdom in table.kingdoms
    ]
    own = wealths.pop(seat)
    return of_shares(own * len(wealths), sum(wealths))
