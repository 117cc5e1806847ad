"""PettingZoo's own tests of environments pass for every game."""

from collections.abc import Callable
from typing import Any

import pytest
from learned_games import LIARS_DICE, SEALED_BIDS
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import warroom_rl
from warroom_games.api import AnyGame
from warroom_games.registry import load_games

GAMES = [*load_games().newest(), SEALED_BIDS, LIARS_DICE]
CYCLES, MANY_CYCLES = 20, 500

pytestmark = [
    # PettingZoo knows the environments with a mask in their observations, and with factors, by name only.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    # An agent that is done has no legal action.
    pytest.mark.filterwarnings("ignore:Action mask is all zeros:UserWarning"),
]


def every_game(test: Callable[..., None]) -> Any:
    return pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)(test)


@every_game
def test_the_api_is_as_pettingzoo_wants_it(game: AnyGame) -> None:
    api_test(warroom_rl.env(game), num_cycles=CYCLES)


@every_game
def test_equal_seeds_play_equal_matches(game: AnyGame) -> None:
    seed_test(lambda: warroom_rl.env(game), num_cycles=CYCLES)


@every_game
def test_pictures_are_text(game: AnyGame) -> None:
    render_test(lambda render_mode: warroom_rl.env(game, render_mode=render_mode))


def test_the_parallel_api_is_as_pettingzoo_wants_it() -> None:
    parallel_api_test(warroom_rl.parallel_env(SEALED_BIDS), num_cycles=CYCLES)
    parallel_seed_test(lambda: warroom_rl.parallel_env(SEALED_BIDS), num_cycles=CYCLES)


@pytest.mark.long
@every_game
def test_many_cycles_are_as_pettingzoo_wants_them(game: AnyGame) -> None:
    seats = range(game.info.min_seats, game.info.max_seats + 1)
    for count in seats:
        api_test(warroom_rl.env(game, seats=count), num_cycles=MANY_CYCLES)
    seed_test(lambda: warroom_rl.env(game), num_cycles=MANY_CYCLES)


@pytest.mark.long
def test_many_parallel_cycles_are_as_pettingzoo_wants_them() -> None:
    for count in range(2, 5):
        parallel_api_test(warroom_rl.parallel_env(SEALED_BIDS, seats=count), num_cycles=MANY_CYCLES)
