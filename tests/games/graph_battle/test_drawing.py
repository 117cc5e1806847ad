"""The table as text."""

import msgspec
import pytest
from graph_positions import position

from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import State


def drawn(state: State) -> list[str]:
    return GAME.draw(msgspec.to_builtins(GAME.public(state)), None).splitlines()


def test_the_graph_shows_nodes_and_edges_of_every_direction() -> None:
    lines = drawn(position("R2 G10 .\n. Y0 R1\nB3 . .", seat=3, turn=9, round=2))
    assert lines[0] == "Graph Battle   round 2 of 100   turn 9   blue to move"
    assert [line[:26].rstrip() for line in lines[2:7]] == [
        " 0 R2  -- 1 G10",
        "       \\    |   \\",
        "          2 Y0  -- 3 R1",
        "        /",
        " 4 B3",
    ]


def test_every_second_row_of_hexagons_is_moved_by_half() -> None:
    lines = drawn(position("R2 G10 .\n. Y0 R1\nB3 . P4", options=Options(board="hex")))
    assert [line[:28].rstrip() for line in lines[2:7]] == [
        " 0 R2  -- 1 G10",
        "             \\",
        "              2 Y0  -- 3 R1",
        "                 \\    /",
        " 4 B3              5 P4",
    ]


def test_crossing_edges_are_drawn_as_a_cross() -> None:
    assert drawn(position("R2 G1\nG1 R1"))[3].startswith("   |   ><   |    ")


def test_the_players_stand_beside_with_a_mark_for_the_turn() -> None:
    lines = drawn(position("R2 R3 G1 B4", seat=1, out=(2, 3)))
    assert [line[35:].strip() for line in lines[2:7]] == [
        "nodes/strength",
        "R red            2/5",
        ">G green          1/1",
        "Y yellow         out",
        "B blue           out",
    ]


def test_players_are_called_by_their_names() -> None:
    public = msgspec.to_builtins(GAME.public(position("R2 R3 G1 B4")))
    lines = GAME.draw_for(public, None, ("Ada", "Bartholomew the Elder", "", "Eve")).splitlines()
    assert [line.split()[-2] for line in lines[3:7]] == ["Ada", "Bartholome…", "yellow", "Eve"]


@pytest.mark.parametrize(
    ("options", "last"),
    [
        pytest.param(Options(), 100, id="§6.2 the cap"),
        pytest.param(Options(victory_rounds=12), 100, id="§6.7 rounds that do not win"),
        pytest.param(Options(victory="rounds"), 30, id="§6.7 rounds that win"),
        pytest.param(Options(victory="rounds", max_rounds=7), 7, id="§6.2 a cap that comes first"),
    ],
)
def test_the_headline_tells_the_last_round(options: Options, last: int) -> None:
    assert f"round 3 of {last} " in drawn(position("R2 G1", round=3, options=options))[0]


def test_a_finished_match_says_why_it_is_over() -> None:
    lines = drawn(position("R2 G1", ended="cap"))
    assert lines[0].endswith("over (length limit reached)")
    assert not any(line.startswith(">") for line in lines)
