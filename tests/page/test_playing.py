"""Playing in a real browser by mouse and keyboard, against bots and other players."""

from browser import PHONE, NewPerson, Person, create_room, game_card, give_up, wait_until
from lobby import WATCH_FOR_THE_LOBBY
from playwright.sync_api import Page, Route, expect
from server_process import ServerProcess

SHRINKS = """() => {
    const bar = document.querySelector(".clock .fill");
    const left = bar && new DOMMatrix(getComputedStyle(bar).transform).a, before = window.leftBefore;
    window.leftBefore = left;
    return 0 < left && left < before && before <= 1;
}"""
"""Whether the bar above the board is shorter than in the previous frame."""
TOP = "(each) => each.getBoundingClientRect().top"


def against_bots(player: Person, game: str) -> Page:
    """Start a match against bots with one click."""
    game_card(player.page, game).get_by_role("button", name="Against bots").click()
    expect(player.page.get_by_role("timer")).to_be_visible()
    return player.page


def test_one_click_leads_into_a_match(site: ServerProcess, person: NewPerson) -> None:
    page = against_bots(person(site), "Graph Battle")
    expect(page.get_by_role("heading", level=1)).to_have_text("Graph Battle")
    expect(page.get_by_role("list", name="Seats").get_by_role("listitem")).to_have_count(5)
    expect(page.locator("[data-board=graph_battle]")).to_contain_text("Round 1 of 100")
    expect(page.locator(".clock.mine")).to_be_visible()
    page.wait_for_function(SHRINKS)


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


def test_a_phone_board_does_not_move_when_a_spectator_arrives(site: ServerProcess, person: NewPerson) -> None:
    page = against_bots(person(site, viewport=PHONE), "Graph Battle")
    board = page.locator("[data-board=graph_battle]")
    expect(page.locator(".fold")).to_be_visible()
    top = board.evaluate(TOP)
    stranger = person(site)
    stranger.tab(page.url.removeprefix(stranger.url))
    expect(page.get_by_text("1 watching")).to_be_attached()
    assert board.evaluate(TOP) == top


def test_nothing_jumps_while_the_lobby_or_a_room_comes_or_goes(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.context.new_page()
    page.add_init_script(
        """window.moved = 0;
        window.pushed = [];
        const isRow = (node) => (node.closest ? node : node.parentElement)?.closest(".list") != null;
        const add = (entries) => entries.forEach((entry) => {
            window.moved += entry.value;
            const nodes = entry.sources.map((each) => each.node).filter((node) => node?.isConnected && !isRow(node));
            window.pushed.push(...nodes.map((node) => node.textContent.slice(0, 80)));
        });
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: "layout-shift", buffered: true });
        window.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
            add(observer.takeRecords());
            done([window.moved, window.pushed]);
        })));"""
    )
    page.goto(player.url)
    expect(page.get_by_role("article")).to_have_count(6)
    expect(page.get_by_role("heading", name="Recently played")).to_be_visible()
    expect(page.locator(".bone")).to_have_count(0)  # pending content would still move the rest
    page.wait_for_load_state("networkidle")
    assert page.evaluate("settled()")[0] < 0.05

    page.evaluate("pushed.length = 0")
    other = person(site).page
    create_room(other, "Graph Battle", fill=False)
    waiting, running = (page.get_by_role("region", name=name) for name in ("Waiting for players", "Running"))
    name = other.get_by_role("button", name="Your name").inner_text().strip()
    expect(waiting).to_contain_text(name)
    other.get_by_role("button", name="Fill with bots").click()
    expect(running).to_contain_text(name)
    expect(waiting).not_to_contain_text(name)
    give_up(other)
    expect(running).not_to_contain_text(name)
    expect(page.get_by_role("region", name="Recently played")).to_contain_text(name)
    assert page.evaluate("settled()")[1] == []  # rows of a list make room for each other


def test_the_lobby_counts_as_painted_when_it_is_there_and_not_before(site: ServerProcess, person: NewPerson) -> None:
    player = person(site)
    page = player.context.new_page()
    page.add_init_script(WATCH_FOR_THE_LOBBY)
    held: list[Route] = []
    page.route("**/assets/lobby-*.js", lambda route: held.append(route))
    page.goto(player.url)
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    wait_until(page, lambda: bool(held))
    assert page.evaluate("window.lobbyPainted") is None
    held[0].continue_()
    page.wait_for_function("() => window.lobbyPainted")
    assert page.get_by_role("article").count() == 6
