"""Servers in processes of their own; each test gets its own folder and port."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from server_process import ServerProcess


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Return what makes servers that do not run yet: flags, and settings by name; all are ended after the test."""
    servers: list[ServerProcess] = []

    def make(*flags: str, **settings: str) -> ServerProcess:
        server = ServerProcess(tmp_path / f"server{len(servers)}", *flags, **settings)
        servers.append(server)
        return server

    yield make
    for server in servers:
        server.close()


@pytest.fixture
def server(new_server: Callable[..., ServerProcess]) -> ServerProcess:
    """Return a running server with the embedded store."""
    running = new_server()
    running.start()
    return running
