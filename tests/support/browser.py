"""A real browser, and pages in it that remember what went wrong."""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, WebError, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
HANDHELD = {"is_mobile": True, "has_touch": True}
"""What makes a browser that of a phone: bars for scrolling that take no room, and fingers instead of a mouse."""
FINGER_PX = 40
"""How wide a target has to be for fingers, as the README of the page says."""
PATIENCE_MS = 30_000
"""How long a page may take for anything: long enough for a busy machine."""
CLICK_AGAIN_MS = 2_000
"""A board that is drawn anew under the mouse swallows a click: after so long without an effect people click again."""
POLL_MS = 10

expect.set_options(timeout=PATIENCE_MS)

SCHEMES = ("light", "dark")
FINITE_ANIMATIONS = """Promise.all(
    document.getAnimations()
        .filter((each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity)
        .map((each) => each.finished.catch(() => null)),
)"""
"""Waits until everything has moved that comes to rest; what shows that somebody waits never does."""


def barriers(page: Page, *schemes: str) -> list[str]:
    """Return what keeps people out of a page as it stands, in each of the colour schemes, by the rules of axe."""
    found: list[str] = []
    for scheme in schemes or ("no-preference",):
        page.emulate_media(color_scheme=None if scheme == "no-preference" else scheme)  # type: ignore[arg-type]
        # Colours are measured, so they must have changed: a busy browser is late with that.
        page.evaluate(FINITE_ANIMATIONS)
        found += [
            f"{scheme}: {rule['id']}: {node['target']} {node.get('failureSummary', '')}"
            for rule in Axe().run(page).response["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]
    page.emulate_media(color_scheme=None)
    return found


HOLD = """
    const later = window.setTimeout;
    window.isHeld = false;
    window.setTimeout = (call, ms, ...rest) => (window.isHeld && ms > 0 ? 0 : later(call, ms, ...rest));
"""
"""While time is held, what moves does not come to its end: so no machine is too slow to see it."""


def game_card(page: Page, game: str) -> Locator:
    """Return the card of a game in the lobby."""
    return page.get_by_role("article").filter(has=page.get_by_role("heading", name=game, exact=True))


def open_form(page: Page, game: str) -> Locator:
    """Open the form of a new room, with all that there is to choose, and return it."""
    game_card(page, game).get_by_role("button", name="Create a room…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("summary").last).to_be_visible()
    for summary in dialog.locator("summary").all():
        summary.click()
    return dialog


def create_room(page: Page, game: str, *, fill: bool = True, private: bool = False, **options: str) -> None:
    """Create a room by the form, with as few seats as there can be; *options* are fields as the form calls them."""
    dialog = open_form(page, game)
    if private:
        dialog.get_by_role("checkbox", name=re.compile("^private")).check()
    players = dialog.get_by_label("players", exact=True)
    if players.count():
        players.fill(players.get_attribute("min") or "2")
    for name, value in {"turn": "3600", **options}.items():
        field = dialog.get_by_label(name.replace("_", " "), exact=True)
        if field.evaluate("(each) => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    dialog.get_by_role("button", name="Create and join").click()
    expect(page.get_by_role("list", name="Seats")).to_be_visible()
    if fill:
        page.get_by_role("button", name="Fill with bots").click()
        expect(page.get_by_role("timer")).to_be_visible()


LEGAL = "[data-legal]"
"""What can be played or chosen now, on whichever board; nothing before the page knows, nor while it sends anything."""

_AIM = """([legal, place, rather]) => {
    const all = [...document.querySelectorAll(legal)];
    const target = all.find((each) => rather.includes(each.textContent.trim())) ?? all[place % all.length];
    if (!target) return null;
    if (target.tagName === "SELECT") {
        target.selectedIndex = 1 + (place % (target.options.length - 1));
        target.dispatchEvent(new Event("change", { bubbles: true }));
        return null;
    }
    target.scrollIntoView({ block: "center", behavior: "instant" });
    const box = target.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    const whole = document.documentElement;
    delete whole.dataset.answered;
    const observer = new MutationObserver(() => {
        observer.disconnect();
        whole.dataset.answered = "";
    });
    observer.observe(document.querySelector("[data-board]"), {
        attributes: true, characterData: true, childList: true, subtree: true,
    });
    return { x, y, above: target.contains(hit) ? null : `${hit?.outerHTML} is above ${target.outerHTML}` };
}"""


def click_legal(page: Page, place: int = 0, *, rather: Sequence[str] = ()) -> None:
    """Click something that can be played, as a mouse does, and wait until the board shows that it was clicked.

    *place* counts through all that can be played, over and over; what has one of the texts *rather* comes first. From a
    list something is chosen, as it opens outside of the page.
    Nothing is clicked if nothing can be played any more, as the server may have answered the click before.
    """
    aim = page.evaluate(_AIM, [LEGAL, place, list(rather)])
    if aim is None:
        return
    assert aim["above"] is None, aim["above"]
    page.mouse.click(aim["x"], aim["y"])
    with suppress(PlaywrightTimeoutError):
        page.locator("html[data-answered]").wait_for(state="attached", timeout=CLICK_AGAIN_MS)


_REACH = """(all) => all.map((part) => {
    part.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { x, y, width, height } = part.getBoundingClientRect();
    const target = part.closest("[role=button]");
    const far = (right, down) => {
        for (let px = 1; ; px++) {
            const hit = document.elementFromPoint(x + width / 2 + right * px, y + height / 2 + down * px);
            if (!target.contains(hit)) return px - 1;
        }
    };
    return Math.min(far(1, 0) + far(-1, 0), far(0, 1) + far(0, -1)) + 1;
})"""


def reach(parts: Locator) -> list[int]:
    """Return how many pixels of each target lie in a row through the middle of a part of it, across or down."""
    found: list[int] = parts.evaluate_all(_REACH)
    return found


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds that a test learns from the events of a page; they come in while it waits."""
    deadline_s = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < deadline_s, "it did not happen"
        page.wait_for_timeout(POLL_MS)


def give_up(page: Page) -> None:
    """Resign, unless the match is over already."""
    over = page.get_by_role("button", name="Rematch")
    resign = page.get_by_role("button", name="Resign…")
    expect(over.or_(resign).first).to_be_visible()
    if resign.is_visible():
        resign.click()
        page.get_by_role("button", name="Yes, resign").click()
    expect(over).to_be_visible()


NO_LINE = "failed: Error in connection establishment"
"""What a browser reports of every websocket that it could not open: that is what a killed server looks like."""


class Person:
    """Somebody with a browser profile of their own, who notes every complaint of the pages that they open.

    That a line cannot be opened is none once *is_cut*.
    """

    def __init__(
        self, browser: Browser, url: str, *, is_cut: Callable[[], bool] = lambda: False, **settings: Any
    ) -> None:
        self.url = url
        self.complaints: list[str] = []
        self._is_cut = is_cut
        device = HANDHELD if settings.get("viewport") == PHONE else {}
        chosen = {"viewport": DESK, "reduced_motion": "reduce", **device, **settings}
        self.context: BrowserContext = browser.new_context(**chosen)
        self.context.set_default_timeout(PATIENCE_MS)
        # On the context, so that a page that a test opens by itself is heard as well.
        self.context.on("console", self._hear)
        self.context.on("weberror", self._note)
        self.page = self.tab()

    def tab(self, path: str = "/") -> Page:
        """Open one more tab."""
        page = self.context.new_page()
        page.goto(f"{self.url}{path}")
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        # A browser asks for a picture of whatever is no page and names none, such as the answer to a program.
        is_usual = message.location["url"].endswith("/favicon.ico") or (self._is_cut() and NO_LINE in message.text)
        if message.type == "error" and not is_usual:
            self.complaints.append(f"{message.text} ({message.location['url']})")

    def _note(self, failure: WebError) -> None:
        self.complaints.append(str(failure.error))

    def __enter__(self) -> "Person":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.context.close()
        if error is None:
            assert self.complaints == [], self.complaints


NewPerson = Callable[..., Person]
