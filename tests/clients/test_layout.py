"""The layout of the player's window in the own turn."""

import pytest

from warroom_games.api import AnyGame
from warroom_games.playthrough import finish
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol.canonical import plain
from warroom_terminal.choices import Choices, action_forms
from warroom_terminal.layout import fitted, lay_out
from warroom_terminal.view_rendering import draw

GAMES = load_games()
NAMES = ["Bartholomew the Elder (you)", "greedy 1", "greedy 2", "greedy 3", "greedy 4"]
BIDS = Choices([{"type": "bid", "card": card, "note": "x" * 60} for card in range(9)], is_complete=True, turn=1)
NEWS = [f"news {number}" for number in range(5)]


def laid_out(picture: list[str], news: list[str], height: int) -> list[str]:
    return lay_out(picture, news, BIDS, question="Your move:", width=80, height=height)[0]


@pytest.mark.parametrize("game", GAMES.newest(), ids=lambda game: game.info.id)
def test_board_and_first_choices_fit_a_terminal_of_80_columns_and_24_rows(game: AnyGame) -> None:
    state = game.setup(game.info.usual_seats, game.options_type(), Rng(bytes(KEY_BYTES)))
    for move in finish(game, state, Rng(bytes(KEY_BYTES)))[:200:7]:
        seat = min(game.to_act(state))
        picture = draw(game, plain(game.public(state)), plain(game.private(state, seat)), NAMES)
        actions = [plain(action) for action in game.legal_actions(state, seat)]
        choices = Choices(actions, is_complete=True, turn=1, forms=action_forms(game))
        lines, _ = lay_out(picture, NEWS, choices, question="Your move:", width=80, height=24)
        assert len(lines) < 24
        assert max(map(len, lines)) <= 80
        asked = next(row for row, line in enumerate(lines) if line.startswith("Your move:"))
        assert len(lines) - asked > min(3, len(choices.page(width=80)[0]))
        # Of the records below a ledger some may be cut off; of a board nothing.
        seen = [line for line in picture if line][: 14 if game.info.id == "thardferr" else None]
        assert [line for line in lines if line][: len(seen)] == seen
        state = move.step.state


def test_events_are_repeated_below_a_tall_board_if_there_is_room() -> None:
    assert laid_out(["board"], NEWS, 16) == [
        "board",
        "since your last move:",
        *[f"  {line}" for line in NEWS[2:]],
        "Your move:",
        *BIDS.page(width=80)[0],
    ]
    assert laid_out(["board"], NEWS, 40)[:3] == ["", "board", ""]
    assert not any("news" in line for line in laid_out(["board"], NEWS, 40))


def test_a_small_window_shows_some_choices_and_how_many_there_are() -> None:
    lines = laid_out(list("abcdefgh"), NEWS, 13)
    assert lines[:8] == list("abcdefgh")
    assert lines[8] == "Your move: 3 of 9 choices; /more or /legal TEXT shows others"
    assert len(lines) == 12


def test_a_tall_picture_loses_empty_lines_first_and_its_end_last() -> None:
    assert fitted(["a", "", "b", "", "c"], 5) == ["a", "", "b", "", "c"]
    assert fitted(["a", "", "b", "", "c"], 4) == ["a", "b", "", "c"]
    assert fitted(["a", "", "b", "", "c"], 2) == ["a", "… 2 more rows: /board shows everything"]
