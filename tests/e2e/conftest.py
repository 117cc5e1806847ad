"""Servers in processes of their own; each test gets its own folder and port."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from independent_client import Stranger
from redis_server import RedisServer, redis_server
from server_process import SEALED_BIDS, ServerProcess

DURABLE = ("--appendonly", "yes", "--appendfsync", "always")
"""What makes a Redis keep everything that it has said yes to."""


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Return what makes servers that do not run yet: flags, and settings by name; all are ended after the test."""
    servers: list[ServerProcess] = []

    def make(*flags: str, bots: bool = False, **settings: str) -> ServerProcess:
        server = ServerProcess(tmp_path / f"server{len(servers)}", *flags, bots=bots, **settings)
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


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server that hosts sealed bids as well, for tests that leave it as it is."""
    running = ServerProcess(tmp_path_factory.mktemp("shared"), *SEALED_BIDS)
    try:
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture
def newcomer(shared_server: ServerProcess) -> Iterator[Callable[..., Stranger]]:
    """Return what makes strangers on the shared server; all hang up after the test."""
    strangers: list[Stranger] = []

    def make(name: str, token: str | None = None) -> Stranger:
        strangers.append(Stranger(shared_server.url, name, token))
        return strangers[-1]

    yield make
    for stranger in strangers:
        stranger.close()


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """Run a real Redis that keeps everything."""
    with redis_server(*DURABLE) as running:
        yield running


@pytest.fixture(params=["embedded", "redis"])
def store_flags(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Return the flags of a server with each kind of store in turn."""
    if request.param == "embedded":
        return ()
    running: RedisServer = request.getfixturevalue("redis")
    return ("--redis", running.url)


@pytest.fixture
def new_cluster(new_server: Callable[..., ServerProcess], redis: RedisServer) -> Callable[..., list[ServerProcess]]:
    """Return what starts so many nodes on one Redis, all at once; the settings of a node are named by its number."""

    def start_all(nodes: int, settings: Mapping[int, dict[str, str]] | None = None) -> list[ServerProcess]:
        servers = [new_server(*SEALED_BIDS, "--redis", redis.url) for _ in range(nodes)]
        with ThreadPoolExecutor(nodes) as pool:
            starts = [
                pool.submit(each.start, **(settings or {}).get(number, {})) for number, each in enumerate(servers)
            ]
        for start in starts:
            start.result()
        return servers

    return start_all
