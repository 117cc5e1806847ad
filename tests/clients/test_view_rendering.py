"""Pictures that are too large for a window: the game selects the most important part."""

import pytest

from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol.canonical import plain
from warroom_terminal.view_rendering import cropped, draw

GAMES = load_games()


def picture_of(game: str, **options: object) -> list[str]:
    rules = GAMES.get(game)
    opening = rules.setup(rules.info.min_seats, rules.options_type(**options), Rng(bytes(KEY_BYTES)))
    return draw(rules, plain(rules.public(opening)), plain(rules.private(opening, 0)), ("Ada", "Bob"))


@pytest.mark.parametrize(("rows", "columns"), [(19, 80), (40, 80), (15, 60)])
def test_omitted_rows_are_mentioned_in_any_window(rows: int, columns: int) -> None:
    part = cropped(
        GAMES.get("timberwall"), picture_of("timberwall", size=30), rows=rows, columns=columns, all_of_it="look around"
    )
    assert len(part) <= rows
    assert max(map(len, part)) <= columns
    assert "of a board of 30 by 30" in part[-1]
    assert part[-1].endswith("; look around") or columns < 80


@pytest.mark.parametrize(("game", "rows"), [("timberwall", 40), ("graph_battle", 5)])
def test_what_fits_and_what_no_game_can_cut_is_left_as_it_is(game: str, rows: int) -> None:
    picture = picture_of(game)
    assert cropped(GAMES.get(game), picture, rows=rows, columns=80, all_of_it="never told") == picture
    assert cropped(None, picture, rows=rows, columns=80, all_of_it="never told") == picture
