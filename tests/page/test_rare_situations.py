"""Rare situations: all kinds of actions on the generic board, an eliminated player, a wall by clicks."""

import re
from collections.abc import Iterator

import pytest
from browser import FINGER_PX, LEGAL, PHONE, SCHEMES, NewPerson, barriers, create_room, game_card, reach
from held_connection import ControlledConnection
from playwright.sync_api import Locator, Page, expect
from server_process import ServerProcess

GAMES = ("ferries_game:GAME", "late_games:AFTER_A_CONQUEST", "late_games:WITH_WOOD")
BOTS = 12
"""The position of a game's bots in the server's list."""
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))
MIDDLE = """(each) => {
    each.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
}"""


@pytest.fixture(scope="module")
def odd_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server with bots, whose games start in rare positions."""
    flags = [flag for game in GAMES for flag in ("--game", game)]
    running = ServerProcess(tmp_path_factory.mktemp("odd_site"), *flags, bots=True)
    try:
        running.start()
        yield running
    finally:
        running.close()


def log_of(page: Page) -> Locator:
    return page.get_by_role("log", name="Log")


def click_edge(edge: Locator) -> None:
    """Click the middle of an edge with the mouse; Playwright considers a line without width invisible."""
    edge.page.mouse.click(*edge.evaluate(MIDDLE))


def test_any_game_is_played_on_a_drawn_graph_by_choices_and_by_a_form(
    odd_site: ServerProcess, person: NewPerson
) -> None:
    player = person(odd_site)
    page = player.context.new_page()
    line = ControlledConnection(page)
    page.goto(player.url)
    create_room(page, "Ferries", seating="as joined")
    graph = page.locator(".drawing.graph")
    lit, refusal = graph.locator(LEGAL), page.locator("[data-board] .refusal")
    expect(lit).to_have_count(1)  # the ferry
    expect(graph.locator(".spot")).to_have_count(5)
    expect(graph.locator("line")).to_have_count(5)
    lit.click()
    expect(lit).to_have_count(2)  # its targets
    graph.get_by_role("button", name="Undo").click()
    expect(lit).to_have_count(1)
    lit.press("Enter")
    graph.get_by_role("button", name=re.compile("^place 4")).press("Enter")
    expect(refusal).to_have_text("Place 4 cannot be chosen now.")
    expect(lit).to_have_count(2)
    page.get_by_text("More actions").click()
    form = page.locator("form.chooser").filter(has=page.get_by_role("button", name="Play"))
    form.get_by_label("action").select_option("charge")
    expect(lit).to_have_count(2)  # a choice in one place keeps the others
    line.stop()
    graph.get_by_role("button", name=re.compile("^place 2,")).press("Enter")
    expect(lit).to_have_count(0)
    form.get_by_label("fare").fill("255")
    line.go_on()
    expect(log_of(page)).to_contain_text("sailed · to 2")
    expect(refusal).to_have_count(0)
    expect(form.get_by_label("fare")).to_have_value("255")  # although an order was being sent

    load = page.locator("form.chooser").filter(has=page.get_by_role("button", name="Load"))
    send = load.get_by_role("button", name="Load")
    expect(send).to_be_disabled()
    islands, crates = load.get_by_role("group", name="island"), load.get_by_role("group", name="crates")
    expect(islands.get_by_role("button")).to_have_text(["00 coins", "12 coins", "23 coins", "34 coins", "45 coins"])
    islands.get_by_role("button", name="1 2 coins").click()
    expect(crates.get_by_role("button")).to_have_text(["1", "2"])
    crates.get_by_role("button", name="2").click()
    expect(send).to_have_accessible_name("Load: island 1, crates 2 2 coins")  # the price of island 1
    islands.get_by_role("button", name="3 4 coins").click()  # drops the choices for another island
    expect(send).to_be_disabled()
    crates.get_by_role("button", name="4").click()
    send.click()
    expect(log_of(page)).to_contain_text("loaded · island 3, crates 4")
    expect(graph.get_by_role("button", name=re.compile("^place 3, 4"))).to_be_visible()

    form.get_by_role("button", name="Play").click()
    expect(refusal).to_have_text("A fare ends with 0.")
    assert barriers(page, *SCHEMES) == []
    expect(form.get_by_label("fare")).to_have_value("255")
    form.get_by_label("fare").fill("250")
    form.get_by_role("button", name="Play").click()
    expect(log_of(page)).to_contain_text("charged · fare 250")
    expect(page.get_by_role("region", name="The table")).to_contain_text("250")


def test_missing_bots_are_reported(odd_site: ServerProcess, person: NewPerson) -> None:
    player = person(odd_site)
    page = player.context.new_page()
    line = ControlledConnection(page)
    line.falsify(lambda said: [*said[:2], [game[:BOTS] for game in said[2]], *said[3:]] if said[0] == "games" else None)
    page.goto(player.url)
    card = game_card(page, "Ferries")
    card.get_by_role("button", name="Against bots").click(force=True)  # it only answers now
    expect(card.locator(".refusal")).to_have_text("No bots are available for this game.")
    line.be_true()
    expect(card.locator(".refusal")).to_have_count(0)  # as soon as bots are there


def test_an_eliminated_player_watches_and_cannot_resign(odd_site: ServerProcess, person: NewPerson) -> None:
    page, host = person(odd_site).page, person(odd_site).page
    create_room(page, "Graph Battle", fill=False, players="3", seating="as joined")
    host.goto(page.url)
    host.get_by_role("button", name="Take a seat").click()
    page.get_by_role("button", name="Fill with bots").click()
    for each in (page, host):
        expect(each.get_by_role("timer")).to_be_visible()
        expect(each.locator("[data-board=graph_battle] svg")).to_be_visible()
    expect(host.get_by_role("button", name="Resign…")).to_be_visible()
    expect(page.get_by_role("list", name="Seats").get_by_role("listitem").first).to_contain_text("out")
    expect(page.get_by_role("button", name="Resign…")).to_be_hidden()


def test_a_wall_is_built_and_removed_by_clicks(odd_site: ServerProcess, person: NewPerson) -> None:
    page = person(odd_site).page
    create_room(page, "Timberwall", seating="as joined")
    walls, edges = page.locator("svg .tw-walls .tw-wall"), page.locator("svg .tw-edge-build_wall")
    page.get_by_role("button", name="Wall…").click()
    where = (edges.first.get_attribute("aria-label") or "").removeprefix("Build a wall ")
    click_edge(edges.first)
    expect(log_of(page)).to_contain_text("You built a wall")
    expect(walls).to_have_count(1)
    expect(edges).to_have_count(0)
    page.get_by_role("button", name="Remove…").click()
    click_edge(page.locator(f'svg [aria-label="Remove the wall {where}"]'))
    expect(log_of(page)).to_contain_text("You removed")
    expect(walls).to_have_count(0)
    expect(page.get_by_role("button", name="Pass", exact=True)).to_be_enabled()
    page.get_by_role("button", name="Wall…").click(force=True)  # it only answers now
    expect(page.locator(".tw-orders .refusal")).to_have_text("You already built a wall this turn.")


def test_fingers_may_be_beside_units_and_edges_of_timberwall(odd_site: ServerProcess, person: NewPerson) -> None:
    page = person(odd_site, viewport=PHONE).page
    create_room(page, "Timberwall", seating="as joined")
    unit = page.locator("svg .tw-unit").and_(page.locator(LEGAL)).first
    for right, down in AROUND:
        x, y = unit.evaluate(MIDDLE)
        page.touchscreen.tap(x + right * FINGER_PX * 0.45, y + down * FINGER_PX * 0.45)
        expect(page.locator("svg .tw-chosen")).to_have_count(1)
        page.get_by_role("button", name="Undo").tap()
    page.get_by_role("button", name="Wall…").tap()
    edges = page.locator("svg .tw-near")
    expect(edges.first).to_be_attached()
    tile = page.locator("svg .tw-area").evaluate("(each) => each.getBoundingClientRect().width / 10")
    assert min(reach(edges)) >= tile - 2  # up to where the next edge is nearer
    page.touchscreen.tap(*edges.first.evaluate(MIDDLE))
    expect(page.locator("svg .tw-walls .tw-wall")).to_have_count(1)
    expect(page.get_by_role("button", name="Pass", exact=True)).to_be_enabled()  # the next orders are known
    expect(page.locator("svg .tw-unit").last.and_(page.locator(LEGAL))).to_be_attached()
    for right, down in AROUND:  # the unit beside the wall can hit it; a tap on the unit deselects it
        for beside, chosen in ((0, 1), (FINGER_PX * 0.15, 0)):
            x, y = page.locator("svg .tw-unit").last.evaluate(MIDDLE)
            page.touchscreen.tap(x + right * beside, y + down * beside)
            expect(page.locator("svg .tw-chosen")).to_have_count(chosen)
            expect(page.locator("svg .tw-edge-hit_wall").first).to_be_attached(attached=bool(chosen))
    expect(log_of(page)).not_to_contain_text("hit")
