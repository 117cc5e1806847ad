"""The node's clock: milliseconds of play, which stand still while the loop is stalled."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

BEAT_MS = 25
"""How often the clock checks that the loop turns."""

STALL_MS = 50
"""A loop that did not turn for longer was stalled, and nobody could play."""

_NS = 1_000_000
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class PlayClock:
    """Monotonic milliseconds that do not count stalls of the loop.

    `now` detects stalls itself: bytes that are read right after one, before the next beat, get the time at which the
    clock stopped. It then stands still until a beat has seen the loop turn again.
    """

    def __init__(self, read_ns: Callable[[], int] = time.monotonic_ns, *, offset_file: Path | None = None) -> None:
        self.stalls = 0
        self.stalled_ms = 0
        self._read_ns = read_ns
        self._offset_file = offset_file
        """For tests: a file with the error of the wall clock in milliseconds."""
        self._seen_ns = self._beat_ns = read_ns()
        self._frozen_ns = self._seen_ns
        self._handle: asyncio.Handle | None = None

    def now(self) -> int:
        """Return milliseconds of play since the clock was made."""
        read = self._read_ns()
        if read - self._beat_ns > STALL_MS * _NS:
            self._frozen_ns += read - self._seen_ns
        self._seen_ns = read
        return (read - self._frozen_ns) // _NS

    def wall_ms(self) -> int:
        """Return milliseconds since 1970, for people."""
        file = self._offset_file
        offset_ms = int(file.read_text()) if file is not None and file.exists() else 0
        return time.time_ns() // _NS + offset_ms

    def steady_ms(self) -> int:
        """Return milliseconds that also count stalls of this process and sleep of the machine."""
        return time.clock_gettime_ns(_STEADY) // _NS

    def start(self) -> None:
        """Start to beat on the running loop; before that, longer times count as stalls."""
        self.now()
        self._beat_ns = self._seen_ns
        self._beat()

    def stop(self) -> None:
        """Stop beating, so that the clock stops."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def beat(self) -> None:
        """Note that the loop turns."""
        self.now()
        gap_ns = self._seen_ns - self._beat_ns
        if gap_ns > STALL_MS * _NS:
            self.stalls += 1
            self.stalled_ms += gap_ns // _NS
        self._beat_ns = self._seen_ns

    def _beat(self) -> None:
        self.beat()
        self._handle = asyncio.get_running_loop().call_later(BEAT_MS / 1000, self._beat)
