"""The greedy bot of Timberwall: what it decides in small positions, and how it fares against chance."""

from typing import Any

import pytest
from timberwall_bots import chosen
from timberwall_positions import position, unit

from warroom_bots.games.timberwall.greedy import BOT, GreedyBot
from warroom_bots.random_bot import BOT as RANDOM
from warroom_bots.registry import bots_for
from warroom_bots.simulation import simulate
from warroom_games.timberwall.actions import Attack, ConvertAll, Deploy, HitWall, Merge, Move, Pass
from warroom_games.timberwall.rules import GAME


@pytest.mark.parametrize(
    ("green", "red", "fields", "action"),
    [
        pytest.param({(7, 7): 5, (9, 9): 25}, {(6, 7): 1}, {}, Attack(9, 9, "nw"), id="the strongest hits the base"),
        pytest.param({(4, 4): 25}, {(5, 4): 20, (4, 5): 3}, {}, Attack(4, 4, "e"), id="the greatest sure prize"),
        pytest.param({(4, 4): 25}, {(5, 4): unit(25)}, {}, Move(4, 4, "s"), id="no fight that may be lost"),
        pytest.param({(4, 4): 25}, {}, {"wood": (45, 0)}, ConvertAll(), id="wood becomes reserves"),
        pytest.param({(4, 4): 25}, {}, {"reserves": (60, 0)}, Deploy(3, 3, 50), id="the strongest recruit"),
        pytest.param({(4, 4): 25}, {}, {"reserves": (24, 0)}, Move(4, 4, "se"), id="small recruits can wait"),
        pytest.param({(9, 0): 5}, {(4, 4): 25}, {"reserves": (6, 0)}, Deploy(3, 3, 5), id="but not in danger"),
        pytest.param({(4, 4): 4, (5, 4): 3, (0, 9): 1}, {}, {}, Merge(4, 4, "e"), id="the weak stand together"),
        pytest.param({(8, 7): 25, (7, 6): 1}, {}, {"neutral": [(8, 7, "south")]}, HitWall(8, 7, "s"), id="the gate"),
        pytest.param({}, {}, {}, Pass(), id="nobody to move"),
    ],
)
def test_the_bot_takes_the_best_it_can_get(
    green: dict[tuple[int, int], int], red: dict[tuple[int, int], Any], fields: dict[str, Any], action: object
) -> None:
    assert chosen(GreedyBot(), position(green, red, **fields)) == action


def test_the_bot_is_offered_for_its_game() -> None:
    assert bots_for("timberwall")["greedy"] is BOT


@pytest.mark.parametrize("matches", [20, pytest.param(100, marks=pytest.mark.long)])
def test_it_beats_chance_in_nine_of_ten_matches(matches: int) -> None:
    won = 0
    for number in range(matches):
        seat = number % 2
        bots = [BOT, RANDOM] if seat == 0 else [RANDOM, BOT]
        result = GAME.result(simulate(GAME, bots, seed=f"greedy {number}").match.state)
        won += result is not None and result.ranks[seat] < result.ranks[1 - seat]
    assert won >= 0.9 * matches
