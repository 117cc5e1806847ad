"""Decisions in the types of a game."""

from typing import Any

import pytest
import sealed_bids
from msgspec import Struct

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.simulation import simulate
from warroom_games.api import AnyGame, Typed
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.graph_battle.state import Table
from warroom_games.registry import load_games
from warroom_games.rng import Rng
from warroom_protocol.canonical import canonical, plain

KEY = bytes(16)


def opening(game: AnyGame) -> Decision:
    """Return the first decision of a match with the usual number of seats."""
    state = game.setup(game.info.usual_seats, game.options_type(), Rng(KEY))
    seat = min(game.to_act(state))
    legal = tuple(map(plain, game.legal_actions(state, seat)))
    return Decision(seat, plain(game.public(state)), plain(game.private(state, seat)), legal, complete=True)


@pytest.mark.parametrize("game", load_games().newest(), ids=lambda game: game.info.id)
def test_the_typed_form_of_a_decision_is_the_same_decision(game: AnyGame) -> None:
    typed_game: Any = game
    assert isinstance(game, Typed)
    decision = opening(game)
    typed = decision.typed(typed_game)
    assert isinstance(typed.public, Struct)
    assert plain(typed.public) == decision.public
    assert plain(typed.private) == decision.private
    assert [canonical(action) for action in typed.legal] == [canonical(action) for action in decision.legal]


def test_a_type_checker_knows_the_fields_of_the_public_view() -> None:
    table: Table = opening(GRAPH_BATTLE).typed(GRAPH_BATTLE).public
    assert table.nodes[0].strength > 0


def test_a_bot_may_play_a_typed_action() -> None:
    class Typist:
        def __init__(self, rng: Rng) -> None:
            self._rng = rng

        def choose(self, decision: Decision) -> Action:
            action, self._rng = self._rng.choice(decision.typed(GRAPH_BATTLE).legal)
            assert isinstance(action, Struct)
            return action

    kind = BotKind(name="typist", game="graph_battle", summary="", make=Typist)
    assert simulate(GRAPH_BATTLE, [kind, kind], seed="1", options={"max_rounds": 2}).match.is_over


def test_a_game_that_names_no_types_is_said_to() -> None:
    untyped: Any = sealed_bids.GAME
    typed = opening(sealed_bids.GAME).typed(untyped)
    assert typed.legal
    with pytest.raises(TypeError, match="sealed_bids names no type of its public view"):
        _ = typed.public
