"""Reads what clients send, and dispatches it to rooms, to the lobby and to the archive."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from warroom_protocol import codes
from warroom_protocol.messages import Matches, Ranking, Replay
from warroom_server.archive.match_reader import MatchArchive, Reader
from warroom_server.hosting.connections import Client, Connections
from warroom_server.lobby.requests import LobbyRequests
from warroom_server.node.revoked_tokens import Tokens
from warroom_server.node.room_requests import RoomRequests
from warroom_server.ports.connections import Connection
from warroom_server.room import commands
from warroom_server.session.effects import Close, Confirm, Errand, Reply, SessionEffect, ToRoom, Wait
from warroom_server.session.replies import error, notice
from warroom_server.session.session import Session

logger = logging.getLogger(__name__)

CONGESTED_MS = 100
"""How long nothing is read from a connection that does not read its answers."""


@dataclass(eq=False)
class Dispatcher:
    """The handler of the websocket listener; *new_session* needs only the number of the connection."""

    _connections: Connections
    _new_session: partial[Session]
    _tokens: Tokens
    _rooms: RoomRequests
    _lobby: LobbyRequests
    _archive: MatchArchive

    def __post_init__(self) -> None:
        self._clients = self._connections.clients
        self._act = self._rooms.act
        self._tokens.checked.append(self._resolve_all)

    def opened(self, connection: Connection) -> None:
        """Add a new connection."""
        self._connections.add(Client(connection, self._new_session(connection.id)))
        logger.debug("connection opened connection=%d peer=%s", connection.id, connection.peer)

    def received(self, connection: Connection, message: bytes, arrived: int, now: int) -> int:
        """Handle one message; return for how many milliseconds to read no further."""
        client = self._clients.get(connection.id)
        if client is None:
            return 0
        session, pause = client.session, 0
        act = session.receive_act(message, now)
        if act is None:
            pause = self._resolve_all(client, session.receive(message, now=now, arrived=arrived))
        else:
            command = commands.Act(session.viewer, act.id, act.turn, bytes(act.action), arrived)
            if act.room in session.lost or not self._act(act.room, command, now):
                self._rooms.send(client, ToRoom(act.room, command))
            if session.debt_ms:
                pause = self._resolve_all(client, session.hold_back())
        return max(pause, CONGESTED_MS) if connection.is_congested else pause

    def drained(self, connection: Connection) -> None:
        """Bring a viewer up to date that was too slow."""
        self._rooms.refresh(connection.id)

    def measured(self, connection: Connection, rtt_ms: int) -> None:
        """Note a measured round trip."""
        client = self._clients.get(connection.id)
        if client is not None:
            self._rooms.measured(client, rtt_ms)

    def closed(self, connection: Connection) -> None:
        """Forget a closed connection."""
        self._lobby.gone(connection.id)
        self._archive.gone(connection.id)
        client = self._connections.remove(connection.id)
        if client is not None:
            self._rooms.detach(client)
            logger.debug("connection closed connection=%d peer=%s", connection.id, connection.peer)

    async def close(self) -> None:
        """Cancel what waits for the store."""
        for part in (self._tokens, self._lobby, self._archive):
            await part.close()

    def drain(self) -> None:
        """Tell everybody that the server stops: actions are still judged, other requests refused."""
        self._rooms.drain()
        payload = notice(None, codes.NOTICE_DRAINING)
        for client in self._connections:
            self._connections.answer(client.connection.id, payload)

    def _resolve_all(self, client: Client, effects: Sequence[SessionEffect]) -> int:
        """Carry out the effects of a session; return for how many milliseconds to read no further."""
        pause = 0
        for effect in effects:
            match effect:
                case ToRoom():
                    self._rooms.send(client, effect)
                case Wait():
                    pause = max(pause, effect.ms)
                case Reply():
                    self._connections.answer(client.connection.id, effect.payload)
                case Confirm():
                    self._tokens.confirm(client, effect)
                case Close():
                    client.connection.close(effect.code, effect.reason)
                case Errand():
                    self._run(client, effect)
        return pause

    def _run(self, client: Client, errand: Errand) -> None:
        request, connection = errand.request, client.connection.id
        if self._rooms.is_draining:
            self._connections.answer(connection, error(request.ref, codes.SERVER_DRAINING))
        elif isinstance(request, Matches | Replay | Ranking):
            self._archive.ask(request, Reader(errand.player, errand.has_key), connection)
        else:
            self._lobby.ask(request, errand.player, client)
