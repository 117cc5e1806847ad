"""How rooms went from owner to owner, by the epochs that the nodes' logs name. Pure."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from warroom_chaos.journal import ADOPTED, GIVEN, Entry


class Move(Struct, frozen=True):
    """A room that a process took in, who was the last to say that it had it, and whether that had given it away."""

    before: Entry
    gift: Entry | None
    adopted: Entry

    @property
    def has_arrived(self) -> bool:
        """Whether the room was given to the process that has it now."""
        return self.gift is not None and self.adopted.owner == self.gift.heir

    @property
    def is_wanted(self) -> bool:
        """Whether the room is where it was given, or back with the giver, who takes back what nobody took."""
        return self.has_arrived or (self.gift is not None and self.adopted.owner == self.gift.owner)

    @property
    def is_roundabout(self) -> bool:
        """Whether somebody had the room after it was given, and did not come to say so."""
        return self.gift is not None and self.adopted.epoch > self.gift.epoch + 1


def moves(entries: Sequence[Entry]) -> Iterator[Move]:
    """Yield every move, room by room, in the order of epochs: lines of two nodes may be read in any other."""
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
    """Return how many new rooms came to the nodes that they were given to."""
    return sum(1 for move in moves(entries) if move.has_arrived)
