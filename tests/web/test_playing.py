"""Playing in a real browser, by clicks and keys, against bots and against each other."""

from browser import PHONE, NewPerson, Person
from playwright.sync_api import Page, expect
from server_process import ServerProcess


def against_bots(player: Person, game: str) -> Page:
    """Begin a match against bots, with one click."""
    card = player.page.get_by_role("article").filter(has=player.page.get_by_role("heading", name=game, exact=True))
    card.get_by_role("button", name="Against bots").click()
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
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
