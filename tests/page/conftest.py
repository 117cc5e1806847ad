"""A browser and servers with bots, for tests that play like users."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from browser import NewPerson, Person
from chromium import FROM_AFAR, open_browser
from playwright.sync_api import Browser
from server_process import SEALED_BIDS, ServerProcess


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield a running system Chromium; per module, because its driver keeps a loop running in this thread."""
    with open_browser() as running:
        yield running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server with bots, which also hosts a game without its own board."""
    running = ServerProcess(tmp_path_factory.mktemp("site"), *SEALED_BIDS, bots=True)
    try:
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture
def new_site(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Return a function that starts servers with bots that a test may kill; all end with the test."""
    servers: list[ServerProcess] = []

    def make(*flags: str, **settings: str) -> ServerProcess:
        server = ServerProcess(tmp_path / f"site{len(servers)}", *flags, bots=True, **settings)
        servers.append(server)
        server.start()
        return server

    yield make
    for server in servers:
        server.close()


@pytest.fixture
def person(browser: Browser) -> Iterator[NewPerson]:
    """Return a function that creates users of a site; the test fails if any of their pages logged an error."""
    with ExitStack() as stack:

        def make(site: ServerProcess, *, from_afar: bool = False, **settings: object) -> Person:
            host = FROM_AFAR if from_afar else "127.0.0.1"
            url = f"http://{host}:{site.port}"
            return stack.enter_context(Person(browser, url, is_cut=lambda: site.was_ended, **settings))

        yield make
