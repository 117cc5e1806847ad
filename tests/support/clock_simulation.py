"""A room among slow lines, a slow store and a stalling loop, in virtual time, and a clock of the world's own beside it.

The world counts the time of play by the plainest rule there is: a millisecond counts if the loop ran and nothing held
the room. The room must come to the same numbers by its own way.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import count

from msgspec import Struct
from room_table import Table
from sealed_bids import GAME

from warroom_games.codec import encode
from warroom_games.log import Acted, Entry, decode_entry
from warroom_protocol import messages as wire
from warroom_protocol.codec import decode_server
from warroom_server.adapters.play_clock import PlayClock
from warroom_server.adapters.websocket.listener_state import Limits
from warroom_server.adapters.websocket.round_trips import RoundTrips
from warroom_server.ports.store import Fenced
from warroom_server.room.commands import Act, Expire, Lag, Pause, Unpause
from warroom_server.room.viewer_addresses import Local

BEAT_MS = 25
"""How long the world runs before the node's clock sees the loop turn."""


class Sent(Struct):
    """An action under way: what was true when its bytes were read."""

    seat: int
    turn: int
    arrived: int | None = None
    """In the world's time of play."""
    due: int | None = None
    """The last moment of its decision, if that was open and nothing of the seat was before it."""
    verdict: wire.Verdict | None = None


class Player:
    """Someone with a line of *rtt_ms* who may answer pings later than necessary, and in odd ways."""

    def __init__(self, seat: int, connection: int) -> None:
        self.seat = seat
        self.rtt_ms = 20
        self.holds_pongs_ms = 0
        self.connect(connection)

    def connect(self, connection: int) -> None:
        """Begin a new line, of which nothing is known."""
        self.connection = connection
        self.trips = RoundTrips()
        self.read = 0


class World:
    """One room of sealed bids and everything around it. All times are milliseconds."""

    def __init__(self, seats: int, *, lateness: int, room_options: dict[str, object]) -> None:
        self.real = 0
        self.play = 0
        """The time of play, as the world counts it."""
        self.clock = PlayClock(lambda: self.real * 1_000_000)
        self.lateness = lateness
        """How much later than asked for the room's timer comes."""
        self.store_ms = 0
        self.is_store_away = False
        self.sent: dict[int, Sent] = {}
        self.entries: list[tuple[int, Entry]] = []
        """What was proposed, and the time of play at which it was."""
        self._arrivals: list[tuple[int, int, int, int, bytes]] = []
        self._pongs: list[tuple[int, int, Player, RoundTrips, bytes]] = []
        self._pings: list[tuple[int, int, Player, RoundTrips]] = []
        self._answer_at: int | None = None
        self._limits = Limits()
        self._count = count(1)
        self.table = Table.playing(
            GAME, seats, options={"rounds": 10, "cards": 12, "peeks": 5}, room_options=room_options
        )
        self.table.answers = False
        self.players = [Player(seat, seat) for seat in range(seats)]
        for player in self.players:
            self._ping_later(player)

    # --- time ---------------------------------------------------------------------------------------------------

    @property
    def is_held(self) -> bool:
        """Whether anything holds the room's clock."""
        return bool(self.table.waiting) or self.is_store_away or self.table.room.match.is_halted

    def run(self, ms: int) -> None:
        """Let the loop run for a while."""
        end = self.real + ms
        self._happen()
        while self.real < end:
            step = min(end, self.real + BEAT_MS, *self._moments()) - self.real
            self.real += step
            self.play += 0 if self.is_held else step
            self.clock.beat()
            self._happen()

    def stall(self, ms: int) -> None:
        """Let the loop stand still for longer than any turn of it should take."""
        self.real += ms
        self._happen()
        self.clock.beat()
        self._happen()

    def _moments(self) -> list[int]:
        """Return when something happens next; what is overdue happens in a millisecond."""
        moments = [queue[0][0] for queue in (self._arrivals, self._pongs, self._pings) if queue]
        if self._answer_at is not None and not self.is_store_away:
            moments.append(self._answer_at)
        if self.table.room.wake_at is not None:
            moments.append(self.real + self.table.room.wake_at + self.lateness - self.clock.now())
        return [max(moment, self.real + 1) for moment in moments]

    def _happen(self) -> None:
        """Let everything happen that is due: what is read before what the clock does."""
        self.table.now = self.clock.now()
        while self._read_one() or self._answer() or self._expire():
            self.look()

    # --- lines --------------------------------------------------------------------------------------------------

    def send(self, seat: int, choice: int) -> None:
        """Let a player send an action that is legal now, unless one of its own is under way."""
        match, player = self.table.room.match, self.players[seat]
        actions = list(GAME.legal_actions(match.state, seat))
        if actions and all(sent.verdict for sent in self.sent.values() if sent.seat == seat):
            action_id = next(self._count)
            self.sent[action_id] = Sent(seat, match.decisions[seat])
            arrival = self.real + (player.rtt_ms + 1) // 2
            heappush(self._arrivals, (arrival, action_id, seat, match.decisions[seat], _pick(actions, choice)))

    def _read_one(self) -> bool:
        """Read what came first, if anything did."""
        if self._arrivals and self._arrivals[0][0] <= self.real:
            _, action_id, seat, turn, action = heappop(self._arrivals)
            self._note_arrival(self.sent[action_id])
            self.table.tell(Act(Local(self.players[seat].connection), action_id, turn, action, self.clock.now()))
            return True
        if self._pongs and self._pongs[0][0] <= self.real:
            _, _, player, trips, payload = heappop(self._pongs)
            if trips.pong(payload, self.clock.now()) and trips is player.trips:
                self.table.tell(Lag(Local(player.connection), trips.median_ms))
                self._ping_later(player)
            return True
        if self._pings and self._pings[0][0] <= self.real:
            _, number, player, trips = heappop(self._pings)
            payload = trips.ping(self.clock.now())
            pong_at = self.real + player.rtt_ms + player.holds_pongs_ms
            for unasked in (bytes(8), payload[::-1], payload, payload):
                heappush(self._pongs, (pong_at, number, player, trips, unasked))
                number = next(self._count)
            return True
        return False

    def _note_arrival(self, sent: Sent) -> None:
        match = self.table.room.match
        sent.arrived = self.play
        if sent.seat in match.asked and sent.turn == match.decisions[sent.seat]:
            sent.due = match.due(sent.seat)

    def _ping_later(self, player: Player) -> None:
        due = self.real + self._limits.ping_after(player.trips.count)
        heappush(self._pings, (due, next(self._count), player, player.trips))

    # --- the store and the node ---------------------------------------------------------------------------------

    def look(self) -> None:
        """Take note of what the room wants to write, and of what it answered."""
        if self.table.waiting and self._answer_at is None:
            self._answer_at = self.real + self.store_ms
            self.entries.append((self.play, decode_entry(self.table.waiting[0].entry)))
        for player in self.players:
            payloads = self.table.payloads[player.connection]
            for payload in payloads[player.read :]:
                message = decode_server(payload)
                if isinstance(message, wire.Verdict) and message.id in self.sent:
                    self.sent[message.id].verdict = message
            player.read = len(payloads)

    def _answer(self) -> bool:
        if self._answer_at is None or self._answer_at > self.real or self.is_store_away:
            return False
        self._answer_at = None
        self.table.commit()
        return True

    def _expire(self) -> bool:
        wake_at = self.table.room.wake_at
        if wake_at is None or wake_at + self.lateness > self.clock.now():
            return False
        self.table.tell(Expire())
        return self.table.room.wake_at != wake_at

    def set_store(self, *, is_away: bool) -> None:
        """Let the store go away, or come back; the node notices at once."""
        if is_away != self.is_store_away:
            self.is_store_away = is_away
            self.table.now = self.clock.now()
            self.table.tell(Pause("store") if is_away else Unpause())
            self.look()

    def die(self, *, is_written: bool) -> None:
        """Let another node take over; what was on its way may have reached the log. Everybody comes back at once."""
        if self.table.waiting:
            if is_written:
                self.table.write(self.table.waiting[0])
            else:
                self.entries.pop()
        self._answer_at = None
        self.table.now = self.clock.now()
        self.table.tell(Fenced())
        self.table.restart()
        self.play = self.table.room.match.at
        self.sent.clear()
        self._arrivals.clear()
        if self.is_store_away:
            self.table.tell(Pause("store"))
        for player in self.players:
            player.connect(1_000 + next(self._count))
            self.table.join(player.seat, connection=player.connection)
            self._ping_later(player)
        self.look()

    def acted(self) -> list[Acted]:
        """Return the actions in the log."""
        logged = [decode_entry(entry.entry) for entry in self.table.log]
        return [entry for entry in logged if isinstance(entry, Acted)]


def _pick(actions: Sequence[object], choice: int) -> bytes:
    return encode(actions[choice % len(actions)])
