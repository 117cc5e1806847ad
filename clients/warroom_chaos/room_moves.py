"""Reconstructs how rooms moved between owners, from the epochs in the nodes' logs; does no I/O."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from warroom_chaos.ownership_log import ADOPTED, GIVEN, Entry


class Move(Struct, frozen=True):
    """An adoption of a room, with the log entry of its previous owner and that owner's hand-over, if any."""

    before: Entry
    gift: Entry | None
    adopted: Entry

    @property
    def has_arrived(self) -> bool:
        """Whether the room was handed to the process that adopted it."""
        return self.gift is not None and self.adopted.owner == self.gift.heir

    @property
    def is_wanted(self) -> bool:
        """Whether the move was intended: to the receiver, or back to the sender because nobody took the room."""
        return self.has_arrived or (self.gift is not None and self.adopted.owner == self.gift.owner)

    @property
    def is_roundabout(self) -> bool:
        """Whether another process owned the room in between without logging it."""
        return self.gift is not None and self.adopted.epoch > self.gift.epoch + 1


def moves(entries: Sequence[Entry]) -> Iterator[Move]:
    """Yield every move, room by room, in the order of epochs; lines of two nodes may be read in any order."""
    told = sorted((each for each in entries if each.room), key=lambda each: (each.room, each.epoch, each.what == GIVEN))
    for _, history in groupby(told, key=lambda each: each.room):
        before = gift = None
        for entry in history:
            if entry.what == GIVEN:
                gift = entry
                continue
            if entry.what == ADOPTED and before is not None:
                yield Move(before, gift, entry)
            before, gift = entry, None


def placed(entries: Sequence[Entry]) -> int:
    """Return how many new rooms were adopted by the nodes that they were handed to."""
    return sum(1 for move in moves(entries) if move.has_arrived)
