"""The asyncio client: one player, many rooms, and everything that can be asked of a server."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Final, Literal, Self

from warroom_client.errors import ClientError, RejectedError
from warroom_client.listing import LiveRooms
from warroom_client.requests import new_ref
from warroom_client.room import Room
from warroom_client.session import Session
from warroom_client.visitor import Visitor
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.rooms import parse_invitation

DEFAULT_URL: Final = "ws://127.0.0.1:8000/ws"
PATIENCE_S: Final = 120.0
QUICK_ATTEMPTS: Final = 8
"""How often a quick match is asked for anew because the seat was gone before it was taken."""

SEAT_GONE: Final = frozenset(
    {codes.ROOM_FULL, codes.ROOM_STARTED, codes.ROOM_ENDED, codes.ROOM_UNKNOWN, codes.ROOM_KEPT}
)
"""Refusals of a join that say that somebody was faster."""


class Client:
    """A player's connection to a Warroom server.

    Use it as an async context manager. Entering raises `DisconnectedError` at once if the server cannot be reached;
    later breaks are repaired in the background for up to *patience_s* seconds, during which everything that waits
    goes on waiting. Of several addresses, all of one cluster, any server does: when the line to one breaks, the next
    is tried. A room that moves to another server is entered again; its open requests are refused with `room.moving`,
    and its actions wait. *token* is the identity of an earlier visit (`client.token`). Whoever comes back to a seat
    that a bot has taken meanwhile takes it back, unless *reclaims* is False. A program says in *bot* which bot it is;
    only the operator's workers have a *key*.
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
        self._visitor = Visitor(name=name, token=token, agent=agent, bot=bot, key=key)
        self._session = Session(urls, self._visitor, patience_s=patience_s)
        self._fetching = asyncio.Lock()

    async def __aenter__(self) -> Self:
        await self._session.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection; whatever still waits gets `ClientError`."""
        await self._session.close()

    @property
    def url(self) -> str:
        """Where the client is connected, or tries to connect next."""
        return self._session.url

    @property
    def is_connected(self) -> bool:
        """Whether the line is up right now."""
        return self._session.is_connected

    @property
    def player(self) -> str:
        """The public id of the player; empty before the first welcome."""
        return self._visitor.player

    @property
    def name(self) -> str:
        """The name, as the server has cleaned it."""
        return self._visitor.name

    @property
    def token(self) -> str | None:
        """The secret that makes this the same player next time."""
        return self._visitor.token

    async def rotate(self) -> str:
        """Make every token that the player was given before void, and return the new one: keep it at once.

        All other connections of the player are closed for good (`codes.CLOSE_ROTATED`); this client connects anew and
        enters its rooms again. If the answer is lost, the same change is asked for again.
        """
        return await self._session.rotate()

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        """Send any request and return its reply; raise `RejectedError` if it is refused.

        *survives* says that the request may be sent again after a break. Any other one raises `DisconnectedError` if
        the line breaks before its reply: whether it was done is then unknown.
        """
        return await self._session.ask(message, survives=survives)

    async def ping(self) -> float:
        """Return the seconds that a message takes to the server and back."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        await self.ask(wire.Ping(new_ref()), survives=True)
        return loop.time() - began

    # --- what there is ------------------------------------------------------------------------------------------

    async def games(self) -> wire.GameList:
        """Return the games the server hosts, with their options."""
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
        """Return the listed rooms that fit, the newest first; *is_open* asks for a free seat.

        They come a hundred at a time; *before*, the number of the last one, asks for those that follow.
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
        """Return the listed rooms that fit, and go on to keep them up to date: `async for change in live`."""
        live = LiveRooms(wire.Rooms(new_ref(), game, phase, is_open, player, live=True), self._session.unlist)
        await self._session.list_live(live)
        return live

    async def follow(self, player: str) -> AsyncGenerator[wire.RoomListing, None]:
        """Yield each room in which a player (given by its id) is found, now and later, as a live list shows it."""
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

        With the room option `private` the code is an invitation that holds the key: only who has it finds the room.
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
        """Sit down with whoever wants to play the same, in an open room or a new one that bots fill after a while."""
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
        """Take a seat in a room, or come back to one, and return the room.

        It is given by its number (and *key*, if it is private), or by its code or invitation. A *seat_token* leads to
        the seat that it is for, which another device, or another player, may hold as well.
        """
        joining = self._room(room, key, seat_token=seat_token)
        await self._session.enter(joining, wire.Join(new_ref(), joining.number, seat, seat_token, None, joining.key))
        return joining

    async def watch(self, room: int | str, *, key: str | None = None) -> Room:
        """Follow a room (given as to `join`) as a spectator and return it."""
        watching = self._room(room, key)
        await self._session.enter(watching, wire.Watch(new_ref(), watching.number, None, watching.key))
        return watching

    async def claim(self, room: int, ticket: int) -> Room:
        """Take the seat that a `summon` offered, as a worker, and return the room."""
        claiming = self._room(room, None)
        await self._session.enter(claiming, wire.Claim(new_ref(), room, ticket))
        return claiming

    async def move_on(self, room: Room) -> Room:
        """Go on to the rematch of a room: to the seat kept there for this player, or else to watch."""
        if room.moved is None:
            raise ClientError(f"there is no rematch of room {room.code}")
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
            raise ClientError(f"this client is in room {self._session.rooms[number].code} already")
        player = self.player if seat_token is None else ""  # it may be another's: the room tells whose it is
        return Room(self._session, number, player=player, seat_token=seat_token, key=key, reclaims=self._reclaims)

    # --- what was played ----------------------------------------------------------------------------------------

    async def matches(
        self, game: str | None = None, *, player: str | None = None, before: int | None = None
    ) -> tuple[wire.MatchSummary, ...]:
        """Return finished matches, the newest first; *before* is the room of the last one that is known already."""
        reply = await self.ask(wire.Matches(new_ref(), game, player, before), survives=True)
        assert isinstance(reply, wire.MatchList)
        return reply.matches

    async def replay(self, room: int | str, view: wire.ReplayView = "all", *, key: str | None = None) -> bytes:
        """Return the file of a finished match (given as to `join`): all of it, or as `public` or the `own` seat saw it.

        `warroom_client.replays.steps` goes through the file of a view.
        """
        try:
            number, key = parse_invitation(room) if isinstance(room, str) else (room, key)
        except RoomCodeError as error:
            raise ClientError(str(error)) from error
        data = b""
        while True:
            async with self._fetching:  # a connection fetches one part at a time
                part = await self.ask(wire.Replay(new_ref(), number, view, len(data), key), survives=True)
            assert isinstance(part, wire.ReplayPart)
            data += part.data
            if len(data) >= part.size or not part.data:
                return data

    async def ranking(self, game: str, offset: int = 0) -> wire.RankingList:
        """Return the best players of a game, from place *offset* on."""
        reply = await self.ask(wire.Ranking(new_ref(), game, offset), survives=True)
        assert isinstance(reply, wire.RankingList)
        return reply
