"""Playing in a real browser, by clicks and keys, against bots and against each other."""

from browser import PHONE, NewPerson, Person, game_card
from playwright.sync_api import Page, expect
from server_process import ServerProcess


def against_bots(player: Person, game: str) -> Page:
    """Begin a match against bots, with one click."""
    game_card(player.page, game).get_by_role("button", name="Against bots").click()
    expect(player.page.get_by_role("timer")).to_be_visible()
    return player.page


def test_one_click_leads_into_a_match(site: ServerProcess, person: NewPerson) -> None:
    page = against_bots(person(site), "Graph Battle")
    expect(page.get_by_role("heading", level=1)).to_have_text("Graph Battle")
    expect(page.get_by_role("list", name="Seats").get_by_role("listitem")).to_have_count(5)
    expect(page.locator("[data-board=graph_battle]")).to_contain_text("Round 1 of 100")


def test_the_lobby_fits_a_phone(site: ServerProcess, person: NewPerson) -> None:
    page = person(site, viewport=PHONE).page
    expect(page.get_by_role("article")).to_have_count(6)
    expect(page.locator("article .picture svg")).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_match_can_be_watched_by_its_link(site: ServerProcess, person: NewPerson) -> None:
    page = against_bots(person(site), "Graph Battle")
    stranger = person(site)
    seen = stranger.tab(page.url.removeprefix(stranger.url))
    expect(seen.get_by_text("watching", exact=True)).to_be_visible()
    expect(seen.locator("[data-board=graph_battle]")).not_to_be_empty()
    expect(page.get_by_text("1 watching")).to_be_visible()


def test_nothing_jumps_while_the_lobby_comes(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.context.new_page()
    page.add_init_script(
        """window.moved = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.moved += entry.value; }))
            .observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto(player.url)
    expect(page.get_by_role("article")).to_have_count(6)
    expect(page.get_by_role("heading", name="Recently played")).to_be_visible()
    expect(page.locator(".bone")).to_have_count(0)  # where something is still to come, it has yet to move the rest
    page.wait_for_load_state("networkidle")
    assert page.evaluate("moved") < 0.05
