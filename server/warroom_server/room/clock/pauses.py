"""Pauses that viewers are told about: some ordered by the node, some agreed by the players.

The room's clock stops while there is any reason. An agreed pause is part of the match (`is_halted`), so it survives a
restart. It ends after the room's `pause_ms`. A new owner counts this time from zero unless the last owner handed it
over.
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
    """Stops and starts the room's clock. Players pause and resume only through `Agreed` entries."""

    __slots__ = ("_agreed_until", "_context", "_is_too_long", "_ordered", "is_for_players")

    def __init__(self, context: RoomContext, now: int) -> None:
        self._context = context
        self._ordered: str | None = None
        self.is_for_players = False
        """Whether the node waits for players to return."""
        self._agreed_until: int | None = None
        """The moment of the node's clock at which an agreed pause times out."""
        self._is_too_long = False
        self._follow(now)

    @property
    def reason(self) -> str | None:
        """Why the room is paused. The node's reason comes first, because nothing can be accepted then."""
        return self._ordered or (None if self._agreed_until is None else PAUSE_AGREED)

    def order(self, order: Pause | Unpause, now: int) -> None:
        """Begin or end a pause that the node orders."""
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
        """Return the message with the current time and the reason of the pause."""
        is_agreed = self._ordered is None and self._agreed_until is not None
        left_ms = max(self._agreed_until - now, 0) if is_agreed and self._agreed_until is not None else None
        return Paused(self._context.room, self._context.time.at(now), self.reason, left_ms)

    def lasted(self, now: int) -> int:
        """Return how long the agreed pause has lasted."""
        until = self._agreed_until
        return 0 if until is None else self._context.match.opened.room_options.pause_ms - (until - now)

    def prolong(self, lasted_ms: int) -> None:
        """Start an agreed pause earlier, by the time that it lasted under the last owner."""
        if self._agreed_until is not None:
            self._agreed_until -= lasted_ms

    # --- the part of a room -------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return when an agreed pause times out."""
        return None if self._is_too_long else self._agreed_until

    def woken(self, now: int) -> None:
        """Note that an agreed pause has timed out."""
        self._is_too_long = self._agreed_until is not None and self._agreed_until <= now

    def entry(self, now: int) -> Entry | None:
        """Return the entry that ends a pause after its time-out."""
        return Agreed(self._context.time.at(now), "resume") if self._is_too_long else None

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Stop or start the clock with the entry that begins or ends a pause."""
        reason = self.reason
        self._follow(now)
        self._tell(reason, now)

    def _follow(self, now: int) -> None:
        match, time = self._context.match, self._context.time
        # The match decides; this follows it, also when the room is restored in the middle of a pause.
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
