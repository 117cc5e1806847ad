"""A browser and servers with bots, for tests that play as people do."""

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
    """Return the system's Chromium, running; not for longer, as its driver keeps a loop running in this thread."""
    with open_browser() as running:
        yield running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server with bots, which hosts a game without a board of its own as well."""
    running = ServerProcess(tmp_path_factory.mktemp("site"), *SEALED_BIDS, bots=True)
    try:
        running.start()
        yield running
    finally:
        running.close()


@pytest.fixture
def new_site(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Return what starts servers with bots that a test may kill; all are ended after it."""
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
    """Return what makes people at a site; a test fails if any of their pages complained."""
    with ExitStack() as stack:

        def make(site: ServerProcess, *, from_afar: bool = False, **settings: object) -> Person:
            host = FROM_AFAR if from_afar else "127.0.0.1"
            url = f"http://{host}:{site.port}"
            return stack.enter_context(Person(browser, url, is_cut=lambda: site.was_ended, **settings))

        yield make
