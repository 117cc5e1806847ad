"""Every game in a real browser: played by clicks against bots, from the lobby to the end."""

import msgpack
import pytest
from browser import PHONE, SCHEMES, NewPerson, barriers, create_room, give_up
from playwright.sync_api import Page, WebSocket, expect
from server_process import ServerProcess

GAMES = {
    "graph_battle": "Graph Battle",
    "strata": "Strata",
    "thardferr": "Thardferr",
    "tile_blitz": "Tile Blitz",
    "timberwall": "Timberwall",
}
SHORT = {
    "graph_battle": {"max_rounds": "6"},
    "strata": {"max_turns": "16"},
    "thardferr": {"max_turns": "5", "peace_rounds": "0"},
    "tile_blitz": {"max_rounds": "6"},
    "timberwall": {"max_turns": "16", "delay": "0"},
}
"""Options with which a match comes to its end before long, by its own rules."""
ENOUGH = 4
"""So many actions show that a board can be played."""
MOST_CLICKS = 80
MOST_CLICKS_TO_THE_END = 800
CLICKS_A_TURN = 5
"""After so many a turn is ended where it can be: somebody who clicks at random would build for ever."""


class Verdicts:
    """Counts what the server said about the actions of a page."""

    def __init__(self, page: Page) -> None:
        self.accepted = 0
        self.refused: list[str] = []
        page.on("websocket", lambda line: self._listen(line))

    def _listen(self, line: WebSocket) -> None:
        line.on("framereceived", lambda frame: self._hear(frame))

    def _hear(self, frame: str | bytes) -> None:
        message = msgpack.unpackb(frame) if isinstance(frame, bytes) else [""]
        if message[0] != "verdict":
            return
        if message[3] is None:
            self.accepted += 1
        else:
            self.refused.append(f"{message[3]}: {message[4]}")


def click_on(page: Page, verdicts: Verdicts, enough: int, most_clicks: int) -> None:
    """Click what is legal, here and there, until *enough* was played or the match is over."""
    legal = page.locator("[data-legal]:not([disabled])")
    over = page.get_by_role("button", name="Rematch")
    for click in range(most_clicks):
        expect(legal.or_(over).first).to_be_visible()
        if verdicts.accepted >= enough or over.is_visible():
            return
        # What was legal a moment ago may be gone once the server has answered the last click.
        page.evaluate(
            """([place, isTimeToEnd]) => {
                const ENDS = ["End turn", "Pass"];
                const all = [...document.querySelectorAll("[data-legal]:not([disabled])")];
                const end = all.find((each) => isTimeToEnd && ENDS.includes(each.textContent.trim()));
                (end ?? all[place % all.length])?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
            }""",
            [click * 7, click % CLICKS_A_TURN == CLICKS_A_TURN - 1],
        )
        page.wait_for_timeout(30)


def out_of_reach(page: Page) -> list[str]:
    """Return the targets that can be played and not be reached with the keyboard."""
    unreached: list[str] = page.locator("[data-legal]:not([disabled])").evaluate_all(
        """(all) => all
            .filter((each) => each.focus() ?? (document.activeElement !== each || each.tabIndex < 0))
            .map((each) => each.outerHTML.slice(0, 200))"""
    )
    return unreached


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_by_clicks_on_a_board_for_everybody(
    site: ServerProcess, person: NewPerson, game: str
) -> None:
    page = person(site).page
    verdicts = Verdicts(page)
    page.reload()  # so that the line is opened under our eyes
    create_room(page, GAMES[game])
    click_on(page, verdicts, ENOUGH, MOST_CLICKS)
    assert verdicts.accepted > 0, verdicts.refused
    assert verdicts.refused == []
    assert out_of_reach(page) == []
    assert barriers(page, *SCHEMES) == []
    give_up(page)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_real_end_and_replayed(site: ServerProcess, person: NewPerson, game: str) -> None:
    page = person(site).page
    verdicts = Verdicts(page)
    page.reload()
    create_room(page, GAMES[game], **SHORT[game])
    click_on(page, verdicts, MOST_CLICKS_TO_THE_END, MOST_CLICKS_TO_THE_END)
    assert verdicts.refused == []
    expect(page.get_by_text("won.").or_(page.get_by_text("The match is over.")).first).to_be_visible()
    expect(page.get_by_role("list", name="Seats")).to_contain_text("1st")
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".seal summary")).to_have_text("✓ sealed")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator("[data-board]")).not_to_be_empty()
    assert barriers(page, *SCHEMES) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_board_and_its_rules_fit_a_phone(site: ServerProcess, person: NewPerson, game: str) -> None:
    page = person(site, viewport=PHONE).page
    create_room(page, GAMES[game])
    expect(page.locator("[data-legal]").first).to_be_visible()
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_text("The whole rules")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert barriers(page, *SCHEMES) == []
