"""All stands of an edge, before the guests that it leads one by one: who only looks on is let in here.

To the edge behind it a stand is one guest, whose connection is a number that no client has. What the edge has for that
guest goes to everybody who stands there.
"""

from collections.abc import Iterable
from typing import Final

from warroom_protocol import messages as wire
from warroom_protocol.codec import decode_server, encode
from warroom_server.cluster import frame_heads as peek
from warroom_server.cluster.edge_port import Ways
from warroom_server.cluster.messages import Away, Frame, Message
from warroom_server.cluster.remote_rooms import PASSING, Edge
from warroom_server.cluster.remote_spectators import Stand
from warroom_server.cluster.remote_viewer import Guest
from warroom_server.room import commands
from warroom_server.room.commands import Entering
from warroom_server.session.refusals import error

_LOOKS_ON: Final = (commands.Watch, commands.Leave, commands.Resync, commands.Refresh, commands.Detach, commands.Lag)
"""What becomes of spectators, or is asked for by them, without the owner."""


class Stands:
    """Spectators together, everybody else one by one; for a node it is its edge, for the edge it is its node."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._edge = Edge(self)
        self._stands: dict[int, Stand] = {}
        self._now = 0

    def __len__(self) -> int:
        together = sum(len(stand.viewers) + len(stand.waiting) for stand in self._stands.values())
        return len(self._edge) - len(self._stands) + together

    def holds(self, room: int, connection: int) -> bool:
        """Whether a connection is in a room elsewhere, or about to be."""
        stand = self._stands.get(room)
        return (stand is not None and stand.has(connection)) or self._edge.holds(room, connection)

    # --- what clients do ------------------------------------------------------------------------------------------

    def enter(self, room: int, command: Entering, now: int) -> None:
        """Lead a connection into a room elsewhere."""
        stand = self._stands.get(room)
        if self._edge.holds(room, command.connection):
            self._edge.enter(room, command, now)
        elif not isinstance(command, commands.Watch) or (stand is not None and stand.is_open):
            if not self.tell(room, command, now):
                self._edge.enter(room, command, now)
        elif stand is not None:
            stand.waiting.append(command)
        else:
            stand = self._stands[room] = Stand(room, command)
            self._edge.enter(room, stand.subscription, now)

    def take_in(self, guest: Guest) -> None:
        """Go on for a connection whose room has just left this node."""
        self._edge.take_in(guest)

    def tell(self, room: int, command: commands.Command, now: int) -> bool:
        """Do what a connection asks for, or pass it on; False if it is in no room elsewhere."""
        self._now = now
        stand = self._stands.get(room)
        connection = getattr(command, "connection", 0)
        if stand is None or self._edge.holds(room, connection):
            return self._edge.tell(room, command, now)
        if connection not in stand.viewers:
            return self._tell_newcomer(stand, command, connection, now)
        if isinstance(command, _LOOKS_ON):
            self._serve(stand, command, now)
        else:
            self._part_from(stand, connection, now)
            self._edge.tell(room, command, now)
        return True

    def _tell_newcomer(self, stand: Stand, command: commands.Command, connection: int, now: int) -> bool:
        if isinstance(command, commands.Watch) and stand.may_enter(command):
            self._let_in(stand, command, now)
            return True
        if isinstance(command, commands.Detach) and stand.has(connection):
            stand.waiting = [watch for watch in stand.waiting if watch.connection != connection]
            self._ways.forget(stand.room, connection)
            self._close_if_empty(stand, now)
            return True
        if stand.has(connection):
            self._enter_apart(stand, connection, now)
            return self._edge.tell(stand.room, command, now)
        return False

    def _enter_apart(self, stand: Stand, connection: int, now: int) -> None:
        """Let somebody who waits wait as a guest of its own."""
        apart = [watch for watch in stand.waiting if watch.connection == connection]
        stand.waiting = [watch for watch in stand.waiting if watch.connection != connection]
        for watch in apart:
            self._edge.enter(stand.room, watch, now)

    def _serve(self, stand: Stand, command: commands.Command, now: int) -> None:
        match command:
            case commands.Watch():
                self._let_in(stand, command, now)
            case commands.Refresh(connection=connection):
                self._answer(connection, [stand.snapshot(), *stand.current(now)])
            case commands.Resync(connection=connection, ref=ref):
                self._answer(connection, [stand.snapshot(), *stand.time(now), encode(wire.Done(ref))])
            case commands.Leave(connection=connection, ref=ref):
                self._answer(connection, [encode(wire.Done(ref))])
                self._leave(stand, connection, now)
            case commands.Detach(connection=connection):
                self._leave(stand, connection, now)
            case _:
                pass

    def _let_in(self, stand: Stand, watch: commands.Watch, now: int) -> None:
        stand.viewers[watch.connection] = watch
        self._answer(watch.connection, stand.welcome(watch, now))
        self._count(stand, now)

    def _leave(self, stand: Stand, connection: int, now: int) -> None:
        del stand.viewers[connection]
        self._ways.forget(stand.room, connection)
        self._count(stand, now)
        self._close_if_empty(stand, now)

    def _close_if_empty(self, stand: Stand, now: int) -> None:
        if not stand.viewers and not stand.waiting:
            self._edge.tell(stand.room, commands.Detach(stand.subscription.connection), now)

    def _part_from(self, stand: Stand, connection: int, now: int) -> None:
        """Make somebody a guest of its own who wants more than to look on."""
        self._edge.take_in(stand.as_guest(connection, now))
        del stand.viewers[connection]
        self._count(stand, now)
        self._close_if_empty(stand, now)

    def _count(self, stand: Stand, now: int) -> None:
        """Tell the owner how many stand here."""
        stand.is_counted = True
        self._edge.tell(stand.room, commands.Crowd(stand.subscription.connection, len(stand.viewers)), now)

    def _answer(self, connection: int, payloads: Iterable[bytes]) -> None:
        for payload in payloads:
            self._ways.answer(connection, payload)

    # --- what the edge has for a stand ----------------------------------------------------------------------------

    def answer(self, connection: int, payload: bytes) -> None:
        """Send a client what it has to get, or let a stand have it."""
        if connection >= 0:
            self._ways.answer(connection, payload)
            return
        stand = self._stand_of(connection)
        match peek.peek(payload):
            case peek.Joined() | peek.Resumed():
                stand.let_in(payload)
            case peek.Error():
                self._refuse(stand, payload)
            case head:
                if isinstance(head, peek.Shown):
                    stand.note(head, payload, self._now)
                for viewer in stand.viewers:
                    self._ways.answer(viewer, payload)

    def _refuse(self, stand: Stand, payload: bytes) -> None:
        """Turn the one away as whom the edge came; others may be welcome, unless it is for nothing about that one."""
        refusal = decode_server(payload)
        assert isinstance(refusal, wire.Error)
        waiting, stand.waiting = stand.waiting, []
        refused = len(waiting) if refusal.code in PASSING else 1
        for watch in waiting[:refused]:
            self._ways.answer(watch.connection, error(watch.ref, refusal.code, refusal.detail))
            self._ways.forget(stand.room, watch.connection)
        for watch in waiting[refused:]:
            self._edge.enter(stand.room, watch, self._now)

    def show(self, room: int, connections: Iterable[int], payload: bytes) -> None:
        """Send clients what they may miss, and everybody who stands in the room."""
        alone = [connection for connection in connections if connection >= 0]
        stand = self._stands.get(room)
        if stand is None or len(alone) == len(list(connections)):
            self._ways.show(room, alone, payload)
            return
        head = peek.peek(payload)
        assert isinstance(head, peek.Shown), "only what is shown may be missed"
        stand.note(head, payload, self._now)
        self._ways.show(room, [*alone, *stand.viewers], payload)
        if isinstance(head, peek.Snapshot) and stand.waiting:
            self._open(stand)
        if isinstance(head, peek.Seats) and not stand.is_counted:
            self._count(stand, self._now)

    def _open(self, stand: Stand) -> None:
        """Let those in who waited; whoever the owner has to look at becomes a guest of its own."""
        waiting, stand.waiting = stand.waiting, []
        for watch in waiting:
            if stand.may_enter(watch):
                self._let_in(stand, watch, self._now)
            else:
                self._edge.enter(stand.room, watch, self._now)
        self._close_if_empty(stand, self._now)

    def forget(self, room: int, connection: int) -> None:
        """Note that a connection, or everybody on a stand, is not in a room any more."""
        if connection >= 0:
            self._ways.forget(room, connection)
            return
        stand = self._stands.pop(room, None)
        if stand is not None:
            for viewer in (*stand.viewers, *(watch.connection for watch in stand.waiting)):
                self._ways.forget(room, viewer)

    def lose(self, room: int, connection: int) -> None:
        """Note that a room went away from a connection, or from everybody on a stand."""
        stand = self._stands.get(room)
        if connection >= 0:
            self._ways.lose(room, connection)
        elif stand is not None:
            for viewer in (*stand.viewers, *(watch.connection for watch in stand.waiting)):
                self._ways.lose(room, viewer)

    def _stand_of(self, connection: int) -> Stand:
        return self._stands[-1 - connection]

    # --- what is passed on ----------------------------------------------------------------------------------------

    def send(self, peer: str, message: Message) -> bool:
        """Send something to a node; False if there is no way to it."""
        return self._ways.send(peer, message)

    def is_alive(self, peer: str) -> bool:
        """Whether a node is there, though perhaps out of reach."""
        return self._ways.is_alive(peer)

    def seek(self, room: int) -> None:
        """Find out who owns a room."""
        self._ways.seek(room)

    def is_stale(self, room: int, connection: int) -> bool:
        """Whether a client was too slow for something of a room; a stand never is."""
        return connection >= 0 and self._ways.is_stale(room, connection)

    def rtt_ms(self, connection: int) -> int:
        """Return how long the line of a client takes."""
        return 0 if connection < 0 else self._ways.rtt_ms(connection)

    def homeless(self) -> list[int]:
        """Return the rooms whose owner is being looked for."""
        return self._edge.homeless()

    def is_homeless(self, room: int) -> bool:
        """Whether the owner of a room is being looked for."""
        return self._edge.is_homeless(room)

    def received(self, message: Frame | Away, now: int) -> None:
        """Take what the owner of a room says."""
        self._now = now
        self._edge.received(message, now)

    def lost(self, peer: str, now: int) -> None:
        """Take note that a node cannot be reached any more."""
        self._now = now
        self._edge.lost(peer, now)

    def found(self, room: int, owner: str, epoch: int, now: int) -> None:
        """Lead the guests of a room to its owner."""
        self._now = now
        if room in self._stands:
            self._stands[room].is_counted = False  # a new owner knows of nobody behind the one who comes
        self._edge.found(room, owner, epoch, now)

    def gone(self, room: int, now: int) -> None:
        """Take note that there is no such room any more."""
        self._now = now
        self._edge.gone(room, now)

    def tick(self, now: int) -> None:
        """Refuse what has waited too long for a room without an owner."""
        self._edge.tick(now)

    def come_home(self, room: int) -> list[tuple[Guest, Entering]]:
        """Let everybody in a room go that is on this node now; return what leads each of them in there."""
        stand = self._stands.pop(room, None)
        home = [(guest, wish) for guest, wish in self._edge.come_home(room) if guest.connection >= 0]
        if stand is not None:
            guests = [stand.as_guest(viewer, self._now) for viewer in stand.viewers]
            home += [
                (guest, guest.way_back(is_stale=self.is_stale(room, guest.connection), rtt_ms=0, is_quiet=True))
                for guest in guests
            ]
            home += [(Guest(room, watch, now=self._now), watch) for watch in stand.waiting]
        return home
