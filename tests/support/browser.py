"""A real browser, and pages that record their errors."""

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
"""Browser options of a phone: overlay scroll bars, and touch instead of a mouse."""
FINGER_PX = 40
"""The minimum width of a touch target, by the README of the page."""
PATIENCE_MS = 30_000
"""Timeout of a page, long enough for a busy machine."""
CLICK_AGAIN_MS = 2_000
"""Delay before another click, in case the board was redrawn under the mouse and swallowed the first."""
POLL_MS = 10

expect.set_options(timeout=PATIENCE_MS)

SCHEMES = ("light", "dark")
FINITE_ANIMATIONS = """Promise.all(
    document.getAnimations()
        .filter((each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity)
        .map((each) => each.finished.catch(() => null)),
)"""
"""Waits until all finite animations are over; waiting indicators never end."""


def barriers(page: Page, *schemes: str) -> list[str]:
    """Return the accessibility violations of a page, in each colour scheme, by the rules of axe."""
    found: list[str] = []
    for scheme in schemes or ("no-preference",):
        page.emulate_media(color_scheme=None if scheme == "no-preference" else scheme)  # type: ignore[arg-type]
        # Colours are measured, so the change must be complete; a busy browser is late.
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
"""While time is held, animations do not end, so that slow machines can see them."""


def game_card(page: Page, game: str) -> Locator:
    """Return the card of a game in the lobby."""
    return page.get_by_role("article").filter(has=page.get_by_role("heading", name=game, exact=True))


def open_form(page: Page, game: str) -> Locator:
    """Open the form of a new room with all sections, and return it."""
    game_card(page, game).get_by_role("button", name="Create a room…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("summary").last).to_be_visible()
    for summary in dialog.locator("summary").all():
        summary.click()
    return dialog


def create_room(page: Page, game: str, *, fill: bool = True, private: bool = False, **options: str) -> None:
    """Create a room with the form, with the fewest possible seats; *options* are fields by their labels."""
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
"""The targets that can be played or chosen now, on any board; none while the page loads or sends."""

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
    """Return the size in pixels of each target, in a row or column through its middle."""
    found: list[int] = parts.evaluate_all(_REACH)
    return found


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for a condition that depends on events of a page, which arrive while it waits."""
    deadline_s = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < deadline_s, "it did not happen"
        page.wait_for_timeout(POLL_MS)


def give_up(page: Page) -> None:
    """Resign, unless the match is over."""
    over = page.get_by_role("button", name="Rematch")
    resign = page.get_by_role("button", name="Resign…")
    expect(over.or_(resign).first).to_be_visible()
    if resign.is_visible():
        resign.click()
        page.get_by_role("button", name="Yes, resign").click()
    expect(over).to_be_visible()


NO_LINE = "failed: Error in connection establishment"
"""A browser reports every failed websocket, for example when a server was killed."""


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
        # On the context, so that pages opened by a test are recorded too.
        self.context.on("console", self._hear)
        self.context.on("weberror", self._note)
        self.page = self.tab()

    def tab(self, path: str = "/") -> Page:
        """Open another tab."""
        page = self.context.new_page()
        page.goto(f"{self.url}{path}")
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        # A browser requests an icon for every document that names none, such as a JSON answer.
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
