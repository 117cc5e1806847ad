"""What was answered to which action, so that an action sent again gets the same answer.

Accepted ids come from the log and are kept for the whole match; a snapshot repeats only the last one. Refusals changed
nothing; the last few of each player are kept from the moment of sitting down, as long as the room stays with its owner.
"""

from collections import OrderedDict
from typing import Final

from msgspec import Struct

from warroom_protocol.messages import Receipt, Verdict

REFUSALS = 64
"""Refusals of one player that are remembered."""
_LONG_AGO: Final = (0, 0, None)
"""The numbers and the receipt of an action whose entry was not folded again."""


class SavedVerdicts(Struct, frozen=True, array_like=True):
    """What a snapshot has of a player's verdicts, however long the match: the last acceptance and the last time-out.

    Of the acceptance it has id, p, q and receipt. All ids before it are in the log.
    """

    accepted: tuple[int, int, int, Receipt | None] | None
    expired: tuple[int, Receipt] | None


class VerdictCache:
    """The verdicts of one player."""

    __slots__ = ("_accepted", "_expired", "_last", "_newest", "_refused", "_room")

    def __init__(self, room: int, saved: SavedVerdicts | None = None) -> None:
        self._room = room
        self._accepted: dict[int, tuple[int, int, Receipt | None]] = {}
        self._newest: int | None = None
        """The action that was accepted last."""
        self._refused: OrderedDict[int, Verdict] = OrderedDict()
        self._expired: tuple[int, Receipt] | None = None
        self._last: int | None = None
        if saved is not None:
            self._expired = saved.expired
            if saved.accepted is not None:
                self.accept(*saved.accepted)

    @property
    def last(self) -> Verdict | None:
        """The verdict on the action judged last."""
        return None if self._last is None else self.find(self._last)

    def find(self, action_id: int) -> Verdict | None:
        """Return the verdict on an action that was judged before."""
        if action_id in self._accepted:
            p, q, receipt = self._accepted[action_id]
            return Verdict(self._room, action_id, None, None, p, q, receipt)
        return self._refused.get(action_id)

    def accept(self, action_id: int, p: int, q: int, receipt: Receipt | None) -> None:
        """Remember that an action is in the log, where the seat's streams stood after it, and what was forgiven."""
        self._accepted[action_id] = (p, q, receipt)
        self._last = self._newest = action_id

    def recall(self, action_id: int) -> None:
        """Remember that an action was accepted long ago: it is in every copy that a viewer can have by now."""
        self._accepted.setdefault(action_id, _LONG_AGO)

    def refuse(self, verdict: Verdict) -> None:
        """Remember a refusal, and forget the oldest if there are too many."""
        self._refused[verdict.id] = verdict
        self._last = verdict.id
        if len(self._refused) > REFUSALS:
            self._refused.popitem(last=False)

    def expire(self, turn: int, receipt: Receipt) -> None:
        """Remember that the clock made decision *turn*."""
        self._expired = (turn, receipt)

    def receipt(self, turn: int) -> Receipt | None:
        """Return how the clock came to make decision *turn*; None if that was not its last one."""
        return self._expired[1] if self._expired is not None and self._expired[0] == turn else None

    def saved(self) -> SavedVerdicts:
        """Return what a new owner must know besides the log."""
        newest = None if self._newest is None else (self._newest, *self._accepted[self._newest])
        return SavedVerdicts(newest, self._expired)
