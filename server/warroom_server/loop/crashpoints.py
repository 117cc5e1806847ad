"""Named points of the write path at which a test can kill the process, as a power failure would.

There is none between a verdict and its frames: both leave in one write.
"""

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")

POINTS = {
    "before_create": "a new room is checked, and nothing of it is stored",
    "after_create": "a new room is stored, and its creator does not know it",
    "before_append": "an entry is computed, and nothing of it is with the store",
    "batch_sent": "entries were sent to the store, and it has not answered",
    "after_append": "the store has the entry, and the room does not know it",
    "after_adopt": "the room has adopted the entry, and nobody was told",
    "after_verdict": "verdict and frames are queued, and not a byte of them was written",
    "after_flush": "verdict and frames were given to the operating system",
    "before_save": "a snapshot is made, and not stored",
    "after_save": "a snapshot is stored",
    "before_archive": "a match is over, and its replay is not stored",
    "after_publish": "a finished match is noted, and its replay is not stored",
    "after_archive": "a replay is stored, and the room is still in memory",
    "during_takeover": "rooms of another node are claimed, and not yet gone on with",
    "during_drain": "a node that stops does nothing more for its rooms, and has offered them to nobody",
}
"""Each point, and what is true there."""


class CrashPoints:
    """Kills the process when it passes the chosen point for the Nth time; unarmed, it does nothing."""

    def __init__(self) -> None:
        self.is_armed = False
        """Whether any point was chosen."""
        self._name = ""
        self._passes_left = 0

    def arm(self, where: str) -> None:
        """Choose a point, as `name` or `name:n`; raise ValueError if it does not exist."""
        name, colon, count = where.partition(":")
        if name not in POINTS or (colon and not (count.isascii() and count.isdigit() and int(count) > 0)):
            raise ValueError(f"expected NAME or NAME:N, NAME one of {', '.join(POINTS)}, got {where!r}")
        self.is_armed = True
        self._name = name
        self._passes_left = int(count) if colon else 1

    async def reached_during(self, name: str, question: Coroutine[object, object, T]) -> T:
        """Return the answer to *question*, and pass the point *name* once the question is sent."""
        answer = asyncio.ensure_future(question)
        await asyncio.sleep(0)  # lets the question be sent
        self.reached(name)
        return await answer

    def reached(self, name: str) -> None:
        """Note that the process passes the point *name*."""
        if name != self._name:
            return
        self._passes_left -= 1
        if self._passes_left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


points = CrashPoints()
"""The points of this process."""
