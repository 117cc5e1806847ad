"""The network of a test: what is sent is noted, and arrives in a later turn of the loop or of the test's clock."""

import asyncio
from collections.abc import Callable

from manual_time import ManualTime
from memory_peers import MemoryNetwork

from warroom_server.ports.time import Timer


class LoopTimers:
    """Timers that need no `advance` for what is due at once."""

    def __init__(self, time: ManualTime) -> None:
        self._time = time

    def call_at(self, when: int, callback: Callable[[], object]) -> Timer:
        """Call *callback* in the next turn of the loop, or in the `advance` that reaches *when*."""
        if when > self._time.now():
            return self._time.call_at(when, callback)
        return asyncio.get_running_loop().call_soon(callback)

    def call_after(self, delay_ms: int, callback: Callable[[], object]) -> Timer:
        """Call *callback* after *delay_ms*, as `call_at` does."""
        return self.call_at(self._time.now() + delay_ms, callback)

    def call_soon(self, callback: Callable[[], object]) -> object:
        """Call *callback* in the next turn of the loop."""
        return asyncio.get_running_loop().call_soon(callback)


class Network(MemoryNetwork):
    """Notes what nodes send, and can hold a node's messages from a certain one on."""

    def __init__(self, time: ManualTime) -> None:
        super().__init__(time, LoopTimers(time))
        self.sent: list[bytes] = []
        self._held_from: bytes | None = None

    def hold_from(self, part: bytes) -> None:
        """Hold all that a node sends from the first message on that has a *part* like this."""
        self._held_from = part

    def carry(self, sender: str, receiver: str, payload: bytes) -> bytes | None:
        """Note a message."""
        self.sent.append(payload)
        if self._held_from is not None and self._held_from in payload:
            self.hold(sender)
        return super().carry(sender, receiver, payload)
