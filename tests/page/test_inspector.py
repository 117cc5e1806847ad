"""The page of a server with `--debug`: the inspector, stepped, edited and played on, by mouse and keyboard."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import PHONE, SCHEMES, NewPerson, barriers, click_legal, game_card
from playwright.sync_api import Locator, Page, expect
from replays import secret_match
from server_process import SEALED_BIDS, ServerProcess

from warroom_games.registry import load_games
from warroom_games.replay import steps

GAMES = load_games(["sealed_bids:GAME"])


@pytest.fixture(scope="module")
def debugged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server with debugging."""
    server = ServerProcess(tmp_path_factory.mktemp("debugged"), "--debug", *SEALED_BIDS, bots=True)
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def inspect(debugged: ServerProcess, person: NewPerson) -> Callable[..., Page]:
    """Return a function that opens the inspector of a game."""

    def opened(game: str, **settings: object) -> Page:
        page = person(debugged, **settings).page
        page.goto(f"{page.url.split('#')[0]}debug#/x/{game}/inspect")
        expect(status(page)).to_have_text("Step 0 of 0 · turn 1")
        return page

    return opened


CLICKS = 20
"""Clicks on a board, of which a few are a move."""


def status(page: Page) -> Locator:
    return page.get_by_role("region", name="Steps").get_by_role("status")


def moves(page: Page) -> Locator:
    return page.get_by_role("region", name="Moves").get_by_role("button")


def tree(page: Page) -> Locator:
    return page.get_by_role("tabpanel")


def play(page: Page, seat: int, action: object) -> None:
    form = page.get_by_role("form", name=f"Seat {seat}")
    form.get_by_label(f"Action of seat {seat} as JSON").fill(json.dumps(action))
    form.get_by_role("button", name="Play").click()


def edit(page: Page, change: Callable[[Any], None]) -> Locator:
    """Open the editor, change the state, and return what has its text."""
    page.get_by_role("button", name="Edit the state…").click()
    editor = page.get_by_label("Full state as JSON")
    expect(editor).to_be_focused()
    state = json.loads(editor.input_value())
    change(state)
    editor.fill(json.dumps(state))
    page.get_by_role("button", name="Continue from this state").click()
    return editor


def test_a_match_is_played_stepped_edited_and_played_on(inspect: Callable[..., Page]) -> None:
    page = inspect("sealed_bids")
    bid = page.get_by_label("Action of seat 0 as JSON").input_value()
    page.get_by_role("form", name="Seat 0").get_by_role("button", name="Play").click()
    expect(status(page)).to_have_text("Step 1 of 1 · turn 1")
    expect(moves(page).nth(1)).to_have_text(f"1 seat 0: bid card {json.loads(bid)['card']}")
    expect(tree(page).locator("ins")).not_to_have_count(0)
    page.get_by_role("tab", name="Public").click()
    expect(tree(page).locator("ins")).to_have_count(0)  # a bid is secret
    page.get_by_role("tab", name="Events (1)").click()
    expect(tree(page)).to_contain_text("committed")
    page.get_by_role("tab", name="Seat 0").click()
    expect(tree(page).locator("ins")).not_to_have_count(0)
    page.get_by_role("button", name="10 random moves").click()
    expect(moves(page)).to_have_count(12)
    page.get_by_role("button", name="First step").click()
    expect(moves(page).first).to_have_attribute("aria-current", "step")
    page.get_by_role("tab", name="Full state").click()

    def give_twenties(state: Any) -> None:
        for secret in state["secrets"]:
            secret["hand"] = [20] * len(secret["hand"])

    edit(page, give_twenties)
    expect(moves(page)).to_have_count(2)
    expect(moves(page).nth(1)).to_have_text("1 edited state")
    expect(page.get_by_role("form", name="Seat 1").locator("option").first).to_have_text("bid card 20")
    play(page, 1, {"type": "bid", "card": 20})
    expect(status(page)).to_have_text("Step 2 of 2 · turn 1")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).not_to_have_count(2)


def test_later_moves_can_be_replayed_on_an_edited_state(inspect: Callable[..., Page]) -> None:
    page = inspect("sealed_bids")
    for seat in (0, 1):
        page.get_by_role("form", name=f"Seat {seat}").get_by_role("button", name="Play").click()
        expect(moves(page)).to_have_count(seat + 2)
    page.get_by_role("button", name="First step").click()
    expect(status(page)).to_contain_text("Step 0 of")
    page.get_by_role("button", name="Edit the state…").click()
    page.get_by_role("checkbox", name="replay the later moves").check()
    editor = page.get_by_label("Full state as JSON")
    state = json.loads(editor.input_value())
    for secret in state["secrets"]:
        secret["hand"] = [20]
    editor.fill(json.dumps(state))
    page.get_by_role("button", name="Continue from this state").click()
    expect(page.get_by_text("Move 2 does not fit any more")).to_be_visible()
    expect(status(page)).to_contain_text("Step 1 of 1")
    page.get_by_role("button", name="Drop the moves after step 1").click()
    expect(moves(page)).to_have_count(2)
    expect(page.get_by_text("does not fit any more")).to_have_count(0)


def test_errors_of_an_edit_select_their_place_and_lose_nothing(inspect: Callable[..., Page]) -> None:
    page = inspect("sealed_bids")
    page.get_by_role("button", name="Edit the state…").click()
    editor = page.get_by_label("Full state as JSON")
    whole = editor.input_value()
    editor.fill(whole.replace('"deck"', '"deck', 1))
    page.get_by_role("button", name="Continue from this state").click()
    expect(page.locator("#state-error")).to_contain_text("expected a key in quotes")
    expect(page.locator("#state-error")).to_contain_text("Line ")
    editor.fill(whole.replace('"deck": [', '"deck": ["x", ', 1))
    page.get_by_role("button", name="Continue from this state").click()
    expect(page.locator("#state-error")).to_contain_text("($.deck[0]): Expected `int`, got `str`")
    chosen = "(area) => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert editor.evaluate(chosen) == '"x"'
    expect(editor).to_be_focused()
    expect(moves(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(editor).to_have_count(0)


def test_an_illegal_action_says_why_and_changes_nothing(inspect: Callable[..., Page]) -> None:
    page = inspect("sealed_bids")
    play(page, 0, {"type": "bid", "card": 20})
    expect(page.get_by_role("region", name="Play")).to_contain_text("(bid.spent)")
    expect(moves(page)).to_have_count(1)


def test_the_board_of_the_game_plays_for_the_seat_to_act(inspect: Callable[..., Page]) -> None:
    page = inspect("strata")
    for place in range(CLICKS):  # on a busy machine a click may come before the board shows the last one
        if moves(page).count() > 1:
            break
        click_legal(page, place)
    expect(moves(page)).not_to_have_count(1)
    page.get_by_label("view as").select_option("public")
    expect(page.locator("[data-legal]")).to_have_count(0)


def test_keys_step_and_reach_everything(inspect: Callable[..., Page]) -> None:
    page = inspect("sealed_bids")
    page.get_by_role("button", name="10 random moves").press("Enter")
    expect(status(page)).to_contain_text("Step 10 of 10")
    page.get_by_role("button", name="10 random moves").press("ArrowLeft")
    expect(status(page)).to_contain_text("Step 9 of 10")
    page.keyboard.press("ArrowRight")
    expect(status(page)).to_contain_text("Step 10 of 10")
    page.get_by_role("tab", name="Full state").press("ArrowRight")
    expect(page.get_by_role("tab", name="Public")).to_be_focused()
    expect(status(page)).to_contain_text("Step 10 of 10")


def test_a_reload_keeps_the_match(inspect: Callable[..., Page]) -> None:
    page = inspect("sealed_bids")
    page.get_by_role("button", name="Random move", exact=True).click()
    expect(moves(page)).to_have_count(2)
    shown = moves(page).nth(1).inner_text()
    page.reload()
    expect(moves(page).nth(1)).to_have_text(shown, use_inner_text=True)


def test_replays_come_in_and_go_out(inspect: Callable[..., Page], tmp_path: Path) -> None:
    page = inspect("sealed_bids")
    match = secret_match()
    (tmp_path / "match.warroom").write_bytes(match.replay)
    page.get_by_text("Replay files").click()
    page.get_by_label("open a replay").set_input_files(tmp_path / "match.warroom")
    expect(page.get_by_text("Opened.", exact=True)).to_be_visible()
    *_, last = steps(match.replay, GAMES)
    expect(status(page)).to_contain_text(f"Step {last.step} of {last.step}")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a replay").click()
    *_, again = steps(saved.value.path().read_bytes(), GAMES)
    assert again.state == last.state
    (tmp_path / "match.warroom").write_bytes(b"nonsense")
    page.get_by_label("open a replay").set_input_files(tmp_path / "match.warroom")
    expect(page.get_by_text("This is not a Warroom replay")).to_be_visible()
    expect(status(page)).to_contain_text(f"Step {last.step} of {last.step}")


def test_cards_and_replays_lead_to_it_and_the_page_speaks_json(debugged: ServerProcess, person: NewPerson) -> None:
    page = person(debugged).page
    texts: list[object] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda text: texts.append(text)))
    page.goto(f"{page.url}debug")
    game_card(page, "Graph Battle").get_by_role("link", name="Inspect").click()
    expect(page.get_by_role("heading", name="Inspector")).to_be_visible()
    expect(status(page)).to_contain_text("Step 0 of 0")
    assert any(isinstance(text, str) and json.loads(text)["type"] == "welcome" for text in texts)
    page.get_by_role("link", name="Play").click()
    game_card(page, "Graph Battle").get_by_role("button", name="Against bots").click()
    page.get_by_role("button", name="Resign…").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("link", name="Replay").click()
    page.get_by_role("link", name="Inspect").click()
    expect(page.get_by_text("Opened")).to_be_visible()
    expect(moves(page).filter(has_text="resigns")).not_to_have_count(0)


def test_without_debugging_nothing_leads_to_it(site: ServerProcess, person: NewPerson) -> None:
    page = person(site).page
    expect(game_card(page, "Graph Battle")).to_be_visible()
    expect(page.get_by_role("link", name="Inspect")).to_have_count(0)
    page.goto(f"{page.url.split('#')[0]}#/x/graph_battle/inspect")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desk", "phone"])
def test_everybody_can_use_it(inspect: Callable[..., Page], viewport: dict[str, int] | None) -> None:
    page = inspect("tile_blitz", **({"viewport": viewport} if viewport else {}))
    page.get_by_role("button", name="Random move", exact=True).click()
    expect(moves(page)).to_have_count(2)
    page.get_by_text("New match").click()
    assert barriers(page, *SCHEMES) == []
    page.get_by_role("button", name="Edit the state…").click()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
