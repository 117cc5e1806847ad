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
    assert lines[1] == "0;x0 x1 x2 1;x0 x1 x2 x3 x4 2;x0 x1 x2 x3 x4 x5 x6 3;x0 x1 x2 x3 x4 4;x0 x1 x2"
    assert lines[2:10] == [
        "                            y0.  .  .  .  .  .  .",
        "",
        "           y0.  .  .  .  .  y1.  .  .  .  .  .  .  y0.  .  .  .  .",
        "",
        "y0A3 .  .  y1.  a1 .  .  .  y2.  .  B4 .  .  .  .  y1.  .  .  .  .  y0+  .  .",
        "  *2            *7                  *7",
        "y1.  .  .  y2.  .  .  .  .  y3.  .  .  .  .  .  .  y2.  .  .  .  .  y1.  .  B12",
        "                                                                            *1",
    ]
    assert lines[14].startswith("A3 over *2: 3 pieces and    y6.  . ")


def test_a_y_stands_apart_from_a_large_stack_beside_it() -> None:
    lines = drawn(position({at(0, 2, 0): "A12*1", at(1, 4, 1): "A3*4"}))
    assert lines[6].startswith("y0+  .  A12 1.  .  .  .  A3 y2.")


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
    assert lines[6].startswith("y0A99.  ")
    assert lines[7] == "  *++" + " " * 71 + "*99"
    assert lines[6].endswith("B++")


def test_the_headline_says_whose_turn_it_is_and_which_duties_are_open() -> None:
    owed = {at(4, 0, 0): "B2*2"}
    headline = drawn(position(owed, pools="A0*0 B1*1", seat=1, turn=4))[0]
    assert headline == "Strata   turn 4 of 300   B to move, to do: place, infuse, move"
    assert drawn(position(owed, pools="A0*0 B1*1", seat=1, placed=True, moved=True))[0].endswith("to do: infuse")
    assert drawn(position({}))[0].endswith("A to move, to do: nothing")
    assert drawn(position({}, ended="cap"))[0].endswith("over (length limit reached)")


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
