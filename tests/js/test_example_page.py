"""The example page of the JavaScript package, in a real browser."""

import tarfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from chromium import open_browser
from playwright.sync_api import Page, expect
from server_process import ServerProcess

PATIENCE_MS = 30_000


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Do nothing."""


@pytest.fixture
def files(package: Path, tmp_path: Path) -> Iterator[str]:
    """Yield the address of the unpacked package."""
    with tarfile.open(package) as packed:
        packed.extractall(tmp_path, filter="data")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "package"))) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page() -> Iterator[Page]:
    """Yield a page of a browser, whose scripts may not fail."""
    with open_browser() as browser:
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
        assert errors == []


def test_a_match_is_played_on_it(files: str, site: ServerProcess, page: Page) -> None:
    page.goto(f"{files}/examples/one_page.html?server={site.url}&game=tile_blitz")
    status, action = page.get_by_role("status"), page.get_by_role("group").get_by_role("button")
    for _ in range(3):
        expect(status).to_have_text("Your turn.", timeout=PATIENCE_MS)
        expect(page.locator("pre")).to_contain_text('"public": {')
        action.last.click()
    expect(action).to_have_count(0)


def test_it_says_why_it_cannot_play(files: str, site: ServerProcess, page: Page) -> None:
    page.goto(f"{files}/examples/one_page.html?server={site.url}&game=nothing")
    expect(page.get_by_role("status")).to_contain_text("game.unknown", timeout=PATIENCE_MS)
