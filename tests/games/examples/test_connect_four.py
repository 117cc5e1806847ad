"""The rules of Connect Four, by docs/examples/connect_four/RULES.md."""

import pytest
from connect_four.rules import GAME, Drop, Options, State

from warroom_games.api import IllegalActionError, OptionsError
from warroom_games.rng import KEY_BYTES, Rng

RNG = Rng(bytes(KEY_BYTES))


def after(*columns: int, options: Options | None = None) -> State:
    """Return the position after these drops."""
    state = GAME.setup(2, options or Options(), RNG)
    for column in columns:
        (seat,) = GAME.to_act(state)
        action = Drop(column)
        GAME.check(state, seat, action)
        state = GAME.apply(state, seat, action).state
    return state


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param((0, 0, 1, 1, 2, 2, 3), id="§3.1 a row"),
        pytest.param((0, 1, 0, 1, 0, 1, 0), id="§3.1 a column"),
        pytest.param((0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3), id="§3.1 a diagonal up"),
        pytest.param((3, 2, 2, 1, 1, 0, 1, 0, 0, 6, 0), id="§3.1 a diagonal down"),
        pytest.param((0, 0, 1, 1, 3, 3, 2), id="§3.1 the gap in a row is filled last"),
    ],
)
def test_four_in_a_line_win(columns: tuple[int, ...]) -> None:
    assert GAME.result(after(*columns[:-1])) is None
    result = GAME.result(after(*columns))
    assert result is not None
    assert (result.ranks, result.reason) == ((1, 2), "victory")


def test_a_full_board_without_a_line_is_a_draw() -> None:  # §3.2
    # Two columns of X O X O beside two of O X O X, so that no line is longer than two.
    columns = (0, 0, 0, 0, 1, 1, 1, 1, 3, 2, 2, 2, 2, 3, 3, 3)
    result = GAME.result(after(*columns, options=Options(columns=4, rows=4)))
    assert result is not None
    assert (result.ranks, result.reason) == ((1, 1), "cap")


@pytest.mark.parametrize(
    ("columns", "seat", "column", "code"),
    [
        pytest.param((), 1, 0, "turn.not_yours", id="§2.1 the first seat begins"),
        pytest.param((), 0, 7, "drop.off", id="§2.2 beside the board"),
        pytest.param((0,) * 6, 0, 0, "drop.full", id="§2.2 a full column"),
        pytest.param((0, 1, 0, 1, 0, 1, 0), 1, 3, "match.over", id="after the end"),
    ],
)
def test_a_wrong_drop_is_refused(columns: tuple[int, ...], seat: int, column: int, code: str) -> None:
    with pytest.raises(IllegalActionError) as refused:
        GAME.check(after(*columns), seat, Drop(column))
    assert refused.value.code == code


def test_the_clock_takes_the_first_open_column() -> None:  # §2.3
    assert GAME.default_action(after(*(0,) * 6), 0) == Drop(1)


def test_who_leaves_loses() -> None:  # §3.3
    result = GAME.result(GAME.remove(after(3), 0).state)
    assert result is not None
    assert result.ranks == (2, 1)


def test_three_players_are_too_many() -> None:
    with pytest.raises(OptionsError):
        GAME.setup(3, Options(), RNG)


def test_the_board_is_drawn_from_the_top() -> None:
    assert GAME.draw(GAME.public(after(3, 3)), None).splitlines()[-3:] == [
        ". . . O . . .",
        ". . . X . . .",
        "0 1 2 3 4 5 6",
    ]
