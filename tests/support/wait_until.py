"""Waiting for a condition instead of for a time."""

import asyncio
from collections.abc import Awaitable, Callable


async def until(
    condition: Callable[[], Awaitable[bool]] | Callable[[], bool], *, within_s: float = 30.0, every_s: float = 0.005
) -> None:
    """Return as soon as *condition* holds; fail if it does not hold in time, which is long even for a busy machine."""
    async with asyncio.timeout(within_s):
        while True:
            holds = condition()
            if holds if isinstance(holds, bool) else await holds:
                return
            await asyncio.sleep(every_s)
