"""The asyncio client: one player, many rooms, and all requests to a server."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Final, Literal, Self

from warroom_client.errors import ClientError, RejectedError
from warroom_client.identity import Identity
from warroom_client.live_rooms import LiveRooms
from warroom_client.message_stream import MessageStream
from warroom_client.requests import new_ref
from warroom_client.room import Room
from warroom_client.session import Session
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.rooms import parse_invitation

DEFAULT_URL: Final = "ws://127.0.0.1:8000/ws"
PATIENCE_S: Final = 120.0
QUICK_ATTEMPTS: Final = 8
"""Attempts at a quick match, in case the seat is taken before we join."""

SEAT_GONE: Final = frozenset(
    {codes.ROOM_FULL, codes.ROOM_STARTED, codes.ROOM_ENDED, codes.ROOM_UNKNOWN, codes.ROOM_KEPT}
)
"""Refusals of a join that mean that another player was faster."""


class Client:
    """A player's connection to a Warroom server.

    Use it as an async context manager. Entering raises `DisconnectedError` at once if the server cannot be reached.
    Later breaks are repaired in the background for up to *patience_s* seconds; pending calls wait meanwhile. With
    several addresses of one cluster, the client tries the next one when a connection breaks. A room that moves to
    another server is entered again: its open requests fail with `room.moving`, and its actions wait. *token* is the
    identity from an earlier connection (`client.token`). A player who returns to a seat that a bot took over reclaims
    it, unless *reclaims* is False. A program names its bot in *bot*; only the operator's workers have a *key*.
    """

    def __init__(
        self,
        url: str | Sequence[str] = DEFAULT_URL,
        *,
        name: str = "",
        token: str | None = None,
        agent: str = "warroom-python",
        patience_s: float = PATIENCE_S,
        reclaims: bool = True,
        bot: str | None = None,
        key: str | None = None,
    ) -> None:
        urls = [url] if isinstance(url, str) else list(url)
        if not urls:
            raise ClientError("a client needs the address of a server")
        self._reclaims = reclaims
        self._identity = Identity(name=name, token=token, agent=agent, bot=bot, key=key)
        self._session = Session(urls, self._identity, patience_s=patience_s)
        self._fetching = asyncio.Lock()

    async def __aenter__(self) -> Self:
        await self._session.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection; pending calls raise `ClientError`."""
        await self._session.close()

    @property
    def url(self) -> str:
        """The current address, or the next one to try."""
        return self._session.url

    @property
    def is_connected(self) -> bool:
        """Whether the connection is up."""
        return self._session.is_connected

    @property
    def has_failed(self) -> bool:
        """Whether the connection was lost for good, or closed."""
        return self._session.has_failed

    @property
    def round_trip_s(self) -> float:
        """The last measured round trip to the server in seconds; 0 while disconnected. `ping` measures it now."""
        return self._session.round_trip_s

    @property
    def player(self) -> str:
        """The public id of the player; empty before the first welcome."""
        return self._identity.player

    @property
    def name(self) -> str:
        """The name as the server sanitized it."""
        return self._identity.name

    @property
    def token(self) -> str | None:
        """The secret that identifies the same player next time."""
        return self._identity.token

    @property
    def server(self) -> str:
        """The name and version of the server, for people; empty before the first welcome."""
        return self._identity.server

    @property
    def protocol(self) -> int:
        """The protocol version of the connection; 0 before the first welcome."""
        return self._identity.protocol

    async def rotate(self) -> str:
        """Revoke all earlier tokens of the player and return the new one; store it at once.

        All other connections of the player close for good (`codes.CLOSE_ROTATED`); this client reconnects and enters
        its rooms again. If the answer is lost, the same request is sent again.
        """
        return await self._session.rotate()

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        """Send any request and return its reply; raise `RejectedError` if it is refused.

        A request that *survives* may be sent again after a break. Any other raises `DisconnectedError` if the
        connection breaks before its reply; whether the server handled it is then unknown.
        """
        return await self._session.ask(message, survives=survives)

    async def ping(self) -> float:
        """Return the round-trip time in seconds."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        await self.ask(wire.Ping(new_ref()), survives=True)
        return loop.time() - began

    def notices(self) -> MessageStream[wire.Notice]:
        """Return the notices about the whole connection from now on: `async for notice in client.notices()`.

        Each room reports them as well, as `Noticed`, beside the notices of its own.
        """
        notices = MessageStream(wire.Notice, self._session.remove_stream)
        self._session.add_stream(notices)
        return notices

    # --- lists -------------------------------------------------------------------------------------------------------

    async def games(self) -> wire.GameList:
        """Return the games of the server, with their options."""
        reply = await self.ask(wire.Games(new_ref()), survives=True)
        assert isinstance(reply, wire.GameList)
        return reply

    async def rooms(
        self,
        game: str | None = None,
        *,
        phase: Literal["lobby", "playing"] | None = None,
        is_open: bool = False,
        player: str | None = None,
        before: int | None = None,
    ) -> tuple[wire.RoomListing, ...]:
        """Return the listed rooms that match, newest first; *is_open* requires a free seat.

        The server returns up to a hundred at a time; *before*, the number of the last one, asks for the next page.
        """
        if before is not None:
            reply = await self.ask(wire.Older(new_ref(), before, game, phase, is_open, player), survives=True)
            assert isinstance(reply, wire.RoomList)
            return reply.rooms
        reply = await self.ask(wire.Rooms(new_ref(), game, phase, is_open, player), survives=True)
        assert isinstance(reply, wire.RoomList)
        await self._session.relist()
        return reply.rooms

    async def live_rooms(
        self,
        game: str | None = None,
        *,
        phase: Literal["lobby", "playing"] | None = None,
        is_open: bool = False,
        player: str | None = None,
    ) -> LiveRooms:
        """Return the listed rooms that match, as a live list: `async for change in live`."""
        live = LiveRooms(wire.Rooms(new_ref(), game, phase, is_open, player, live=True), self._session.unlist)
        await self._session.list_live(live)
        return live

    async def follow(self, player: str) -> AsyncGenerator[wire.RoomListing, None]:
        """Yield each room in which a player (by id) appears, now and later, according to the live list."""
        live = await self.live_rooms(player=player)
        try:
            known: set[int] = set()
            async for change in live:
                known.difference_update(change.gone)
                for listing in change.rooms:
                    if listing.room not in known:
                        known.add(listing.room)
                        yield listing
        finally:
            live.stop()

    # --- entering rooms -----------------------------------------------------------------------------------------

    async def create(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        room_options: Mapping[str, object] | None = None,
    ) -> wire.Created:
        """Create a room and return its number and code; nobody sits in it yet.

        With the room option `private` the code is an invitation that contains the key; the room cannot be found without
        it.
        """
        message = wire.Create(new_ref(), game, seats, dict(options or {}), dict(room_options or {}))
        reply = await self.ask(message, survives=True)
        assert isinstance(reply, wire.Created)
        return reply

    async def quick(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        room_options: Mapping[str, object] | None = None,
    ) -> Room:
        """Join a quick match, in an open room or in a new one that bots fill after a while."""
        for attempt in range(1, QUICK_ATTEMPTS + 1):
            wish = wire.Quick(new_ref(), game, seats, dict(options or {}), dict(room_options or {}))
            found = await self.ask(wish, survives=True)
            assert isinstance(found, wire.Created)
            if found.room in self._session.rooms:
                return self._session.rooms[found.room]
            try:
                return await self.join(found.room)
            except RejectedError as refused:
                if refused.code not in SEAT_GONE or attempt == QUICK_ATTEMPTS:
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def join(
        self, room: int | str, *, seat: int | None = None, seat_token: str | None = None, key: str | None = None
    ) -> Room:
        """Take a seat in a room, or return to one, and return the room.

        The room is given by its number (and *key*, if it is private), or by its code or invitation. A *seat_token*
        leads to its own seat, which another device or another player may hold as well.
        """
        joining = self._room(room, key, seat_token=seat_token)
        await self._session.enter(joining, wire.Join(new_ref(), joining.number, seat, seat_token, None, joining.key))
        return joining

    async def watch(self, room: int | str, *, key: str | None = None) -> Room:
        """Watch a room (given as for `join`) and return it."""
        watching = self._room(room, key)
        await self._session.enter(watching, wire.Watch(new_ref(), watching.number, None, watching.key))
        return watching

    async def work(self, plays: Mapping[str, Sequence[str]], *, seats: int) -> MessageStream[wire.Summon]:
        """Offer bots (their names by game) for up to *seats* seats at a time, as a worker with the operator's *key*.

        Each summon offers a seat: `claim` it with a client of the bot's own, or ignore it. The offer lasts until the
        next one, or until this client closes; it is made again after a connection break.
        """
        offered = tuple(wire.Plays(game, tuple(bots)) for game, bots in plays.items())
        summons = MessageStream(wire.Summon, self._session.remove_stream, wire.Work(new_ref(), offered, seats))
        await self._session.work(summons)
        return summons

    async def claim(self, room: int, ticket: int) -> Room:
        """Take the seat of a summon (see `work`) and return the room."""
        claiming = self._room(room, None)
        await self._session.enter(claiming, wire.Claim(new_ref(), room, ticket))
        return claiming

    async def move_on(self, room: Room) -> Room:
        """Move to the rematch of a room: to the seat reserved for this player, or else as a spectator."""
        if room.moved is None:
            raise ClientError(f"room {room.code} has no rematch")
        enter = self.join if room.seat is not None and room.player == self.player else self.watch
        rematch = await enter(room.moved.to, key=room.moved.key)
        if room.number in self._session.rooms and self.is_connected:
            await room.leave()
        return rematch

    def _room(self, room: int | str, key: str | None, *, seat_token: str | None = None) -> Room:
        try:
            number, key = parse_invitation(room) if isinstance(room, str) else (room, key)
        except RoomCodeError as error:
            raise ClientError(str(error)) from error
        if number in self._session.rooms:
            raise ClientError(f"this client is already in room {self._session.rooms[number].code}")
        player = (
            self.player if seat_token is None else ""
        )  # the seat may be another player's; the room's `seats` say whose
        return Room(self._session, number, player=player, seat_token=seat_token, key=key, reclaims=self._reclaims)

    # --- finished matches --------------------------------------------------------------------------------------------

    async def matches(
        self, game: str | None = None, *, player: str | None = None, before: int | None = None
    ) -> tuple[wire.MatchSummary, ...]:
        """Return finished matches, newest first; *before* is the last room that the caller already has."""
        reply = await self.ask(wire.Matches(new_ref(), game, player, before), survives=True)
        assert isinstance(reply, wire.MatchList)
        return reply.matches

    async def replay(self, room: int | str, view: wire.ReplayView = "all", *, key: str | None = None) -> bytes:
        """Return the replay file of a finished match (given as for `join`): complete, or as `public` or the `own` seat
        saw it.

        `warroom_client.replays.steps` iterates over the file of a view.
        """
        try:
            number, key = parse_invitation(room) if isinstance(room, str) else (room, key)
        except RoomCodeError as error:
            raise ClientError(str(error)) from error
        data = b""
        while True:
            async with self._fetching:  # the server sends a connection one part at a time
                part = await self.ask(wire.Replay(new_ref(), number, view, len(data), key), survives=True)
            assert isinstance(part, wire.ReplayPart)
            data += part.data
            if len(data) >= part.size or not part.data:
                return data

    async def ranking(self, game: str, offset: int = 0, *, bots: bool = False) -> wire.RankingList:
        """Return the best players of a game, from place *offset* on; *bots*: those of the bots' ladder."""
        reply = await self.ask(wire.Ranking(new_ref(), game, offset, bots), survives=True)
        assert isinstance(reply, wire.RankingList)
        return reply
