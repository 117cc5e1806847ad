"""A real browser, and pages in it that remember what went wrong."""

from collections.abc import Callable
from types import TracebackType
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
PATIENCE_MS = 30_000
"""How long a page may take for anything: long enough for a busy machine."""

expect.set_options(timeout=PATIENCE_MS)


class Person:
    """Somebody with a browser profile of their own, who notes every complaint of the pages that they open."""

    def __init__(self, browser: Browser, url: str, **settings: Any) -> None:
        self.url = url
        self.complaints: list[str] = []
        self.context: BrowserContext = browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", **settings})
        self.context.set_default_timeout(PATIENCE_MS)
        self.page = self.tab()

    def tab(self, path: str = "/") -> Page:
        """Open one more tab."""
        page = self.context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(f"{self.url}{path}")
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        # A browser reports every websocket that could not be opened, which is what a killed server looks like.
        if message.type == "error" and "WebSocket" not in message.text:
            self.complaints.append(message.text)

    def __enter__(self) -> "Person":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.context.close()
        if error is None:
            assert self.complaints == []


NewPerson = Callable[..., Person]
