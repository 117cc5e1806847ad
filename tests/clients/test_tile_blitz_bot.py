"""The greedy bot of Tile Blitz: what it decides in small positions, and how it fares against chance."""

from typing import Any

import pytest
from tile_positions import pair, position

from warroom_bots.api import BotKind, Decision
from warroom_bots.random_bot import BOT as RANDOM
from warroom_bots.registry import bots_for
from warroom_bots.simulation import simulate
from warroom_bots.tile_blitz import BOT, GreedyBot
from warroom_games.codec import decode_action, encode
from warroom_games.rng import Rng
from warroom_games.tile_blitz.actions import Action, Attack, BuildInfantry, BuildTank, EndTurn, March, Move
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_protocol.canonical import plain

ATTRITION = Options(losses="attrition")


def chosen(picture: str, **fields: Any) -> Action:
    """Return what the bot plays for red, after seeing that the rules allow it."""
    state = position(picture, **fields)
    legal = tuple(map(plain, GAME.legal_actions(state, 0)))
    decision = Decision(0, plain(GAME.public(state)), plain(GAME.private(state, 0)), legal, complete=False)
    action: Action = decode_action(GAME, encode(GreedyBot(Rng(bytes(16))).choose(decision)))
    GAME.check(state, 0, action)
    return action


@pytest.mark.parametrize(
    ("picture", "fields", "action"),
    [
        pytest.param("9:R1 10:O1 41:O9", {}, EndTurn(), id="nothing can be done"),
        pytest.param(
            "1:R1 3:R1 10:O9", {"hands": {0: "7c 7d"}}, BuildTank(3, pair("7c 7d")), id="a tank faces the enemy"
        ),
        pytest.param("1:R2 2:O0 8:O9", {}, Attack(1, 2), id="a conquest"),
        pytest.param("1:R3 2:O2 8:O1", {"options": ATTRITION}, Attack(1, 2), id="the greater prize at the same price"),
        pytest.param("1:R1 2:O1 8:O9", {"gold": {0: 2}}, BuildInfantry(1, 1), id="just enough infantry for a conquest"),
        pytest.param("1:R4 2:R1 8:O0", {}, Move(1, 2, 2, 0), id="more than enough is kept out of the battle"),
        pytest.param("1:R2+1 2:R1 8:O0", {}, Move(1, 2, 0, 1), id="a tank that is not needed is kept out as well"),
        pytest.param("1:R4 2:R1 8:O0", {"options": ATTRITION}, Attack(1, 8), id="all go where all survive"),
        pytest.param("1:R5 2:O1 49:O0 8:O9", {}, Attack(1, 2), id="a price worth paying"),
        pytest.param(
            "1:R9 2:R1 3:O9 8:R1 9:O9 15:O9", {}, (Move(1, 2, 8, 0), Move(1, 8, 8, 0)), id="the rear moves up"
        ),
        pytest.param("1:R1 2:O5 8:O2", {"gold": {0: 1}}, BuildInfantry(1, 1), id="what is left becomes a reserve"),
        pytest.param("1:R5 2:G1 8:O3 49:O1", {"options": ATTRITION}, Attack(1, 2), id="a rival's last tile"),
    ],
)
def test_the_bot_takes_the_best_it_can_get(
    picture: str, fields: dict[str, Any], action: Action | tuple[Action]
) -> None:
    expected = action if isinstance(action, tuple) else (action,)
    assert chosen(picture, **fields) in expected


def test_the_rear_may_march() -> None:
    action = chosen("1:R9 2:R1 3:O9 8:R1 9:O9 15:O9", stamina={0: 1})
    assert isinstance(action, Move | March)
    assert action.source == 1


def test_the_bot_is_offered_for_its_game() -> None:
    assert bots_for("tile_blitz")["greedy"] is BOT


def placed(seed: str, seats: int, seat: int) -> int:
    """Return the rank of the greedy bot among random ones."""
    bots: list[BotKind] = [RANDOM] * seats
    bots[seat] = BOT
    result = GAME.result(simulate(GAME, bots, seed=seed).match.state)
    assert result is not None
    return result.ranks[seat]


@pytest.mark.parametrize("matches", [20, pytest.param(100, marks=pytest.mark.long)])
def test_the_bot_beats_chance(matches: int) -> None:
    ranks = [placed(f"tile blitz, two, {number}", 2, number % 2) for number in range(matches)]
    assert ranks.count(1) >= 0.9 * matches


@pytest.mark.parametrize("matches", [15, pytest.param(100, marks=pytest.mark.long)])
def test_the_bot_comes_first_or_second_among_five(matches: int) -> None:
    ranks = [placed(f"tile blitz, five, {number}", 5, number % 5) for number in range(matches)]
    assert sum(rank <= 2 for rank in ranks) >= 0.8 * matches
