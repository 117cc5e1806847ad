"""The greedy bot of Strata."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strata_positions import at, position, shown

from warroom_bots.api import Decision
from warroom_bots.games.strata import GreedyBot
from warroom_bots.games.strata_evaluation import Evaluation
from warroom_bots.registry import find_bot
from warroom_bots.simulation import simulate
from warroom_games.rng import Rng
from warroom_games.strata.actions import Action, Attack, Infuse, Move, Place
from warroom_games.strata.board import INDEX, NEIGHBOURS, VERTICES, Vertex
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import State
from warroom_protocol.canonical import plain

HERE, THERE, HOME, OTHER_HOME = at(0, 1, 1), at(0, 1, 2), at(0, 0, 0), at(0, 2, 2)
FAR = at(4, 1, 1)
DONE: dict[str, Any] = {"placed": True, "infused": True}


def chosen(state: State, seed: int = 0) -> object:
    legal = tuple(map(plain, GAME.legal_actions(state, state.seat)))
    return GreedyBot(Rng(bytes([seed]) * 16)).choose(
        Decision(state.seat, plain(GAME.public(state)), None, legal, complete=True)
    )


@pytest.mark.parametrize(
    ("stacks", "fields", "action"),
    [
        pytest.param({HERE: "A3*2", THERE: "B1*1"}, DONE, Attack(HERE, THERE), id="it wins when it can"),
        pytest.param(
            {HERE: "A2*1", THERE: "B2*5", HOME: "A1*0"},
            {**DONE, "moved": True},
            Attack(HERE, THERE),
            id="it wins by giving up a stack for the rival's last one",
        ),
        pytest.param(
            {HERE: "A5*2", THERE: "B1*4", at(4, 0, 0): "B1*0"},
            {**DONE, "moved": True},
            Attack(HERE, THERE),
            id="it destroys what it can beat",
        ),
        pytest.param(
            {HERE: "A1*3", HOME: "A9*1", THERE: "B9*3", FAR: "B1*1"},
            {**DONE, "moved": True},
            Attack(HERE, THERE),
            id="it drains what it cannot beat",
        ),
        pytest.param(
            {at(3, 1, 1): "A5*4", FAR: "B1*0"}, DONE, Move(at(3, 1, 1), at(4, 0, 0)),
            id="it takes the rival's home corner",
        ),
        pytest.param(
            {HOME: "A1*0", FAR: "A3*0", at(4, 2, 2): "B1*1"}, {"placed": True, "pools": "A0*1 B0*0"}, Infuse(FAR),
            id="it infuses where there is something to do",
        ),
    ],
)  # fmt: skip
def test_the_greedy_bot_plays(stacks: dict[Vertex, str], fields: dict[str, Any], action: Action) -> None:
    assert chosen(position(stacks, **fields)) == plain(action)


def test_it_moves_to_the_rival_and_attacks_in_one_turn() -> None:
    state = position({at(0, 1, 0): "A3*2", OTHER_HOME: "B1*1"}, **DONE)
    move = chosen(state)
    assert isinstance(move, dict)
    assert INDEX[OTHER_HOME] in NEIGHBOURS[INDEX[at(*move["target"])]]
    state = GAME.apply(state, 0, Move(at(*move["source"]), at(*move["target"]))).state
    assert chosen(state) == plain(Attack(at(*move["target"]), OTHER_HOME))


def test_it_does_not_throw_away_a_stack_that_is_safe() -> None:
    state = position({HERE: "A3*2", THERE: "B4*9", HOME: "A1*0", FAR: "B1*1"}, moved=True)
    assert chosen(state) == {"type": "end_turn"}


def test_it_stays_out_of_reach_of_stronger_units() -> None:
    state = position({at(1, 0, 2): "A2*4", at(1, 3, 2): "B5*4", HOME: "A1*0"}, **DONE)
    move = chosen(state)
    assert isinstance(move, dict)
    assert move["target"] not in ([1, 4, 2], [1, 1, 2])


def test_it_draws_among_actions_that_are_as_good() -> None:
    state = position({}, pools="A1*1 B0*0")
    corners = [plain(Place(HOME)), plain(Place(OTHER_HOME))]
    choices = [chosen(state, seed) for seed in range(20)]
    assert all(corner in choices for corner in corners)


LINKS = [(one, other) for one, joined in enumerate(NEIGHBOURS) for other in joined]
COUNTS = st.integers(0, 12)


@given(link=st.sampled_from(LINKS), pieces=st.tuples(COUNTS, COUNTS), energy=st.tuples(COUNTS, COUNTS))
def test_it_foresees_what_an_attack_leaves(
    link: tuple[int, int], pieces: tuple[int, int], energy: tuple[int, int]
) -> None:
    source, target = (VERTICES[vertex] for vertex in link)
    ours, theirs = f"A{pieces[0] + 1}*{energy[0]}", f"B{pieces[1] + 1}*{energy[1]}"
    state = position({source: ours, target: theirs})
    if Attack(source, target) in GAME.legal_actions(state, 0):
        left = Evaluation(state, 0).victor(pieces[0] + 1, energy[0], *link)
        stands = shown(GAME.apply(state, 0, Attack(source, target)).state).get(target, "")
        assert (f"A{left.pieces}*{left.energy}" if left.pieces else "") == (stands if stands.startswith("A") else "")


def _ends(bots: tuple[str, str], matches: int) -> list[tuple[str, int | None]]:
    """Play with the bots in alternating seats; return how each match ended, and which of them won it alone."""
    kinds = [find_bot("strata", name) for name in bots]
    ends = []
    for number in range(matches):
        order = kinds if number % 2 == 0 else kinds[::-1]
        result = simulate(GAME, order, seed=f"greedy {number}").match.result
        assert result is not None
        ranks = result.ranks if number % 2 == 0 else result.ranks[::-1]
        ends.append((result.reason, None if ranks[0] == ranks[1] else ranks.index(1)))
    return ends


def test_it_beats_random() -> None:
    ends = _ends(("greedy", "random"), 10)
    assert sum(winner == 0 for _, winner in ends) >= 9
    assert sum(reason == "victory" for reason, _ in ends) >= 7


@pytest.mark.long
def test_it_beats_random_in_a_hundred_matches() -> None:
    assert sum(winner == 0 for _, winner in _ends(("greedy", "random"), 100)) >= 90


@pytest.mark.long
@pytest.mark.timeout(900)
def test_two_thirds_of_the_matches_of_greedy_bots_end_by_rule() -> None:
    """By the usual cap on turns; with one of 200 it is about half."""
    assert sum(reason == "victory" for reason, _ in _ends(("greedy", "greedy"), 150)) >= 100
