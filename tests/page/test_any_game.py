"""Games unknown to the page: the generic board, hints in the schema of the view, boards from packages."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import (
    FINGER_PX,
    LEGAL,
    PHONE,
    SCHEMES,
    NewPerson,
    Person,
    barriers,
    click_legal,
    create_room,
    reach,
    wait_until,
)
from playwright.sync_api import Locator, Page, expect
from server_process import WARROOM, ServerProcess

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "WRITING_A_GAME.md"
MOST_CLICKS = 400
SENTENCES = """
from warroom_games.sentences import sentence

type(GAME).sentences = (sentence("placed", "{@seat marks} cell {cell}"),)
"""

NOTES = """
type(GAME).notes = lambda self, public, private, actions: [f"beside {action['cell']}" for action in actions]
"""
BOARDLESS = """
from msgspec.structs import replace

from warroom_games.graph_battle.rules import GraphBattle
from warroom_games.tile_blitz.rules import TileBlitz


class Tiles(TileBlitz):
    info = replace(TileBlitz.info, id="tiles", name="Tiles", turn_ms=60_000)


class Graphs(GraphBattle):
    info = replace(GraphBattle.info, id="graphs", name="Graphs", turn_ms=60_000, usual_seats=2)

    def setup(self, seats, options, rng):
        return super().setup(seats, replace(options, board="full_grid", attack="dice"), rng)


TILES, GRAPHS = Tiles(), Graphs()
"""


@pytest.fixture
def four_corners(new_site: Callable[..., ServerProcess], tmp_path: Path) -> Callable[..., ServerProcess]:
    """Return a function that serves the game of `warroom new-game`, with or without its own board."""

    def serve(board: str | None = None, sentences: str = "") -> ServerProcess:
        subprocess.run(
            [str(WARROOM), "new-game", "four_corners", "--out", str(tmp_path)], check=True, capture_output=True
        )
        package = tmp_path / "site0" / "four_corners"
        shutil.copytree(tmp_path / "four_corners" / "four_corners", package)
        with (package / "rules.py").open("a", encoding="utf-8") as rules:
            rules.write(sentences)
        if board is not None:
            (package / "board").mkdir()
            (package / "board" / "board.js").write_text(board, encoding="utf-8")
        return new_site("--game", "four_corners.rules:GAME")

    return serve


def begin(player: Person, game: str) -> Page:
    page = player.page
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=game, exact=True))
    card.get_by_role("button", name="Against bots").click()
    expect(page.locator("[data-board]")).to_be_visible()
    return page


def play_to_the_end(page: Page) -> None:
    """Click legal targets until the match is over."""
    for _ in range(MOST_CLICKS):
        over = page.get_by_role("button", name="Rematch")
        expect(over.or_(page.locator(LEGAL)).first).to_be_visible()
        if over.is_visible():
            return
        click_legal(page)
    raise AssertionError("the match did not end")


def test_a_game_without_a_board_is_played_by_buttons(site: ServerProcess, person: NewPerson) -> None:
    page = begin(person(site), "Sealed Bids")
    expect(page.get_by_role("heading", name="Only you see")).to_be_visible()
    play_to_the_end(page)


def test_hints_in_the_schema_make_a_grid_to_click_on(
    four_corners: Callable[..., ServerProcess], person: NewPerson
) -> None:
    page = begin(person(four_corners(sentences=SENTENCES)), "Four Corners")
    expect(page.locator(".drawing.grid .spot")).to_have_count(9)
    play_to_the_end(page)
    expect(page.get_by_role("log", name="Log")).to_contain_text("You mark cell")


def test_the_cost_of_a_place_is_shown_beside_the_grid(
    four_corners: Callable[..., ServerProcess], person: NewPerson
) -> None:
    page = begin(person(four_corners(sentences=NOTES)), "Four Corners")
    told = page.get_by_role("list", name="Cost or gain of the targets").get_by_role("listitem")
    expect(page.locator(LEGAL).first).to_be_visible()
    expect(told.first).to_have_text(re.compile(r"Place (\d) beside \d"))
    assert told.count() == page.locator(LEGAL).count()
    below, drawing = told.first.bounding_box(), page.locator(".drawing svg").bounding_box()
    assert below is not None
    assert drawing is not None
    assert below["y"] >= drawing["y"] + drawing["height"]
    assert below["x"] < drawing["x"] + drawing["width"]
    for line in told.all_inner_texts():
        place, note = re.findall(r"\d", line)
        assert place == note
        expect(page.get_by_role("button", name=f"place {place}, can be chosen: beside {note}")).to_be_visible()


def test_the_cost_of_a_choice_is_shown_beside_it(
    new_site: Callable[..., ServerProcess], person: NewPerson, tmp_path: Path
) -> None:
    (tmp_path / "site0").mkdir()
    (tmp_path / "site0" / "boardless.py").write_text(BOARDLESS, encoding="utf-8")
    player = person(new_site("--game", "boardless:TILES", "--game", "boardless:GRAPHS"))
    page = begin(player, "Tiles")
    attacks = page.get_by_role("button", name=re.compile(r"^Attack"))
    expect(attacks.first).to_be_visible()
    assert all(re.search(r"\d+ → \d+, loses \d+", text) for text in attacks.all_inner_texts())
    expect(page.get_by_role("button", name=re.compile("^Build infantry")).first.locator(".cost")).to_have_count(0)
    page.goto(page.url.partition("#")[0])
    page = begin(player, "Graphs")
    chooser = page.locator("form.chooser").filter(has_text="Attack")
    choose_first(chooser.get_by_label("source"))
    note = choose_first(chooser.get_by_label("target"))
    assert re.fullmatch(r"(\d+|under 1|over 99) %", note)
    expect(chooser.get_by_role("button", name="Attack").locator(".cost")).to_have_text(note)


def choose_first(field: Locator) -> str:
    """Choose the first value of a field, a list or a row of buttons, and return its note."""
    if field.evaluate("(each) => each.tagName") == "SELECT":
        note = field.locator("option").nth(1).inner_text().partition(" · ")[2]
        field.select_option(index=1)
        return note
    button = field.get_by_role("button").first
    note = "".join(button.locator(".cost").all_inner_texts())
    button.click()
    return note


def test_a_package_may_ship_a_board_of_its_own(four_corners: Callable[..., ServerProcess], person: NewPerson) -> None:
    (module,) = re.findall(r"```js\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    page = begin(person(four_corners(module)), "Four Corners")
    expect(page.locator("[data-board] button")).to_have_count(9)
    play_to_the_end(page)
    expect(page.get_by_role("log", name="Log")).to_contain_text("you marked cell")


BUG = "a bug of the board"
BROKEN_BOARD = f"""
const fail = () => {{ throw new Error("{BUG}"); }};
export {{ fail as mount, fail as tell, fail as toAct, fail as out, fail as colour }};
export {{ fail as remember, fail as duration, fail as keyMoment }};
"""


HAS_REMEMBERED = "Object.keys(sessionStorage).some((name) => name.startsWith('warroom.memory'))"
FORGETFUL_BOARD = """
export const mount = (place) => ({ update: () => place.replaceChildren("A board.") });
export const remember = () => {};
"""


def test_a_board_that_remembers_nothing_is_there_again_after_a_reload(
    four_corners: Callable[..., ServerProcess], person: NewPerson
) -> None:
    page = begin(person(four_corners(FORGETFUL_BOARD)), "Four Corners")
    wait_until(page, lambda: page.evaluate(HAS_REMEMBERED))
    page.reload()
    expect(page.locator("[data-board]")).to_have_text("A board.")


def test_a_match_continues_when_its_board_fails(four_corners: Callable[..., ServerProcess], person: NewPerson) -> None:
    player = person(four_corners(BROKEN_BOARD))
    page = begin(player, "Four Corners")
    expect(page.get_by_role("heading", name="The board stopped working")).to_be_visible()
    expect(page.get_by_role("button", name="Reload")).to_be_visible()
    expect(page.get_by_role("list", name="Seats").get_by_role("listitem")).to_have_count(2)
    page.get_by_role("button", name="Continue without it").click()
    play_to_the_end(page)
    page.get_by_role("link", name="Replay", exact=True).click()
    expect(page.get_by_role("heading", name="The board stopped working")).to_be_visible()
    expect(page.get_by_role("slider")).to_be_visible()
    page.goto("about:blank")  # stops all drawing
    assert player.complaints != []  # for the author of the board
    assert [each for each in player.complaints if BUG not in each] == []
    player.complaints.clear()


EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


@pytest.fixture
def example_site(new_site: Callable[..., ServerProcess], tmp_path: Path) -> ServerProcess:
    """Return a server of the example games."""
    flags = []
    for game in ("connect_four", "liars_dice"):
        shutil.copytree(EXAMPLES / game, tmp_path / "site0" / game)
        flags += ["--game", f"{game}.rules:GAME"]
    return new_site(*flags)


def test_a_board_of_columns_is_played_by_clicks_on_columns(example_site: ServerProcess, person: NewPerson) -> None:
    page = person(example_site, viewport=PHONE).page
    create_room(page, "Connect Four", seating="as joined")
    columns = page.locator(".drawing.columns .spot")
    expect(columns).to_have_count(7)
    expect(columns.first).to_have_accessible_name("column 0, 0 of 6 taken, can be chosen")
    assert min(reach(page.locator(".drawing .column"))) >= FINGER_PX
    columns.first.click()
    expect(page.get_by_role("log", name="Log")).to_contain_text("You drop a disc into column 0")
    expect(columns.first).to_have_accessible_name(
        re.compile(r"of 6 taken, from the bottom: you(, \w+ 1)?, can be chosen")
    )
    expect(columns.first.locator("text").first).to_have_text("P")  # the initial of the player's name
    expect(page.locator(".drawing .fresh")).to_have_count(1)
    assert barriers(page, *SCHEMES) == []
    play_to_the_end(page)
    expect(page.locator("[data-board]")).not_to_contain_text("winner")  # the page says who won


def test_hints_show_players_and_symbols_in_place_of_numbers(example_site: ServerProcess, person: NewPerson) -> None:
    page = person(example_site).page
    create_room(page, "Liar's Dice", seating="as joined", players="3", dice="1")
    table = page.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["player", "dice"])
    rows = table.locator("tbody tr")
    expect(rows).to_have_text([re.compile("you to move1$"), re.compile(r"\D 1 ?1$"), re.compile(r"\D 2 ?1$")])
    expect(page.get_by_role("region", name="Only you see")).to_have_text(re.compile("dice[⚀⚁⚂⚃⚄⚅]$"))
    page.get_by_role("group", name="count").get_by_role("button", name="2", exact=True).click()
    page.get_by_role("group", name="face").get_by_role("button", name="⚄").click()
    assert barriers(page, *SCHEMES) == []
    page.get_by_role("button", name="Bid: count 2, face ⚄").click()
    expect(page.get_by_role("log", name="Log")).to_contain_text("You bid 2 x 5")
    play_to_the_end(page)
    expect(page.get_by_role("log", name="Log")).to_contain_text("dice of that face")
    page.get_by_role("link", name="Replay", exact=True).click()
    expect(table.get_by_role("columnheader")).to_have_text(["player", "dice"])


def test_places_of_several_drawings_and_other_fields_make_one_action(
    new_site: Callable[..., ServerProcess], person: NewPerson
) -> None:
    page = person(new_site("--game", "two_boards_game:GAME")).page
    create_room(page, "Two Boards", seating="as joined")
    own, other = page.locator(".drawing").first, page.locator(".drawing").nth(1)
    log, actions = page.get_by_role("log", name="Log"), page.get_by_role("region", name="Your actions")
    expect(actions.get_by_role("button")).to_have_text([re.compile(r"^Ask: whom \w+ 1$")])
    own.get_by_role("button", name="place 1").click()  # nothing but a flag begins there
    expect(log).to_contain_text("Done: 1")
    expect(other.locator(LEGAL)).to_have_count(0)
    own.get_by_role("button", name="place 0").click()
    expect(actions.get_by_role("button", name="Flag")).to_be_visible()
    expect(other.locator(LEGAL)).to_have_count(2)
    own.get_by_role("button", name="Undo").click()
    expect(other.locator(LEGAL)).to_have_count(0)
    own.get_by_role("button", name="place 0").click()
    other.get_by_role("button", name="place 1").click()
    expect(actions.get_by_role("button", name="Move")).to_have_text([f"Move: crates {count}" for count in (1, 2, 3)])
    actions.get_by_role("button", name="Move: crates 2").click()
    expect(log).to_contain_text("Done: 0 1 2")
    expect(actions.get_by_role("button", name="Move")).to_have_count(0)
    actions.get_by_role("button", name=re.compile("^Ask")).click()
    expect(log).to_contain_text("Done: 1")
