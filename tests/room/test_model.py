"""Random schedules of clients, store and clock against one model: every promise holds at every moment."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis_effort import fewer
from room_table import SPECTATOR, Table, clock_of
from sealed_bids import GAME
from strict_viewer import Viewer

from warroom_games.codec import encode
from warroom_games.log import Acted, decode_entry
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.canonical import canonical
from warroom_server.ports.store import Fenced
from warroom_server.room.commands import Act, Expire, Resign
from warroom_server.room.room import Room
from warroom_server.room.viewer_addresses import Local

SEATS = 3
GARBAGE = b"\xc1"

seats = st.integers(0, SEATS - 1)


class Client:
    """A player whose connection may break: it resends actions without a verdict, and nothing else."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.connection: int | None = None
        self.viewer = Viewer()
        self.unanswered: dict[int, tuple[int, bytes]] = {}
        self.verdicts: dict[int, wire.Verdict] = {}
        self.read = 0

    def take(self, message: wire.ServerMessage) -> None:
        if isinstance(message, wire.Verdict):
            self.unanswered.pop(message.id, None)
            assert self.verdicts.setdefault(message.id, message) == message, "one verdict per action"
            if message.code == codes.ACT_LATE:
                assert message.receipt is not None
                assert message.receipt.arrived is not None
                assert message.receipt.arrived > message.receipt.deadline


class RoomMachine(RuleBasedStateMachine):
    """One room of sealed bids, its clients and its store."""

    @initialize()
    def sit_down(self) -> None:
        self.table = Table(GAME, seats=SEATS, turn_ms=1_000, options={"rounds": 5, "cards": 9, "peeks": 4})
        self.clients = [Client(player) for player in range(SEATS)]
        self.spectator = Viewer()
        self.next_connection = 1_000
        self.next_id = 1
        for client in self.clients:
            self._connect(client)
        self.table.watch(SPECTATOR)
        self.table.answers = False
        self._deliver()

    # --- clients ------------------------------------------------------------------------------------------------

    @rule(seat=seats, choice=st.integers(0, 9), delay=st.integers(0, 40))
    def play(self, seat: int, choice: int, delay: int) -> None:
        """Play a legal action, some time after its bytes arrived."""
        actions = list(GAME.legal_actions(self.table.room.match.state, seat))
        action = encode(actions[choice % len(actions)]) if actions else GARBAGE
        self._send(self.clients[seat], self.table.room.match.decisions[seat], action, delay)

    @rule(seat=seats, token=st.integers(0, 6))
    def play_nonsense(self, seat: int, token: int) -> None:
        self._send(self.clients[seat], token, GARBAGE, 0)

    @rule(seat=seats)
    def send_again(self, seat: int) -> None:
        client = self.clients[seat]
        for action_id, (turn, action) in list(client.unanswered.items()):
            self._transmit(client, action_id, turn, action, 0)

    @rule(seat=seats)
    def break_line(self, seat: int) -> None:
        client = self.clients[seat]
        if client.connection is not None:
            self.table.detach(client.connection)
            client.connection = None

    @rule(seat=seats)
    def come_back(self, seat: int) -> None:
        client = self.clients[seat]
        if client.connection is None:
            self._connect(client)
            self.send_again(seat)

    @rule(seat=seats, likelihood=st.integers(0, 20))
    def resign(self, seat: int, likelihood: int) -> None:
        connection = self.clients[seat].connection
        if likelihood == 0 and connection is not None:
            self.table.request(Resign, connection)

    # --- the store and the node ---------------------------------------------------------------------------------

    @precondition(lambda self: self.table.waiting)
    @rule()
    def store_says_yes(self) -> None:
        self.table.commit()

    @rule(is_written=st.booleans())
    def node_dies(self, is_written: bool) -> None:
        """Another node takes over; a pending entry may or may not have reached the log."""
        while self.table.waiting and len(self.table.log) < self.table.room.match.rev:
            self.table.commit()
        if self.table.waiting and is_written:
            self.table.write(self.table.waiting[0])
        self.table.tell(Fenced())
        self.table.restart()
        for client in self.clients:
            client.connection = None
        self._deliver()
        self.table.watch(SPECTATOR, self.spectator.position)

    @rule(elapsed=st.integers(1, 700))
    def time_passes(self, elapsed: int) -> None:
        self.table.now += elapsed
        wake_at = self.table.room.wake_at
        if wake_at is not None and wake_at <= self.table.now:
            self.table.tell(Expire())

    # --- promises -----------------------------------------------------------------------------------------------

    @invariant()
    def every_copy_is_right(self) -> None:
        self._deliver()
        state = self.table.room.match.state
        public = canonical(GAME.public(state))
        assert self.spectator.shows[2] == public
        clock, shown = clock_of(self.table.room.match), self.spectator.clock
        assert shown is not None
        assert (shown.turn, shown.deadline, shown.banks) == (clock.turn, clock.deadline, clock.banks)
        for client in self.clients:
            if client.connection is not None:
                private = canonical(GAME.private(state, client.player))
                assert client.viewer.shows[2:] == (public, private)

    @invariant()
    def accepted_means_written_once(self) -> None:
        entries = [decode_entry(logged.entry) for logged in self.table.log]
        written = [(entry.seat, entry.id) for entry in entries if isinstance(entry, Acted)]
        assert len(written) == len(set(written))
        if len(self.table.log) < self.table.room.match.rev:
            return
        for client in self.clients:
            for action_id, verdict in client.verdicts.items():
                assert (verdict.code is None) == ((client.player, action_id) in written)

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        self.table.answers = True
        while self.table.waiting:
            self.table.commit()
        for seat in range(SEATS):
            self.break_line(seat)
            self.come_back(seat)
        self._deliver()
        assert [client.unanswered for client in self.clients] == [{}] * SEATS
        assert Room.restore(GAME, self.table.stored(), 0).match == self.table.room.match

    # --- the line -----------------------------------------------------------------------------------------------

    def _connect(self, client: Client) -> None:
        self.next_connection += 1
        client.connection = self.next_connection
        client.read = 0
        self.table.join(client.player, connection=client.connection, position=client.viewer.position)
        self._deliver()

    def _send(self, client: Client, turn: int, action: bytes, delay: int) -> None:
        self.next_id += 1
        client.unanswered[self.next_id] = (turn, action)
        self._transmit(client, self.next_id, turn, action, delay)

    def _transmit(self, client: Client, action_id: int, turn: int, action: bytes, delay: int) -> None:
        if client.connection is not None:
            arrived = max(0, self.table.now - delay)
            self.table.tell(Act(Local(client.connection), action_id, turn, action, arrived))
            self._deliver()

    def _deliver(self) -> None:
        for client in self.clients:
            if client.connection is not None:
                payloads = self.table.payloads[client.connection]
                for payload in payloads[client.read :]:
                    client.viewer.receive(payload)
                    client.take(client.viewer.seen[-1])
                client.read = len(payloads)
        payloads = self.table.payloads[SPECTATOR]
        while payloads:
            self.spectator.receive(payloads.pop(0))


RoomMachine.TestCase.settings = fewer(2, steps=60)
TestRoomModel = RoomMachine.TestCase
