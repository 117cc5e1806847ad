"""A server whose one room moves from node to node, and a client in it, both in virtual time: see `in_virtual_time`.

A test says step by step what happens: what the server reads and answers, when the owner of the room dies, when the line
breaks, what the program asks for. The server holds the client to the protocol; `finish` lets everything heal and then
compares what the client shows with what the server has.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Literal

from manual_loop import ManualLoop
from stream_model import LIFE, ROOM, Streams
from websockets.exceptions import ConnectionClosedError

from warroom_client import DisconnectedError, Event, Judged, RejectedError, Room
from warroom_client.connection import Connection
from warroom_client.identity import Identity
from warroom_client.room_entry import ANSWER_S
from warroom_client.session import Session
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.codec import decode_client, decode_server, encode

TURNS = 100
"""Rounds of the loop in which everything that can happen without time passing has happened."""
PATIENCE_S = 3600.0


class Wire:
    """One websocket; the server's end of it is *inbox* and `say`."""

    latency = 0.0

    def __init__(self, server: "MovingRoom") -> None:
        self.inbox: deque[wire.ClientMessage] = deque()
        self.is_open = True
        self._server = server
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue()

    def say(self, *messages: wire.ServerMessage) -> None:
        """Send messages to the client, unless the connection is broken."""
        for message in messages if self.is_open else ():
            self._outbox.put_nowait(encode(message))

    def cut(self) -> None:
        """Break the connection; the client reads what was sent before."""
        self.is_open = False
        self._outbox.put_nowait(None)

    async def send(self, message: bytes) -> None:
        """Accept a message of the client, after a moment in which others may act."""
        await asyncio.sleep(0)
        if not self.is_open:
            raise ConnectionClosedError(None, None)
        self._server.hear(self, decode_client(message))

    async def recv(self, decode: Literal[False]) -> bytes:
        """Return the next message of the server."""
        for _ in range(self._server.reading_turns):
            await asyncio.sleep(0)
        data = await self._outbox.get()
        if data is None:
            raise ConnectionClosedError(None, None)
        self._server.told(decode_server(data))
        return data

    async def close(self) -> None:
        """Close the connection."""
        self.is_open = False


class MovingRoom:
    """The node that the client is connected to, and the room on an owner that may die."""

    def __init__(self, reading_turns: int) -> None:
        self.reading_turns = reading_turns
        """Rounds of the loop between two messages that the client reads, in which others may act."""
        self.streams = Streams({"n": 0}, {"sum": 0})
        self.wire: Wire
        self.applied: dict[int, wire.Verdict] = {}
        self.is_dead = False
        """Whether the owner is gone and the next one is unknown."""
        self._entry: Wire | None = None
        self._seen_here: set[int] = set()
        self._told: set[int] = set()
        self._entering: tuple[int, float] | None = None

    async def dial(self, url: str) -> Connection:
        """Open a connection to the node, which replaces the previous one."""
        self.wire = Wire(self)
        self._entering = None
        return Connection(self.wire, url)

    # --- the client -------------------------------------------------------------------------------------------------

    def hear(self, line: Wire, message: wire.ClientMessage) -> None:
        """Handle a message of the client, which must keep to the protocol."""
        match message:
            case wire.Hello(ref=ref, name=name):
                line.say(wire.Welcome(ref, 1, "ada", "token", name, "moving"))
                return
            case wire.Ping(ref=ref):
                line.say(wire.Pong(ref))
                return
            case wire.Join(ref=ref):
                now = asyncio.get_running_loop().time()
                before = self._entering
                is_alone = before is None or before[0] == ref or now - before[1] >= ANSWER_S
                assert is_alone, "the room is being entered already"
                self._entering = (ref, now)
            case wire.Act(id=id):
                assert id not in self._told, "the client knows the verdict of this action"
            case _:
                pass
        line.inbox.append(message)

    def told(self, message: wire.ServerMessage) -> None:
        """Note what the client reads."""
        match message:
            case wire.Joined(ref=ref) | wire.Resumed(ref=ref) | wire.Error(ref=ref):
                if self._entering is not None and self._entering[0] == ref:
                    self._entering = None
            case wire.Notice(code=codes.NOTICE_MOVED):
                self._entering = None
            case wire.Verdict(id=id):
                self._told.add(id)
            case _:
                pass

    # --- the server -------------------------------------------------------------------------------------------------

    def serve(self) -> None:
        """Read the next message and answer it."""
        if not self.wire.inbox:
            return
        message = self.wire.inbox.popleft()
        match message:
            case wire.Join() if not self.is_dead:
                self._admit(message)
            case wire.Act():
                self._act(message)
            case wire.Legal() | wire.Say() | wire.Resync() if self._entry is self.wire and not self.is_dead:
                self._answer(message)
            case wire.Join() | wire.Legal() | wire.Say() | wire.Resync() | wire.Leave():
                self._send_back()
                self.wire.say(wire.Error(message.ref, codes.ROOM_MOVING, "it is moving"))
            case _:
                raise AssertionError(message)

    def swallow(self, *, applies: bool = False) -> None:
        """Let the next message reach an owner that dies without an answer; *applies*: after an action is stored."""
        if self.wire.inbox:
            message = self.wire.inbox.popleft()
            if applies and isinstance(message, wire.Act) and self._entry is self.wire and not self.is_dead:
                self._apply(message)
            self.die()

    def refuse(self, code: str) -> None:
        """Refuse the next message, if it is one to enter the room; a first entry only because the room is moving."""
        join = self.wire.inbox[0] if self.wire.inbox else None
        if isinstance(join, wire.Join) and (join.position is not None or code == codes.ROOM_MOVING):
            self.wire.inbox.popleft()
            self.wire.say(wire.Error(join.ref, code, "not now"))

    def die(self) -> None:
        """Lose the owner of the room."""
        self.is_dead = True
        if self._entry is self.wire:
            self.wire.say(wire.Paused(ROOM, self.streams.p * 1000, codes.PAUSE_MOVING, None))

    def move(self) -> None:
        """Find the next owner, where the client is not in the room yet."""
        self.is_dead = False
        was_here, self._entry = self._entry is self.wire, None
        if was_here:
            self.wire.say(_moved())

    def repeat_moved(self) -> None:
        """Announce the move, as to a client whose action came too late for the previous owner."""
        self._entry = None
        self.wire.say(_moved())

    def cut(self) -> None:
        """Break the connection."""
        self._entry = None
        self.wire.cut()

    def step(self) -> None:
        """Advance the match."""
        if not self.is_dead:
            self._show(self.streams.step({"n": len(self.streams.frames) + 1}, self.streams.private))

    def _admit(self, join: wire.Join) -> None:
        self._entry = self.wire
        self._seen_here = set()
        answer, *frames = self.streams.resume(join.position)
        assert isinstance(answer, wire.Joined | wire.Resumed)
        place = (join.ref, ROOM, "0000007", LIFE, 0, "seat", answer.about)
        self.wire.say(type(answer)(*place), *frames)
        if join.position is not None and self.applied:
            last = list(self.applied.values())[-1]
            self._seen_here.add(last.id)
            self.wire.say(last)

    def _answer(self, message: wire.Legal | wire.Say | wire.Resync) -> None:
        match message:
            case wire.Legal(ref=ref):
                self.wire.say(wire.LegalList(ref, ROOM, 1, True, ()))
            case wire.Resync(ref=ref):
                self.wire.say(self.streams.snapshot(), wire.Done(ref))
            case wire.Say(ref=ref):
                self.wire.say(wire.Done(ref))

    def _act(self, act: wire.Act) -> None:
        if self.is_dead:
            return
        if self._entry is not self.wire:
            self._send_back()
            return
        assert act.id not in self._seen_here, (
            "an action is sent once after each entry, and only if its verdict did not come with it"
        )
        self._seen_here.add(act.id)
        if act.id not in self.applied:
            self._show(self._apply(act))
        self.wire.say(self.applied[act.id])

    def _apply(self, act: wire.Act) -> list[wire.Update | wire.Private]:
        if act.id in self.applied:
            return []
        number = len(self.applied) + 1
        frames = self.streams.step(self.streams.public, {"sum": number})
        self.applied[act.id] = wire.Verdict(ROOM, act.id, None, None, self.streams.p, self.streams.q, None)
        return frames

    def _show(self, frames: list[wire.Update | wire.Private]) -> None:
        if self._entry is self.wire and not self.is_dead:
            self.wire.say(*frames)

    def _send_back(self) -> None:
        if not self.is_dead:
            self.wire.say(_moved())


class MovingCase:
    """A client that enters the room, and the program that uses it."""

    def __init__(self, *, reading_turns: int = 0) -> None:
        self.server = MovingRoom(reading_turns)
        visitor = Identity(name="Ada", token=None, agent="test", bot=None, key=None)
        self.session = Session(["ws://moving/ws"], visitor, patience_s=PATIENCE_S, dial=self.server.dial)
        self.room: Room
        self.events: list[Event] = []
        self.entering: asyncio.Task[None]
        self.reading: asyncio.Task[None]
        self._acts: list[asyncio.Task[wire.Verdict]] = []
        self._requests: list[asyncio.Task[str | None]] = []

    async def open(self) -> None:
        """Connect, and start to enter the room."""
        assert isinstance(asyncio.get_running_loop(), ManualLoop), "a real clock would make the test wait"
        await self.session.open()
        self.room = Room(self.session, ROOM, player="ada")
        self.entering = asyncio.create_task(self.session.enter(self.room, wire.Join(1, ROOM, None, None, None, None)))
        self.reading = asyncio.create_task(self._read())
        await settle()

    def act(self) -> None:
        """Play an action, if the program has the room already."""
        if self.entering.done() and len(self.room.unanswered) < 16:
            self._acts.append(asyncio.create_task(self.room.act({"type": "count"}, turn=1)))

    def ask(self) -> None:
        """Request the legal actions."""
        if self.entering.done():
            self._requests.append(asyncio.create_task(_code(self.room.legal())))

    def say(self) -> None:
        """Send a chat message."""
        if self.entering.done():
            self._requests.append(asyncio.create_task(_code(self.room.say("hello"))))

    async def finish(self) -> None:
        """Let everything recover, and check that nothing was lost, played twice or forgotten."""
        for _ in range(3):
            await self._heal()
            await asyncio.sleep(2 * ANSWER_S)
        await self._heal()
        server, room = self.server, self.room
        server.step()
        await settle()
        waiting = [task for task in (self.entering, *self._acts, *self._requests) if not task.done()]
        assert not waiting, "something waits for ever"
        self.entering.result()
        ids = [task.result().id for task in self._acts]
        assert sorted(server.applied) == sorted(ids)
        verdicts = [event.verdict.id for event in self.events if isinstance(event, Judged)]
        assert sorted(verdicts) == sorted(ids), "each action has one verdict"
        assert room.unanswered == ()
        assert room.position == wire.Position(LIFE, server.streams.p, server.streams.q)
        assert (room.public, room.private) == (server.streams.public, server.streams.private)
        assert room.paused is None
        assert {task.result() for task in self._requests} <= {None, codes.ROOM_MOVING, "lost"}
        await self.close()

    async def close(self) -> None:
        """Stop the program."""
        self.reading.cancel()
        await asyncio.wait([self.reading])
        await self.session.close()

    async def _heal(self) -> None:
        if self.server.is_dead:
            self.server.move()
        await settle()
        while self.server.wire.inbox:
            self.server.serve()
            await settle()

    async def _read(self) -> None:
        async for event in self.room:
            self.events.append(event)


def in_virtual_time(run: Callable[[MovingCase], Coroutine[None, None, None]], *, reading_turns: int = 0) -> None:
    """Run a test with a client that has just asked to enter a room; waiting takes no time."""

    async def begin() -> None:
        case = MovingCase(reading_turns=reading_turns)
        await case.open()
        await run(case)

    with asyncio.Runner(loop_factory=ManualLoop) as runner:
        runner.run(begin())


async def settle() -> None:
    """Run everything that needs no time to pass."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


async def _code(request: Awaitable[object]) -> str | None:
    try:
        await request
    except RejectedError as refused:
        return refused.code
    except DisconnectedError:
        return "lost"
    return None


def _moved() -> wire.Notice:
    return wire.Notice(ROOM, codes.NOTICE_MOVED, codes.NOTICES[codes.NOTICE_MOVED])
