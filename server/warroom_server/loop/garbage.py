"""Garbage collection in short pauses: only young objects are searched for cycles.

Reference counts free nearly everything: no action, connection or room leaves a cycle behind. So what survives two
searches is not looked at again, except in a seldom search of all objects, in case a bug or a library leaves one.
"""

import asyncio
import gc
from collections.abc import Mapping
from typing import Final

YOUNG: Final = 5_000
"""How many objects are made before the youngest are searched."""
ALL_EVERY_S: Final = 3_600.0
"""How often all objects are searched, which stops the loop longer the more rooms there are."""


def collect_in_short_pauses(loop: asyncio.AbstractEventLoop) -> None:
    """Search only young objects for garbage from now on, and all of them seldom."""
    gc.callbacks.append(_spare_survivors)
    gc.set_threshold(YOUNG, 2)
    _search_all(loop)


def _search_all(loop: asyncio.AbstractEventLoop) -> None:
    gc.unfreeze()
    gc.collect()
    loop.call_later(ALL_EVERY_S, _search_all, loop)


def _spare_survivors(phase: str, info: Mapping[str, int]) -> None:
    if phase == "stop" and info["generation"] > 0:
        gc.freeze()
