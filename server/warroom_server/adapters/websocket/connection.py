"""One open websocket: a plain protocol that handles whole frames itself, and leaves the others to `websockets`."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias

from websockets.exceptions import PayloadTooBig
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Protocol, Side, State

from warroom_protocol.codec import encode
from warroom_protocol.codes import CLOSE_IDLE, CLOSE_SLOW, CLOSE_TEXT, CLOSE_TOO_LARGE, MESSAGE_TOO_LARGE, REFUSALS
from warroom_protocol.frames import frame, unframe
from warroom_protocol.messages import Error
from warroom_server.adapters.websocket.listener_state import FLUSHES_PER_TURN, Shell, core_logger
from warroom_server.adapters.websocket.round_trips import RoundTrips
from warroom_server.ports.connections import Connection
from warroom_server.ports.time import Timer

TOO_LARGE = encode(Error(None, MESSAGE_TOO_LARGE, REFUSALS[MESSAGE_TOO_LARGE]))
"""The last message before a close with 1009. Such a message is not read, so its ref is unknown."""
_REASON_BYTES = 120
_PING_HEAD = b"\x89\x08"
"""The frame of a ping with 8 bytes."""
_PONG_HEAD, _MESSAGE_HEAD, _LONGEST_PONG = b"\x8a", b"\x82", 131
_BINARY, _TEXT, _CONT, _PING, _PONG = Opcode.BINARY, Opcode.TEXT, Opcode.CONT, Opcode.PING, Opcode.PONG
_OPEN = State.OPEN

_Events: TypeAlias = Sequence[Request | Response | Frame]


class WebSocketConnection(asyncio.Protocol):
    """The `Connection` of a client.

    Received data is parsed in slices, each in its own turn of the loop. While some of it waits, because it is large or
    because the handler asked for a pause, nothing more is read. Every message carries the time its bytes were read.

    The core, a parser of websockets, is large. So there is one only for frames that do not arrive whole and alone, and
    from the close on.
    """

    __slots__ = (
        "_backlog", "_controls", "_controls_from", "_core", "_fragments", "_has_eof_due", "_hold", "_timer",
        "_trips", "fd", "id", "is_closing", "is_congested", "out", "shell", "transport"
    )  # fmt: skip

    def __init__(self, shell: Shell, transport: asyncio.Transport, *, id: int) -> None:
        self.id = id
        self.fd = _plain_socket(transport)
        """The descriptor of the socket, to be used only while the transport is open; -1: write to the transport."""
        self.is_congested = False
        self.shell = shell
        self.transport: asyncio.Transport | None = transport
        self._core: Protocol | None = None
        self._fragments: list[bytes] | None = None
        self._backlog: deque[tuple[int, bytes | _Events]] | None = None
        self._hold: Timer | None = None
        self.out: list[bytes] | None = None
        """What is queued; None for most connections at most times."""
        self._has_eof_due = False
        self.is_closing = False
        self._controls = self._controls_from = 0
        self._trips = RoundTrips()
        self._timer: Timer | None = None

    @property
    def peer(self) -> str:
        """The address and port of the client; empty once the connection is closed."""
        name = None if self.transport is None else self.transport.get_extra_info("peername")
        if not name:
            return ""
        return f"[{name[0]}]:{name[1]}" if ":" in name[0] else f"{name[0]}:{name[1]}"

    def start(self, response: bytes, rest: bytes) -> None:
        """Send the handshake's *response*, announce the connection, and handle the *rest* of the data read with it."""
        assert self.transport is not None
        limits = self.shell.limits
        self.transport.set_write_buffer_limits(high=limits.congested_bytes)
        self._queue(response)
        self._set_timer(limits.ping_after(0, self.id), self._ping)
        self.shell.handler.opened(self)
        if rest:
            self.data_received(rest)

    # --- sending --------------------------------------------------------------------------------------------------

    def send(self, payload: bytes) -> None:
        """Queue a payload, as one frame, for the one write at the end of this turn of the loop."""
        if not self.is_closing:
            if self.out is None:  # as `_queue`, without a call
                self.out = []
                self._flush_soon()
            self.out.append(frame(payload))

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then a close frame; drop the connection if the peer does not answer in time."""
        if self._is_open and self.transport is not None:
            core = self._need_core()
            core.send_close(code, reason.encode()[:_REASON_BYTES].decode(errors="ignore"))
            self._reply(core)

    def abort(self) -> None:
        """Drop the connection at once."""
        if self.transport is not None:
            self.transport.abort()

    def flush(self) -> None:
        """Write what was queued, unless too much is unsent already."""
        out, self.out = self.out, None
        transport = self.transport
        if transport is None or transport.is_closing():
            return
        if transport.get_write_buffer_size() > self.shell.limits.unsent_bytes:
            out = self._overflow()
        if out:
            data = out[0] if len(out) == 1 else b"".join(out)
            traffic = self.shell.traffic
            traffic.writes += 1
            traffic.frames_out += len(out)
            traffic.bytes_out += len(data)
            transport.write(data)
        if self._has_eof_due:
            self._finish(transport)

    def pause_writing(self) -> None:
        """More is unsent than a viewer should have to catch up with."""
        self.is_congested = True

    def resume_writing(self) -> None:
        """Most of what was unsent is gone."""
        self.is_congested = False
        if not self.is_closing:
            self.shell.handler.drained(self)

    def _queue(self, data: bytes) -> None:
        if self.out is None:
            self.out = []
            self._flush_soon()
        self.out.append(data)

    def _flush_soon(self) -> None:
        self.shell.due.append(self)
        if not self.shell.is_flush_due:
            self.shell.is_flush_due = True
            self.shell.flush_soon()

    def _overflow(self) -> list[bytes]:
        """Close a connection that does not read, with a last chance to learn why."""
        if self.is_closing:
            self.abort()
            return []
        self.shell.traffic.slow_viewers += 1
        core = self._need_core()
        core.send_close(CLOSE_SLOW, "reads too slowly")
        self._start_closing(self.shell.limits.slow_close_ms)
        return core.data_to_send()

    # --- receiving ------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Handle one whole message or pong at once; let a core parse everything else, in slices.

        The rest of much data is parsed in later turns of the loop.
        """
        shell, size = self.shell, len(data)
        shell.traffic.bytes_in += size
        now = shell.clock.now()
        is_next = self._core is None and self._backlog is None
        if is_next and size <= shell.limits.message_bytes and (message := unframe(data)) is not None:
            shell.traffic.messages_in += 1
            hold_ms = shell.handler.received(self, message, now, now)
            if hold_ms > 0 and self._is_open:
                self._put_off((), now, hold_ms)
        elif is_next and (pong := _unframe_pong(data)) is not None:
            self._take_pong(pong, now)
            if (hold_ms := self._count_control()) > 0:
                self._put_off((), now, hold_ms)
        elif self._core is not None and self._core.eof_sent:
            return
        elif self._backlog is None and size <= shell.limits.slice_bytes:
            self._feed(data, now)
        else:
            self._defer(data, now)

    def eof_received(self) -> None:
        """The peer sends nothing more: send what is queued, and close."""
        if self._core is not None:
            self._core.receive_eof()
            self._core.data_to_send()
        self._start_closing(self.shell.limits.close_ms)
        self.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the handler, and release everything."""
        self.is_closing = True
        self._backlog = None
        for timer in (self._timer, self._hold):
            if timer is not None:
                timer.cancel()
        self._drop_core()
        self.shell.forget(self)
        self.shell.handler.closed(self)
        self.transport = None

    def _defer(self, data: bytes, arrived: int) -> None:
        size = self.shell.limits.slice_bytes
        slices = [(arrived, data[start : start + size]) for start in range(0, len(data), size)]
        if self._backlog is not None:
            self._backlog.extend(slices)
        else:
            self._pause(deque(slices))
            self._pump()

    def _pause(self, backlog: deque[tuple[int, bytes | _Events]]) -> None:
        assert self.transport is not None
        self._backlog = backlog
        self.transport.pause_reading()

    def _resume(self) -> None:
        assert self.transport is not None
        self._backlog = None
        self.transport.resume_reading()

    def _pump(self) -> None:
        """Continue with the backlog: one slice now, the next in another turn of the loop."""
        self._hold = None
        if self._backlog is None:
            return
        is_fine = False
        try:
            if self._backlog:
                arrived, item = self._backlog.popleft()
                if isinstance(item, bytes):
                    self._feed(item, arrived)
                else:
                    self._deliver(item, arrived)
            is_fine = True
        finally:
            # A bug of the handler ends this connection, as it does inside `data_received`.
            if not is_fine:
                self.abort()
        if self._hold is None and self._backlog is not None:
            if self._backlog:
                self.shell.loop.call_soon(self._pump)
            else:
                self._resume()

    def _feed(self, data: bytes, arrived: int) -> None:
        core = self._need_core()
        core.receive_data(data)
        events = core.events_received()
        if events:
            self._deliver(events, arrived)
        self._reply(core)
        if core.state is _OPEN and _is_between_frames(core):
            self._drop_core()

    def _deliver(self, events: _Events, arrived: int) -> None:
        """Handle frames until the handler wants a pause or the time slice is over; the others wait."""
        time_slices = self.shell.time_slices
        end = time_slices.begin() if len(events) > 1 else 0
        for following, event in enumerate(events, start=1):
            assert isinstance(event, Frame)
            hold_ms = self._take(event, arrived)
            if hold_ms > 0 or (following < len(events) and time_slices.is_over(end)):
                # After a close frame or an error, the rest is ignored.
                if self._is_open:
                    self._put_off(events[following:], arrived, hold_ms)
                return

    def _take(self, frame: Frame, arrived: int) -> int:
        """Handle one frame and return for how many milliseconds to pause."""
        opcode = frame.opcode
        if opcode is _BINARY and frame.fin:
            return self._message(bytes(frame.data), arrived)
        if opcode is _BINARY or opcode is _CONT:
            return self._fragment(frame, arrived)
        if opcode is _TEXT:
            self._fail(CLOSE_TEXT, "messages are binary")
        elif opcode is _PING or opcode is _PONG:
            if opcode is _PONG:
                self._take_pong(bytes(frame.data), arrived)
            return self._count_control()
        return 0

    def _message(self, message: bytes, arrived: int) -> int:
        if self.is_closing:
            return 0
        self.shell.traffic.messages_in += 1
        return self.shell.handler.received(self, message, arrived, self.shell.clock.now())

    def _fragment(self, frame: Frame, arrived: int) -> int:
        fragments = self._fragments
        if fragments is None:
            # The rest of a text message: the connection is failing.
            if frame.opcode is _CONT:
                return 0
            fragments = self._fragments = []
        fragments.append(bytes(frame.data))
        if len(fragments) > self.shell.limits.fragments:
            self._fragments = None
            self.send(TOO_LARGE)
            self._fail(CLOSE_TOO_LARGE, f"more than {self.shell.limits.fragments} fragments")
        elif frame.fin:
            self._fragments = None
            return self._message(b"".join(fragments), arrived)
        return 0

    def _take_pong(self, payload: bytes, arrived: int) -> None:
        if not self.is_closing and self._trips.pong(payload, arrived):
            self.shell.handler.measured(self, self._trips.median_ms)

    def _count_control(self) -> int:
        now = self.shell.clock.now()
        if now - self._controls_from >= 1000:
            self._controls_from, self._controls = now, 0
        self._controls += 1
        return 0 if self._controls <= self.shell.limits.controls_per_s else self._controls_from + 1000 - now

    def _put_off(self, rest: _Events, arrived: int, hold_ms: int) -> None:
        """Continue with *rest* after *hold_ms*, or in the next turn of the loop."""
        is_pumping = self._backlog is not None
        if self._backlog is None:
            self._pause(deque())
        assert self._backlog is not None
        if rest:
            self._backlog.appendleft((arrived, rest))
        if hold_ms > 0:
            self.shell.traffic.held_reads += 1
            self._hold = self.shell.timers.call_after(hold_ms, self._pump)
        elif not is_pumping:
            self.shell.loop.call_soon(self._pump)

    # --- the core's own answers, and the end ----------------------------------------------------------------------

    @property
    def _is_open(self) -> bool:
        """Whether neither side has sent a close frame, and nothing failed."""
        return not self.is_closing and (self._core is None or self._core.state is _OPEN)

    def _need_core(self) -> Protocol:
        if self._core is None:
            limit = self.shell.limits.message_bytes
            self._core = Protocol(Side.SERVER, state=_OPEN, max_size=limit, logger=core_logger)
        return self._core

    def _drop_core(self) -> None:
        if self._core is not None:
            # Breaks the cycle between the core and its generator, which would wait for the garbage collector.
            self._core.parser.close()
            self._core = None

    def _reply(self, core: Protocol) -> None:
        """Queue the core's own output: pongs, close frames, the end of the stream."""
        if isinstance(core.parser_exc, PayloadTooBig):
            self.send(TOO_LARGE)  # before the close frame that the core has ready
        for data in core.data_to_send():
            if data:
                self._queue(data)
            else:
                self._end()
        if core.state is not _OPEN and not self.is_closing:
            if core.parser_exc is not None:
                self.shell.traffic.failed_connections += 1
            self._start_closing(self.shell.limits.close_ms)

    def _fail(self, code: int, reason: str) -> None:
        if self._is_open:
            core = self._need_core()
            self.shell.traffic.failed_connections += 1
            core.fail(code, reason)
            self._reply(core)

    def _end(self) -> None:
        """Send nothing more, and ignore what comes."""
        self._has_eof_due = True
        if self.out is None:
            self._flush_soon()
        if self._backlog is not None and self.transport is not None:
            self._resume()

    def _finish(self, transport: asyncio.Transport) -> None:
        core = self._need_core()
        if core.parser_exc is None and core.close_rcvd is not None:
            transport.close()
        elif not transport.is_closing():
            # Closing with unread bytes would make the kernel drop what we have sent. The peer may also have reset the
            # connection, which the transport notices by itself.
            with suppress(OSError):
                transport.write_eof()

    def _start_closing(self, timeout_ms: int) -> None:
        self.is_closing = True
        self._set_timer(timeout_ms, self.abort)
        if self._hold is not None:
            self._hold.cancel()
            self.shell.loop.call_soon(self._pump)

    def _ping(self) -> None:
        """Send a ping; close the connection if the last one went unanswered for long while we were reading."""
        limits, now, sent_at = self.shell.limits, self.shell.clock.now(), self._trips.sent_at
        if sent_at is None or now >= sent_at + limits.pong_ms:
            if sent_at is not None and self._backlog is None:
                self.shell.traffic.idle_peers += 1
                self.close(CLOSE_IDLE, "no answer to a ping")
                return
            self._queue(_PING_HEAD + self._trips.ping(now))
            sent_at = now
        # The answer cancels no timer: there are many, and cancelled ones also take memory.
        next_ms = limits.ping_after(self._trips.count + 1, self.id)
        self._set_timer(min(next_ms, sent_at + limits.pong_ms - now), self._ping)

    def _set_timer(self, delay_ms: int, callback: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.shell.timers.call_after(delay_ms, callback)


def _unframe_pong(data: bytes) -> bytes | None:
    """Return the payload of a pong if *data* is exactly one whole frame with it."""
    is_pong = data[:1] == _PONG_HEAD and len(data) <= _LONGEST_PONG
    return unframe(_MESSAGE_HEAD + data[1:]) if is_pong else None


def _is_between_frames(core: Protocol) -> bool:
    """Whether the core has parsed whole messages only, so that the next bytes begin another one.

    Then its parser waits for the end of the stream or more bytes. If a new version of the library waits elsewhere, the
    core parses everything.
    """
    waits_in = getattr(getattr(core.parser, "gi_yieldfrom", None), "__name__", "")
    return waits_in == "at_eof" and core.current_size is None and not core.reader.buffer


def broadcast(payload: bytes, connections: Sequence[Connection], /) -> Sequence[Connection]:
    """Queue a payload as one frame, built once, for the one write to each connection at the end of this turn.

    Closing connections get nothing. Neither do congested ones, which are returned. All are of one listener.
    """
    data, congested = frame(payload), list[Connection]()
    to: Sequence[WebSocketConnection] = connections  # type: ignore[assignment]  # there are no others
    if not to:
        return congested
    shell = to[0].shell
    due = shell.due
    for connection in to:
        if connection.is_congested:
            congested.append(connection)
        elif not connection.is_closing:
            if connection.out is None:
                connection.out = []
                due.append(connection)
            connection.out.append(data)
    if due and not shell.is_flush_due:
        shell.is_flush_due = True
        shell.flush_soon()
    return congested


def flush(shell: Shell) -> None:
    """Write to each connection once. Those left by `write_each`, or all after an error, write for themselves."""
    due, traffic = shell.due, shell.traffic
    turn = late = due[:FLUSHES_PER_TURN]
    del due[:FLUSHES_PER_TURN]
    try:
        try:
            late, frames, size = write_each(turn)
            traffic.writes += len(turn) - len(late)
            traffic.frames_out += frames
            traffic.bytes_out += size
        finally:
            while late:
                late.pop().flush()
    finally:
        due += late  # those behind one that failed
        shell.is_flush_due = bool(due)
        if due:
            shell.flush_soon()


def write_each(connections: Iterable[WebSocketConnection], /) -> tuple[list[WebSocketConnection], int, int]:
    """Write what idle connections have queued; return those that are left, and how many frames and bytes went out.

    Left are those that close or have nothing queued, those without a plain socket, and those whose transport still has
    something to write, which these bytes would overtake. In C one call sends to all sockets, past their transports. So
    there also those are left that took a part only: then the rest is queued, and counts as one frame.

    An error keeps no connection before it from its bytes, and those behind it lose nothing.
    """
    late: list[WebSocketConnection] = []
    frames = size = 0
    for connection in connections:
        out, transport = connection.out, connection.transport
        if (
            not out
            or transport is None
            or connection.fd < 0
            or connection.is_closing
            or transport.is_closing()
            or transport.get_write_buffer_size()
        ):
            late.append(connection)
            continue
        data = out[0] if len(out) == 1 else b"".join(out)
        frames += len(out)
        size += len(data)
        connection.out = None
        transport.write(data)
    return late, frames, size


python_broadcast, python_write_each = broadcast, write_each
with suppress(ImportError):  # not built without a compiler
    from warroom_protocol.speedups import broadcast, write_each


def _plain_socket(transport: asyncio.Transport) -> int:
    """Return the descriptor of a transport's socket; -1 if it is encrypted, or there is none."""
    socket = transport.get_extra_info("socket")
    return -1 if socket is None or transport.get_extra_info("sslcontext") is not None else int(socket.fileno())
