"""Selects the event loop for the kit's processes."""

import asyncio
from collections.abc import Callable


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of the fastest installed event loop; None: the standard one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
