"""Every game in a real browser: played by clicks against bots, from the lobby to the end."""

import msgpack
import pytest
from browser import NewPerson
from playwright.sync_api import Page, WebSocket, expect
from server_process import ServerProcess

GAMES = {
    "graph_battle": "Graph Battle",
    "strata": "Strata",
    "thardferr": "Thardferr",
    "tile_blitz": "Tile Blitz",
    "timberwall": "Timberwall",
}
ENOUGH = 4
"""So many actions show that a board can be played."""
MOST_CLICKS = 80


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


def begin(page: Page, game: str) -> None:
    """Create a room with all the time in the world, and let bots come."""
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=game, exact=True))
    card.get_by_role("button", name="Create a room…").click()
    dialog = page.get_by_role("dialog")
    players = dialog.get_by_label("players", exact=True)
    if players.count():
        players.fill("2")
    dialog.get_by_label("turn", exact=True).fill("3600")
    dialog.get_by_role("button", name="Create and sit down").click()
    page.get_by_role("button", name="Fill with bots").click()
    expect(page.get_by_role("timer")).to_be_visible()


def click_on(page: Page, verdicts: Verdicts) -> None:
    """Click what is legal, here and there, until enough was played or the match is over."""
    legal = page.locator("[data-legal]:not([disabled])")
    over = page.get_by_role("button", name="Rematch")
    for click in range(MOST_CLICKS):
        expect(legal.or_(over).first).to_be_visible()
        if verdicts.accepted >= ENOUGH or over.is_visible():
            return
        place = (click * 7) % max(1, legal.count())
        # What was legal a moment ago may be gone once the server has answered the last click.
        page.evaluate(
            """(place) => {
                const all = document.querySelectorAll("[data-legal]:not([disabled])");
                const each = all[place % all.length];
                each?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
            }""",
            place,
        )
        page.wait_for_timeout(30)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_by_clicks(site: ServerProcess, person: NewPerson, game: str) -> None:
    player = person(site)
    verdicts = Verdicts(player.page)
    player.page.reload()  # so that the line is opened under our eyes
    begin(player.page, GAMES[game])
    click_on(player.page, verdicts)
    assert verdicts.accepted > 0, verdicts.refused
    assert verdicts.refused == []
    if player.page.get_by_role("button", name="Resign…").is_visible():
        player.page.get_by_role("button", name="Resign…").click()
        player.page.get_by_role("button", name="Yes, resign").click()
    expect(player.page.get_by_role("button", name="Rematch")).to_be_visible()
