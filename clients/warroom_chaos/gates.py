"""Our own TCP proxies: lines through them can be cut, held, delayed, read slowly, and repeat or lose messages."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias, cast

from msgspec import Struct

from warroom_chaos.frames import FrameSplitter, is_binary
from warroom_chaos.weather import Weather

LOOPBACK: Final = "127.0.0.1"
MOST_HELD_BYTES: Final = 65_536
"""How much one direction of a line holds before its sender has to wait."""

Dial: TypeAlias = Callable[[asyncio.Protocol], Awaitable[object]]
"""Opens the line to the place behind the gate, for a protocol; raises OSError if nobody is there."""
Transform: TypeAlias = Callable[[bytes], bytes]


class Target(Struct, frozen=True):
    """Where a line goes, and the weather on the way."""

    node: int
    dial: Dial
    weather: Weather


class Tap(Protocol):
    """Sees and may change what goes through one line."""

    def outward(self, data: bytes) -> bytes:
        """Return what goes on to the place behind the gate, for what came from before it."""
        ...

    def inward(self, data: bytes) -> bytes:
        """Return what goes back, for what came from behind the gate."""
        ...


class _Direct:
    """Changes nothing."""

    def outward(self, data: bytes) -> bytes:
        return data

    def inward(self, data: bytes) -> bytes:
        return data


class Gate:
    """One listening port; each line that comes is led to the target that is chosen then.

    Lines *of_websockets* are passed on in whole frames, so that single messages can be lost.
    """

    def __init__(
        self,
        choose: Callable[[], Target | None],
        make_tap: Callable[[], Tap] = _Direct,
        *,
        of_websockets: bool = False,
    ) -> None:
        self._choose = choose
        self._make_tap = make_tap
        self.of_websockets = of_websockets
        self.lost = 0
        """How many messages were lost, and with each its line."""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._count = 0
        self.lines: set[Line] = set()
        self.port = 0

    async def open(self) -> None:
        """Listen on any free port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._arrive, LOOPBACK, 0, backlog=2048)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening, and cut all lines."""
        if self._server is not None:
            self._server.close()
        self.cut()
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def some(self, node: int | None = None, share: int = 100) -> "list[Line]":
        """Return so many percent of the lines to a node (None: to any), always the same ones."""
        return [line for line in self.lines if node in (None, line.node) and line.number * 37 % 100 < share]

    def cut(self, node: int | None = None, share: int = 100) -> None:
        """Break so many percent of the lines to a node, without a word."""
        for line in self.some(node, share):
            line.cut()

    def lose(self, count: int) -> None:
        """Lose the message *count* from now on every line, and then the line: TCP loses none alone."""
        for line in self.lines:
            line.loses_in = count

    def stir(self) -> None:
        """Look at the weather again, on every line."""
        for line in tuple(self.lines):
            line.flush()

    def _arrive(self) -> "_End":
        self._count += 1
        line = Line(self, self._count, self._make_tap())
        task = asyncio.get_running_loop().create_task(self._connect(line))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return line.before

    async def _connect(self, line: "Line") -> None:
        target = self._choose()
        if target is None or target.weather.refuses:
            line.cut()
            return
        line.node, line.weather = target.node, target.weather
        self.lines.add(line)
        try:
            await target.dial(line.behind)
        except OSError:
            line.cut()


class Line:
    """One connection through a gate."""

    def __init__(self, gate: Gate, number: int, tap: Tap) -> None:
        self.number = number
        self.node = -1
        self.weather = Weather()
        self.gate = gate
        self.loses_in = 0
        """Which message from now is lost, of both directions together; 0: none."""
        self._is_over = False
        self.outward = _Way(self, tap.outward)
        self.inward = _Way(self, tap.inward)
        self.before = _End(self, reads=self.outward, writes=self.inward)
        self.behind = _End(self, reads=self.inward, writes=self.outward)

    def cut(self) -> None:
        """Break both ends at once; whatever was under way is gone."""
        self._is_over = True
        self.gate.lines.discard(self)
        for way in (self.outward, self.inward):
            way.drop()
        for end in (self.before, self.behind):
            if end.transport is not None:
                end.transport.abort()

    def flush(self) -> None:
        """Let through what may go now."""
        self.outward.flush()
        self.inward.flush()

    def greet(self, end: "_End") -> None:
        """Take note of an end that is there now."""
        if self._is_over:
            assert end.transport is not None
            end.transport.abort()
        else:
            self.flush()

    def depart(self, end: "_End") -> None:
        """Take note of an end that is gone: the other one still gets what was sent before."""
        (self.outward if end is self.before else self.inward).finish()
        (self.inward if end is self.before else self.outward).drop()
        if all(each.is_gone for each in (self.before, self.behind)):
            self._is_over = True
            self.gate.lines.discard(self)


class _Way:
    """One direction of a line: what waits there, and until when."""

    def __init__(self, line: Line, transform: Transform) -> None:
        self.source: _End
        self.sink: _End
        self.is_stalled = False
        """Whether its reader reads nothing for now."""
        self._line = line
        self._transform = transform
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._held_bytes = 0
        self._is_finished = False
        self._timer: asyncio.TimerHandle | None = None
        self._frames = FrameSplitter() if line.gate.of_websockets else None

    def push(self, data: bytes) -> None:
        """Take what came in, unless the line has lost a message."""
        data = self._transform(data)
        for piece in [data] if self._frames is None else self._frames.feed(data):
            if self._is_finished:
                return
            if self._is_lost(piece):
                self._line.gate.lost += 1
                self.finish()
                return
            self._waiting.append((asyncio.get_running_loop().time() + self._line.weather.delay_s, piece))
            self._held_bytes += len(piece)
        self.flush()

    def _is_lost(self, piece: bytes) -> bool:
        line = self._line
        if not line.loses_in or not is_binary(piece):
            return False
        line.loses_in -= 1
        return line.loses_in == 0

    def finish(self) -> None:
        """Take no more; once all is delivered, close the other end."""
        self._is_finished = True
        self.flush()

    def drop(self) -> None:
        """Deliver nothing more."""
        self._waiting.clear()
        self._held_bytes = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def flush(self) -> None:
        """Deliver what is due, unless something stands in the way."""
        loop = asyncio.get_running_loop()
        transport = self.sink.transport
        is_open = not (self.is_stalled or self._line.weather.is_frozen or self.sink.is_full)
        if transport is not None and is_open:
            now = loop.time()
            while self._waiting and self._waiting[0][0] <= now:
                _, data = self._waiting.popleft()
                self._held_bytes -= len(data)
                transport.write(data)
            if self._waiting:
                self._call_back(loop, self._waiting[0][0])
            elif self._is_finished:
                transport.close()
        self.source.pause(is_wanted=self._held_bytes > MOST_HELD_BYTES or self.is_stalled)

    def _call_back(self, loop: asyncio.AbstractEventLoop, when: float) -> None:
        if self._timer is None:
            self._timer = loop.call_at(when, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self.flush()


class _End(asyncio.Protocol):
    """One of the two sockets of a line."""

    def __init__(self, line: Line, *, reads: _Way, writes: _Way) -> None:
        self.transport: asyncio.Transport | None = None
        self.is_full = False
        self.is_gone = False
        self._line = line
        self._reads = reads
        self._writes = writes
        self._is_paused = False
        reads.source = self
        writes.sink = self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be ready to read and write."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass of it
        self._line.greet(self)

    def data_received(self, data: bytes) -> None:
        """Pass on."""
        self._reads.push(data)

    def connection_lost(self, error: Exception | None) -> None:
        """Tell the other end."""
        self.is_gone = True
        self.transport = None
        self._line.depart(self)

    def pause_writing(self) -> None:
        """Stop what comes this way."""
        self.is_full = True

    def resume_writing(self) -> None:
        """Let it come again."""
        self.is_full = False
        self._writes.flush()

    def pause(self, *, is_wanted: bool) -> None:
        """Read no more for now, or again."""
        if self.transport is None or is_wanted == self._is_paused or self.transport.is_closing():
            return
        self._is_paused = is_wanted
        if is_wanted:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()
