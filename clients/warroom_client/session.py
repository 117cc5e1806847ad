"""The life of a connection: asking, being told, and the way back when the line breaks."""

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
"""A line that held this long was a good one: after it, waiting begins anew with the shortest delay."""
HEALING_S: Final = 1.0
RETURNING: Final = 16
"""Rooms that are entered again at once: a server reads only so fast, and the program wants to ask things as well."""

logger = logging.getLogger(__name__)


class Session:
    """One connection after the other, for the same visitor and the same rooms."""

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
        """Close the connection; whatever still waits gets `ClientError`."""
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
    def url(self) -> str:
        """Where the client is connected, or tries to connect next."""
        return self._urls[0]

    @property
    def is_connected(self) -> bool:
        """Whether the line is up right now."""
        return self._link is not None

    # --- asking -------------------------------------------------------------------------------------------------

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        """Send a request and return its reply; raise `RejectedError` if it is refused.

        What breaks a limit of the protocol raises `UnsendableError` and is not sent. *survives* says that the request
        may be sent again after a break. Any other one raises `DisconnectedError` if the line breaks before its reply:
        whether it was done is then unknown.
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
        self.rooms.pop(room.number, None)

    async def enter(self, room: Room, request: wire.Join | wire.Watch | wire.Claim) -> None:
        """Enter a room and wait for its first view."""
        # The snapshot comes right behind the reply, so the room has to be known before.
        self.rooms[room.number] = room
        try:
            await self.ask(request, survives=True)
            await room.has_view()
        except BaseException:
            self.forget(room)
            raise

    async def list_live(self, live: LiveRooms) -> None:
        """Keep a live list up to date from now on, in the place of the one before."""
        if self._live is not None:
            self._live.close(None)
        self._live = live
        try:
            await self.ask(live.request, survives=True)
        except BaseException:
            self.unlist(live)
            raise

    def unlist(self, live: LiveRooms) -> None:
        """Keep a list up to date no more; what still comes for it is passed over."""
        if self._live is live:
            self._live = None

    async def relist(self) -> None:
        """Ask for the live list again, which any other question for rooms has ended."""
        if self._live is not None:
            await self.tell(self._live.request)

    async def rotate(self) -> str:
        """Make all earlier tokens of the player void, on a new connection, and return the new one."""
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

    # --- the life of the connection -----------------------------------------------------------------------------

    async def _connect_anywhere(self) -> Link:
        """Connect to the first server that can be reached."""
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
                # The tokens of the own seats are void as well; the player's own opens them now.
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
                    self._urls.rotate(-1)  # another server of the same cluster goes on at once
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
        if room.takes_back():
            await self._reclaim(room)

    async def _ask_back(self, room: Room) -> bool:
        """Enter a room anew; return whether it is entered now, or to be tried again."""
        async with self._returning:
            self._moved.discard(room.number)
            try:
                await self._ask(room.way_back(new_ref()), is_repair=True)
            except RejectedError as error:
                if is_final(error):
                    raise
                return False
            # The verdict of the last action comes with the resume. Only what is unanswered once the server has
            # written all of that goes out again, and a pong proves that it has.
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
        """Ask for a snapshot; a refusal that passes is waited out, any other means that the room was lost."""
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
        if is_final(lost):
            return  # the end of the room tells it
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
