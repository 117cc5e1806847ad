"""The connection over its lifetime: requests, incoming messages, and reconnects."""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from warroom_client import events
from warroom_client.backoff import backoff
from warroom_client.errors import ClientError, DisconnectedError, RejectedError
from warroom_client.link import Link, is_final, open_link
from warroom_client.listing import LiveRooms
from warroom_client.outgoing import check
from warroom_client.requests import Requests, new_ref, room_inside
from warroom_client.room import Incoming, Room
from warroom_client.visitor import Visitor
from warroom_protocol import codes
from warroom_protocol import messages as wire

STEADY_S: Final = 10.0
"""A connection that lasted this long resets the backoff."""
HEALING_S: Final = 1.0
RETURNING: Final = 16
"""Number of rooms entered again at once: the server limits its reading, and the program has requests of its own."""

logger = logging.getLogger(__name__)


class Session:
    """Successive connections for the same visitor and the same rooms."""

    def __init__(self, urls: Sequence[str], visitor: Visitor, *, patience_s: float) -> None:
        self._urls = deque(urls)
        self.visitor = visitor
        self.rooms: dict[int, Room] = {}
        self._patience_s = patience_s
        self._link: Link | None = None
        self._opened: Link | None = None
        self._away: frozenset[int] = frozenset()
        self._moved: set[int] = set()
        self._returning = asyncio.Semaphore(RETURNING)
        self._requests = Requests()
        self._live: LiveRooms | None = None
        self._failure: ClientError | None = None
        self._task: asyncio.Task[None] | None = None
        self._repairs: asyncio.TaskGroup | None = None

    async def open(self) -> None:
        """Connect; raise `DisconnectedError` at once if the server cannot be reached."""
        link = await self._connect_anywhere()
        self._task = asyncio.create_task(self._run(link), name=f"warroom client {self.visitor.player}")

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
        """Ignore further messages of a room."""
        self.rooms.pop(room.number, None)

    async def enter(self, room: Room, request: wire.Join | wire.Watch | wire.Claim) -> None:
        """Enter a room and wait for its first view."""
        # The snapshot follows the reply at once, so the room must be registered first.
        self.rooms[room.number] = room
        try:
            await self.ask(request, survives=True)
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

    async def rotate(self) -> str:
        """Revoke all earlier tokens of the player, on a new connection, and return the new one."""
        if self._failure:
            raise self._failure
        token = self.visitor.rotate()
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
        if not survives and self._line_for(message) is None:
            raise DisconnectedError(f"not connected to {self.url}; reconnecting")
        reply = self._requests.add(message.ref, message, survives=survives, is_repair=is_repair)
        try:
            await self.tell(message)
            return await reply
        finally:
            self._requests.remove(message.ref)

    def _line_for(self, message: wire.ClientMessage) -> Link | None:
        """Return the connection, unless it is down or the message's room was not entered on it yet."""
        return None if room_inside(message) in self._away else self._link

    # --- connections ------------------------------------------------------------------------------------------------

    async def _connect_anywhere(self) -> Link:
        """Connect to the first reachable server."""
        for _ in range(len(self._urls) - 1):
            with suppress(DisconnectedError):
                return await self._connect()
        return await self._connect()

    async def _connect(self) -> Link:
        try:
            link = await open_link(self.url)
        except DisconnectedError:
            self._urls.rotate(-1)
            raise
        try:
            welcome = await link.greet(self.visitor.hello())
        except BaseException:
            await link.close()
            raise
        if self.visitor.welcomed(welcome):
            for room in self.rooms.values():
                # The tokens of the own seats are revoked too; the player's new one opens them.
                room.seat_token = None if room.player == self.visitor.player else room.seat_token
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
                if lost.code == codes.CLOSE_GOING_AWAY:
                    self._urls.rotate(-1)  # try the next server of the cluster without delay
                if loop.time() - began > STEADY_S:
                    delays = backoff()
                link = await self._come_back(lost, delays)
        except ClientError as error:
            failure = error
        finally:
            self._fail(failure)

    async def _follow(self, link: Link) -> DisconnectedError:
        """Serve one connection until it breaks; return the cause."""
        # Collected at the moment the connection opens to callers: nothing is sent twice.
        entered = [room for room in self.rooms.values() if room.about is not None]
        waiting = [message for message in self._requests.surviving() if not isinstance(message, wire.Legal)]
        if self._live is not None and self._live.request not in waiting:
            waiting.append(self._live.request)
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
                # Fail the requests of this connection, so that the group's tasks end.
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
        raise DisconnectedError(f"no connection for {self._patience_s:g} s: {error}") from error

    async def _readmit(self, room: Room) -> None:
        """Enter a room again, after a reconnect or because it moved, and resend its unanswered messages."""
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
        if room.takes_back():
            await self._reclaim(room)

    async def _ask_back(self, room: Room) -> bool:
        """Enter a room again; return whether it is entered or to be retried."""
        async with self._returning:
            self._moved.discard(room.number)
            try:
                await self._ask(room.way_back(new_ref()), is_repair=True)
            except RejectedError as error:
                if is_final(error):
                    raise
                return False
            # The resume brings the verdict of the last action. Wait for a pong, which proves that all of the resume was
            # read, and resend only what is still unanswered.
            await self._ask(wire.Ping(new_ref()), is_repair=True)
            return room.number not in self._moved

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
                    self._follow_move(room.number, str(error))
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
            case wire.Notice(room=None):
                for number in tuple(self.rooms):
                    self._deliver(number, message)
            case wire.Notice(room=number) if number is not None:
                self._deliver(number, message)
                if message.code == codes.NOTICE_MOVED:
                    self._follow_move(number, message.detail)
            case wire.RoomList() | wire.Listed():
                self._list(message)
            case wire.Summon():
                pass
            case _:
                self._requests.answer(message.ref, message)

    def _deliver(self, number: int, message: Incoming) -> None:
        room = self.rooms.get(number)
        if room is None:
            return
        if isinstance(message, wire.Joined | wire.Resumed) and number in self._away:
            room.tell(events.Reconnected())
        reason = room.receive(message)
        if self._repairs is None:
            return
        if reason is not None:
            self._repairs.create_task(self._heal(room, reason))
        if isinstance(message, wire.Seats) and number not in self._away and room.takes_back():
            self._repairs.create_task(self._reclaim(room))

    def _list(self, message: wire.RoomList | wire.Listed) -> None:
        if self._live is not None:
            self._live.receive(message)
        if isinstance(message, wire.RoomList):
            self._requests.answer(message.ref, message)

    def _follow_move(self, number: int, why: str) -> None:
        """Enter a room again that this connection is no longer in."""
        room = self.rooms.get(number)
        if room is None or room.about is None or self._repairs is None:
            return
        self._moved.add(number)
        self._requests.fail_in(number, DisconnectedError(why))
        if number not in self._away:  # an entry under way checks at its end whether it must start again
            self._away |= {number}
            self._repairs.create_task(self._readmit(room))

    def _refuse(self, message: wire.Error) -> None:
        if not self._requests.refuse(message.ref, RejectedError(message.code, message.detail)):
            logger.warning("server error code=%s detail=%s", message.code, message.detail)

    # --- broken connections -----------------------------------------------------------------------------------------

    def _break(self, lost: DisconnectedError) -> None:
        self._link = None
        self._repairs = None
        self._requests.fail(lost, survivors_too=False)
        if is_final(lost):
            return  # the end of the room reports it
        for room in self.rooms.values():
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
        self.visitor.fail(failure)
