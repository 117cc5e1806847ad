"""The state as text."""

import msgspec
from strata_positions import at, position

from warroom_games.strata.board import VERTICES
from warroom_games.strata.options import Options
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import State


def drawn(state: State) -> list[str]:
    return GAME.draw(msgspec.to_builtins(GAME.public(state)), None).splitlines()


def test_the_layers_stand_side_by_side_and_centred() -> None:
    stacks = {at(0, 0, 0): "A3*2", at(1, 1, 1): "a1*7".upper(), at(2, 2, 2): "B4*7", at(4, 2, 1): "B12*1"}
    lines = drawn(position(stacks))
    assert lines[1] == "0;0  1  2  1;0  1  2  3  4  2;0  1  2  3  4  5  6  3;0  1  2  3  4  4;0  1  2"
    assert lines[2:10] == [
        "                             0.  .  .  .  .  .  .",
        "",
        "            0.  .  .  .  .   1.  .  .  .  .  .  .   0.  .  .  .  .",
        "",
        " 0A3 .  .   1.  a1 .  .  .   2.  .  B4 .  .  .  .   1.  .  .  .  .   0+  .  .",
        "  *2            *7                  *7",
        " 1.  .  .   2.  .  .  .  .   3.  .  .  .  .  .  .   2.  .  .  .  .   1.  .  B12",
        "                                                                            *1",
    ]
    assert lines[14].startswith("A3 over *2: 3 pieces and     6.  . ")


def test_the_greatest_stacks_fit_a_terminal_of_80_columns_and_24_rows() -> None:
    """Six lines are left for what can be done."""
    stacks = {vertex: "A200*200" for vertex in VERTICES[:58]} | {vertex: "B99*10" for vertex in VERTICES[58:]}
    options = Options(max_turns=400)
    state = position(stacks, pools="A200*200 B200*200", turn=400, dominion=(55_000, 55_000), options=options)
    lines = drawn(GAME.remove(state, 0).state)
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 18


def test_numbers_that_do_not_fit_are_told_as_many() -> None:
    lines = drawn(position({at(0, 0, 0): "A99*100", at(4, 2, 0): "B100*99"}))
    assert lines[6].startswith(" 0A99.  ")
    assert lines[7] == "  *++" + " " * 71 + "*99"
    assert lines[6].endswith("B++")


def test_the_headline_says_whose_turn_it_is_and_what_is_done() -> None:
    assert drawn(position({}, seat=1, turn=4))[0] == "Strata   turn 4 of 300   B to move, done: nothing"
    assert drawn(position({}, placed=True, moved=True))[0].endswith("A to move, done: place, move")
    assert drawn(position({}, ended="cap"))[0].endswith("over (cap)")


def test_the_players_stand_below_with_a_mark_for_the_turn() -> None:
    stacks = {at(0, 0, 0): "A3*2", at(1, 1, 1): "A1*7", at(4, 0, 0): "B10*1"}
    lines = drawn(position(stacks, pools="A1*2 B0*0", dominion=(12, 8)))
    assert lines[16:18] == [
        "> A   4 pieces   1 occupied  pool 1 piece *2  dominion 12",
        "  B  10 pieces   1 occupied  pool 0 pieces *0  dominion 8",
    ]


def test_who_left_is_out() -> None:
    lines = drawn(GAME.remove(position({at(0, 0, 0): "A3*2"}), 1).state)
    assert lines[17].endswith("out  dominion 0")
    assert not any(line.startswith(">") for line in lines)
