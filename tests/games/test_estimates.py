"""Estimates of how a seat stands, and the law about them."""

from typing import Any

import pytest
from connect_four.rules import ConnectFour

from warroom_games.api import AnyGame, Evaluating, Seat, View
from warroom_games.codec import decode_options
from warroom_games.estimates import estimates_are_in_thousandths, of_ranks, of_shares
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import Playthrough, play
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES

KEY = bytes(KEY_BYTES)
GAMES = load_games(["liars_dice.rules:GAME"])


class Weighed(ConnectFour):
    """A game whose estimate a test chooses."""

    def __init__(self, *estimates: Any) -> None:
        self._estimates = [*estimates]

    def evaluate(self, public: View, private: View | None, seat: Seat) -> Any:
        """Return the next estimate, the last one again and again."""
        return self._estimates.pop(0) if len(self._estimates) > 1 else self._estimates[0]


def match_of(game: AnyGame) -> Playthrough:
    return play(game, game.info.min_seats, decode_options(game, {}), KEY)


@pytest.mark.parametrize(
    "estimates",
    [
        pytest.param((1001,), id="more than won"),
        pytest.param((-1001,), id="less than lost"),
        pytest.param((0.5,), id="a fraction"),
        pytest.param((True,), id="a bool"),
        pytest.param((1, 2), id="another number from the same views"),
    ],
)
def test_the_law_finds_a_wrong_estimate(estimates: tuple[Any, ...]) -> None:
    with pytest.raises(LawBrokenError):
        estimates_are_in_thousandths(match_of(Weighed(*estimates)))


def test_the_law_lets_a_game_without_estimates_be() -> None:
    estimates_are_in_thousandths(match_of(ConnectFour()))


@pytest.mark.parametrize(
    "game", [game for game in GAMES if isinstance(game, Evaluating)], ids=lambda game: game.info.id
)
def test_whoever_ranks_first_at_the_end_is_estimated_highest(game: AnyGame) -> None:
    assert isinstance(game, Evaluating)
    match = play(game, 2, decode_options(game, {}), KEY)
    state = match.states[-1]
    result = game.result(state)
    assert result is not None
    estimates = [game.evaluate(game.public(state), game.private(state, seat), seat) for seat in range(2)]
    assert result.ranks[0] == result.ranks[1] or (estimates[0] > estimates[1]) == (result.ranks[0] < result.ranks[1])


def test_all_games_of_warroom_estimate() -> None:
    assert [game.info.id for game in GAMES if not isinstance(game, Evaluating)] == []


@pytest.mark.parametrize(
    ("ranks", "estimates"),
    [
        pytest.param((1, 2), [1000, -1000], id="won and lost"),
        pytest.param((1, 1), [0, 0], id="a draw"),
        pytest.param((2, 1, 3), [0, 1000, -1000], id="second of three"),
    ],
)
def test_an_end_is_estimated_by_rank(ranks: tuple[int, ...], estimates: list[int]) -> None:
    assert [of_ranks(ranks, seat) for seat in range(len(ranks))] == estimates


def test_shares_count_for_less_if_both_are_small() -> None:
    assert of_shares(3, 1) == 500
    assert of_shares(3, 1, slack=4) == 250
    assert of_shares(0, 0) == 0
