"""The actions that are offered: docs/rules/thardferr.md, section 21."""

from typing import Any

import pytest
from thardferr_positions import kingdom, match, played

from warroom_games.codec import decode_action, encode
from warroom_games.thardferr.actions import (
    Assign,
    Attack,
    Build,
    Buy,
    EndTurn,
    Raze,
    Research,
    Scout,
    Sell,
    SetStrategy,
    Train,
)
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import State
from warroom_protocol.canonical import plain

EMPTY = {"gold": 0, "iron": 0, "wood": 0}


def offered(state: State, *kinds: Any) -> list[Any]:
    return [action for action in GAME.legal_actions(state, 0) if isinstance(action, kinds)]


class TestActions:
    """§21.1"""

    @pytest.mark.parametrize(
        "written",
        [
            {"type": "pick_race", "race": "orc"},
            {"type": "build", "building": "farm", "count": 2},
            {"type": "raze", "building": "farm", "count": 1},
            {"type": "train", "unit": "Knight", "count": 3},
            {"type": "assign", "mine": 1, "lumber": 0, "agriculture": 2, "blacksmithing": 0},
            {"type": "research", "technology": "Transport"},
            {"type": "buy", "good": "food", "count": 5},
            {"type": "sell", "good": "iron", "count": 5},
            {"type": "set_strategy", "strategy": None},
            {"type": "scout", "seat": 1},
            {"type": "attack", "target": 1, "army": {"Knight": 3, "Archer": 0}, "strategy": "Quick Retreat"},
            {"type": "end_turn"},
        ],
        ids=lambda written: written["type"],
    )
    def test_an_action_is_a_map_with_a_type(self, written: dict[str, object]) -> None:
        assert plain(decode_action(GAME, encode(written))) == written


class TestRefusals:
    """§21.2"""

    def test_asking_changes_nothing(self) -> None:
        state = match()
        before = encode(state)
        with pytest.raises(ValueError, match="that costs"):
            GAME.check(state, 0, Build("farm", 60))
        assert encode(state) == before


class TestSelection:
    """§21.3"""

    def test_buildings_are_offered_once_and_as_often_as_possible(self) -> None:
        state = match(kingdom(stores={**EMPTY, "gold": 3_000, "wood": 150}))
        assert offered(state, Build) == [
            Build("house", 1),
            Build("house", 2),
            Build("farm", 1),
            Build("mill", 1),
            Build("mill", 3),
            Build("guard_house", 1),
            Build("guard_house", 2),
        ]

    def test_razing_is_offered_when_no_slot_is_free(self) -> None:
        assert offered(match(), Raze) == []
        full = match(kingdom(land=13, buildings={"school": 10}))
        assert [action.building for action in offered(full, Raze)] == [
            "house", "farm", "mine", "mill", "forge", "market", "guard_house", "school", "training_center",
            "advanced_training_center",
        ]  # fmt: skip

    def test_half_and_all_of_what_can_be_trained_are_offered(self) -> None:
        state = match(kingdom(stores={**EMPTY, "gold": 900, "iron": 100, "wood": 100}))
        assert offered(state, Train) == [
            Train("Infantry", 1),
            Train("Infantry", 3),
            Train("Pikeman", 1),
            Train("Pikeman", 3),
            Train("HeavyInfantry", 1),
            Train("Archer", 1),
            Train("Archer", 3),
            Train("MountedArcher", 1),
        ]

    def test_work_is_offered_in_other_ways_than_it_is_done(self) -> None:
        assert offered(match(), Assign) == [
            Assign(mine=2000, lumber=850, agriculture=1150),
            Assign(mine=1000, lumber=1700, agriculture=1200),
            Assign(mine=1000, lumber=600, agriculture=2400),
        ]
        idle = match(kingdom(workers={"mine": 0}))
        assert offered(idle, Assign)[0] == Assign(mine=1000, lumber=850, agriculture=1200, blacksmithing=800)

    def test_open_technologies_that_can_be_paid_are_offered_until_one_is_begun(self) -> None:
        state = match()
        assert offered(state, Research) == [Research("Field-glass"), Research("Irrigation")]
        assert offered(played(state, Research("Irrigation")), Research) == []

    def test_a_quarter_of_the_gold_and_half_of_the_goods_are_offered_for_trade(self) -> None:
        assert offered(match(), Buy, Sell) == [
            Buy("iron", 150),
            Buy("wood", 187),
            Buy("food", 250),
            Sell("iron", 750),
            Sell("wood", 750),
        ]
        assert offered(match(kingdom(stores={"gold": 239, "iron": 1, "wood": 1})), Buy, Sell) == []

    def test_no_trade_is_offered_that_is_more_than_an_action_can_name(self) -> None:
        rich = match(kingdom(stores={"gold": 2_000_000_000, "iron": 2_000_002, "wood": 1_999_998}))
        assert offered(rich, Sell) == [Sell("iron", 1_000_000), Sell("wood", 999_999)]
        for action in GAME.legal_actions(rich, 0):
            assert decode_action(GAME, encode(action)) == action
            GAME.check(rich, 0, action)

    def test_every_other_strategy_is_offered(self) -> None:
        state = match(kingdom("orc", strategy="Orc Berserker"))
        assert [action.strategy for action in offered(state, SetStrategy)] == [
            None, "Archer Protection", "Infantry Attack", "Quick Retreat", "Anti-Cavalry", "Orc Surrounding",
        ]  # fmt: skip

    def test_standing_kingdoms_are_offered_for_a_look_and_an_attack(self) -> None:
        state = match(kingdom(army={"Knight": 5, "Archer": 1}), kingdom(), kingdom(land=4), kingdom(), out=(2, 3))
        assert offered(state, Scout) == [Scout(1), Scout(3)]
        assert offered(played(state, Scout(1)), Scout) == []
        attacks = offered(state, Attack)
        assert len(attacks) == 2 * 6 * 2
        assert attacks[:2] == [Attack(1, {"Knight": 5, "Archer": 1}), Attack(1, {"Knight": 2})]

    def test_a_single_unit_is_not_halved_and_no_army_does_not_attack(self) -> None:
        assert len(offered(match(kingdom(army={"Knight": 1})), Attack)) == 6
        assert offered(match(kingdom(army={})), Attack) == []

    def test_the_end_of_the_turn_comes_last(self) -> None:
        assert list(GAME.legal_actions(match(), 0))[-1] == EndTurn()
