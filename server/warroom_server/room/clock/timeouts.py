"""When the time of each seat ends: after the deadline, its time bank and its lag credit.

The credit is the measured lag of the connection, up to the allowance of the seat. It is computed on demand. An
unmeasured connection has none, for example after a restart. The room waits a little longer for seats on other nodes,
because an action may have arrived at that node already; this gives the player no extra time.
"""

from warroom_games.api import Seat
from warroom_games.codec import encode
from warroom_games.log import TimedOut
from warroom_server.room.context import RoomContext
from warroom_server.room.viewer_addresses import Viewer


class Timeouts:
    """The deadlines of a room, and the measured lag of its players."""

    __slots__ = ("_context", "_relays", "lags", "polled_at")

    def __init__(self, context: RoomContext) -> None:
        self._context = context
        self.lags: dict[Viewer, int] = {}
        """By viewer, the measured lag."""
        self._relays: dict[Viewer, int] | None = None
        """By viewer, how long its messages may take from its own node to this one; None while all are on this one."""
        self.polled_at = context.match.at
        """The room time up to which all input has been read."""

    # --- lag ----------------------------------------------------------------------------------------------------

    def measured(self, viewer: Viewer, rtt_ms: int, relay_ms: int) -> None:
        """Note the measured lag of a viewer."""
        if viewer in self._context.audience:
            self.lags[viewer] = rtt_ms
            if relay_ms:
                self._relays = {**(self._relays or {}), viewer: relay_ms}

    def forget(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self.lags.pop(viewer, None)
        if self._relays is not None:
            self._relays.pop(viewer, None)

    def lag(self, player: str) -> int:
        """Return the lag of *player*: that of the slowest device, since any of them may act."""
        return max((self.lags.get(viewer, 0) for viewer in self._context.audience.of_player(player)), default=0)

    def credit(self, seat: Seat) -> int:
        """Return the lag credit of *seat*."""
        match = self._context.match
        lag = self.lag(match.holder(seat).player) if self.lags else 0
        return min(lag, match.most_credit(seat)) if lag else 0

    # --- time-outs ----------------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return the moment of the node's clock at which the first seat runs out of time; None while time stands."""
        last = min(map(self._last_at, self._context.match.asked), default=None)
        return None if last is None else self._context.time.when(last + 1)

    def polled(self, moment: int) -> None:
        """Note that all input up to *moment* of the node's clock has been read."""
        self.polled_at = max(self.polled_at, self._context.time.at(moment))

    def overdue(self, now: int) -> TimedOut | None:
        """Return the time-out of the first seat whose time was over at the last poll of the sockets."""
        match = self._context.match
        if match.deadline is None or self.polled_at <= match.deadline:
            return None  # banks and credits only extend the deadline
        seat = min(match.asked, key=lambda seat: (self._last_at(seat), seat), default=None)
        if seat is None or match.is_halted or self.polled_at <= self._last_at(seat):
            return None
        action = encode(match.game.default_action(match.state, seat))
        return TimedOut(self._context.time.at(now), seat, action, match.due(seat), self.credit(seat))

    def _last_at(self, seat: Seat) -> int:
        """Return until when an action of *seat* that arrived in time may still get here."""
        due, relays = self._context.match.due(seat) + self.credit(seat), self._relays
        if not relays:
            return due
        return due + max((relays.get(viewer, 0) for viewer in self._context.audience.of_seat(seat)), default=0)
