"""The law about hints finds those that no page could follow."""

from typing import Annotated, Any

import pytest
from connect_four.rules import GAME as CONNECT_FOUR
from connect_four.rules import ConnectFour, Options
from liars_dice.rules import GAME as LIARS_DICE
from liars_dice.rules import Options as DiceOptions
from msgspec import Struct
from two_boards_game import GAME as TWO_BOARDS

from warroom_games.api import AnyGame
from warroom_games.hinting import hints_name_what_exists
from warroom_games.hints import BY_SEAT, costs, graph, grid, stacks
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import play

KEY = b"hints of a game!"


@pytest.mark.parametrize(
    ("game", "options"), [(CONNECT_FOUR, Options()), (LIARS_DICE, DiceOptions(dice=1)), (TWO_BOARDS, None)]
)
def test_good_hints_keep_the_law(game: AnyGame, options: Any) -> None:
    hints_name_what_exists(play(game, 2, options, KEY))


Stacks = tuple[tuple[int, ...], ...]


@pytest.mark.parametrize(
    ("hint", "found"),
    [
        (
            stacks(rows=("options", "height")),
            r"rows of x-columns of stacks: the view has nothing at \['options', 'height'\]",
        ),
        (stacks(rows=0), r"rows of x-columns of stacks is 0"),
        (stacks(rows=6, fields=["place"]), r"x-columns of stacks names \['place'\], which no action has"),
        (grid(columns=("stacks",), fields=["column"]), r"columns of x-grid of stacks is \["),
        (graph(edges=("options",), fields=["column"]), "edges of x-graph of stacks: 2 for 7 nodes"),
        (costs("unit"), r"x-costs of stacks names \['unit'\], which no action has"),
        (BY_SEAT, "x-by-seat of stacks: 7 items for 2 seats"),
    ],
)
def test_a_hint_that_leads_nowhere_breaks_the_law(hint: Any, found: str) -> None:
    class View(Struct):
        options: Options
        stacks: Annotated[Stacks, hint]

    class Misled(ConnectFour):
        view_type: Any = View

    with pytest.raises(LawBrokenError, match=found):
        hints_name_what_exists(play(Misled(), 2, Options(), KEY))


def test_a_drawing_of_what_is_no_list_breaks_the_law() -> None:
    class View(Struct):
        options: Annotated[Options, grid(columns=1, fields=["column"])]

    class Misled(ConnectFour):
        view_type: Any = View

    with pytest.raises(LawBrokenError, match="x-grid of options is no list"):
        hints_name_what_exists(play(Misled(), 2, Options(), KEY))


def test_a_part_that_the_view_does_not_have_is_not_shown() -> None:
    class View(Struct):
        cells: Annotated[tuple[int, ...], grid(columns=1, fields=["column"])] = ()

    class Empty(ConnectFour):
        view_type: Any = View

    hints_name_what_exists(play(Empty(), 2, Options(), KEY))
