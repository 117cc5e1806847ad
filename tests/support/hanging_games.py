"""Sealed bids whose rules do not come back, or fail while a bot reads; other processes can load them."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from sealed_bids import Options, SealedBids, State

from warroom_games.api import Seat, Step, View
from warroom_games.rng import Rng


class Endless(SealedBids):
    """Looks for the result of its second step for ever."""

    def apply(self, state: State, seat: Seat, action: Any) -> Step:
        """Return the first step only."""
        while any(secret.bid is not None for secret in state.secrets):
            time.sleep(0.01)
        return super().apply(state, seat, action)


class Stubborn(Endless):
    """Survives every interrupt as well."""

    def apply(self, state: State, seat: Seat, action: Any) -> Step:
        """Return the first step only."""
        while any(secret.bid is not None for secret in state.secrets):
            with suppress(BaseException):
                time.sleep(0.01)
        return super().apply(state, seat, action)


class Fatal(SealedBids):
    """Ends the process."""

    def apply(self, state: State, seat: Seat, action: Any) -> Step:
        """End it."""
        os._exit(5)


class Illegible(SealedBids):
    """Cannot list what is legal."""

    def legal_actions(self, state: State, seat: Seat) -> Iterator[Any]:
        """Fail before the first one."""
        raise ValueError("no list")


class Invisible(SealedBids):
    """Never shows the table."""

    def public(self, state: State) -> View:
        """Look for ever."""
        while True:
            time.sleep(0.01)


class Unending(SealedBids):
    """Never begins a match, and leaves the processor to others only when it is made to."""

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Compute for ever."""
        while True:
            rng.below(7)


ENDLESS, STUBBORN, FATAL, ILLEGIBLE, INVISIBLE = Endless(), Stubborn(), Fatal(), Illegible(), Invisible()
UNENDING = Unending()
