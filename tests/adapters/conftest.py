"""The loops that the tests of this folder run on."""

from loops import pytest_asyncio_loop_factories

__all__ = ["pytest_asyncio_loop_factories"]
