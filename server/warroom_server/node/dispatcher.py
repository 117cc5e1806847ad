"""What the node does with its connections: reads what they ask, and leads it where it belongs."""

import logging
from collections.abc import Awaitable, Sequence

from msgspec.structs import replace

from warroom_protocol import codes
from warroom_server.archive.match_archive import MatchArchive
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.hosting.connections import Client, Connections
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.lobby.catalog import Catalog
from warroom_server.lobby.matchmaker import Matchmaker
from warroom_server.lobby.rematches import Rematches
from warroom_server.lobby.room_factory import RoomFactory
from warroom_server.lobby.room_lists import LiveRoomLists, RoomLists
from warroom_server.node.tokens import Tokens
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.connections import Connection, HttpResponse
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.store import Store
from warroom_server.room import commands
from warroom_server.room.commands import Entering
from warroom_server.room.viewers import Local
from warroom_server.session.effects import (
    Close,
    Confirm,
    CreateRoom,
    Employ,
    Errand,
    FetchReplay,
    FindRoom,
    ListGames,
    ListMatches,
    ListRooms,
    Reply,
    SessionEffect,
    ShowRanking,
    ToRoom,
    Wait,
    Welcomed,
    ref_of,
)
from warroom_server.session.identity import Signer
from warroom_server.session.limits import Limits
from warroom_server.session.replies import error, notice
from warroom_server.session.session import Session
from warroom_server.web.pages import Pages

logger = logging.getLogger(__name__)

HELLO_MS = 10_000
"""How long a connection may take to say hello."""
CONGESTED_MS = 100
"""How long nothing is read from a connection that does not read what it asked for."""


class Dispatcher:
    """The handler of the websocket shell."""

    def __init__(
        self,
        *,
        room_host: RoomHost,
        events: RoomEvents,
        room_factory: RoomFactory,
        connections: Connections,
        catalog: Catalog,
        room_lists: RoomLists,
        matchmaker: Matchmaker,
        pages: Pages,
        bot_workers: BotWorkers,
        match_archive: MatchArchive,
        delivery: Delivery,
        remote_rooms: RemoteRooms,
        store: Store,
        signer: Signer,
        entropy: Entropy,
        clock: Clock,
        timers: Timers,
        limits: Limits,
        server: str,
    ) -> None:
        self._room_host = room_host
        self._room_factory = room_factory
        self._connections = connections
        self._catalog = catalog
        self._live = LiveRoomLists(room_lists, connections=connections, clock=clock, timers=timers)
        self._pages = pages
        self._bot_workers = bot_workers
        self._match_archive = match_archive
        self._delivery = delivery
        self._remote_rooms = remote_rooms
        self._signer = signer
        self._entropy = entropy
        self._clock = clock
        self._timers = timers
        self._limits = limits
        self._server = server
        self._is_draining = False
        self._matchmaker = matchmaker
        self.rematches = Rematches(room_host=room_host, events=events, room_factory=room_factory, signer=signer)
        connections.acts_released.append(self._judge)
        self.tokens = Tokens(store, connections=connections, clock=clock, resolve=self._resolve_all)

    def opened(self, connection: Connection) -> None:
        """Take a connection in, and give it a while to say hello."""
        now = self._clock.now()
        session = Session(
            connection.id,
            signer=self._signer,
            entropy=self._entropy,
            limits=self._limits,
            server=self._server,
            now=now,
        )
        client = Client(connection, session)
        client.hello_timer = self._timers.call_at(now + HELLO_MS, lambda: _close(connection, codes.CLOSE_HELLO_TIMEOUT))
        self._connections.add(client)
        logger.debug("connection opened connection=%d peer=%s", connection.id, connection.peer)

    def received(self, connection: Connection, message: bytes, arrived: int) -> int:
        """Do what one message asks for; return for how many milliseconds to read no further."""
        client = self._connections.get(connection.id)
        if client is None:
            return 0
        pause = self._resolve_all(client, client.session.receive(message, now=self._clock.now(), arrived=arrived))
        return max(pause, CONGESTED_MS) if connection.is_congested else pause

    def drained(self, connection: Connection) -> None:
        """Bring a viewer that was too slow up to date."""
        for number in sorted(self._connections.caught_up(connection.id)):
            self._connections.answer(connection.id, notice(number, codes.NOTICE_SLOW))
            self._tell(number, commands.Refresh(Local(connection.id)))

    def measured(self, connection: Connection, rtt_ms: int) -> None:
        """Let the rooms where somebody plays know how long the line takes, even if they knew: one may be new."""
        client = self._connections.get(connection.id)
        if client is not None:
            client.rtt_ms = rtt_ms
            viewer = Local(connection.id)
            for number in sorted(client.session.following):
                hosted = self._room_host.get(number)
                if hosted is None or hosted.room.audience.player_of(viewer) is not None:
                    self._tell(number, commands.Lag(viewer, rtt_ms))

    def closed(self, connection: Connection) -> None:
        """Let the rooms know that a connection is gone."""
        self._bot_workers.gone(connection.id)
        self._live.forget(connection.id)
        self._match_archive.gone(connection.id)
        client = self._connections.remove(connection.id)
        if client is not None:
            for number in sorted(client.session.following):
                self._tell(number, commands.Detach(Local(connection.id)))
            logger.debug("connection closed connection=%d peer=%s", connection.id, connection.peer)

    def http(self, path: str, query: str) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer a GET that is no websocket handshake."""
        return self._pages.answer(path, query)

    async def close(self) -> None:
        """Stop whatever waits for the store."""
        await self.tokens.close()
        for part in (self._live, self._matchmaker, self.rematches, self._match_archive):
            await part.tasks.close()

    def drain(self) -> None:
        """Tell everybody that the server stops: actions are still judged, whatever else they ask for is refused."""
        self._is_draining = True
        payload = notice(None, codes.NOTICE_DRAINING)
        for client in self._connections:
            self._connections.answer(client.connection.id, payload)

    def _resolve_all(self, client: Client, effects: Sequence[SessionEffect]) -> int:
        """Do what a session asks for; return for how many milliseconds it wants nothing to be read."""
        pause = 0
        for effect in effects:
            if isinstance(effect, Wait):
                pause = max(pause, effect.ms)
            else:
                self._resolve(client, effect)
        return pause

    def _resolve(self, client: Client, effect: SessionEffect) -> None:
        connection = client.connection
        match effect:
            case ToRoom():
                self._pass_on(client, effect)
            case Reply():
                self._connections.answer(connection.id, effect.payload)
            case Welcomed():
                client.welcome()
            case Confirm():
                self.tokens.confirm(client, effect)
            case Close():
                connection.close(effect.code, effect.reason)
            case Wait():
                raise AssertionError("the caller waits")
            case _ if self._is_draining:
                self._connections.answer(connection.id, error(ref_of(effect), codes.SERVER_DRAINING))
            case _:
                self._run(effect, connection.id)

    def _run(self, errand: Errand, connection: int) -> None:
        """Do what needs no room that exists."""
        match errand:
            case CreateRoom():
                self._room_factory.create(errand, connection)
            case FindRoom(wish=wish):
                self._matchmaker.find(wish, connection)
            case ListGames():
                self._connections.answer(connection, self._catalog.message(errand.ref))
            case ListRooms(wanted=wanted):
                self._live.ask(wanted, connection)
            case Employ(work=work, player=player):
                self._bot_workers.employ(work, player, connection)
            case ListMatches() | FetchReplay() | ShowRanking():
                self._match_archive.ask(errand, connection)

    def _pass_on(self, client: Client, effect: ToRoom) -> None:
        number, command, connection = effect.room, effect.command, client.connection.id
        if isinstance(command, commands.Join | commands.Claim):
            command = replace(command, rtt_ms=client.rtt_ms)
        if isinstance(command, commands.Claim):
            self._bot_workers.claimed(number, command.ticket, command.player, connection)
        elif isinstance(command, commands.Join) and client.session.is_worker:
            self._bot_workers.returned(command.player, connection)
        has_lost = number in client.session.lost
        if isinstance(command, Entering):
            if self._is_draining and not has_lost and number not in client.session.inside:
                self._delivery.turn_away(number, command, codes.SERVER_DRAINING)
            else:
                self._tell(number, command)
        elif isinstance(command, commands.Act):
            # It may be one that is in the log already: only its room can give it the one verdict that it has. Who is to
            # resume sends it again then.
            if not has_lost:
                self._tell(number, command)
        elif self._is_draining or has_lost:
            code = codes.SERVER_DRAINING if self._is_draining else codes.ROOM_MOVING
            self._delivery.refuse(number, command, code)
        else:
            self._tell(number, command)

    def _judge(self, number: int, acts: Sequence[commands.Act]) -> None:
        """Lead actions to the room that their connection has entered since."""
        for act in acts:
            self._tell(number, act)

    def _tell(self, number: int, command: commands.Command) -> None:
        """Lead a command to its room, here or on another node."""
        if number in self._room_host:
            self._room_host.tell(number, command)
        else:
            self._remote_rooms.tell(number, command)


def _close(connection: Connection, code: int) -> None:
    connection.close(code, codes.CLOSES[code])
