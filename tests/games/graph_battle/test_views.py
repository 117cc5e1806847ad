"""docs/rules/graph_battle.md, sections 8, 9 and 11: options, what everybody sees, and what passes."""

import pytest
from graph_positions import position

from warroom_games.api import OptionsError
from warroom_games.codec import decode_action, decode_options, encode
from warroom_games.graph_battle.actions import EndTurn
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.rng import Rng
from warroom_protocol.canonical import plain


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_everybody_knows_all_but_the_coins(seat: int | None) -> None:
    state = position("R2 G3 Y1", turn=5, round=2)
    imagined = GAME.imagine(plain(GAME.public(state)), None, seat, Rng(bytes(16)))
    assert imagined.table == state.table
    assert imagined.rng != state.rng
    assert GAME.private(state, 0) is None


@pytest.mark.parametrize("reinforcement", ["border_even", "capital", "none"])
def test_what_is_listed_passes(reinforcement: str) -> None:
    state = position("R3 G1\nG2 R1", options=decode_options(GAME, {"reinforcement": reinforcement}))
    listed = list(GAME.legal_actions(state, 0))
    assert len(listed) == (5 if reinforcement == "capital" else 3)
    for action in listed:
        GAME.check(state, 0, action)


def test_the_end_of_a_turn_without_a_capital_is_written_without_one() -> None:
    assert plain(EndTurn()) == {"type": "end_turn"}
    assert decode_action(GAME, encode({"type": "end_turn", "capital": None})) == EndTurn()
    assert plain(EndTurn(3)) == {"type": "end_turn", "capital": 3}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        pytest.param(
            {"board": "round"}, "'board' of graph_battle cannot be 'round'; allowed: full_grid, hex, standard"
        ),
        pytest.param({"attack": "slow"}, "cannot be 'slow'; allowed: dice, document, quick"),
        pytest.param({"dice_percent": 95}, "cannot be 95; allowed: whole numbers from 10 to 90"),
        pytest.param({"reinforcement": "all"}, "cannot be 'all'; allowed: border_even, capital, none"),
        pytest.param({"order": "reverse"}, "cannot be 'reverse'; allowed: fixed, random_each_round"),
        pytest.param({"victory": "points"}, "cannot be 'points'; allowed: conquest, majority, rounds"),
        pytest.param({"majority_percent": 50}, "cannot be 50; allowed: whole numbers from 51 to 100"),
        pytest.param({"victory_rounds": 0}, "cannot be 0; allowed: whole numbers from 1 to 300"),
    ],
)
def test_options_that_there_are_not_are_refused(options: dict[str, object], says: str) -> None:
    with pytest.raises(OptionsError, match=says):
        decode_options(GAME, options)


def test_the_defaults_are_the_standard_game() -> None:
    assert decode_options(GAME, {}) == Options()
    assert plain(Options()) == {
        "board": "standard", "attack": "document", "dice_percent": 60, "reinforcement": "border_even", "order": "fixed",
        "victory": "conquest", "majority_percent": 60, "victory_rounds": 30, "handicap": True, "max_rounds": 100,
    }  # fmt: skip
