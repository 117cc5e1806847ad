"""The connection over its lifetime: requests, incoming messages, and reconnects."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from warroom_client import events
from warroom_client.backoff import backoff
from warroom_client.connection import Connection, is_final, open_connection
from warroom_client.errors import ClientError, DisconnectedError, RejectedError
from warroom_client.identity import Identity
from warroom_client.live_rooms import LiveRooms
from warroom_client.message_limits import check
from warroom_client.message_stream import MessageStream
from warroom_client.requests import Requests, new_ref, room_inside
from warroom_client.room import Incoming, Room
from warroom_client.room_entry import RoomEntry
from warroom_protocol import codes
from warroom_protocol import messages as wire

STEADY_S: Final = 10.0
"""A connection that lasted this long resets the backoff."""
HEALING_S: Final = 1.0

Dial: TypeAlias = Callable[[str], Awaitable[Connection]]
"""Opens a connection to an address."""

logger: Final = logging.getLogger(__name__)


class Session:
    """Successive connections for the same identity and the same rooms."""

    def __init__(
        self, urls: Sequence[str], identity: Identity, *, patience_s: float, dial: Dial = open_connection
    ) -> None:
        self._urls = deque(urls)
        self._dial = dial
        self.identity = identity
        self.rooms: dict[int, Room] = {}
        self._patience_s = patience_s
        self._link: Connection | None = None
        self._opened: Connection | None = None
        self._admissions = RoomEntry(self._ask, patience_s=patience_s)
        self._readmitting: set[Room] = set()
        self._requests = Requests()
        self._live: LiveRooms | None = None
        self._streams: tuple[MessageStream[Any], ...] = ()
        self._failure: ClientError | None = None
        self._task: asyncio.Task[None] | None = None
        self._group: asyncio.TaskGroup | None = None
        self._repairs: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Connect; raise `DisconnectedError` at once if the server cannot be reached."""
        link = await self._connect_anywhere()
        self._task = asyncio.create_task(self._run(link), name=f"warroom client {self.identity.player}")

    async def close(self) -> None:
        """Close the connection; pending calls raise `ClientError`."""
        if self._task is None:
            return
        task, self._task = self._task, None
        task.cancel()
        # `wait` instead of `await`: the caller's cancellation stays one, and a bug in the task still shows.
        await asyncio.wait([task])
        # A task that was cancelled before its first step did not clean up.
        self._fail(self._failure or ClientError("the client was closed"))
        if self._opened is not None:
            await self._opened.close()
        if not task.cancelled():
            task.result()

    @property
    def url(self) -> str:
        """The current address, or the next one to try."""
        return self._urls[0]

    @property
    def is_connected(self) -> bool:
        """Whether the connection is up."""
        return self._link is not None

    @property
    def has_failed(self) -> bool:
        """Whether the connection was lost for good, or closed."""
        return self._failure is not None

    @property
    def round_trip_s(self) -> float:
        """The last measured round trip to the server; 0 while the connection is down."""
        return 0.0 if self._link is None else self._link.round_trip_s

    # --- requests ---------------------------------------------------------------------------------------------------

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        """Send a request and return its reply; raise `RejectedError` if it is refused.

        A message that breaks a limit raises `UnsendableError` and is not sent. A request that *survives* may be sent
        again after a break. Any other raises `DisconnectedError` if the connection breaks before its reply; whether the
        server handled it is then unknown.
        """
        return await self._ask(message, survives=survives)

    async def tell(self, message: wire.ClientMessage) -> None:
        """Send a message if the connection is up; whatever matters is sent again after a break."""
        if self._failure:
            raise self._failure
        link = self._line_for(message)
        if link is not None:
            # The reader sees the same break and reconnects.
            with suppress(DisconnectedError):
                await link.send(message)

    def forget(self, room: Room) -> None:
        """Ignore further messages of a room; requests that wait for its answer fail with `ClientError`."""
        if self.rooms.get(room.number) is room:
            del self.rooms[room.number]
            self._admissions.forget(room)
            left = ClientError(f"room {room.code} was left")
            self._requests.fail_in(room.number, left, repairs_too=False)

    async def enter(self, room: Room, request: wire.Join | wire.Watch | wire.Claim) -> None:
        """Enter a room and wait for its first view; raise `DisconnectedError` if the room gives no answer."""
        # The snapshot follows the reply at once, so the room must be registered first.
        self.rooms[room.number] = room
        try:
            await self._admissions.enter(room, request)
            await room.has_view()
        except BaseException:
            self.forget(room)
            raise

    async def list_live(self, live: LiveRooms) -> None:
        """Keep a live list current, replacing the previous one."""
        if self._live is not None:
            self._live.close(None)
        self._live = live
        try:
            await self.ask(live.request, survives=True)
        except BaseException:
            self.unlist(live)
            raise

    def unlist(self, live: LiveRooms) -> None:
        """Stop the updates of a list; ignore what still arrives for it."""
        if self._live is live:
            self._live = None

    async def relist(self) -> None:
        """Request the live list again; any other room request ends it on the server."""
        if self._live is not None:
            await self.tell(self._live.request)

    def add_stream(self, stream: MessageStream[Any]) -> None:
        """Deliver messages to a stream from now on."""
        if self._failure:
            raise self._failure
        self._streams += (stream,)

    def remove_stream(self, stream: MessageStream[Any]) -> None:
        """Deliver no more messages to a stream."""
        self._streams = tuple(other for other in self._streams if other is not stream)

    async def work(self, summons: MessageStream[wire.Summon]) -> None:
        """Offer bots, in place of an earlier offer, and deliver the summons."""
        assert summons.request is not None
        for earlier in self._streams:
            if earlier.request is not None:
                earlier.stop()
        self.add_stream(summons)
        try:
            await self.ask(summons.request, survives=True)
        except BaseException:
            self.remove_stream(summons)
            raise

    async def rotate(self) -> str:
        """Revoke all earlier tokens of the player, on a new connection, and return the new one."""
        if self._failure:
            raise self._failure
        token = self.identity.rotate()
        if self._opened is not None:
            await self._opened.close()
        return await asyncio.shield(token)

    async def _ask(
        self, message: wire.ClientMessage, *, survives: bool = False, is_repair: bool = False
    ) -> wire.ServerMessage:
        assert not isinstance(message, wire.Act), "an action is answered by its id, not by a ref"
        if self._failure:
            raise self._failure
        check(message)
        if not survives and self._link is None:
            raise DisconnectedError(f"not connected to {self.url}; reconnecting")
        if not survives and self._line_for(message) is None:
            raise _moving()
        reply = self._requests.add(message.ref, message, survives=survives, is_repair=is_repair)
        try:
            await self.tell(message)
            return await reply
        finally:
            self._requests.remove(message.ref)

    def _line_for(self, message: wire.ClientMessage) -> Connection | None:
        """Return the connection, unless it is down or the message's room was not entered on it yet."""
        number = room_inside(message)
        room = None if number is None else self.rooms.get(number)
        return None if self._admissions.is_away(room) else self._link

    # --- connections ------------------------------------------------------------------------------------------------

    async def _connect_anywhere(self) -> Connection:
        """Connect to the first reachable server."""
        for _ in range(len(self._urls) - 1):
            with suppress(DisconnectedError):
                return await self._connect()
        return await self._connect()

    async def _connect(self) -> Connection:
        try:
            link = await self._dial(self.url)
        except DisconnectedError:
            self._urls.rotate(-1)
            raise
        try:
            welcome = await link.greet(self.identity.hello())
        except BaseException:
            await link.close()
            raise
        if self.identity.welcomed(welcome):
            for room in self.rooms.values():
                # The tokens of the own seats are revoked too; the player's new one opens them.
                room.seat_token = None if room.player == self.identity.player else room.seat_token
        self._opened = link
        return link

    async def _run(self, link: Connection) -> None:
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
                if lost.code == codes.CLOSE_GOING_AWAY:
                    self._urls.rotate(-1)  # try the next server of the cluster without delay
                if loop.time() - began > STEADY_S:
                    delays = backoff()
                link = await self._come_back(lost, delays)
        except ClientError as error:
            failure = error
        finally:
            self._fail(failure)

    async def _follow(self, link: Connection) -> DisconnectedError:
        """Serve one connection until it breaks; return the cause."""
        # Collected at the moment the connection opens to callers: nothing is sent twice.
        entered = [room for room in self.rooms.values() if room.about is not None]
        waiting = [message for message in self._requests.surviving() if room_inside(message) is None]
        if self._live is not None and self._live.request not in waiting:
            waiting.append(self._live.request)
        offers = (stream.request for stream in self._streams if stream.request is not None)
        waiting += [offer for offer in offers if offer not in waiting]
        async with asyncio.TaskGroup() as group:
            self._link, self._group = link, group
            for room in entered:
                self._admissions.lost(room)
            self._repair(self._tell_all(waiting))
            for room in entered:
                self._start_readmission(room)
            try:
                while True:
                    self._dispatch(await link.receive())
            except DisconnectedError as lost:
                self._break(lost)
                return lost

    async def _come_back(self, lost: DisconnectedError, delays: Iterator[float]) -> Connection:
        loop = asyncio.get_running_loop()
        gives_up = loop.time() + self._patience_s
        error: ClientError = lost
        for delay in delays:
            wait_s = max(delay, error.retry_after_s) if isinstance(error, DisconnectedError) else delay
            if loop.time() + wait_s > gives_up:
                break
            await asyncio.sleep(wait_s)
            try:
                return await self._connect()
            except ClientError as failed:
                if is_final(failed):
                    raise
                error = failed
        raise DisconnectedError(f"no connection for {self._patience_s:g} s: {error}") from error

    def _repair(self, work: Coroutine[None, None, None]) -> None:
        """Run a task beside the reader, until the connection breaks."""
        assert self._group is not None
        task = self._group.create_task(work)
        self._repairs.add(task)
        task.add_done_callback(self._repairs.discard)

    def _start_readmission(self, room: Room) -> None:
        """Start to enter a room again, unless a task already does; that task notices the new move."""
        if room not in self._readmitting:
            self._readmitting.add(room)
            self._repair(self._readmit(room))

    async def _readmit(self, room: Room) -> None:
        """Enter a room again, after a reconnect or because it moved, and resend its unanswered messages."""
        try:
            while self._admissions.is_away(room):
                await self._admissions.enter_again(room)
                await self._send_pending(room)
        except ClientError as error:
            if self._link is not None and self.rooms.get(room.number) is room:
                self._close_room(room, error)
            return
        finally:
            self._readmitting.discard(room)
        if room.number not in self.rooms:
            await self.tell(wire.Leave(new_ref(), room.number))  # the program left the room in the meantime
        elif room.takes_back():
            await self._reclaim(room)

    async def _send_pending(self, room: Room) -> None:
        """Send the actions without a verdict, and the requests made while the room was unreachable."""
        waiting = [message for message in self._requests.surviving() if room_inside(message) == room.number]
        await self._tell_all([*room.unanswered, *waiting])

    def _close_room(self, room: Room, error: ClientError) -> None:
        """End a room that cannot be entered again."""
        self._requests.fail_in(room.number, error, repairs_too=False)
        self.forget(room)
        room.close(error)

    async def _reclaim(self, room: Room) -> None:
        """Take the own seat back from a bot."""
        try:
            await self._ask(wire.Reclaim(new_ref(), room.number), is_repair=True)
        except RejectedError as error:
            logger.info("room=%s reclaim refused code=%s", room.code, error.code)
        except ClientError:
            return

    async def _tell_all(self, messages: Iterable[wire.ClientMessage]) -> None:
        for message in messages:
            await self.tell(message)

    async def _heal(self, room: Room, reason: str) -> None:
        """Request a snapshot; retry temporary refusals, and treat any other as the loss of the room."""
        while room.position is None and room.number in self.rooms:
            try:
                await self._ask(wire.Resync(new_ref(), room.number, reason), is_repair=True)
            except RejectedError as error:
                logger.warning("room=%s resync refused code=%s", room.code, error.code)
                if is_final(error):
                    self._follow_move(room.number)
                    return
                await asyncio.sleep(HEALING_S)
            except ClientError:
                return
            else:
                return

    # --- incoming messages ------------------------------------------------------------------------------------------

    def _dispatch(self, message: wire.ServerMessage) -> None:
        match message:
            case wire.Joined() | wire.Resumed():
                self._deliver(message.room, message)
                self._requests.answer(message.ref, message)
            case wire.Error():
                self._refuse(message)
            case (
                wire.Snapshot() | wire.Update() | wire.Private() | wire.Prompt() | wire.Expired() | wire.Seats()
                | wire.Paused() | wire.Ended() | wire.Verdict() | wire.Offers() | wire.Said() | wire.Moved()
            ):  # fmt: skip
                self._deliver(message.room, message)
            case wire.Notice():
                self._notify(message)
            case wire.RoomList() | wire.Listed():
                self._list(message)
            case wire.LegalList():
                room = self.rooms.get(message.room)
                self._requests.answer(message.ref, message if room is None else room.with_actions(message))
            case wire.Summon():
                self._stream(message)
            case _:
                self._requests.answer(message.ref, message)

    def _deliver(self, number: int, message: Incoming) -> None:
        room = self.rooms.get(number)
        if room is None:
            return
        reason = room.receive(message)
        if reason is not None:
            self._repair(self._heal(room, reason))
        if isinstance(message, wire.Seats) and not self._admissions.is_away(room) and room.takes_back():
            self._repair(self._reclaim(room))

    def _stream(self, message: wire.ServerMessage) -> None:
        for stream in self._streams:
            stream.receive(message)

    def _notify(self, message: wire.Notice) -> None:
        if message.room is None:
            self._stream(message)
        for number in tuple(self.rooms) if message.room is None else (message.room,):
            self._deliver(number, message)
        if message.room is not None and message.code == codes.NOTICE_MOVED:
            self._follow_move(message.room)

    def _list(self, message: wire.RoomList | wire.Listed) -> None:
        if self._live is not None:
            self._live.receive(message)
        if isinstance(message, wire.RoomList):
            self._requests.answer(message.ref, message)

    def _follow_move(self, number: int) -> None:
        """Enter a room again that this connection is no longer in; refuse its open requests."""
        room = self.rooms.get(number)
        if room is None or self._group is None:
            return
        self._requests.fail_in(number, _moving(), repairs_too=True)
        if room.about is not None:  # otherwise the first entry is still running and sends its request again
            room.lost()
            self._admissions.lost(room)
            self._start_readmission(room)

    def _refuse(self, message: wire.Error) -> None:
        is_awaited = self._requests.refuse(message.ref, RejectedError(message.code, message.detail))
        # Requests to a room that moved have already failed when the server refuses them.
        if not is_awaited and message.code != codes.ROOM_MOVING:
            logger.warning("server error code=%s detail=%s", message.code, message.detail)

    # --- broken connections -----------------------------------------------------------------------------------------

    def _break(self, lost: DisconnectedError) -> None:
        self._link = None
        self._group = None
        for repair in self._repairs:
            repair.cancel()
        self._readmitting.clear()  # a task that is cancelled before its first step does not clean up
        self._requests.fail(lost, survivors_too=False)
        if is_final(lost):
            return  # the end of the room reports it
        for room in self.rooms.values():
            if room.about is not None:
                room.lost()
            room.tell(events.Disconnected(str(lost)))

    def _fail(self, failure: ClientError) -> None:
        self._failure = failure
        self._link = None
        self._requests.fail(failure, survivors_too=True)
        for room in tuple(self.rooms.values()):
            room.close(failure)
        self.rooms.clear()
        if self._live is not None:
            self._live.close(failure)
        for stream in self._streams:
            stream.close(failure)
        self.identity.fail(failure)


def _moving() -> RejectedError:
    return RejectedError(codes.ROOM_MOVING, codes.REFUSALS[codes.ROOM_MOVING])
