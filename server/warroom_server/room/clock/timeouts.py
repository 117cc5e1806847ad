"""When each seat's time is over: at the deadline, its bank after that, and then the credit for its line.

The credit is what the server measured of the line, as far as the seat's allowance goes. It is worked out whenever it is
asked for; a line that nobody has measured yet, as after a restart, has none. What is under way between two nodes has
arrived already: a seat whose player is on another node is waited for a little longer, and gains nothing by it.
"""

from warroom_games.api import Seat
from warroom_games.codec import encode
from warroom_games.log import TimedOut
from warroom_server.room.context import RoomContext
from warroom_server.room.viewers import Viewer


class Timeouts:
    """The deadlines of a room, and the lines of those who play against them."""

    def __init__(self, context: RoomContext) -> None:
        self._context = context
        self._lags: dict[Viewer, int] = {}
        self._relays: dict[Viewer, int] = {}
        """How long what a viewer sent may be under way from its own node."""
        self._polled = context.match.at
        """The room time until which everything that arrived is known to have been read."""

    # --- lines --------------------------------------------------------------------------------------------------

    def measured(self, viewer: Viewer, rtt_ms: int, relay_ms: int) -> None:
        """Take note of how long the line of a viewer takes, if it is here."""
        if viewer in self._context.audience:
            self._lags[viewer] = rtt_ms
            if relay_ms:
                self._relays[viewer] = relay_ms

    def forget(self, viewer: Viewer) -> None:
        """Forget a viewer that is gone."""
        self._lags.pop(viewer, None)
        self._relays.pop(viewer, None)

    def lag(self, player: str) -> int:
        """Return how long a line of *player* takes: of several devices the slowest, for any of them may act."""
        lags = self._lags
        return max((lags.get(viewer, 0) for viewer in self._context.audience.of_player(player)), default=0)

    def lag_after(self, player: str, arrived: int) -> int:
        """Return how long a line of *player* takes, where that can matter to something that *arrived* so late."""
        deadline = self._context.match.deadline
        return 0 if deadline is None or arrived <= deadline else self.lag(player)

    def credit(self, seat: Seat) -> int:
        """Return how much time beyond its last moment *seat* gets for the line of whoever plays there."""
        if not self._lags:
            return 0
        match = self._context.match
        most = match.most_credit(seat)
        return min(self.lag(match.holder(seat).player), most) if most else 0

    # --- time-outs ----------------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return the moment of the node's clock at which the first seat is out of time; None while time stands."""
        seat = self._first()
        return None if seat is None else self._context.time.when(self._last_at(seat) + 1)

    def polled(self, moment: int) -> None:
        """Take note that all that had arrived by *moment* of the node's clock was read."""
        self._polled = max(self._polled, self._context.time.at(moment))

    def overdue(self, now: int) -> TimedOut | None:
        """Return the time-out of the first seat whose time was over when the sockets were last polled."""
        match = self._context.match
        if match.deadline is None or self._polled <= match.deadline:
            return None  # banks and credits only come after that
        seat = self._first()
        if seat is None or match.is_halted or self._polled <= self._last_at(seat):
            return None
        action = encode(match.game.default_action(match.state, seat))
        return TimedOut(self._context.time.at(now), seat, action, match.due(seat), self.credit(seat))

    def _first(self) -> Seat | None:
        """Return the seat whose time is over first, or was."""
        asked = self._context.match.asked
        if len(asked) == 1:
            return next(iter(asked))
        return min(asked, key=lambda seat: (self._last_at(seat), seat), default=None)

    def _last_at(self, seat: Seat) -> int:
        """Return until when something that arrived in time may come here."""
        return self._context.match.due(seat) + self.credit(seat) + self._relay(seat)

    def _relay(self, seat: Seat) -> int:
        relays = self._relays
        if not relays:
            return 0
        return max((relays.get(viewer, 0) for viewer in self._context.audience.of_seat(seat)), default=0)
