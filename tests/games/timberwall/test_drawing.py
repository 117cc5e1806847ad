"""The board as text."""

from typing import Literal

import pytest
from msgspec.structs import replace
from timberwall_positions import KEY, Place, after, position

from warroom_games.rng import Rng
from warroom_games.timberwall.actions import HitWall
from warroom_games.timberwall.drawing import HINT, LARGE_LEGEND, LEGEND
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State, Wall
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
    assert lines[1:3] == ["> green 100 HP  forests 0/2  12 wood  3 reserves  26 points", "  red   100 HP  forests 1/2"]
    assert lines[3:8] == [
        "y\\x  0      1      2      3      4      5      6      7      8      9",
        " 0                               G1                   ?      ?      ♣?",
        " 1       │  ⌂G                                        ?      ?      ?",
        " 2               ‗G25‗‗┃       ♣R500                  ?      ?      ?",
        " 3                                      ?      ?      ?      ?      ?",
    ]
    assert lines[-3:] == [LEGEND, HINT, "  green wall east of (2, 2): 66 HP"]


def test_walls_of_all_owners_are_told_apart_on_both_sides() -> None:
    walls: dict[Place, tuple[int, int]] = {
        (2, 4, "east"): (0, 100),
        (3, 4, "south"): (0, 100),
        (4, 4, "east"): (1, 100),
        (5, 4, "south"): (1, 50),
    }
    state = position({(4, 5): 1}, neutral=[(5, 4, "east"), (6, 4, "south")], walls=walls)
    assert drawn(state, 0)[8] == " 4                     ┃▂▂▂▂▂▂       ║‗‗‗‗‗‗│______   ?      ?      ?"


def test_the_foot_of_a_full_tile_is_still_to_be_seen() -> None:
    state = position({(4, 4): 500}, neutral=[(4, 4, "south")], forests=((4, 4),))
    assert "♣G500_" in drawn(state, 0)[8]
    large = position({(6, 6): 500}, neutral=[(6, 6, "south")], forests=((6, 6),), size=20)
    assert "_g4" in drawn(large, 0)[8]


def test_what_was_seen_before_has_another_mark_than_what_never_was() -> None:
    state = position({(2, 6): 1})
    tiles = tuple(row.replace(".", "-") for row in state.memories[0].tiles)
    state = replace(state, memories=(replace(state.memories[0], tiles=tiles), state.memories[1]))
    assert drawn(state, 0)[4].split()[:7] == ["0", "·", "·", "·", "·", "·", "?"]


def test_a_spectator_sees_terrain_and_the_walls_of_the_start() -> None:
    lines = drawn(position({(2, 2): 25}, neutral=[(0, 1, "east"), (1, 0, "south")]))
    assert lines[4:6] == [
        " 0   ·    __·___   ·      ·      ·      ·      ·      ·      ·      ♣·",
        " 1   ·   │  ⌂G     ·      ·      ·      ·      ·      ·      ·      ·",
    ]
    assert "wood" not in "".join(lines)


def test_without_fog_everybody_sees_everything() -> None:
    state = position({(2, 2): 25}, {(0, 9): 7}, wood=(1, 2), streaks=(0, 3), fog=False, seat=1)
    lines = drawn(state)
    assert lines == drawn(state, 1)
    assert " R7" in lines[13]
    assert lines[1:3] == [
        "  green 100 HP  forests 0/1  1 wood  0 reserves  25 points",
        "> red   100 HP  forests 0/1 for 3 turns  2 wood  0 reserves  7 points",
    ]


def test_a_finished_match_says_why_it_is_over() -> None:
    lines = drawn(position(ended="forests", ranks=(1, 2)))
    assert lines[0].endswith("over (forests)")
    assert not any(line.startswith(">") for line in lines)


class TestLargeBoards:
    def test_they_show_tiers_and_list_the_points_below(self) -> None:
        state = position({(4, 4): 25, (6, 6): 7}, {(6, 7): 130}, forests=((6, 6),), size=20, wood=(12, 0), held=(1, 0))
        lines = drawn(state, 0)
        assert lines[0] == "1/600  >green 100 HP ♣1/1 12w 0r  red 100 HP ♣0/1"
        assert lines[6][19:21] == "G3"
        assert (lines[8][27:29], lines[9][27:29]) == ("g2", "R4")
        assert lines[-5:] == [
            "  green units: (4, 4) 25  (6, 6) 7",
            "  red units: (6, 7) 130",
            LEGEND,
            LARGE_LEGEND,
            HINT,
        ]

    @pytest.mark.parametrize("size", [20, 30])
    def test_rows_and_columns_are_labelled_in_full(self, size: Literal[20, 30]) -> None:
        far = size - 3
        lines = drawn(position({(far, far): 25, (size - 1, far): 1}, size=size, fog=False))
        assert lines[1] == "y\\x" + "".join(f"{column:<4}" for column in range(size - 1)).rstrip() + f" {size - 1}"
        assert [line[:2] for line in lines[2 : 2 + size]] == [f"{row:>2}" for row in range(size)]
        column = lines[1].index(str(far))
        assert lines[2 + far][column : column + 2] == "G3"
        assert lines[2 + far].endswith(" G1")
        assert lines[1].endswith(str(size - 1))

    def test_the_summary_says_when_it_is_over(self) -> None:
        lines = drawn(position(ended="base", ranks=(1, 2), size=20))
        assert lines[0] == "over (base)  green 100 HP ♣0/1  red 100 HP ♣0/1"


@pytest.mark.parametrize("fog", [True, False])
@pytest.mark.parametrize("size", [10, 20])
def test_the_board_fits_a_terminal_of_80_columns_and_24_rows(size: Literal[10, 20], fog: bool) -> None:
    opening = GAME.setup(2, Options(size=size, fog=fog, forests=20), Rng(KEY))
    for seat in (None, 0):
        lines = drawn(opening, seat)
        last_row = next(index for index, line in reversed([*enumerate(lines)]) if line.startswith(f"{size - 1:>2}"))
        assert last_row < 24 - 2, "a line above says how the match stands, one below what was cut off"
        assert max(map(len, lines)) <= 80


def test_the_largest_board_is_a_line_a_row() -> None:
    lines = drawn(GAME.setup(2, Options(size=30), Rng(KEY)))
    assert [line[:2] for line in lines[2:32]] == [f"{row:>2}" for row in range(30)]
    assert max(map(len, lines)) <= 120


class TestEverything:
    """What spectators see who see what both players see (§10.8)."""

    @staticmethod
    def drawn(state: State, names: tuple[str, ...] = ()) -> list[str]:
        return GAME.draw_all(
            plain(GAME.public(state)), [plain(GAME.private(state, seat)) for seat in (0, 1)], names
        ).splitlines()

    def test_units_and_stores_of_both_are_on_one_board(self) -> None:
        lines = self.drawn(position({(2, 2): 25}, {(9, 9): 7}, wood=(12, 1), reserves=(3, 4)))
        assert lines[1:3] == [
            "> green 100 HP  forests 0/1  12 wood  3 reserves  25 points",
            "  red   100 HP  forests 0/1  1 wood  4 reserves  7 points",
        ]
        assert "G25" in lines[6]
        assert "Ada" in self.drawn(position({(2, 2): 25}, {(9, 9): 7}), ("Ada", "Bob"))[1]
        assert "R7" in lines[13]

    def test_a_wall_stands_as_whoever_knows_better_has_it(self) -> None:
        edge: Place = (4, 4, "east")
        seen = position({(4, 4): 1}, {(9, 0): 1}, walls={edge: (0, 66)}, neutral=[(5, 4, "east")])
        assert self.drawn(seen)[8].count("┃") == 1
        assert "  green wall east of (4, 4): 66 HP" in self.drawn(seen)
        fallen = after(position({(0, 9): 1}, {(5, 4): 25}, walls={edge: (0, 100)}, seat=1), HitWall(5, 4, "w"))
        memory = replace(fallen.memories[0], walls=(Wall(*edge, 0, 100),))
        fallen = replace(fallen, memories=(memory, fallen.memories[1]))
        assert self.drawn(fallen)[8].count("┃") == 0

    def test_without_fog_it_is_the_board_that_everybody_sees(self) -> None:
        state = position({(2, 2): 25}, {(9, 9): 7}, fog=False)
        assert self.drawn(state) == drawn(state)
