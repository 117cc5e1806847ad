"""How soon people see the page: a cold browser opens the lobby again and again, on this machine."""

import gzip
import json
import statistics
import sys

from chromium import NoBrowserError, open_browser
from lobby import WATCH_FOR_THE_LOBBY, lobby_files
from playwright.sync_api import Browser

from benchmarks.processes import running_server

VISITS = 20
GOAL_MS = 1000
"""The lobby is painted within this, on loopback."""


def report(*, visits: int, as_json: bool) -> int:
    """Measure and print; return 1 if the page is slower than it should be."""
    try:
        paints = measure(visits)
    except NoBrowserError as error:
        print(f"dev: {error}", file=sys.stderr)
        return 1
    found = {
        "visits": visits,
        "lobby_painted_ms": round(statistics.median(paints)),
        "slowest_lobby_painted_ms": round(max(paints)),
        "lobby_bytes": sum(len(gzip.compress(path.read_bytes(), 9, mtime=0)) for path in lobby_files()),
    }
    if as_json:
        print(json.dumps(found))
    else:
        print(f"the lobby, opened {visits} times by a browser that has nothing of it")
        print(f"  {found['lobby_painted_ms']:>8,}  ms until its heading and its games are painted (median)")
        print(f"  {found['slowest_lobby_painted_ms']:>8,}  ms, the slowest")
        print(f"  {found['lobby_bytes']:>8,}  bytes, compressed")
    return 0 if found["lobby_painted_ms"] < GOAL_MS else 1


def measure(visits: int) -> list[float]:
    """Return for each visit when the lobby was painted, in milliseconds from its beginning."""
    with running_server() as server, open_browser() as browser:
        url = f"http://127.0.0.1:{server.port}/"
        visit(browser, url)  # the browser's own first page is slow, whatever it shows
        return [visit(browser, url) for _ in range(visits)]


def visit(browser: Browser, url: str) -> float:
    """Open the page as somebody who never was there."""
    context = browser.new_context()
    context.add_init_script(WATCH_FOR_THE_LOBBY)
    page = context.new_page()
    page.goto(url)
    painted: float = page.wait_for_function("() => window.lobbyPainted").json_value()
    context.close()
    return painted
