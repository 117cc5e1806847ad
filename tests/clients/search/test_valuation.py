"""What states are worth to their seats."""

import pytest
import sealed_bids
from liars_dice.rules import GAME as LIARS_DICE

from warroom_bots.search.valuation import Valuation, seat_count, value_of
from warroom_games.api import Result
from warroom_games.codec import decode_options
from warroom_games.registry import load_games
from warroom_games.rng import KEY_BYTES, Rng

RNG = Rng(bytes(KEY_BYTES))


@pytest.mark.parametrize(
    ("ranks", "values"),
    [
        pytest.param((1, 2), (1, 0), id="two seats"),
        pytest.param((1, 1), (0.5, 0.5), id="a draw"),
        pytest.param((2, 1, 3), (0.5, 1, 0), id="three seats"),
        pytest.param((1, 2, 2), (1, 0.25, 0.25), id="two seats share the last two places"),
        pytest.param((1,), (1,), id="a seat alone"),
    ],
)
def test_a_seat_is_worth_the_rivals_that_it_leaves_behind(ranks: tuple[int, ...], values: tuple[float, ...]) -> None:
    assert value_of(Result(ranks, "victory")) == values


@pytest.mark.parametrize(
    "game", load_games(["sealed_bids:GAME", "liars_dice.rules:GAME"]), ids=lambda game: game.info.id
)
def test_the_number_of_seats_is_found(game: sealed_bids.SealedBids) -> None:
    for seats in range(game.info.min_seats, game.info.max_seats + 1):
        assert seat_count(game, game.setup(seats, decode_options(game, {}), RNG)) == seats


def test_without_an_estimate_all_seats_are_even() -> None:
    game = sealed_bids.GAME
    assert Valuation(game).estimate(game.setup(3, decode_options(game, {}), RNG), 3) == (0.5, 0.5, 0.5)


def test_an_estimate_of_the_game_counts() -> None:
    state = LIARS_DICE.setup(2, decode_options(LIARS_DICE, {}), RNG)
    assert Valuation(LIARS_DICE).estimate(state, 2) == (0.5, 0.5)
