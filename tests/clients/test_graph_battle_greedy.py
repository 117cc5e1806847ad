"""The greedy bot of Graph Battle."""

import pytest
from graph_positions import position

from warroom_bots.api import Decision
from warroom_bots.graph_battle_greedy import GreedyBot
from warroom_bots.registry import find_bot
from warroom_bots.simulation import simulate
from warroom_games.graph_battle.actions import Action, Attack, EndTurn
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import State
from warroom_games.rng import Rng
from warroom_protocol.canonical import plain

CAPITAL = Options(reinforcement="capital")


def chosen(state: State, seed: int = 0) -> object:
    seat = state.table.seat
    legal = tuple(map(plain, GAME.legal_actions(state, seat)))
    decision = Decision(seat, plain(GAME.public(state)), None, legal, complete=True)
    return GreedyBot(Rng(bytes([seed]) * 16)).choose(decision)


@pytest.mark.parametrize(
    ("picture", "options", "action"),
    [
        pytest.param("R5 G1 G5 . R5 Y4 Y1", None, Attack(0, 1), id="the best odds"),
        pytest.param("R9 G1 R1 R1 . Y1 R3\nG9 . . . . . .", None, Attack(0, 1), id="what joins two territories"),
        pytest.param("R9 R9 G9 Y1 Y1", None, Attack(1, 2), id="what makes the largest territory larger, at any odds"),
        pytest.param("R4 Y1 . Y9\n. . . .\nR4 G1 . Y9", None, Attack(3, 4), id="the last node of a rival"),
        pytest.param("R1 R1 R1 G1 . R2 G9", None, EndTurn(), id="no poor odds for a node far away"),
        pytest.param("G9 R2 R1 R3 G9 . R2 Y9", CAPITAL, Attack(3, 4), id="growth comes before the end"),
        pytest.param("G9 R1 R1 R1 G9 . R2 Y9", CAPITAL, EndTurn(1), id="some capital rather than none"),
    ],
)
def test_the_greedy_bot_plays(picture: str, options: Options | None, action: Action) -> None:
    assert chosen(position(picture, options=options)) == plain(action)


def test_it_names_its_strongest_node_the_capital() -> None:
    state = position("G9 R1 R1 R1 R0 G9 . R2 Y9", options=CAPITAL)
    assert chosen(state) == plain(EndTurn(1))


def test_it_draws_among_actions_that_are_as_good() -> None:
    choices = [chosen(position("G1 R5 G1"), seed) for seed in range(20)]
    assert plain(Attack(1, 0)) in choices
    assert plain(Attack(1, 2)) in choices


def ranks(matches: int, seats: int, **options: object) -> list[int]:
    """Play against random bots, from each seat in turn; return the rank that the greedy bot reached in each match."""
    reached = []
    for number in range(matches):
        bots = [find_bot("graph_battle", "random")] * seats
        bots[number % seats] = find_bot("graph_battle", "greedy")
        result = simulate(GAME, bots, seed=f"greedy {number}", options=options).match.result
        assert result is not None
        reached.append(result.ranks[number % seats])
    return reached


def top(count: int, reached: list[int]) -> float:
    """The share of matches in which the bot came among the first so many."""
    return sum(rank <= count for rank in reached) / len(reached)


class TestStandardGame:
    """A fair coin takes as much from either side whatever one attacks, so that skill counts for little.

    Random play ends its turns too early, and that is most of what there is to gain: a chance of three in four against
    one random bot, and about twice one's share against four.
    """

    def test_it_beats_random_more_often_than_not(self) -> None:
        assert top(1, ranks(40, 2)) >= 0.6

    @pytest.mark.long
    def test_it_beats_random_two_times_in_three(self) -> None:
        assert top(1, ranks(100, 2)) >= 0.67

    @pytest.mark.long
    def test_it_beats_four_random_bots_more_often_than_its_share(self) -> None:
        reached = ranks(100, 5)
        assert top(1, reached) >= 0.28
        assert top(2, reached) >= 0.42


class TestCapital:
    """Where a player says where the reinforcements go, skill decides."""

    def test_it_beats_random(self) -> None:
        assert top(1, ranks(20, 2, reinforcement="capital")) >= 0.9
        assert top(2, ranks(15, 5, reinforcement="capital")) >= 0.8

    @pytest.mark.long
    def test_it_beats_random_in_a_hundred_matches(self) -> None:
        assert top(1, ranks(100, 2, reinforcement="capital")) >= 0.9
        assert top(2, ranks(100, 5, reinforcement="capital")) >= 0.8
