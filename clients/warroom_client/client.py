"""The asyncio client: one connection, many rooms, and a way back when the line breaks."""

import asyncio
import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from warroom_client import events
from warroom_client.backoff import backoff
from warroom_client.errors import ClientError, DisconnectedError, RejectedError
from warroom_client.link import Link, is_final, open_link
from warroom_client.requests import Requests, room_inside
from warroom_client.room import Incoming, Room
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.rooms import parse_room_code
from warroom_protocol.versions import SUPPORTED

DEFAULT_URL: Final = "ws://127.0.0.1:8000/ws"
PATIENCE_S: Final = 120.0
STEADY_S: Final = 10.0
"""A line that held this long was a good one: after it, waiting begins anew with the shortest delay."""
HEALING_S: Final = 1.0
RETURNING: Final = 16
"""Rooms that are entered again at once: a server reads only so fast, and the program wants to ask things as well."""

logger = logging.getLogger(__name__)


class Client:
    """A player's connection to a Warroom server.

    Use it as an async context manager. Entering raises `DisconnectedError` at once if the server cannot be reached;
    later breaks are repaired in the background for up to *patience_s* seconds, during which everything that waits
    goes on waiting. *token* is the identity of an earlier visit (`client.token`). A program says in *bot* which bot it
    is; only the operator's workers have a *key*.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        name: str = "",
        token: str | None = None,
        agent: str = "warroom-python",
        patience_s: float = PATIENCE_S,
        bot: str | None = None,
        key: str | None = None,
    ) -> None:
        self.url = url
        self.name = name
        self.token = token
        self.player = ""
        self._agent = agent
        self._patience_s = patience_s
        self._bot = bot
        self._key = key
        self._link: Link | None = None
        self._opened: Link | None = None
        self._away: frozenset[int] = frozenset()
        self._moved: set[int] = set()
        self._returning = asyncio.Semaphore(RETURNING)
        self._rooms: dict[int, Room] = {}
        self._requests = Requests()
        self._failure: ClientError | None = None
        self._task: asyncio.Task[None] | None = None
        self._repairs: asyncio.TaskGroup | None = None

    async def __aenter__(self) -> Self:
        link = await self._connect()
        self._task = asyncio.create_task(self._run(link), name=f"warroom client {self.player}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection; whatever still waits gets `DisconnectedError`."""
        if self._task is None:
            return
        task, self._task = self._task, None
        task.cancel()
        # Waiting instead of awaiting: a cancellation of the caller stays one, and a bug in the task still shows.
        await asyncio.wait([task])
        # A task that was cancelled before its first step has cleaned nothing up.
        self._fail(self._failure or ClientError("the client was closed"))
        if self._opened is not None:
            await self._opened.close()
        if not task.cancelled():
            task.result()

    @property
    def is_connected(self) -> bool:
        """Whether the line is up right now."""
        return self._link is not None

    # --- requests -----------------------------------------------------------------------------------------------

    async def games(self) -> wire.GameList:
        """Return the games the server hosts, with their options."""
        reply = await self.ask(wire.Games(_ref()), survives=True)
        assert isinstance(reply, wire.GameList)
        return reply

    async def rooms(self, game: str | None = None) -> tuple[wire.RoomListing, ...]:
        """Return the listed rooms, of one game or of all, the newest first."""
        reply = await self.ask(wire.Rooms(_ref(), game), survives=True)
        assert isinstance(reply, wire.RoomList)
        return reply.rooms

    async def create(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        room_options: Mapping[str, object] | None = None,
    ) -> wire.Created:
        """Create a room and return its number and code; nobody sits in it yet."""
        message = wire.Create(_ref(), game, seats, dict(options or {}), dict(room_options or {}))
        reply = await self.ask(message, survives=True)
        assert isinstance(reply, wire.Created)
        return reply

    async def join(self, room: int | str, *, seat: int | None = None, seat_token: str | None = None) -> Room:
        """Take a seat in a room (given by number or code), or come back to one, and return the room."""
        joining = self._room(room, seat_token=seat_token)
        return await self._enter(joining, wire.Join(_ref(), joining.number, seat, seat_token))

    async def watch(self, room: int | str) -> Room:
        """Follow a room (given by number or code) as a spectator and return it."""
        watching = self._room(room)
        return await self._enter(watching, wire.Watch(_ref(), watching.number))

    async def claim(self, room: int, ticket: int) -> Room:
        """Take the seat that a `summon` offered, as a worker, and return the room."""
        claiming = self._room(room)
        return await self._enter(claiming, wire.Claim(_ref(), room, ticket))

    async def ping(self) -> float:
        """Return the seconds that a message takes to the server and back."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        await self.ask(wire.Ping(_ref()), survives=True)
        return loop.time() - began

    # --- the line that rooms use --------------------------------------------------------------------------------

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        """Send a request and return its reply; raise `RejectedError` if it is refused.

        *survives* says that the request may be sent again after a break. Any other one raises `DisconnectedError` if
        the line breaks before its reply: whether it was done is then unknown.
        """
        return await self._ask(message, survives=survives)

    async def tell(self, message: wire.ClientMessage) -> None:
        """Send a message if the line is up; after a break whatever matters is sent again."""
        if self._failure:
            raise self._failure
        link = self._line_for(message)
        if link is not None:
            # The reader of the line sees the same break and repairs it.
            with suppress(DisconnectedError):
                await link.send(message)

    def forget(self, room: Room) -> None:
        """Drop what still comes for a room."""
        self._rooms.pop(room.number, None)

    async def _ask(
        self, message: wire.ClientMessage, *, survives: bool = False, is_repair: bool = False
    ) -> wire.ServerMessage:
        assert not isinstance(message, wire.Act), "an action is answered by its id, not by a ref"
        if self._failure:
            raise self._failure
        if not survives and self._line_for(message) is None:
            raise DisconnectedError(f"the line to {self.url} is broken just now")
        reply = self._requests.add(message.ref, message, survives=survives, is_repair=is_repair)
        try:
            await self.tell(message)
            return await reply
        finally:
            self._requests.remove(message.ref)

    def _line_for(self, message: wire.ClientMessage) -> Link | None:
        """Return the line, unless it is broken or the room of the message has not been entered again on it."""
        return None if room_inside(message) in self._away else self._link

    def _room(self, room: int | str, seat_token: str | None = None) -> Room:
        try:
            number = parse_room_code(room) if isinstance(room, str) else room
        except RoomCodeError as error:
            raise ClientError(str(error)) from error
        if number in self._rooms:
            raise ClientError(f"this client is in room {self._rooms[number].code} already")
        return Room(self, number, player=self.player, seat_token=seat_token)

    async def _enter(self, room: Room, request: wire.Join | wire.Watch | wire.Claim) -> Room:
        # The snapshot comes right behind the reply, so the room has to be known before.
        self._rooms[room.number] = room
        try:
            await self.ask(request, survives=True)
            await room.has_view()
        except BaseException:
            self.forget(room)
            raise
        return room

    # --- the life of the connection -----------------------------------------------------------------------------

    async def _connect(self) -> Link:
        link = await open_link(self.url)
        hello = wire.Hello(
            _ref(), tuple(sorted(SUPPORTED)), self.name, self.token, self._agent, bot=self._bot, key=self._key
        )
        try:
            welcome = await link.greet(hello)
        except BaseException:
            await link.close()
            raise
        self.player, self.token, self.name = welcome.player, welcome.token, welcome.name
        self._opened = link
        return link

    async def _run(self, link: Link) -> None:
        loop = asyncio.get_running_loop()
        failure = ClientError("the client was closed")
        delays = backoff()
        try:
            while True:
                began = loop.time()
                try:
                    lost = await self._follow(link)
                finally:
                    await link.close()
                if is_final(lost):
                    failure = lost
                    return
                if loop.time() - began > STEADY_S:
                    delays = backoff()
                link = await self._come_back(lost, delays)
        except ClientError as error:
            failure = error
        finally:
            self._fail(failure)

    async def _follow(self, link: Link) -> DisconnectedError:
        """Serve one connection until it breaks; return how it broke."""
        # Taken in the moment in which the line is opened to everybody: nothing is sent by both sides of it.
        entered = [room for room in self._rooms.values() if room.about is not None]
        waiting = [message for message in self._requests.surviving() if not isinstance(message, wire.Legal)]
        async with asyncio.TaskGroup() as repairs:
            self._link, self._repairs = link, repairs
            self._away = frozenset(room.number for room in entered)
            repairs.create_task(self._tell_all(waiting))
            for room in entered:
                repairs.create_task(self._readmit(room))
            try:
                while True:
                    self._dispatch(await link.receive())
            except DisconnectedError as lost:
                # What waits for this connection alone is told, so that the group's tasks come to an end.
                self._break(lost)
                return lost

    async def _come_back(self, lost: DisconnectedError, delays: Iterator[float]) -> Link:
        loop = asyncio.get_running_loop()
        gives_up = loop.time() + self._patience_s
        error: ClientError = lost
        for delay in delays:
            if loop.time() + delay > gives_up:
                break
            await asyncio.sleep(delay)
            try:
                return await self._connect()
            except ClientError as failed:
                if is_final(failed):
                    raise
                error = failed
        raise DisconnectedError(f"gave up after {self._patience_s:g} s: {error}") from error

    async def _readmit(self, room: Room) -> None:
        """Enter a room anew, on a new connection or because it moved, then send what is still unanswered there."""
        try:
            is_back = await self._ask_back(room)
            while not is_back:
                await asyncio.sleep(HEALING_S)
                is_back = await self._ask_back(room)
        except DisconnectedError:
            return
        except ClientError as error:
            self.forget(room)
            room.close(error)
            return
        self._away -= {room.number}
        questions = [
            each for each in self._requests.surviving() if isinstance(each, wire.Legal) and each.room == room.number
        ]
        await self._tell_all([*room.unanswered, *questions])

    async def _ask_back(self, room: Room) -> bool:
        """Enter a room anew; return whether it is entered now, or to be tried again."""
        async with self._returning:
            self._moved.discard(room.number)
            position = room.position
            request: wire.Join | wire.Watch = (
                wire.Watch(_ref(), room.number, position)
                if room.seat is None
                else wire.Join(_ref(), room.number, None, room.seat_token, position)
            )
            try:
                await self._ask(request, is_repair=True)
            except RejectedError as error:
                if is_final(error):
                    raise
                return False
            # The verdict of the last action comes with the resume. Only what is unanswered once the server has
            # written all of that goes out again, and a pong proves that it has.
            await self._ask(wire.Ping(_ref()), is_repair=True)
            return room.number not in self._moved

    async def _tell_all(self, messages: Iterable[wire.ClientMessage]) -> None:
        for message in messages:
            await self.tell(message)

    async def _heal(self, room: Room, reason: str) -> None:
        """Ask for a snapshot; a refusal that passes is waited out, any other means that the room was lost."""
        while room.position is None and room.number in self._rooms:
            try:
                await self._ask(wire.Resync(_ref(), room.number, reason), is_repair=True)
            except RejectedError as error:
                logger.warning("room=%s resync refused code=%s", room.code, error.code)
                if is_final(error):
                    self._follow_move(room.number, str(error))
                    return
                await asyncio.sleep(HEALING_S)
            except ClientError:
                return
            else:
                return

    # --- what comes in ------------------------------------------------------------------------------------------

    def _dispatch(self, message: wire.ServerMessage) -> None:
        match message:
            case wire.Joined() | wire.Resumed():
                self._deliver(message.room, message)
                self._requests.answer(message.ref, message)
            case wire.Error():
                self._refuse(message)
            case (
                wire.Snapshot() | wire.Update() | wire.Private() | wire.Prompt() | wire.Expired() | wire.Seats()
                | wire.Paused() | wire.Ended() | wire.Verdict()
            ):  # fmt: skip
                self._deliver(message.room, message)
            case wire.Notice(room=None):
                for number in tuple(self._rooms):
                    self._deliver(number, message)
            case wire.Notice(room=number) if number is not None:
                self._deliver(number, message)
                if message.code == codes.NOTICE_MOVED:
                    self._follow_move(number, message.detail)
            case wire.Offers() | wire.Said() | wire.Moved() | wire.Listed() | wire.Summon():
                pass
            case _:
                self._requests.answer(message.ref, message)

    def _deliver(self, number: int, message: Incoming) -> None:
        room = self._rooms.get(number)
        if room is None:
            return
        if isinstance(message, wire.Joined | wire.Resumed) and number in self._away:
            room.tell(events.Reconnected())
        reason = room.receive(message)
        if reason is not None and self._repairs is not None:
            self._repairs.create_task(self._heal(room, reason))

    def _follow_move(self, number: int, why: str) -> None:
        """Enter a room again that this connection is no longer in."""
        room = self._rooms.get(number)
        if room is None or room.about is None or self._repairs is None:
            return
        self._moved.add(number)
        self._requests.fail_in(number, DisconnectedError(why))
        if number not in self._away:  # else that is being done, and looks whether it has to begin anew
            self._away |= {number}
            self._repairs.create_task(self._readmit(room))

    def _refuse(self, message: wire.Error) -> None:
        if not self._requests.refuse(message.ref, RejectedError(message.code, message.detail)):
            logger.warning("the server complains code=%s detail=%s", message.code, message.detail)

    # --- when the line breaks -----------------------------------------------------------------------------------

    def _break(self, lost: DisconnectedError) -> None:
        self._link = None
        self._repairs = None
        self._requests.fail(lost, survivors_too=False)
        for room in self._rooms.values():
            room.tell(events.Disconnected(str(lost)))

    def _fail(self, failure: ClientError) -> None:
        self._failure = failure
        self._link = None
        self._requests.fail(failure, survivors_too=True)
        for room in tuple(self._rooms.values()):
            room.close(failure)
        self._rooms.clear()


def _ref() -> int:
    return secrets.randbits(53)
