"""Pauses of a room that its people are told of: the node orders some, the players agree on others.

The room's clock stands still for as long as there is any reason. An agreed pause is part of the match (`is_halted`), so
it holds again after a restart; it ends by itself after the room's `pause_ms`, which each owner counts anew that was not
told how long it has lasted.
"""

from warroom_games.log import Agreed, Entry
from warroom_games.match import Match
from warroom_protocol.codes import PAUSE_AGREED
from warroom_protocol.messages import Paused
from warroom_server.room.commands import Pause, Unpause
from warroom_server.room.context import RoomContext
from warroom_server.room.log_fold import Candidate

_ORDERED = "ordered"
_AGREED = "agreed"


class Pauses:
    """The part of a room that holds its clock. Whoever wants a pause only gets `Agreed` into the log, both ways."""

    def __init__(self, context: RoomContext, now: int) -> None:
        self._context = context
        self._ordered: str | None = None
        self.is_for_players = False
        """Whether the node waits for players, who are on their way back."""
        self._agreed_until: int | None = None
        """The moment of the node's clock at which an agreed pause ends by itself."""
        self._is_too_long = False
        self._follow(now)

    @property
    def reason(self) -> str | None:
        """Why the room is paused: rather the node's reason, because then nothing can be accepted at all."""
        return self._ordered or (None if self._agreed_until is None else PAUSE_AGREED)

    def order(self, order: Pause | Unpause, now: int) -> None:
        """Stand still for a reason of the node's, or no longer for any of those."""
        before = self.reason
        match order:
            case Pause():
                self._ordered, self.is_for_players = order.reason, order.is_for_players
                self._context.time.hold(_ORDERED, now)
            case Unpause():
                self._ordered, self.is_for_players = None, False
                self._context.time.release(_ORDERED, now)
        self._tell(before, now)

    def message(self, now: int) -> Paused:
        """Return what viewers are told: what time it is, and whether and why it stands still."""
        is_agreed = self._ordered is None and self._agreed_until is not None
        left_ms = max(self._agreed_until - now, 0) if is_agreed and self._agreed_until is not None else None
        return Paused(self._context.room, self._context.time.at(now), self.reason, left_ms)

    def lasted(self, now: int) -> int:
        """Return for how long the match has been in an agreed pause."""
        until = self._agreed_until
        return 0 if until is None else self._context.match.opened.room_options.pause_ms - (until - now)

    def prolong(self, lasted_ms: int) -> None:
        """Let an agreed pause have begun so much earlier: so long it lasted before this room was here."""
        if self._agreed_until is not None:
            self._agreed_until -= lasted_ms

    # --- the part of a room -------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return when an agreed pause has lasted too long."""
        return None if self._is_too_long else self._agreed_until

    def woken(self, now: int) -> None:
        """Notice that an agreed pause has lasted too long."""
        self._is_too_long = self._agreed_until is not None and self._agreed_until <= now

    def entry(self, now: int) -> Entry | None:
        """Return the end of a pause that has lasted too long."""
        return Agreed(self._context.time.at(now), "resume") if self._is_too_long else None

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Hold the clock from the entry on that made a pause, and let it go with the one that ended it."""
        reason = self.reason
        self._follow(now)
        self._tell(reason, now)

    def _follow(self, now: int) -> None:
        match, time = self._context.match, self._context.time
        if match.is_halted and self._agreed_until is None:
            self._agreed_until = now + match.opened.room_options.pause_ms
            time.hold(_AGREED, now)
        elif not match.is_halted and self._agreed_until is not None:
            self._agreed_until = None
            self._is_too_long = False
            time.release(_AGREED, now)

    def _tell(self, before: str | None, now: int) -> None:
        if self.reason != before:
            self._context.out.send_all(self.message(now), self._context.audience.live())
