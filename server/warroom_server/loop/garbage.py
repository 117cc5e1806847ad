"""Garbage collection in short pauses: what survives one search for cycles is not searched again for long.

Reference counts free nearly everything: no action, connection or room leaves a cycle behind. Python itself would search
when enough objects were made, and so seldom, but then tens of thousands at a time.
"""

import asyncio
import gc
from typing import Final

EVERY_S: Final = 0.2
"""How often the objects are searched that were made since the last search."""
ALL_EVERY: Final = 18_000
"""Every such search, once an hour, is one of all objects, in case a bug or a library leaves cycles."""


def collect_in_short_pauses(loop: asyncio.AbstractEventLoop, searches: int = 0) -> None:
    """Search for garbage at these times, and at no other."""
    gc.disable()
    if searches % ALL_EVERY == 0:
        gc.unfreeze()
        gc.collect()
    gc.collect(0)
    gc.freeze()
    loop.call_later(EVERY_S, collect_in_short_pauses, loop, searches + 1)
