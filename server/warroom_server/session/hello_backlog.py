"""What a connection says while its hello is being looked into: a few messages are kept, and the rest is not read."""

from typing import Final

from warroom_protocol.errors import WireError
from warroom_protocol.messages import ClientMessage

CONFIRMING_MS: Final = 50
"""For how long nothing is read after the first message; after each further one it is twice as long.

So a connection that waits for its welcome as long as it may has said no more than eight things.
"""


class Early:
    """Messages that wait for the hello, in the order in which they came."""

    def __init__(self) -> None:
        self._held: list[tuple[ClientMessage | WireError, int]] = []

    def hold(self, request: ClientMessage | WireError, arrived: int) -> int:
        """Keep one message; return for how many milliseconds to read no further."""
        self._held.append((request, arrived))
        return int(CONFIRMING_MS << len(self._held) - 1)

    def release(self) -> list[tuple[ClientMessage | WireError, int]]:
        """Return what came, and when."""
        return self._held
