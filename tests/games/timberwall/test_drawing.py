"""The board as text."""

from typing import Any

import pytest
from msgspec.structs import replace
from timber_positions import KEY, position

from warroom_games.rng import Rng
from warroom_games.timberwall.drawing import LEGEND
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State
from warroom_protocol.canonical import plain


def drawn(state: State, seat: int | None = None) -> list[str]:
    private = None if seat is None else plain(GAME.private(state, seat))
    return GAME.draw(plain(GAME.public(state)), private).splitlines()


def test_a_player_sees_units_walls_and_fog() -> None:
    state = position(
        {(2, 2): 25, (4, 0): 1},
        {(4, 2): 500, (9, 9): 7},
        neutral=[(0, 1, "east")],
        walls={(2, 2, "east"): (0, 66), (2, 2, "south"): (1, 100)},
        forests=((4, 2), (9, 0)),
        wood=(12, 0),
        reserves=(3, 0),
        held=(0, 1),
    )
    lines = drawn(state, 0)
    assert lines[0] == "Timberwall   turn 1 of 300   round 1   green to move"
    assert lines[2:10] == [
        "     0     1     2     3     4     5     6     7     8     9",
        " 0                           G1                ?     ?     ♣?",
        "        +",
        " 1      │  ⌂G                                  ?     ?     ?",
        "        +           +",
        " 2              G25 ┃      ♣R500               ?     ?     ?",
        "              +═════+",
        " 3                                 ?     ?     ?     ?     ?",
    ]
    assert lines[-4:] == [
        "> green base 100 HP   forests 0 of 2   12 wood   3 reserves   26 points on the board",
        "  red   base 100 HP   forests 1 of 2",
        "  green wall east of (2, 2): 66 HP",
        LEGEND,
    ]


def test_what_was_seen_before_has_another_mark_than_what_never_was() -> None:
    state = position({(2, 6): 1})
    tiles = tuple(row.replace(".", "-") for row in state.memories[0].tiles)
    state = replace(state, memories=(replace(state.memories[0], tiles=tiles), state.memories[1]))
    assert drawn(state, 0)[3].split()[:7] == ["0", "·", "·", "·", "·", "·", "?"]


def test_a_spectator_sees_terrain_and_the_walls_of_the_start() -> None:
    lines = drawn(position({(2, 2): 25}, neutral=[(0, 1, "east"), (1, 0, "south")]))
    assert lines[3:6] == [
        " 0   ·     ·     ·     ·     ·     ·     ·     ·     ·     ♣·",
        "        +─────+",
        " 1   ·  │  ⌂G    ·     ·     ·     ·     ·     ·     ·     ·",
    ]
    assert "wood" not in "".join(lines)


def test_without_fog_everybody_sees_everything() -> None:
    state = position({(2, 2): 25}, {(0, 9): 7}, wood=(1, 2), streaks=(0, 3), fog=False, seat=1)
    lines = drawn(state)
    assert lines == drawn(state, 1)
    assert " R7" in lines[21]
    assert lines[-3:-1] == [
        "  green base 100 HP   forests 0 of 1   1 wood   0 reserves   25 points on the board",
        "> red   base 100 HP   forests 0 of 1   all of them for 3 turns   2 wood   0 reserves   7 points on the board",
    ]


def test_a_finished_match_says_why_it_is_over() -> None:
    lines = drawn(position(ended="forests", ranks=(1, 2)))
    assert lines[0].endswith("over (forests)")
    assert not any(line.startswith(">") for line in lines)


@pytest.mark.parametrize("size", [10, 20, 30])
def test_every_board_fits_its_frame(size: Any) -> None:
    lines = drawn(GAME.setup(2, Options(size=size), Rng(KEY)))
    assert len(lines) == 2 + 2 * size + 1 + 3
    assert max(map(len, lines[2 : 2 + 2 * size])) <= 3 + 6 * size
