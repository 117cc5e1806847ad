"""Robustness: a broken connection, a draft, a seat in two tabs, and accessibility."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import (
    DESK,
    LEGAL,
    PHONE,
    SCHEMES,
    NewPerson,
    Person,
    barriers,
    create_room,
    open_form,
    wait_until,
)
from held_connection import ControlledConnection
from playwright.sync_api import Locator, Page, expect
from server_process import SEALED_BIDS, ServerProcess

BROKEN = "Connection lost. Reconnecting"
PATCH, SUM = 3, 6
"""The positions of patch and checksum in an `update`."""
CODE = 3
"""The position of the code in a `verdict`."""
EMPTY = ("No open games.", "No matches are running.", "No finished matches yet.")
"""The text of the lobby on a new server."""
MOST_BIDS = 20
FALSE_SCORE = 987
SCREENS = {
    "watch": "Watch matches",
    "matches": "Finished matches",
    "ranking": "Ranking",
    "rules/graph_battle": "Graph Battle",
    "r/0000000": "You cannot enter this room",
}
"""Screens besides the lobby, and their headings."""


def legal(page: Page) -> int:
    return page.locator(LEGAL).count()


def test_a_page_from_before_an_update_says_so_and_offers_to_reload(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    line = ControlledConnection(page)
    line.rewrite(lambda message: ["hello", message[1], [0], *message[3:]] if message[0] == "hello" else None)
    page.reload()
    strip = page.get_by_role("alert")
    expect(strip).to_contain_text(re.compile("server speaks protocol 1, the client 0: update the client"))
    expect(strip.get_by_role("button", name="Reload the page")).to_be_visible()
    assert [message[0] for message in line.said] == ["hello"]  # it does not try again


def test_a_match_continues_after_the_server_is_killed(
    new_site: Callable[..., ServerProcess], person: NewPerson
) -> None:
    site = new_site(*SEALED_BIDS)
    player = person(site)
    page = player.page
    for nothing in EMPTY:
        expect(page.get_by_text(nothing)).to_be_visible()
    create_room(page, "Sealed Bids")
    expect(page.locator(LEGAL).first).to_be_visible()
    site.kill()
    expect(page.get_by_text(BROKEN)).to_be_visible()
    page.locator(LEGAL).first.click()  # played while the server is down
    site.start()
    expect(page.get_by_text(BROKEN)).to_be_hidden()
    expect(page.get_by_role("log", name="Log")).to_contain_text("Committed")


def test_a_reload_leads_back_to_the_seat_in_the_chosen_colours(site: ServerProcess, person: NewPerson) -> None:
    page = person(site, color_scheme="light").page
    create_room(page, "Sealed Bids")
    expect(page.locator(LEGAL).first).to_be_visible()
    colours, paper = page.get_by_role("button", name="Colours"), page.locator("header.top")
    day = paper.evaluate("(each) => getComputedStyle(each).backgroundColor")
    colours.click()
    expect(colours).to_have_accessible_name("Colours: light")
    expect(paper).to_have_css("background-color", day)
    colours.click()
    expect(colours).to_have_accessible_name("Colours: dark")
    expect(paper).not_to_have_css("background-color", day)
    page.reload()
    expect(paper).not_to_have_css("background-color", day)
    colours.click()
    expect(colours).to_have_accessible_name("Colours: same as the system")
    expect(paper).to_have_css("background-color", day)
    expect(page.locator(LEGAL).first).to_be_visible()
    expect(page.get_by_text("watching", exact=True)).to_be_hidden()


def test_a_refused_action_says_why_below_the_board(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.page
    create_room(page, "Sealed Bids")
    expect(page.locator(LEGAL).first).to_be_visible()
    slow = player.context.new_page()
    news = ControlledConnection(slow)
    slow.goto(page.url)
    bid = re.compile("^Bid")
    expect(slow.get_by_role("button", name=bid).first).to_be_visible()
    news.stop()
    page.get_by_role("button", name=bid).first.click()
    expect(page.get_by_role("log", name="Log")).to_contain_text("Resolved")
    slow.get_by_role("button", name=bid).first.click()  # for a decision that is closed by now
    news.go_on()
    expect(slow.locator("[data-board] .refusal")).to_contain_text("The turn token is not that of")


def test_a_match_that_cannot_be_shown_yet_is_waited_for_in_words(site: ServerProcess, person: NewPerson) -> None:
    host = person(site).page
    create_room(host, "Sealed Bids")
    page = person(site).context.new_page()
    line = ControlledConnection(page)
    line.falsify(lambda said: ["error", said[1], "store.unavailable", "not now"] if said[0] == "joined" else None)
    page.goto(host.url)
    said = page.get_by_role("status").get_by_text("cannot show this match right now")
    expect(said).to_be_visible()
    # Screen readers skip content that is marked busy.
    expect(page.locator("[aria-busy=true]")).to_have_count(1)
    expect(page.locator("[aria-busy=true] [role=status]")).to_have_count(0)
    url, code = host.url.split("/r/")
    page.goto(f"{url}/watch")
    row = page.get_by_role("listitem").filter(has=page.locator(f'a[href="#/r/{code}"]'))
    row.get_by_role("button", name="Show here").click()
    expect(said).to_be_visible()
    line.be_true()
    expect(page.locator("[data-board]")).to_be_visible()
    expect(page.get_by_text("cannot show this match right now")).to_be_hidden()


def in_hand(player: Person, game: str, **options: Any) -> tuple[Page, ControlledConnection]:
    """Start a match in a tab with a controlled connection."""
    page = player.context.new_page()
    line = ControlledConnection(page)
    page.goto(player.url)
    create_room(page, game, **options)
    expect(page.locator(LEGAL).first).to_be_visible()
    return page, line


def test_two_tabs_hold_one_seat_and_either_may_act(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    one, line = in_hand(player, "Sealed Bids")
    other = player.context.new_page()
    lines = (line, ControlledConnection(other))
    other.goto(one.url)
    expect(other.locator(LEGAL)).to_have_count(legal(one))
    told = "Resolved"
    for page in (other, one):
        page.get_by_role("button", name=re.compile("^Bid")).and_(page.locator(LEGAL)).first.click()
        for tab in (one, other):
            expect(tab.get_by_role("log", name="Log")).to_contain_text(re.compile(told, re.DOTALL))
        told += ".*Resolved"
    for tab, its_line in zip((one, other), lines, strict=True):
        assert [message[CODE] for message in its_line.heard if message[0] == "verdict"] == [None]
        assert tab.locator(".refusal, .note.bad").count() == 0


def test_an_action_in_one_tab_shows_in_the_other_while_rivals_think(site: ServerProcess, person: NewPerson) -> None:
    player, rival = person(site), person(site).page
    one, other = player.page, player.context.new_page()
    create_room(one, "Sealed Bids", fill=False)
    other.goto(one.url)
    take_a_seat = other.get_by_role("button", name="Take a seat")
    expect(other.get_by_text("(you)")).to_be_visible()
    one.get_by_role("button", name="Leave").click()
    take_a_seat.click()
    expect(other.get_by_text("(you)")).to_be_visible()  # otherwise the other tab may enter first, as a spectator
    one.goto(other.url)
    rival.goto(other.url)
    rival.get_by_role("button", name="Take a seat").click()
    for page in (one, other, rival):
        expect(page.locator(LEGAL).first).to_be_visible()
    one.get_by_role("button", name=re.compile("^Bid")).and_(one.locator(LEGAL)).first.click()
    for tab in (one, other):
        expect(tab.locator(LEGAL)).to_have_count(0)
    expect(rival.locator(LEGAL).first).to_be_visible()
    assert other.locator(".refusal, .note.bad").count() == 0


def test_a_half_composed_order_is_undone_or_outlives_a_broken_line_and_a_reload(
    site: ServerProcess, person: NewPerson
) -> None:
    page, line = in_hand(person(site), "Graph Battle", seating="as joined")
    composed = page.locator("[data-board] [aria-pressed=true]")
    page.locator(f"svg .gb-node:not({LEGAL})").first.click()
    expect(page.locator("[data-board] .refusal")).to_have_text(re.compile("Not yours|strength 2 or more|No enemy"))
    page.locator(f"svg {LEGAL}").first.press("Enter")
    expect(composed).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(composed).to_have_count(0)
    page.locator(f"svg {LEGAL}").first.press("Enter")
    expect(composed).to_have_count(1)
    chosen = composed.get_attribute("aria-label") or ""
    heard = len(line.heard)
    line.cut()
    wait_until(page, lambda: bool({"joined", "resumed"} & {message[0] for message in line.heard[heard:]}))
    expect(page.get_by_text(BROKEN)).to_be_hidden()
    expect(composed).to_have_attribute("aria-label", chosen)
    page.reload()
    expect(composed).to_have_attribute("aria-label", chosen)
    line.stop()
    page.locator("svg .gb-target").first.press("Enter")
    expect(page.locator(LEGAL)).to_have_count(0)  # it has been sent
    line.go_on()
    expect(page.get_by_role("log", name="Log")).to_contain_text("You attacked")


def test_a_half_said_line_and_opened_rules_outlive_a_look_elsewhere(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    create_room(page, "Graph Battle", fill=False)
    log, talk, rules = (page.get_by_role("tab", name=name) for name in ("Log", "Chat", "Rules"))
    half, whole = page.get_by_label("Message"), page.locator(".rules > details")
    log.press("ArrowRight")
    expect(talk).to_be_focused()
    half.fill("half")
    talk.press("ArrowRight")
    whole.get_by_text("Full rules").click()
    expect(whole).to_have_attribute("open", "")
    rules.press("ArrowRight")
    expect(log).to_be_focused()
    expect(whole).to_be_hidden()
    log.press("ArrowLeft")
    expect(whole).to_have_attribute("open", "")
    rules.press("ArrowLeft")
    expect(half).to_have_value("half")


def words(shown: Locator) -> list[str]:
    return re.findall(r"\w+", shown.inner_text())


def test_a_copy_that_drifted_heals(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page, line = in_hand(player, "Sealed Bids")
    other = player.tab(page.url.removeprefix(player.url))

    def another_score(message: Any) -> Any:
        if message[0] != "update" or len(message) <= SUM or message[SUM] is None:
            return None
        return [*message[:PATCH], [*message[PATCH], [["scores", 0], FALSE_SCORE]], *message[PATCH + 1 :]]

    line.falsify_once(another_score)
    bid = page.get_by_role("button", name=re.compile("^Bid"))
    for _ in range(MOST_BIDS):
        if "resync" in [message[0] for message in line.said]:
            break
        before = bid.count()
        bid.first.click()
        expect(bid).not_to_have_count(before)
        expect(bid.first.or_(page.get_by_role("button", name="Rematch"))).to_be_visible()
    assert "resync" in [message[0] for message in line.said]
    expect(page.get_by_text("may be out of date")).to_be_hidden()
    expect(bid.first.or_(page.get_by_role("button", name="Rematch"))).to_be_visible()
    board, true = (tab.locator("[data-board]") for tab in (page, other))
    expect(board).not_to_contain_text(str(FALSE_SCORE))
    wait_until(
        page, lambda: words(board) == words(true)
    )  # in the same order, although one view is whole and one was patched


@pytest.mark.parametrize(
    ("scheme", "viewport"),
    [
        pytest.param("light", DESK, id="light at a desk"),
        pytest.param("dark", PHONE, id="dark on a phone", marks=pytest.mark.long),
    ],
)
def test_every_screen_can_be_used_by_everybody(
    site: ServerProcess, person: NewPerson, scheme: str, viewport: dict[str, int]
) -> None:
    player = person(site, viewport=viewport)
    page = player.page
    expect(page.get_by_role("article").first).to_be_visible()
    complaints = {"lobby": barriers(page, *SCHEMES)}
    for name, title in SCREENS.items():
        page.goto(f"{player.url}/#/{name}")
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.locator(".bone")).to_have_count(0)
        complaints[name] = barriers(page, scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name
    page.goto(f"{player.url}/#/")
    page.get_by_role("button", name="Your name").click()
    expect(page.get_by_role("dialog", name="Your name")).to_be_visible()
    complaints["name"] = barriers(page, scheme)
    page.keyboard.press("Escape")
    open_form(page, "Thardferr")
    complaints["form of a room"] = barriers(page, *SCHEMES)
    page.keyboard.press("Escape")
    create_room(page, "Sealed Bids", fill=False)
    complaints["waiting room"] = barriers(page, scheme)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("button", name="Fill with bots").click()
    expect(page.locator(LEGAL).first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    complaints["match"] = barriers(page, scheme)
    assert {name: found for name, found in complaints.items() if found} == {}
