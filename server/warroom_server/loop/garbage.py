"""Garbage collection in short pauses: what survives one search for cycles is not searched again for long.

Reference counts free nearly everything: no action, connection or room leaves a cycle behind. Python itself would search
when enough objects were made, and so seldom, but then tens of thousands at a time.
"""

import asyncio
import gc
from typing import Final

YOUNG_EVERY_S: Final = 0.2
"""How often the objects are searched that were made since the last search."""
ALL_EVERY_S: Final = 3_600.0
"""How often all objects are searched, in case a bug or a library leaves cycles. The more rooms, the longer it takes."""


def collect_in_short_pauses(loop: asyncio.AbstractEventLoop) -> None:
    """Search for garbage at these times, and at no other."""
    gc.disable()
    _search_all(loop)
    _search_young(loop)


def _search_young(loop: asyncio.AbstractEventLoop) -> None:
    gc.collect(0)
    gc.freeze()
    loop.call_later(YOUNG_EVERY_S, _search_young, loop)


def _search_all(loop: asyncio.AbstractEventLoop) -> None:
    gc.unfreeze()
    gc.collect()
    loop.call_later(ALL_EVERY_S, _search_all, loop)
