"""The table as text."""

from typing import Any

import pytest
from tile_blitz_positions import position

from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import State
from warroom_protocol.canonical import plain


def drawn(state: State, seat: int | None = None) -> list[str]:
    private = None if seat is None else plain(GAME.private(state, seat))
    return GAME.draw(plain(GAME.public(state)), private).splitlines()


def test_the_board_shows_ids_colours_and_units() -> None:
    lines = drawn(position("9:R5 10:R12+3 8:G0 41:O5", seat=3, turn=9, round=2))
    assert lines[0] == "Tile Blitz  round 2 of 40  turn 9  orange to move  52 cards in deck 1"
    assert lines[1] == "         y=0       y=1       y=2       y=3       y=4       y=5       y=6"
    rule = "     +-- next: green, then orange -----------------------------------------+"
    assert lines[2:4] == [
        " x=0 | 1 .     | 2 .     | 3 .     | 4 .     | 5 .     | 6 .     | 7 .     |",
        " x=1 | 8 G0    | 9 R5    |10 R12+3 |11 .     |12 .     |13 .     |14 .     |",
    ]
    assert lines[8:10] == [" x=6 |43 .     |44 .     |45 .     |46 .     |47 .     |48 .     |49 .     |", rule]


def test_every_line_of_the_board_is_equally_long() -> None:
    lines = drawn(position("9:R100+9 10:R12+30 8:G0 41:O5"))
    assert {len(line) for line in lines[2:10]} == {76}


def test_the_players_stand_below_with_a_mark_for_the_turn() -> None:
    lines = drawn(position("9:R5+1 10:R0 8:G1 41:O5", seat=1, gold={0: 12}, stamina={1: 2}, hands={1: "7c 8c"}))
    assert lines[-5:] == [
        "  R red               2 tiles    7 power  12 gold  0 stamina   0 cards",
        "> G green              1 tile    1 power   0 gold  2 stamina   2 cards",
        "  Y yellow           out",
        "  O orange             1 tile    5 power   0 gold  0 stamina   0 cards",
        "  P purple           out",
    ]


def test_a_player_sees_the_own_hand_by_value() -> None:
    state = position("9:R5 41:O5", hands={0: "13s 7d 1h 7c"})
    assert drawn(state, 0)[-1] == "your cards (#id): Ah#26 7c#6 7d#19 Ks#51"
    assert drawn(state, 1)[-1] == "your cards (#id): none"
    assert "your cards" not in "\n".join(drawn(state))


def test_a_finished_match_says_why_it_is_over() -> None:
    lines = drawn(position("9:R5 41:O5", ended="cap"))
    assert "over (length limit reached)" in lines[0]
    assert not any(line.startswith(">") for line in lines)


def test_the_widest_table_fits_into_a_small_terminal() -> None:
    """Six lines are left for what can be done."""
    hand = " ".join(f"{value}{suit}8" for value in range(1, 14) for suit in "cdhs")
    options = Options(max_rounds=100)
    tiles = "9:R100+9 10:R12+30 8:G0 13:Y5 41:O5 25:P5"
    state = position(tiles, hands={3: hand}, decks=20, options=options, seat=3, round=100, turn=500, gold={0: 200})
    for viewer in (None, 3):
        lines = drawn(state, viewer)
        assert len(lines) <= 18
        assert max(map(len, lines)) < 80


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        pytest.param({"seat": 0}, "next: Bob, then Bob again", id="two turns in a row"),
        pytest.param({"seat": 1}, "next: Bob again, then Ann", id="the second of them"),
        pytest.param({"seat": 0, "round": 40}, "next: Bob", id="the last but one"),
        pytest.param({"seat": 1, "round": 40}, "this is the last turn", id="the last"),
    ],
)
def test_the_edge_of_the_board_tells_who_plays_next(fields: dict[str, Any], told: str) -> None:
    public = plain(GAME.public(position("9:R5 41:O5", **fields)))
    lines = GAME.draw_for(public, None, ["Ann", "Bob"]).splitlines()
    assert lines[9].startswith(f"     +-- {told} --")


def test_nobody_plays_after_the_end() -> None:
    assert set(drawn(position("9:R5 41:O5", ended="cap"))[9]) == set(" +-")


def test_what_does_not_fit_of_a_hand_is_counted() -> None:
    hand = " ".join(f"{value}{suit}" for value in range(1, 14) for suit in "cd")
    *_, first, second, rest = drawn(position("9:R5 41:O5", hands={0: hand}), 0)
    faces = first.removeprefix("your cards (#id): ").split() + second.split()
    assert (faces[0], rest) == ("Ac#0", f"and {26 - len(faces)} more")
