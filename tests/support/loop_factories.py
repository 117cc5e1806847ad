"""Run a test on the standard loop and on uvloop, or on one that never waits: `from loops import
pytest_asyncio_loop_factories` in a conftest."""

import asyncio
from collections.abc import Callable, Mapping

import pytest
import uvloop
from manual_loop import ManualLoop

BOTH = ("test_websocket", "test_http", "test_clock", "test_admin", "test_timers", "test_peers")
MANUAL = ("test_promised_times",)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Choose the loops of *item*: both where the loop matters, another where it is about how long things take."""
    if item.path.stem in MANUAL:
        return {"manual": ManualLoop}
    if item.path.name.startswith(BOTH):
        return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
    return {"asyncio": asyncio.new_event_loop}
