"""The greedy bot of Tile Blitz: what it does with a turn, and how it fares against chance and against itself."""

from typing import Any

import pytest
from tile_blitz_positions import cards, position, shown

from warroom_bots.api import BotKind, Decision
from warroom_bots.games.tile_blitz import BOT, HOLDINGS, GreedyBot, pairs
from warroom_bots.random_bot import BOT as RANDOM
from warroom_bots.registry import bots_for
from warroom_bots.simulation import simulate
from warroom_games.api import Result
from warroom_games.codec import decode_action, encode
from warroom_games.rng import Rng
from warroom_games.tile_blitz.actions import EndTurn
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import State
from warroom_protocol.canonical import plain

ATTRITION = Options(losses="attrition")
HANDFUL = "1:R1 2:R1 3:R1 4:R1 5:R1 6:R1"
LONELY = "49:O0+4 48:O0+4 47:O0+4 46:O0+4 45:O0+4 44:O0+4 42:O0+4"


def played(picture: str, **fields: Any) -> State:
    """Return the table after red's turn, just before its end, having seen that the rules allow every action."""
    state, bot = position(picture, **fields), GreedyBot(Rng(bytes(16)))
    while GAME.to_act(state):
        legal = tuple(map(plain, GAME.legal_actions(state, 0)))
        decision = Decision(0, plain(GAME.public(state)), plain(GAME.private(state, 0)), legal, complete=False)
        action = decode_action(GAME, encode(bot.choose(decision)))
        if action == EndTurn():
            break
        GAME.check(state, 0, action)
        state = GAME.apply(state, 0, action).state
    return state


@pytest.mark.parametrize("options", [Options(), ATTRITION], ids=["document", "attrition"])
@pytest.mark.parametrize(
    ("picture", "fields"),
    [
        pytest.param("1:R2 2:O0", {}, id="a last tile without units"),
        pytest.param("1:R1 2:O1", {"gold": {0: 1}}, id="with infantry"),
        pytest.param("1:R2 2:O2", {"hands": {0: "7c 7d"}}, id="with a tank"),
        pytest.param("1:R1 4:O0", {"gold": {0: 6}}, id="across neutral tiles"),
        pytest.param("1:R1 2:O0 3:O0 8:O0 9:O0", {"gold": {0: 8}}, id="tile after tile"),
        pytest.param("1:R1 2:R1 3:R4 10:R1 8:O3", {"gold": {0: 0}}, id="with units from afar"),
    ],
)
def test_the_bot_eliminates_every_rival_it_can(picture: str, fields: dict[str, Any], options: Options) -> None:
    assert played(picture, options=options, **fields).table.ended == "victory"


def test_of_several_rivals_those_that_can_be_finished_are() -> None:
    state = played(f"{HANDFUL} 7:G1 {LONELY} 8:Y1", gold={0: 3})
    assert {1, 2} < set(state.table.out)
    assert 3 not in state.table.out


def test_a_handful_of_tiles_is_enough() -> None:
    state = played(f"{HANDFUL} {LONELY}", gold={0: 9})
    assert shown(state).startswith(HANDFUL)
    assert state.table.players[0].gold == 9


def test_it_takes_the_tiles_missing_to_the_minimum() -> None:
    state = played(f"1:R1 2:R1 {LONELY}", gold={0: 20})
    assert sum(tile.color == "red" for tile in state.table.tiles) == HOLDINGS


def test_more_tiles_are_taken_when_a_rival_could_take_all() -> None:
    """Three gold more and the rival could take seven tiles in a turn."""
    reach = f"{HANDFUL} 7:O1 14:O1 13:O9 12:O1 11:O1 10:O1 9:O1 8:O1"
    calm, alarmed = (played(reach, gold={0: 9, 1: gold}) for gold in (0, 3))
    assert shown(calm).startswith(HANDFUL)
    assert sum(tile.color == "red" for tile in alarmed.table.tiles) > HOLDINGS


def test_in_the_last_round_nothing_is_saved() -> None:
    state = played(f"{HANDFUL} {LONELY}", gold={0: 9}, round=40)
    assert state.table.players[0].gold <= 1
    assert sum(tile.color == "red" for tile in state.table.tiles) >= HOLDINGS + 7


@pytest.mark.parametrize(
    ("options", "tanks"),
    [
        pytest.param(Options(), 0, id="kept as cards where they would fall for one troop"),
        pytest.param(ATTRITION, 2, id="built where they cost the attacker as much"),
    ],
)
def test_tanks_stand_guard_where_that_is_worth_it(options: Options, tanks: int) -> None:
    state = played(f"{HANDFUL} {LONELY} 8:O9 10:O5", options=options, hands={0: "7c 2h 7d 9c 9d"})
    assert state.table.tiles[0].tanks == tanks
    assert len(state.secrets[0].hand) == 5 - 2 * tanks


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        pytest.param("", [], id="no card"),
        pytest.param("7c 8c", [], id="no pair"),
        pytest.param("7c 8c 7d 8h 7s", ["7c 7d", "8c 8h"], id="two pairs"),
        pytest.param("7c 7d 7h 7s", ["7c 7d", "7h 7s"], id="four of a kind"),
    ],
)
def test_every_pair_of_the_hand_is_found(hand: str, found: list[str]) -> None:
    expected = [tuple(card.id for card in cards(words)) for words in found]
    assert pairs(cards(hand)) == expected


def test_the_bot_is_offered_for_its_game() -> None:
    assert bots_for("tile_blitz")["greedy"] is BOT


def result(bots: list[BotKind], seed: str, losses: str) -> Result:
    """Return how a match ended; that it did shows that every action was allowed."""
    ended = GAME.result(simulate(GAME, bots, seed=seed, options={"losses": losses}).match.state)
    assert ended is not None
    return ended


def placed(seed: str, seats: int, seat: int, losses: str) -> int:
    """Return the rank of the greedy bot among random ones."""
    bots: list[BotKind] = [RANDOM] * seats
    bots[seat] = BOT
    return result(bots, seed, losses).ranks[seat]


@pytest.mark.parametrize("losses", ["document", "attrition"])
@pytest.mark.parametrize("matches", [10, pytest.param(100, marks=pytest.mark.long)])
def test_the_bot_beats_chance(matches: int, losses: str) -> None:
    ranks = [placed(f"tile blitz, two, {number}", 2, number % 2, losses) for number in range(matches)]
    assert ranks.count(1) >= 0.9 * matches


@pytest.mark.long
@pytest.mark.parametrize("losses", ["document", "attrition"])
def test_the_bot_comes_first_or_second_among_five(losses: str) -> None:
    ranks = [placed(f"tile blitz, five, {number}", 5, number % 5, losses) for number in range(100)]
    assert sum(rank <= 2 for rank in ranks) >= 80


@pytest.mark.parametrize("losses", ["document", "attrition"])
@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("matches", [3, pytest.param(30, marks=pytest.mark.long)])
def test_equals_finish_each_other(matches: int, seats: int, losses: str) -> None:
    ends = [result([BOT] * seats, f"tile blitz, equals, {number}", losses).reason for number in range(matches)]
    assert ends.count("victory") >= 0.6 * matches
