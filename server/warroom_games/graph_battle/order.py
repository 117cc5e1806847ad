"""The order of play: docs/rules/graph_battle.md, section 2."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from warroom_games.api import Seat
from warroom_games.graph_battle.state import Table

OrderRule: TypeAlias = Callable[[Table], tuple[Seat, bool]]
"""Says who plays after the seat whose turn it was, and whether a new round begins with it."""


def fixed(table: Table) -> tuple[Seat, bool]:
    """Go round the colours in their order, skipping who is out."""  # §2.2
    in_play = table.seats_in_play
    for seat in in_play:
        if seat > table.seat:
            return seat, False
    return in_play[0], True


ORDERS: Mapping[str, OrderRule] = {"fixed": fixed}
"""The orders that the option `order` picks from."""
