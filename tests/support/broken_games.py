"""Sealed bids with something wrong, for the tools that find it."""

from sealed_bids import SealedBids, State


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


MUTE = Mute()
FAILING = Failing()
