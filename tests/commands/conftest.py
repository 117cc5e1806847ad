"""A server for the commands that need one."""

from collections.abc import Iterator

import pytest
from server_process import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server that the tests of a module share."""
    running = ServerProcess(tmp_path_factory.mktemp("server"))
    running.start()
    yield running
    running.close()
