"""What must not be lost: a match over a broken line, a composed order, a seat in two tabs, a person without a mouse."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import DESK, PHONE, NewPerson
from playwright.sync_api import Page, WebSocketRoute, expect
from server_process import SEALED_BIDS, ServerProcess

BROKEN = "The line is broken. Reconnecting"


def make_room(page: Page, game: str, turn_s: int | None = None) -> None:
    """Create a room by the form, and sit down there."""
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=game, exact=True))
    card.get_by_role("button", name="Create a room…").click()
    dialog = page.get_by_role("dialog")
    players = dialog.get_by_label("players")
    if players.is_visible():
        players.fill("2")
    if turn_s is not None:
        dialog.get_by_label("turn", exact=True).fill(str(turn_s))
    dialog.get_by_role("button", name="Create and sit down").click()
    expect(page.get_by_role("list", name="Seats")).to_be_visible()


def legal(page: Page) -> int:
    return page.locator("[data-legal]").count()


def test_two_people_meet_by_link_play_and_talk(site: ServerProcess, person: NewPerson) -> None:
    ada, bob = person(site), person(site)
    make_room(ada.page, "Sealed Bids", turn_s=600)
    link = ada.page.get_by_label("Link to this room").input_value()
    guest = bob.tab(link.removeprefix(bob.url))
    guest.get_by_role("button", name="Take a seat").click()
    for page in (ada.page, guest):
        expect(page.get_by_role("timer")).to_be_visible()
        page.locator("[data-legal]").first.click()
    expect(ada.page.get_by_role("log", name="What happened")).to_contain_text("resolved")
    guest.get_by_role("tab", name="Talk").click()
    guest.get_by_label("Say something").fill("Well played!")
    guest.get_by_role("button", name="Say").click()
    ada.page.get_by_role("tab", name="Talk").click()
    expect(ada.page.get_by_role("log", name="Conversation")).to_contain_text("Well played!")


def test_a_match_goes_on_after_the_server_was_killed(new_site: Callable[..., ServerProcess], person: NewPerson) -> None:
    site = new_site(*SEALED_BIDS)
    player = person(site)
    page = player.page
    make_room(page, "Sealed Bids", turn_s=600)
    page.get_by_role("button", name="Fill with bots").click()
    expect(page.locator("[data-legal]").first).to_be_visible()
    site.kill()
    expect(page.get_by_text(BROKEN)).to_be_visible()
    page.locator("[data-legal]").first.click()  # played while nobody is there to hear it
    site.start()
    expect(page.get_by_text(BROKEN)).to_be_hidden()
    expect(page.get_by_role("log", name="What happened")).to_contain_text("committed")


def test_a_reload_leads_back_to_the_seat(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    make_room(page, "Sealed Bids", turn_s=600)
    page.get_by_role("button", name="Fill with bots").click()
    expect(page.locator("[data-legal]").first).to_be_visible()
    page.reload()
    expect(page.locator("[data-legal]").first).to_be_visible()
    expect(page.get_by_text("watching", exact=True)).to_be_hidden()


def test_two_tabs_hold_one_seat_and_either_may_act(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    one = player.page
    make_room(one, "Sealed Bids", turn_s=600)
    one.get_by_role("button", name="Fill with bots").click()
    expect(one.locator("[data-legal]").first).to_be_visible()
    other = player.tab(one.url.removeprefix(player.url))
    expect(other.locator("[data-legal]")).to_have_count(legal(one))
    other.get_by_role("button", name=re.compile("^Bid")).first.click()
    for page in (one, other):
        expect(page.get_by_role("log", name="What happened")).to_contain_text("resolved")
    expect(one.locator(".note.bad")).to_have_count(0)


class SlowNews:
    """Keeps back what the server says to one tab, for as long as the test likes."""

    def __init__(self, page: Page) -> None:
        self._kept: list[Callable[[], None]] | None = None
        page.route_web_socket(re.compile("/ws$"), self._connect)

    def stop(self) -> None:
        self._kept = []

    def go_on(self) -> None:
        kept, self._kept = self._kept or [], None
        for tell in kept:
            tell()

    def _connect(self, line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def hear(message: str | bytes) -> None:
            if self._kept is None:
                line.send(message)
            else:
                self._kept.append(lambda: line.send(message))

        server.on_message(hear)


def test_a_refused_action_says_why_below_the_board(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.page
    make_room(page, "Sealed Bids", turn_s=600)
    page.get_by_role("button", name="Fill with bots").click()
    expect(page.locator("[data-legal]").first).to_be_visible()
    slow = player.context.new_page()
    news = SlowNews(slow)
    slow.goto(page.url)
    bid = re.compile("^Bid")
    expect(slow.get_by_role("button", name=bid).first).to_be_visible()
    news.stop()
    page.get_by_role("button", name=bid).first.click()
    expect(page.get_by_role("log", name="What happened")).to_contain_text("resolved")
    slow.get_by_role("button", name=bid).first.click()  # for a decision that has been made meanwhile
    news.go_on()
    expect(slow.locator("[data-board] .refusal")).to_contain_text("The turn token is not that of")


def test_a_match_needs_no_mouse(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    expect(page.get_by_role("article").first).to_be_visible()
    button = (
        page.get_by_role("article")
        .filter(has=page.get_by_role("heading", name="Sealed Bids", exact=True))
        .get_by_role("button", name="Against bots")
    )
    expect(button).to_be_enabled()
    for _ in range(60):
        page.keyboard.press("Tab")
        if button.evaluate("(each) => each === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("[data-legal]").first).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.hasAttribute('data-legal')"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("log", name="What happened")).not_to_contain_text("Nothing has happened yet")


@pytest.mark.parametrize(
    ("scheme", "viewport"),
    [pytest.param("light", DESK, id="light at a desk"), pytest.param("dark", PHONE, id="dark on a phone")],
)
def test_every_screen_can_be_used_by_everybody(
    site: ServerProcess, person: NewPerson, scheme: str, viewport: dict[str, int]
) -> None:
    player = person(site, color_scheme=scheme, viewport=viewport)
    page = player.page
    expect(page.get_by_role("article").first).to_be_visible()
    complaints = {"lobby": serious(page)}
    for name in ("watch", "matches", "ranking", "rules/graph_battle", "r/0000000"):
        page.goto(f"{player.url}/#/{name}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        complaints[name] = serious(page)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name
    page.goto(f"{player.url}/#/")
    make_room(page, "Sealed Bids", turn_s=600)
    complaints["waiting room"] = serious(page)
    page.get_by_role("button", name="Fill with bots").click()
    expect(page.locator("[data-legal]").first).to_be_visible()
    complaints["match"] = serious(page)
    assert {name: found for name, found in complaints.items() if found} == {}


def serious(page: Page) -> list[str]:
    """Return what axe finds that keeps people out."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['target']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
