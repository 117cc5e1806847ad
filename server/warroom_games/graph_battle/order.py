"""The order of play: docs/rules/graph_battle.md, section 2."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from warroom_games.api import Seat
from warroom_games.graph_battle.state import Table
from warroom_games.rng import Rng

OrderRule: TypeAlias = Callable[[Sequence[Seat], Rng], tuple[tuple[Seat, ...], Rng]]
"""Returns the order of the seats in the next round."""


def fixed(seats: Sequence[Seat], rng: Rng) -> tuple[tuple[Seat, ...], Rng]:
    """Use the order of the colours."""  # §2.2
    return tuple(seats), rng


def random_each_round(seats: Sequence[Seat], rng: Rng) -> tuple[tuple[Seat, ...], Rng]:
    """Draw the order of each round."""  # §2.5
    return rng.shuffle(seats)


def next_seat(table: Table) -> Seat | None:
    """Return the next seat of this round; None at its end."""  # §2.2, §2.3
    place = table.order.index(table.seat)
    for seat in table.order[place + 1 :]:
        if seat not in table.out:
            return seat
    return None


ORDERS: Mapping[str, OrderRule] = {"fixed": fixed, "random_each_round": random_each_round}
"""The orders for the option `order`."""
