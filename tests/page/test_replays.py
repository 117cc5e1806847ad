"""A finished match: timeline, views, link, files, and verification."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from browser import LEGAL, SCHEMES, NewPerson, Person, barriers, create_room, give_up
from held_connection import ControlledConnection
from playwright.sync_api import Browser, Locator, Page, Route, expect
from server_process import ServerProcess

from warroom_client import Client, Ended
from warroom_server.cli import main

AT_THE_END = re.compile(r"Step ([1-9]\d*) of \1 ")
"""The text of the timeline."""
IS_TAKEN = "(held) => !dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', cancelable: true, ...held }))"
"""Whether the page handles a key that is pressed with modifiers."""
VIEW = 3
"""The position of the view in a `replay` request."""


def refs(line: ControlledConnection, *views: str) -> set[int]:
    """Return the refs of requests for views of a match."""
    return {said[1] for said in line.said if said[0] == "replay" and said[VIEW] in views}


def refuse(line: ControlledConnection, *views: str, code: str = "replay.unknown") -> None:
    """Refuse views of a match from now on."""

    def refused(told: Any) -> Any:
        is_meant = told[0] == "replay" and told[1] in refs(line, *views)
        return ["error", told[1], code, "not today"] if is_meant else None

    line.falsify(refused)


def finished(page: Page) -> Locator:
    """Play a little, resign, open the replay, and return its timeline."""
    create_room(page, "Timberwall", delay="0", seating="as joined")
    passing, clock = page.get_by_role("button", name="Pass", exact=True), page.get_by_role("timer")
    expect(passing).to_be_visible()
    begun = int(clock.inner_text().split()[1])  # the first seat is random
    passing.click()
    expect(clock).to_contain_text(f"Turn {begun + 2}")
    give_up(page)
    page.get_by_role("link", name="Replay").click()
    return page.get_by_role("region", name="Timeline")


def step_through(page: Page, timeline: Locator) -> int:
    """Go to the end and back, by buttons, by keyboard and by playing; return the number of steps."""
    expect(timeline).to_contain_text("Step 0 of")
    timeline.get_by_role("button", name="Last step").click()
    expect(timeline).to_contain_text(AT_THE_END)
    last = int(page.get_by_role("slider", name="Step of the match").input_value())
    assert last > 1
    timeline.get_by_role("button", name="Previous step").click()
    expect(timeline).to_contain_text(f"Step {last - 1} of {last}")

    assert page.evaluate(IS_TAKEN, {})
    expect(timeline).to_contain_text(f"Step {last} of {last}")
    for key in ("altKey", "ctrlKey", "metaKey", "shiftKey"):
        assert not page.evaluate(IS_TAKEN, {key: True}), key

    timeline.get_by_role("button", name="First step").click()
    timeline.get_by_label("speed").select_option("8")
    timeline.get_by_role("button", name="Play", exact=True).click()
    expect(timeline).to_contain_text(f"Step {last} of {last}")
    expect(timeline.get_by_role("button", name="Play", exact=True)).to_be_visible()
    return last


def assert_downloads_prove_it(page: Page, folder: Path) -> None:
    """Download both files, and verify the match with the complete one."""
    code = page.url.split("/replay/")[1]
    for link, suffix in (("this view", "warview"), ("full match", "warroom")):
        with page.expect_download() as coming:
            page.get_by_role("link", name=link).click()
        assert coming.value.suggested_filename == f"{code}.{suffix}"
        coming.value.save_as(folder / suffix)
    chain = (page.locator(".hashes dd").last.text_content() or "").strip()
    assert main(["verify", str(folder / "warroom"), "--chain", chain]) == 0
    assert main(["verify", str(folder / "warroom"), "--chain", "00" * 32]) == 1
    assert (folder / "warview").read_bytes().startswith(b"WARVIEW")


def test_a_finished_match_is_replayed_and_proves_what_was_played(
    site: ServerProcess, person: NewPerson, tmp_path: Path
) -> None:
    player = person(site, accept_downloads=True, permissions=["clipboard-read", "clipboard-write"])
    page = player.page
    timeline = finished(page)
    seal = page.locator(".seal summary")
    expect(seal).to_have_text("✓ verified")
    seal.click()
    expect(page.get_by_text("match those this browser saw during the match")).to_be_visible()
    expect(page.get_by_text("states that the server sent")).to_be_visible()
    assert barriers(page, *SCHEMES) == []
    seal.click()

    last = step_through(page, timeline)
    page.get_by_label("view as").select_option("my seat")
    expect(page.get_by_role("list", name="Result")).to_contain_text("(you)")
    expect(seal).to_have_text("✓ verified")

    assert_downloads_prove_it(page, tmp_path)
    page.get_by_label("view as").select_option("everybody")
    expect(page.get_by_role("list", name="Result")).not_to_contain_text("(you)")
    timeline.get_by_role("slider").fill("1")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    shared = page.evaluate("navigator.clipboard.readText()")
    assert shared == page.get_by_label("Link to this step").input_value()
    seen = person(site).tab(shared.removeprefix(player.url))
    expect(seen.get_by_role("region", name="Timeline")).to_contain_text(f"Step 1 of {last}")
    expect(seen.locator(".seal summary")).to_have_text("✓ verified")
    # The link and its button are in one row, also for visitors who opened the page with it.
    tops = [box["y"] for box in map(Locator.bounding_box, seen.locator(".code-form > *").all()) if box]
    assert len(tops) == 2
    assert len(set(tops)) == 1
    # Spectators have no own view; that is known before the verification.
    expect(seen.get_by_label("view as").locator("option")).to_have_text(["everybody"])
    seen.locator(".seal summary").click()
    expect(seen.get_by_text("The server replayed the match by the rules and accepts it.")).to_be_visible()
    with seen.expect_popup() as coming:
        seen.get_by_role("link", name="Server report (JSON)").click()
    assert json.loads(coming.value.locator("pre").inner_text())["accepted"] is True


def test_a_replay_jumps_to_its_turning_points(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, "Graph Battle")
    expect(page.locator(LEGAL).first).to_be_visible()
    give_up(page)
    page.get_by_role("link", name="Replay").click()
    points = page.get_by_label("Key moments")
    expect(points.locator("option")).not_to_have_count(1)
    where = points.locator("option").nth(1).get_attribute("value") or ""
    points.select_option(where)
    expect(page.get_by_role("region", name="Timeline")).to_contain_text(f"Step {where} of")


def abandoned(site: ServerProcess) -> str:
    """Let Ada miss her first turn and a bot play the rest of the match; return the room's code."""
    options = {"turn_ms": 1500, "timeouts": 1, "seating": "as_joined"}

    async def play() -> str:
        async with Client(site.url, name="Ada") as ada:
            created = await ada.create("graph_battle", seats=2, options={"max_rounds": 4}, room_options=options)
            room = await ada.join(created.code)
            await room.fill()
            async for event in room:
                if isinstance(event, Ended):
                    break
            return created.code

    # Playwright has its own loop in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        code = elsewhere.submit(asyncio.run, play()).result()
    site.await_replay(code)
    return code


def test_the_log_says_where_the_clock_and_a_stand_in_acted(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).tab(f"/#/replay/{abandoned(site)}")
    log, timeline = page.get_by_role("log"), page.get_by_role("region", name="Timeline")
    timeline.get_by_role("button", name="Next step").click()
    expect(log).to_contain_text("(clock acted for Ada)")
    expect(log).not_to_contain_text("stand-in")
    timeline.get_by_role("button", name="Last step").click()
    expect(log).to_contain_text("(stand-in acted for Ada)")
    assert barriers(page, *SCHEMES) == []


@dataclass(frozen=True)
class Bid:
    """A match that a player resigned after one hidden bid."""

    path: str
    """The address of its replay."""
    kept: Any
    """The storage of that player's browser."""

    def watched_by(self, player: Person) -> tuple[Page, ControlledConnection]:
        """Open the replay in a tab with a controlled connection."""
        page = player.context.new_page()
        line = ControlledConnection(page)
        page.goto(f"{player.url}{self.path}")
        expect(page.get_by_role("region", name="Timeline")).to_be_visible()
        return page, line


@pytest.fixture(scope="module")
def bid(site: ServerProcess, browser: Browser) -> Bid:
    with Person(browser, f"http://127.0.0.1:{site.port}") as player:
        page = player.page
        create_room(page, "Sealed Bids")
        page.locator(LEGAL).first.click()
        expect(page.get_by_role("log", name="Log")).to_contain_text("Resolved")
        give_up(page)
        page.get_by_role("link", name="Replay").click()
        expect(page.get_by_role("region", name="Timeline")).to_be_visible()
        return Bid(page.url.removeprefix(player.url), player.context.storage_state())


def test_the_own_hand_is_seen_with_the_own_eyes_alone(site: ServerProcess, person: NewPerson, bid: Bid) -> None:
    page, line = bid.watched_by(person(site, storage_state=bid.kept))
    board, seal = page.locator("[data-board]"), page.locator(".seal summary")
    expect(board).to_contain_text("scores")
    expect(board).not_to_contain_text("hand")
    expect(seal).to_have_text("✓ verified")
    page.get_by_label("view as").select_option("my seat")
    expect(board).to_contain_text("hand")
    expect(seal).to_have_text("✓ verified")
    page.get_by_label("view as").select_option("everybody")
    expect(board).not_to_contain_text("hand")
    files = [told for told in line.heard if told[0] == "replay" and told[1] in refs(line, "all")]
    assert len(files) == 1  # the verification belongs to the match, whatever the view


def test_a_failed_verification_differs_from_a_missing_one(site: ServerProcess, person: NewPerson, bid: Bid) -> None:
    page, line = bid.watched_by(person(site, storage_state=bid.kept))
    seal = page.locator(".seal summary")
    refuse(line, "all")
    page.reload()
    expect(seal).to_have_text("not verified")
    seal.click()
    expect(page.get_by_text("Not today.")).to_be_visible()
    assert barriers(page, *SCHEMES) == []
    line.be_true()
    page.get_by_role("button", name="Try again").click()
    expect(seal).to_have_text("✓ verified")

    def with_another_state(route: Route) -> None:
        found = route.fetch().json()
        found["states"][0] = "00" * 32
        route.fulfill(json=found)

    page.route("**/verify", with_another_state)
    page.reload()
    expect(seal).to_have_text("✗ verification failed")
    seal.click()
    expect(page.get_by_text("The chain breaks at entry 1.")).to_be_visible()


def test_the_position_is_kept_across_views_and_spectators_get_the_public_one(
    site: ServerProcess, person: NewPerson, bid: Bid
) -> None:
    page, line = bid.watched_by(person(site, storage_state=bid.kept))
    timeline, board = page.get_by_role("region", name="Timeline"), page.locator("[data-board]")
    expect(timeline).to_contain_text("Step 0 of")
    expect(page.get_by_label("view as").locator("option")).to_have_count(2)
    line.stop()
    page.get_by_label("view as").select_option("my seat")
    timeline.get_by_role("button", name="Last step").click()
    expect(timeline).to_contain_text(AT_THE_END)
    expect(board).not_to_contain_text("hand")
    line.go_on()
    expect(board).to_contain_text("hand")
    expect(timeline).to_contain_text(AT_THE_END)

    link = page.get_by_label("Link to this step").input_value()
    assert "view=own" in link
    stranger = person(site)
    seen = stranger.tab(link.removeprefix(stranger.url))
    expect(seen.get_by_role("status").filter(has_text="You see the public view.")).to_be_visible()
    expect(seen.locator("[data-board]")).to_contain_text("scores")
    expect(seen.locator("[data-board]")).not_to_contain_text("hand")
    expect(seen.get_by_label("view as").locator("option")).to_have_text(["everybody"])
    assert "view=own" not in seen.get_by_label("Link to this step").input_value()


def test_eyes_that_do_not_come_take_nothing_away_and_are_asked_for_again(
    site: ServerProcess, person: NewPerson, bid: Bid
) -> None:
    page, line = bid.watched_by(person(site, storage_state=bid.kept))
    timeline, board = page.get_by_role("region", name="Timeline"), page.locator("[data-board]")
    eyes, title = page.get_by_label("view as"), page.get_by_role("heading", level=1)
    timeline.get_by_role("button", name="Last step").click()
    expect(eyes.locator("option")).to_have_count(2)
    refuse(line, "own")
    eyes.select_option("my seat")
    trouble = page.get_by_role("status").filter(has_text="Your view could not be loaded. Not today.")
    expect(trouble).to_be_visible()
    expect(eyes).to_have_value("public")
    expect(timeline).to_contain_text(AT_THE_END)
    assert barriers(page, *SCHEMES) == []
    line.be_true()
    line.stop()
    again = trouble.get_by_role("button", name="Try again")
    again.click()
    expect(again).to_have_attribute("aria-disabled", "true")
    expect(again).to_be_focused()
    line.go_on()
    expect(board).to_contain_text("hand")
    expect(trouble).to_be_hidden()
    expect(timeline).to_contain_text(AT_THE_END)

    link = page.get_by_label("Link to this step").input_value()
    refuse(line, "own", code="store.unavailable")
    page.goto(link)
    page.reload()
    expect(page.get_by_role("status").get_by_text("cannot show this match right now")).to_be_visible()
    refuse(line, "own")
    expect(title).to_have_text("Replay not available")
    page.get_by_role("button", name="Public view").click()
    expect(board).to_contain_text("scores")
    expect(board).not_to_contain_text("hand")

    first = re.sub(r"step=\d+", "step=0", link)
    page.goto(first)
    expect(title).to_have_text("Replay not available")
    refuse(line, "own", code="replay.running")
    page.get_by_role("button", name="Try again").click()
    expect(title).to_have_text("The replay is not ready yet")
    line.be_true()
    line.stop()
    page.goto(link)
    expect(title).to_be_hidden()  # the server has not said yet that it is too early
    line.go_on()
    expect(board).to_contain_text("hand")
    expect(timeline).to_contain_text(AT_THE_END)
