"""Signals that ask the server to stop, also during the start."""

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

logger = logging.getLogger(__name__)

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)

T = TypeVar("T")


def on_signal(act: Callable[[], None]) -> None:
    """Call *act* on each signal to stop."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, act)


async def unless_asked_to_stop(stopping: asyncio.Event, start: Coroutine[None, None, T]) -> T | None:
    """Return the result of *start*; None if *stopping* is set first: a start may wait long for its store."""
    starting, asked = asyncio.create_task(start), asyncio.create_task(stopping.wait())
    await asyncio.wait((starting, asked), return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    if starting.done():
        return starting.result()
    logger.info("server stopped before it was ready")
    starting.cancel()
    await asyncio.wait((starting,))
    if not starting.cancelled():
        starting.result()  # raises if it failed at that moment
    return None
