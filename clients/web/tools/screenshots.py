"""Take the screenshots for the documents: `./dev screenshots`, with names only those.

Each shows a real match against bots on a new server, so no two runs give the same pictures.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from chromium import open_browser
from playwright.sync_api import Browser, Locator, Page, TimeoutError

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from benchmarks.processes import running_server  # noqa: E402 - lies beside the page, in no package

TARGET = ROOT / "docs" / "screenshots"
DESK = {"width": 1280, "height": 800}
TALL = {"width": 1280, "height": 1400}
PHONE = {"width": 390, "height": 844}
HANDHELD = {"is_mobile": True, "has_touch": True}
"""Browser options of a phone."""
GAMES = {
    "graph_battle": "Graph Battle",
    "strata": "Strata",
    "thardferr": "Thardferr",
    "tile_blitz": "Tile Blitz",
    "timberwall": "Timberwall",
}
EXAMPLES = {"connect_four": "Connect Four", "liars_dice": "Liar's Dice"}
"""Games of docs/examples, which a server does not host by itself."""
EXAMPLE_FLAGS = [word for game in EXAMPLES for word in ("--game", f"{game}.rules:GAME")]
NAMES = GAMES | EXAMPLES
MOVES = {"tile_blitz": 5, "connect_four": 5, "liars_dice": 7}
USUAL_MOVES = 12
"""Moves before a screenshot; fewer in a game that random clicks soon lose."""
LEGAL = "[data-legal]:not(.th-raze, select)"
"""Click targets: everything legal, except demolition, and lists, which would only open."""
TRIES = 8
"""Maximum number of matches until one has a player who is still in the game."""
TURN_S = 300
"""Turn time: enough for a busy machine, so that the clock never plays."""
PATIENCE_MS = 4000
TURNS_OF_OTHERS_MS = 15_000


def lobby(page: Page) -> None:
    """Wait for the games."""
    page.wait_for_selector("article h2")
    page.wait_for_timeout(500)


def match(game: str) -> Callable[[Page], None]:
    """Return a function that plays a while against bots with random legal clicks, and restarts after a defeat."""

    def play(page: Page) -> None:
        for _ in range(TRIES):
            begin(page, NAMES[game])
            play_on(page, MOVES.get(game, USUAL_MOVES))
            if is_playing(page):
                page.evaluate("scrollTo(0, 0)")
                return
            page.evaluate("location.hash = '#/'")  # a phone shows no navigation in a match
        raise SystemExit(f"{NAMES[game]}: the player lost all {TRIES} matches; run it again")

    return play


def play_on(page: Page, moves: int) -> None:
    """Click *moves* times, or until nothing is left to click."""
    for _ in range(moves):
        if not step(page):
            break
    page.wait_for_timeout(1500)


def is_playing(page: Page) -> bool:
    """Whether the player is still in the match and could resign; on a phone a menu may hide the button."""
    return page.get_by_role("button", name="Resign…", include_hidden=True).count() > 0


def replay(page: Page) -> None:
    """Show a finished match shortly before its end."""
    match("strata")(page)
    page.get_by_role("button", name="Resign…").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("link", name="Replay").click()
    page.get_by_text("✓ verified").wait_for()
    page.get_by_role("button", name="Last step").click()
    page.get_by_role("button", name="Previous step").click()
    page.wait_for_timeout(800)


def inspector(page: Page) -> None:
    """Play some random moves of a local match, and show what the last one changed."""
    page.goto(f"{page.url.split('#')[0]}debug#/x/tile_blitz/inspect")
    page.get_by_role("button", name="10 random moves").click()
    page.get_by_text("Step 10 of 10").wait_for()


def card(page: Page, name: str) -> Locator:
    """Return the card of a game in the lobby."""
    lobby(page)
    return page.get_by_role("article").filter(has=page.get_by_role("heading", name=name, exact=True))


def begin(page: Page, name: str) -> None:
    """Start a match against bots with long turns."""
    card(page, name).get_by_role("button", name="Create a room…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("turn", exact=True).fill(str(TURN_S))
    dialog.get_by_role("checkbox", name="fill with bots").check()
    dialog.get_by_role("button", name="Create and join").click()
    page.wait_for_selector("[data-board] :is(svg, button, table)")


def step(page: Page) -> bool:
    """Click a legal target; return False if there is none, because the player is out or the match is over."""
    legal = page.locator(LEGAL)
    over = page.get_by_role("button", name="Rematch")
    try:
        legal.or_(over).first.wait_for(timeout=TURNS_OF_OTHERS_MS)
        if over.is_visible():
            return False
        legal.nth(legal.count() // 2).click(timeout=PATIENCE_MS)
    except TimeoutError as error:
        print(f"  no click: {str(error).splitlines()[0]}")
        return legal.count() > 0  # the board was redrawn under the mouse; the next click works
    return True


Shots: TypeAlias = dict[str, tuple[dict[str, int], str, Callable[[Page], None]]]
EXAMPLE_SHOTS: Shots = {
    "connect_four": (DESK, "light", match("connect_four")),
    "connect_four-phone": (PHONE, "dark", match("connect_four")),
    "liars_dice": (DESK, "dark", match("liars_dice")),
    "liars_dice-phone": (PHONE, "light", match("liars_dice")),
}
# The lobby last, when its lists have entries.
SHOTS: Shots = {
    **{game: (DESK, "light", match(game)) for game in GAMES},
    "tile_blitz-phone": (PHONE, "dark", match("tile_blitz")),
    "replay": (DESK, "light", replay),
    "inspector": (TALL, "light", inspector),
    "lobby": (DESK, "light", lobby),
    "lobby-dark": (DESK, "dark", lobby),
    "lobby-phone": (PHONE, "light", lobby),
}


def take(browser: Browser, url: str, name: str) -> None:
    """Take one screenshot."""
    viewport, scheme, prepare = (SHOTS | EXAMPLE_SHOTS)[name]
    device: dict[str, Any] = HANDHELD if viewport == PHONE else {}
    context = browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce", **device)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script("localStorage.setItem('warroom.name', 'Ada')")
    page.goto(url)
    prepare(page)
    page.screenshot(path=TARGET / f"{name}.png")
    context.close()
    print(f"docs/screenshots/{name}.png")


def main(names: list[str]) -> int:
    """Take all screenshots, or the named ones."""
    known = SHOTS | EXAMPLE_SHOTS
    if unknown := set(names) - known.keys():
        print(f"unknown screenshots: {', '.join(sorted(unknown))}; choose from {', '.join(known)}", file=sys.stderr)
        return 2
    TARGET.mkdir(parents=True, exist_ok=True)
    for shots, flags in ((EXAMPLE_SHOTS, EXAMPLE_FLAGS), (SHOTS, ["--debug"])):
        if wanted := [name for name in names or shots if name in shots]:
            take_all(wanted, flags)
    return 0


def take_all(names: list[str], flags: list[str]) -> None:
    """Take some screenshots with one server."""
    path = {"PYTHONPATH": str(ROOT / "docs" / "examples")}
    with running_server("--bot-think", "0.1-0.3", *flags, environment=path) as server, open_browser() as browser:
        for name in names:
            take(browser, f"http://127.0.0.1:{server.port}/", name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
