"""The greedy bot of Strata."""

import pytest
from strata_positions import at, position

from warroom_bots.api import Decision
from warroom_bots.registry import find_bot
from warroom_bots.simulation import simulate
from warroom_bots.strata import GreedyBot
from warroom_games.rng import Rng
from warroom_games.strata.actions import Action, Attack, Infuse, Move, Place
from warroom_games.strata.board import Vertex
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import State
from warroom_protocol.canonical import plain

HERE, THERE, HOME = at(0, 1, 1), at(0, 1, 2), at(0, 0, 0)


def chosen(state: State, seed: int = 0) -> object:
    legal = tuple(map(plain, GAME.legal_actions(state, state.seat)))
    return GreedyBot(Rng(bytes([seed]) * 16)).choose(
        Decision(state.seat, plain(GAME.public(state)), None, legal, complete=True)
    )


@pytest.mark.parametrize(
    ("stacks", "fields", "action"),
    [
        pytest.param({HERE: "A3*2", THERE: "B1*1"}, {"moved": True}, Attack(HERE, THERE), id="it wins when it can"),
        pytest.param(
            {HERE: "A5*2", THERE: "B1*4", at(4, 0, 0): "B1*0"},
            {"moved": True},
            Attack(HERE, THERE),
            id="it destroys what it can beat",
        ),
        pytest.param(
            {at(0, 2, 2): "A5*2"}, {"placed": True, "infused": True}, Move(at(0, 2, 2), at(1, 3, 3)),
            id="it climbs to the layer that it can occupy",
        ),
        pytest.param(
            {HOME: "A1*0", at(4, 1, 1): "A3*0"}, {"placed": True, "pools": "A0*1 B0*0"}, Infuse(at(4, 1, 1)),
            id="it infuses where that makes most",
        ),
    ],
)  # fmt: skip
def test_the_greedy_bot_plays(stacks: dict[Vertex, str], fields: dict[str, object], action: Action) -> None:
    assert chosen(position(stacks, **fields)) == plain(action)  # type: ignore[arg-type]


def test_it_does_not_throw_away_a_stack_that_is_safe() -> None:
    state = position({HERE: "A3*2", THERE: "B2*3", HOME: "A1*0"}, moved=True)
    assert chosen(state) == {"type": "end_turn"}


def test_it_moves_out_of_danger() -> None:
    state = position({HERE: "A1*2", THERE: "B3*3", HOME: "B1*0"}, placed=True, infused=True)
    move = chosen(state)
    assert isinstance(move, dict)
    assert move["target"] not in ([0, 0, 2], [0, 2, 2], [0, 1, 0], [0, 1, 2])


def test_it_draws_among_actions_that_are_as_good() -> None:
    state = position({}, pools="A1*1 B0*0")
    corners = [plain(Place(HOME)), plain(Place(at(0, 2, 2)))]
    choices = [chosen(state, seed) for seed in range(20)]
    assert all(corner in choices for corner in corners)


def _wins(matches: int, **options: object) -> int:
    """Play random from alternating seats, and count the matches that greedy alone wins."""
    greedy, random = find_bot("strata", "greedy"), find_bot("strata", "random")
    won = 0
    for number in range(matches):
        seat = number % 2
        bots = [greedy, random] if seat == 0 else [random, greedy]
        result = simulate(GAME, bots, seed=f"greedy {number}", options=options).match.result
        assert result is not None
        won += result.ranks[seat] < result.ranks[1 - seat]
    return won


def test_it_beats_random_in_short_matches() -> None:
    assert _wins(20, max_turns=60) >= 18


@pytest.mark.long
def test_it_beats_random_in_whole_matches() -> None:
    assert _wins(100) >= 90
