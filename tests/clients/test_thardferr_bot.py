"""The greedy bot of Thardferr: what it decides in small positions, and how it fares against chance."""

import pytest
from thardferr_positions import kingdom, match, played

from warroom_bots.api import BotKind, Decision
from warroom_bots.random_bot import BOT as RANDOM
from warroom_bots.registry import bots_for
from warroom_bots.simulation import simulate
from warroom_bots.thardferr import BOT, GreedyBot
from warroom_games.codec import decode_action, encode
from warroom_games.rng import Rng
from warroom_games.thardferr.actions import Action, Attack, Build, EndTurn, PickRace, Scout, Train
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import State
from warroom_protocol.canonical import plain

POOR = {"gold": 0, "iron": 0, "wood": 0}


def chosen(state: State, key: bytes = bytes(16)) -> Action:
    """Return what the bot plays for seat 0, after seeing that the rules allow it."""
    legal = tuple(map(plain, GAME.legal_actions(state, 0)))
    decision = Decision(0, plain(GAME.public(state)), plain(GAME.private(state, 0)), legal, complete=False)
    action: Action = decode_action(GAME, encode(GreedyBot(Rng(key)).choose(decision)))
    GAME.check(state, 0, action)
    return action


def test_it_picks_any_race() -> None:
    state = GAME.setup(2, Options(), Rng(bytes(16)))
    picks = {chosen(state, bytes([number] * 16)) for number in range(40)}
    assert {pick.race for pick in picks if isinstance(pick, PickRace)} == {
        "dwarf", "elf", "gnome", "human", "orc", "undead",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("state", "action"),
    [
        pytest.param(match(), Train("Infantry", 20), id="the unit worth most for its cost"),
        pytest.param(match(kingdom("undead")), Train("WraithPikeman", 20), id="units that eat nothing"),
        pytest.param(
            match(kingdom(can_train=False, buildings={"farm": 5})), Build("farm", 2), id="farms for the hungry"
        ),
        pytest.param(match(kingdom(can_train=False)), Build("market", 10), id="markets up to the land"),
        pytest.param(
            match(kingdom(can_train=False, buildings={"market": 20, "guard_house": 1}, army={"Knight": 30})),
            Build("guard_house", 3),
            id="room for soldiers",
        ),
        pytest.param(
            match(kingdom(can_train=False, buildings={"market": 20})), Build("medical_center", 10), id="healing"
        ),
        pytest.param(
            match(kingdom(stores={**POOR, "gold": 10_000, "iron": 5}, army={"Knight": 9}, buildings={"market": 0})),
            Scout(1),
            id="nothing that the income cannot keep up",
        ),
        pytest.param(
            match(kingdom(stores=POOR), kingdom(land=24), kingdom(land=40), kingdom(land=4)), Scout(2), id="most land"
        ),
        pytest.param(
            match(kingdom(stores=POOR), kingdom(techs={"Transport": 1}), kingdom()), Scout(2), id="least strength"
        ),
        pytest.param(match(kingdom(stores=POOR), kingdom(land=4)), EndTurn(), id="nobody to scout"),
        pytest.param(match(kingdom(stores=POOR, army={})), EndTurn(), id="no army"),
    ],
)
def test_the_bot_does_the_most_urgent_thing(state: State, action: Action) -> None:
    assert chosen(state) == action


STRONG = kingdom(stores=POOR, army={"Knight": 300})


def test_it_attacks_where_it_wins_with_the_cheapest_strategy() -> None:
    state = played(match(STRONG, kingdom("orc", army={"Slother": 200})), Scout(1))
    action = chosen(state)
    assert isinstance(action, Attack)
    assert (action.target, action.army) == (1, {"Knight": 300})
    left = {
        strategy: sum(troop.count for troop in played(state, Attack(1, action.army, strategy)).kingdoms[0].army)
        for strategy in (None, "Quick Retreat", action.strategy)
    }
    assert left[action.strategy] == max(left.values())


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(match(kingdom(stores=POOR), STRONG), id="it would lose"),
        pytest.param(match(STRONG, kingdom(), options=Options(peace_rounds=2)), id="there is peace"),
    ],
)
def test_it_stays_at_home_otherwise(state: State) -> None:
    assert chosen(played(state, Scout(1))) == EndTurn()


def test_the_bot_is_offered_for_its_game() -> None:
    assert bots_for("thardferr")["greedy"] is BOT


def placed(seed: str, seats: int, seat: int) -> int:
    """Return the rank of the greedy bot among random ones."""
    bots: list[BotKind] = [RANDOM] * seats
    bots[seat] = BOT
    result = GAME.result(simulate(GAME, bots, seed=seed).match.state)
    assert result is not None
    return result.ranks[seat]


@pytest.mark.parametrize("matches", [20, pytest.param(100, marks=pytest.mark.long)])
def test_it_beats_chance_nine_times_in_ten(matches: int) -> None:
    wins = [placed(f"duel {number}", 2, number % 2) == 1 for number in range(matches)]
    assert sum(wins) >= 0.9 * matches


@pytest.mark.parametrize("matches", [5, pytest.param(100, marks=pytest.mark.long)])
def test_among_five_it_comes_first_or_second(matches: int) -> None:
    ranks = [placed(f"five {number}", 5, number % 5) for number in range(matches)]
    assert sum(rank <= 2 for rank in ranks) >= 0.8 * matches
