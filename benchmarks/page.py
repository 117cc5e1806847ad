"""How soon people see the page: a cold browser opens the lobby again and again, on this machine."""

import gzip
import json
import statistics
import sys
from pathlib import Path

from chromium import NoBrowserError, open_browser
from playwright.sync_api import Browser

from benchmarks.processes import running_server

VISITS = 20
GOAL_MS = 1000
"""The lobby is painted within this, on loopback."""
BUILT = Path(__file__).resolve().parent.parent / "server" / "warroom_server" / "page"
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"


def report(*, visits: int, as_json: bool) -> int:
    """Measure and print; return 1 if the page is slower than it should be."""
    try:
        paints, games = measure(visits)
    except NoBrowserError as error:
        print(f"dev: {error}", file=sys.stderr)
        return 1
    found = {
        "visits": visits,
        "first_paint_ms": round(statistics.median(paints)),
        "slowest_first_paint_ms": round(max(paints)),
        "games_shown_ms": round(statistics.median(games)),
        "lobby_bytes": sum(len(gzip.compress(path.read_bytes(), 9, mtime=0)) for path in lobby_files()),
    }
    if as_json:
        print(json.dumps(found))
    else:
        print(f"the lobby, opened {visits} times by a browser that has nothing of it")
        print(f"  {found['first_paint_ms']:>8,}  ms to the first paint (median)")
        print(f"  {found['slowest_first_paint_ms']:>8,}  ms to the slowest first paint")
        print(f"  {found['games_shown_ms']:>8,}  ms until the games are there (median)")
        print(f"  {found['lobby_bytes']:>8,}  bytes, compressed")
    return 0 if found["first_paint_ms"] < GOAL_MS else 1


def measure(visits: int) -> tuple[list[float], list[float]]:
    """Return for each visit the times of the first paint and of the first game, in milliseconds."""
    with running_server() as server, open_browser() as browser:
        url = f"http://127.0.0.1:{server.port}/"
        visit(browser, url)  # the browser's own first page is slow, whatever it shows
        times = [visit(browser, url) for _ in range(visits)]
    return [paint for paint, _ in times], [shown for _, shown in times]


def visit(browser: Browser, url: str) -> tuple[float, float]:
    """Open the page as somebody who never was there."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("article h2")
    shown = page.evaluate("performance.now()")
    page.wait_for_function(f"({PAINT}) !== null")
    paint = page.evaluate(PAINT)
    context.close()
    return paint, shown


def lobby_files() -> list[Path]:
    """Return what the lobby is made of."""
    chunks = json.loads((BUILT / ".vite" / "manifest.json").read_text(encoding="utf-8"))
    waiting, names = ["index.html"], {"index.html"}
    while waiting:
        chunk = chunks[waiting.pop()]
        if chunk["file"] not in names:
            names |= {chunk["file"], *chunk.get("css", [])}
            waiting += chunk.get("imports", [])
    return [BUILT / name for name in names]
