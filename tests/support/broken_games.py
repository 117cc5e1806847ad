"""Sealed bids with something wrong, for the tools that find it."""

from msgspec.structs import replace
from sealed_bids import SealedBids, State

from warroom_games.api import Step
from warroom_games.rng import Rng


class Mute(SealedBids):
    """Draws nothing."""

    def draw(self, public: object, private: object | None) -> str:
        """Return nothing."""
        return ""


class Failing(SealedBids):
    """Fails once the second round begins."""

    def turn(self, state: State) -> int:
        """Look for a round that is not there."""
        return (0, 1)[state.table.round]


class Careless(SealedBids):
    """Loses what lies in the row whenever somebody leaves."""

    def remove(self, state: State, seat: int) -> Step:
        """Take the row away together with the seat."""
        step = super().remove(state, seat)
        return replace(step, state=replace(step.state, table=replace(step.state.table, row=())))


class Clumsy(SealedBids):
    """Cannot draw, and shows a float."""

    def public(self, state: State) -> object:
        """Show half of something."""
        return {"share": 0.5}

    def draw(self, public: object, private: object | None) -> str:
        """Look for a pen."""
        raise AssertionError("no pen")


class Unlucky(SealedBids):
    """Draws from nothing."""

    def public(self, state: State) -> object:
        """Draw a face from none."""
        return Rng(bytes(16)).choice(())


CLUMSY = Clumsy()
UNLUCKY = Unlucky()
MUTE = Mute()
FAILING = Failing()
CARELESS = Careless()
