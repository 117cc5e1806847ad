"""The event loop that the kit's processes run on."""

import asyncio
from collections.abc import Callable


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes the fastest loop that there is; None: the standard one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
