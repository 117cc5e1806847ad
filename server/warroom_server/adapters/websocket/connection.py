"""One open websocket: the sans-IO core of `websockets` under a plain protocol, without a task or queue per message."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

from websockets.exceptions import PayloadTooBig
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from warroom_protocol.codes import CLOSE_IDLE, CLOSE_SLOW, CLOSE_TEXT, CLOSE_TOO_LARGE
from warroom_server.adapters.websocket.frames import TOO_LARGE
from warroom_server.adapters.websocket.listener_shared import Shell
from warroom_server.adapters.websocket.round_trips import RoundTrips
from warroom_server.ports.time import Timer

_REASON_BYTES = 120
_BINARY, _TEXT, _CONT, _PING, _PONG = Opcode.BINARY, Opcode.TEXT, Opcode.CONT, Opcode.PING, Opcode.PONG
_OPEN = State.OPEN

_Events: TypeAlias = Sequence[Request | Response | Frame]


class WebSocketConnection(asyncio.Protocol):
    """The `Connection` of a client.

    Received data is parsed in slices, each in its own turn of the loop. While some of it waits, because it is large or
    because the handler asked for a pause, nothing more is read. Every message carries the time its bytes were read.
    """

    __slots__ = (
        "_backlog", "_controls", "_controls_from", "_core", "_forget", "_fragments", "_has_eof_due", "_hold",
        "_is_closing", "_out", "_shell", "_timer", "_transport", "_trips", "id", "is_congested", "peer"
    )  # fmt: skip

    def __init__(
        self,
        shell: Shell,
        transport: asyncio.Transport,
        core: ServerProtocol,
        *,
        id: int,
        forget: Callable[["WebSocketConnection"], None],
    ) -> None:
        self.id = id
        self.peer = _name_of(transport.get_extra_info("peername"))
        self.is_congested = False
        self._shell = shell
        self._transport: asyncio.Transport | None = transport
        self._core = core
        self._forget = forget
        self._fragments: list[bytes] | None = None
        self._backlog: deque[tuple[int, bytes | _Events]] | None = None
        self._hold: Timer | None = None
        self._out: list[bytes] = []
        self._has_eof_due = False
        self._is_closing = False
        self._controls = 0
        self._controls_from = 0
        self._trips = RoundTrips()
        self._timer: Timer | None = None

    def start(self, response: bytes, rest: bytes) -> None:
        """Send the handshake's *response*, announce the connection, and handle the *rest* of the data read with it."""
        assert self._transport is not None
        limits = self._shell.limits
        self._transport.set_write_buffer_limits(high=limits.congested_bytes)
        self._queue(response)
        self._set_timer(limits.ping_after(0), self._ping)
        self._shell.handler.opened(self)
        if rest:
            self.data_received(rest)

    # --- sending --------------------------------------------------------------------------------------------------

    def send(self, frame: bytes) -> None:
        """Queue a frame from `build_frame` for the one write at the end of this turn of the loop."""
        if not self._is_closing:
            self._queue(frame)

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then a close frame; drop the connection if the peer does not answer in time."""
        if self._core.state is _OPEN and self._transport is not None:
            self._core.send_close(code, reason.encode()[:_REASON_BYTES].decode(errors="ignore"))
            self._reply()

    def abort(self) -> None:
        """Drop the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def flush(self) -> None:
        """Write what was queued, unless too much is unsent already."""
        out, self._out = self._out, []
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if transport.get_write_buffer_size() > self._shell.limits.unsent_bytes:
            out = self._overflow()
        if out:
            data = out[0] if len(out) == 1 else b"".join(out)
            traffic = self._shell.traffic
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
        if not self._is_closing:
            self._shell.handler.drained(self)

    def _queue(self, data: bytes) -> None:
        if not self._out:
            self._shell.flusher.add(self)
        self._out.append(data)

    def _overflow(self) -> list[bytes]:
        """Close a connection that does not read, with a last chance to learn why."""
        if self._is_closing:
            self.abort()
            return []
        self._shell.traffic.slow_viewers += 1
        self._core.send_close(CLOSE_SLOW, "reads too slowly")
        self._start_closing(self._shell.limits.slow_close_ms)
        return self._core.data_to_send()

    # --- receiving ------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse one slice at once, and the rest in later turns of the loop."""
        shell = self._shell
        shell.traffic.bytes_in += len(data)
        if self._core.eof_sent:
            return
        if self._backlog is None and len(data) <= shell.limits.slice_bytes:
            self._feed(data, shell.clock.now())
        else:
            self._defer(data, shell.clock.now())

    def eof_received(self) -> None:
        """The peer sends nothing more: send what is queued, and close."""
        self._core.receive_eof()
        self._core.data_to_send()
        self._start_closing(self._shell.limits.close_ms)
        self.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything, and tell the handler."""
        self._transport = None
        self._is_closing = True
        self._backlog = None
        for timer in (self._timer, self._hold):
            if timer is not None:
                timer.cancel()
        # Breaks the cycle between the core and its generator, which would wait for the garbage collector.
        self._core.parser.close()
        self._forget(self)
        self._shell.handler.closed(self)

    def _defer(self, data: bytes, arrived: int) -> None:
        size = self._shell.limits.slice_bytes
        slices = [(arrived, data[start : start + size]) for start in range(0, len(data), size)]
        if self._backlog is not None:
            self._backlog.extend(slices)
        else:
            self._pause(deque(slices))
            self._pump()

    def _pause(self, backlog: deque[tuple[int, bytes | _Events]]) -> None:
        assert self._transport is not None
        self._backlog = backlog
        self._transport.pause_reading()

    def _resume(self) -> None:
        assert self._transport is not None
        self._backlog = None
        self._transport.resume_reading()

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
                self._shell.loop.call_soon(self._pump)
            else:
                self._resume()

    def _feed(self, data: bytes, arrived: int) -> None:
        core = self._core
        core.receive_data(data)
        events = core.events_received()
        if events:
            self._deliver(events, arrived)
        self._reply()

    def _deliver(self, events: _Events, arrived: int) -> None:
        """Handle frames until the handler wants a pause or the time slice is over; the others wait."""
        time_slices = self._shell.time_slices
        end = time_slices.begin() if len(events) > 1 else 0
        for following, event in enumerate(events, start=1):
            assert isinstance(event, Frame)
            hold_ms = self._take(event, arrived)
            if hold_ms > 0 or (following < len(events) and time_slices.is_over(end)):
                # After a close frame or an error, the rest is ignored.
                if self._core.state is _OPEN:
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
        if self._is_closing:
            return 0
        self._shell.traffic.messages_in += 1
        return self._shell.handler.received(self, message, arrived)

    def _fragment(self, frame: Frame, arrived: int) -> int:
        fragments = self._fragments
        if fragments is None:
            # The rest of a text message: the connection is failing.
            if frame.opcode is _CONT:
                return 0
            fragments = self._fragments = []
        fragments.append(bytes(frame.data))
        if len(fragments) > self._shell.limits.fragments:
            self._fragments = None
            self.send(TOO_LARGE)
            self._fail(CLOSE_TOO_LARGE, f"more than {self._shell.limits.fragments} fragments")
        elif frame.fin:
            self._fragments = None
            return self._message(b"".join(fragments), arrived)
        return 0

    def _take_pong(self, payload: bytes, arrived: int) -> None:
        if not self._is_closing and self._trips.pong(payload, arrived):
            self._set_timer(self._shell.limits.ping_after(self._trips.count), self._ping)
            self._shell.handler.measured(self, self._trips.median_ms)

    def _count_control(self) -> int:
        now = self._shell.clock.now()
        if now - self._controls_from >= 1000:
            self._controls_from = now
            self._controls = 0
        self._controls += 1
        return 0 if self._controls <= self._shell.limits.controls_per_s else self._controls_from + 1000 - now

    def _put_off(self, rest: _Events, arrived: int, hold_ms: int) -> None:
        """Continue with *rest* after *hold_ms*, or in the next turn of the loop."""
        is_pumping = self._backlog is not None
        if self._backlog is None:
            self._pause(deque())
        assert self._backlog is not None
        if rest:
            self._backlog.appendleft((arrived, rest))
        if hold_ms > 0:
            self._shell.traffic.held_reads += 1
            self._hold = self._shell.timers.call_after(hold_ms, self._pump)
        elif not is_pumping:
            self._shell.loop.call_soon(self._pump)

    # --- the core's own answers, and the end ----------------------------------------------------------------------

    def _reply(self) -> None:
        """Queue the core's own output: pongs, close frames, the end of the stream."""
        core = self._core
        if isinstance(core.parser_exc, PayloadTooBig):
            self.send(TOO_LARGE)  # before the close frame that the core has ready
        for data in core.data_to_send():
            if data:
                self._queue(data)
            else:
                self._end()
        if core.state is not _OPEN and not self._is_closing:
            if core.parser_exc is not None:
                self._shell.traffic.failed_connections += 1
            self._start_closing(self._shell.limits.close_ms)

    def _fail(self, code: int, reason: str) -> None:
        if self._core.state is _OPEN:
            self._shell.traffic.failed_connections += 1
            self._core.fail(code, reason)
            self._reply()

    def _end(self) -> None:
        """Send nothing more, and ignore what comes."""
        self._has_eof_due = True
        if not self._out:
            self._shell.flusher.add(self)
        if self._backlog is not None and self._transport is not None:
            self._resume()

    def _finish(self, transport: asyncio.Transport) -> None:
        if self._core.parser_exc is None and self._core.close_rcvd is not None:
            transport.close()
        elif not transport.is_closing():
            # Closing with unread bytes would make the kernel drop what we have sent. The peer may also have reset the
            # connection, which the transport notices by itself.
            with suppress(OSError):
                transport.write_eof()

    def _start_closing(self, timeout_ms: int) -> None:
        self._is_closing = True
        self._set_timer(timeout_ms, self.abort)
        if self._hold is not None:
            self._hold.cancel()
            self._shell.loop.call_soon(self._pump)

    def _ping(self) -> None:
        """Send a ping; close the connection if the last one went unanswered while we were reading."""
        if self._trips.is_waiting and self._backlog is None:
            self._shell.traffic.idle_peers += 1
            self.close(CLOSE_IDLE, "no answer to a ping")
            return
        self._core.send_ping(self._trips.ping(self._shell.clock.now()))
        self._reply()
        self._set_timer(self._shell.limits.pong_ms, self._ping)

    def _set_timer(self, delay_ms: int, callback: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._shell.timers.call_after(delay_ms, callback)


def _name_of(peername: object) -> str:
    match peername:
        case (str(host), int(port), *_):
            return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        case _:
            return ""
