"""The legal actions of a decision."""

from msgspec import Struct

from warroom_protocol import messages as wire


class LegalActions(Struct, frozen=True):
    """What the own seat may do in the decision *turn*."""

    turn: int
    complete: bool
    """True: nothing else is legal; False: a selection."""
    actions: tuple[wire.View, ...]
    """Actions that can be played as they are; empty if the seat need not act."""
    notes: tuple[str, ...] | None = None
    """If asked for, a text about the cost or gain of each action; it may be empty."""
