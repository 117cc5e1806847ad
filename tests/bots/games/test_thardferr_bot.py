"""The greedy bot of Thardferr: what it decides in small positions, and how it fares against chance."""

from typing import Any

import pytest
from thardferr_positions import kingdom as founded
from thardferr_positions import match, played

from warroom_bots.api import BotKind, Decision
from warroom_bots.games.thardferr import BOT, GreedyBot
from warroom_bots.games.thardferr_armies import ARMY_PLANS
from warroom_bots.random_bot import BOT as RANDOM
from warroom_bots.registry import bots_for
from warroom_bots.simulation import simulate
from warroom_games.codec import decode_action, encode
from warroom_games.rng import Rng
from warroom_games.thardferr.actions import (
    Action,
    Assign,
    Attack,
    Build,
    Buy,
    EndTurn,
    PickRace,
    Raze,
    Research,
    Scout,
    SetStrategy,
    Train,
)
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import Kingdom, Project, State
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.units import RACES, UNITS, Race
from warroom_protocol.canonical import plain

POOR = {"gold": 0, "iron": 0, "wood": 0}
BUSY = {"mine": 1000, "lumber": 850, "agriculture": 2150, "blacksmithing": 0}
MILLS = {"mill": 15}
BOWS = Project("Improve Bow Range", 50)
FULL = {"house": 30, "forge": 0, "school": 0}
"""Nothing more can be built on ten land."""


def kingdom(race: Race = "human", **fields: Any) -> Kingdom:
    """Return a kingdom whose peasants all do useful work."""
    return founded(race, **{"workers": BUSY, **fields})


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
        pytest.param(
            match(founded()), Assign(mine=1000, lumber=850, agriculture=2150), id="useful work instead of forges"
        ),
        pytest.param(match(kingdom()), Train("Knight", 10), id="the unit that is missing most"),
        pytest.param(match(kingdom("gnome")), Train("RockThrower", 510), id="gnomes come in crowds"),
        pytest.param(
            match(kingdom(can_train=False, buildings={"farm": 5})), Build("farm", 2), id="farms for the hungry"
        ),
        pytest.param(match(kingdom(can_train=False)), Build("mill", 5), id="wood first"),
        pytest.param(
            match(kingdom(can_train=False, buildings={**MILLS, "guard_house": 1}, army={"Knight": 30})),
            Build("guard_house", 3),
            id="room for soldiers",
        ),
        pytest.param(
            match(kingdom(can_train=False, buildings=MILLS)), Build("market", 5), id="markets for most of the land"
        ),
        pytest.param(
            match(kingdom(can_train=False, buildings={**MILLS, "market": 15}, army={"Archer": 60})),
            Build("guard_towers", 3),
            id="towers for its army",
        ),
        pytest.param(
            match(kingdom(can_train=False, buildings={**MILLS, "market": 15, "guard_towers": 1})),
            Build("medical_center", 10),
            id="healing",
        ),
        pytest.param(
            match(kingdom(can_train=False, buildings={"school": 80})), Raze("forge", 5), id="forges make room"
        ),
        pytest.param(match(kingdom(stores={"gold": 200_000}), round=40), Build("castle", 1), id="castles at the end"),
        pytest.param(
            match(kingdom(stores={"gold": 200_000, "iron": 250}), round=40), Buy("iron", 1000), id="iron for a castle"
        ),
        pytest.param(
            match(kingdom(stores={"gold": 40_000}), round=40), Build("mill", 30), id="what is cheapest if not a castle"
        ),
        pytest.param(match(kingdom(stores={"gold": 0}), round=40), Scout(1), id="nothing to build it with"),
        pytest.param(
            match(
                kingdom(
                    workers={**BUSY, "mine": 2000, "lumber": 1700, "agriculture": 2400},
                    buildings={"house": 65},
                    stores=POOR,
                    can_train=False,
                )
            ),
            Scout(1),
            id="more hands than work",
        ),
        pytest.param(
            match(kingdom(buildings={"castle": 3, "mill": 80}), round=40), Scout(1), id="nothing more to build"
        ),
        pytest.param(
            match(kingdom(stores={"gold": 80_000, "wood": 0, "iron": 0})), Buy("iron", 200), id="what is short"
        ),
        pytest.param(
            match(kingdom(can_train=False, land=10, stores={"gold": 200_000}, buildings=FULL)),
            Research("Tougher Light Armor"),
            id="what makes its army better",
        ),
        pytest.param(
            match(kingdom(can_train=False, land=10, stores={"gold": 200_000}, buildings=FULL, project=BOWS)),
            Scout(1),
            id="one research at a time",
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


def test_it_defends_itself_with_what_stands_best_against_the_army_it_saw() -> None:
    dwarfs = kingdom("dwarf", stores=POOR, army={"Shieldbearer": 40, "AxeMan": 40})
    state = played(match(dwarfs, kingdom("elf", army={"Archer": 200})), Scout(1))
    action = chosen(state)
    assert action == SetStrategy("Dwarf Shield Line")
    assert chosen(played(state, action)) != action


def test_it_does_not_prepare_against_a_kingdom_without_an_army() -> None:
    state = played(match(kingdom(stores=POOR, army={"Knight": 1}), kingdom(army={})), Scout(1))
    assert isinstance(chosen(state), Attack)


def test_no_two_bots_have_quite_the_same_army() -> None:
    state = match(kingdom("orc", army={"Slinger": 100}, buildings={"guard_house": 4, "castle": 5}))
    assert len({chosen(state, bytes([number] * 16)) for number in range(20)}) > 1


@pytest.mark.parametrize("race", RACES)
def test_an_army_plan_names_units_and_technologies_of_its_race(race: Race) -> None:
    plan = ARMY_PLANS[race]
    assert set(plan.army) <= set(UNITS[race])
    assert 95 <= sum(plan.army.values()) <= 115
    assert all(TECHNOLOGIES[name].race in (None, race) for name in plan.research)


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


@pytest.mark.long
def test_among_five_it_comes_first_or_second() -> None:
    ranks = [placed(f"five {number}", 5, number % 5) for number in range(100)]
    assert sum(rank <= 2 for rank in ranks) >= 80
