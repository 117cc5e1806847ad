"""Verdicts on past actions, so that an action that is sent again gets the same answer.

Accepted ids come from the log and are kept for the whole match. A snapshot contains only the last one. Refusals change
nothing. The last few of each player are kept while the player sits and the owner of the room stays the same.
"""

from collections import OrderedDict
from typing import Final

from msgspec import Struct

from warroom_protocol.messages import Receipt, Verdict

REFUSALS = 64
"""Refusals that are kept per player."""
_LONG_AGO: Final = (0, 0, None)
"""Numbers and receipt of an action whose entry was not folded."""


class SavedVerdicts(Struct, frozen=True, array_like=True):
    """The verdicts of a player in a snapshot: the last acceptance and the last time-out.

    The acceptance has id, p, q and receipt. All earlier ids are in the log, so the size does not grow with the match.
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
        """The latest verdict."""
        return None if self._last is None else self.find(self._last)

    def find(self, action_id: int) -> Verdict | None:
        """Return the verdict on an action; None if it was not judged."""
        if action_id in self._accepted:
            p, q, receipt = self._accepted[action_id]
            return Verdict(self._room, action_id, None, None, p, q, receipt)
        return self._refused.get(action_id)

    def accept(self, action_id: int, p: int, q: int, receipt: Receipt | None) -> None:
        """Add an accepted action, with the stream positions after it and its receipt."""
        self._accepted[action_id] = (p, q, receipt)
        self._last = self._newest = action_id

    def recall(self, action_id: int) -> None:
        """Add an action that was accepted before the snapshot: every client has its effect by now."""
        self._accepted.setdefault(action_id, _LONG_AGO)  # the snapshot may know the last one exactly

    def refuse(self, verdict: Verdict) -> None:
        """Add a refusal, and forget the oldest if there are too many."""
        self._refused[verdict.id] = verdict
        self._last = verdict.id
        if len(self._refused) > REFUSALS:
            self._refused.popitem(last=False)

    def expire(self, turn: int, receipt: Receipt) -> None:
        """Note that the clock decided *turn*."""
        self._expired = (turn, receipt)

    def receipt(self, turn: int) -> Receipt | None:
        """Return the receipt of the clock's decision *turn*; None if that was not its last one."""
        return self._expired[1] if self._expired is not None and self._expired[0] == turn else None

    def saved(self) -> SavedVerdicts:
        """Return what a new owner must know besides the log."""
        newest = None if self._newest is None else (self._newest, *self._accepted[self._newest])
        return SavedVerdicts(newest, self._expired)
