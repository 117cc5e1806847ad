"""The system's Chromium, driven by Playwright: for tests, benchmarks and screenshots."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--mute-audio",
    "--host-resolver-rules=MAP warroom.test 127.0.0.1",
)
FROM_AFAR = "warroom.test"
"""A name of this machine that the browser treats as remote: over plain http it trusts such a page less."""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


class NoBrowserError(Exception):
    """There is no Chromium on this machine; the text says what to install."""


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Run the system's Chromium."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise NoBrowserError("Chromium is needed: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
