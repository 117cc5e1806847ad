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


def finish_by_resigning(player: Person, game: str) -> Page:
    """Play a little against a bot and give up."""
    page = against_bots(player, game)
    page.get_by_role("button", name="Resign…").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    return page


def test_a_finished_match_is_replayed_and_proves_what_was_played(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = finish_by_resigning(player, "Strata")
    page.get_by_role("link", name="Replay").click()
    seal = page.locator(".seal summary")
    expect(seal).to_have_text("✓ sealed")
    seal.click()
    expect(page.get_by_text("are those that this browser was shown during the match")).to_be_visible()
    seal.click()
    timeline = page.get_by_role("region", name="Timeline")
    expect(timeline).to_contain_text("Step 0 of")
    timeline.get_by_role("button", name="To the end").click()
    last = page.get_by_role("slider", name="Moment of the match").input_value()
    assert int(last) > 0
    timeline.get_by_role("button", name="One step back").click()
    expect(timeline).to_contain_text(f"Step {int(last) - 1} of {last}")
    stranger = person(site)
    shared = stranger.tab(f"/#/replay/{page.url.split('/replay/')[1].split('?')[0]}?step=1")
    expect(shared.get_by_role("region", name="Timeline")).to_contain_text(f"Step 1 of {last}")
    expect(shared.locator(".seal summary")).to_have_text("✓ sealed")


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
    page.wait_for_load_state("networkidle")
    assert page.evaluate("moved") < 0.05
