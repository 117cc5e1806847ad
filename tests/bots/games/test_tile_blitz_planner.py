"""Planned turns of Tile Blitz: the actions of a conquest."""

from typing import Any

import pytest
from tile_blitz_positions import pair, position

from warroom_bots.games.tile_blitz_planner import TurnPlan
from warroom_games.tile_blitz.actions import Action, Attack, BuildInfantry, BuildTank, Move
from warroom_games.tile_blitz.board import TILES
from warroom_games.tile_blitz.options import Options

ATTRITION = Options(losses="attrition")
SEVENS = pair("7c 7d")


def red(picture: str, *, gold: int = 0, tanks: int = 0, options: Options | None = None) -> TurnPlan:
    table = position(picture, options=options).table
    return TurnPlan(table, "red", gold=gold, pairs=[SEVENS] * tanks, taste=range(TILES))


@pytest.mark.parametrize(
    ("picture", "means", "actions"),
    [
        pytest.param("1:R2 2:O0", {}, [Attack(1, 2)], id="what is there suffices"),
        pytest.param("1:R0 2:O1", {"gold": 2}, [BuildInfantry(1, 2), Attack(1, 2)], id="no more infantry than needed"),
        pytest.param("1:R2 2:O3", {"tanks": 2}, [BuildTank(1, SEVENS), Attack(1, 2)], id="no more tanks than needed"),
        pytest.param(
            "1:R1 2:O3", {"gold": 1, "tanks": 1}, [BuildTank(1, SEVENS), BuildInfantry(1, 1), Attack(1, 2)], id="both"
        ),
        pytest.param("1:R5 8:R1 2:O0", {}, [Move(1, 8, 3, 0), Attack(1, 2)], id="what is too much stays behind"),
        pytest.param("1:R2+1 8:R1 2:O0", {}, [Move(1, 8, 0, 1), Attack(1, 2)], id="also a tank"),
        pytest.param("1:R5 8:R1 2:O0", {"options": ATTRITION}, [Attack(1, 2)], id="all go where all survive"),
        pytest.param("1:R1 8:R3 2:O1", {}, [Move(8, 1, 1, 0), Attack(1, 2)], id="a neighbour helps"),
        pytest.param(
            "1:R1 8:R1 15:R3+1 2:O3",
            {},
            [Move(15, 8, 1, 1), Move(8, 1, 1, 1), Attack(1, 2)],
            id="help comes from afar, tanks first",
        ),
        pytest.param(
            "1:R1 8:R1 15:R5+1 2:O1",
            {"options": ATTRITION},
            [Move(15, 8, 4, 1), Move(8, 1, 4, 1), Attack(1, 2)],
            id="with all its units where all survive",
        ),
        pytest.param("1:R1 8:R0 15:R5 2:O1", {"gold": 1}, [BuildInfantry(1, 1), Attack(1, 2)], id="not at a loss"),
        pytest.param("1:R9 3:R2 2:O0", {}, [Attack(3, 2)], id="from where least is lost"),
    ],
)
def test_a_conquest_takes_as_little_as_it_can(picture: str, means: dict[str, Any], actions: list[Action]) -> None:
    plan = red(f"{picture} 41:O9", **means)
    assert plan.conquer(1)
    assert plan.actions == actions
    assert plan.holdings("red") == picture.count("R") + 1


@pytest.mark.parametrize(
    ("picture", "means", "target"),
    [
        pytest.param("1:R1 2:O1", {}, 2, id="no gold"),
        pytest.param("1:R2 2:O5", {"gold": 1, "tanks": 1}, 2, id="not enough of all"),
        pytest.param("1:R9 2:R1 41:O1", {}, 2, id="an own tile"),
        pytest.param("1:R9 3:O1", {}, 3, id="a tile that is not beside"),
    ],
)
def test_what_cannot_be_paid_for_is_not_planned(picture: str, means: dict[str, Any], target: int) -> None:
    plan = red(picture, **means)
    assert not plan.conquer(target - 1)
    assert plan.actions == []


class TestRaids:
    def test_a_raid_takes_the_cheapest_way(self) -> None:
        plan = red("1:R2 2:O9 8:G0 9:G0 10:O0 3:G9", gold=20)
        assert plan.fork().raid("green")
        assert plan.raid("orange")
        attacks = [action.target for action in plan.actions if isinstance(action, Attack)]
        assert attacks == [8, 9, 10, 2]

    def test_an_unaffordable_raid_fails(self) -> None:
        assert red("1:R1 4:O0", gold=5).raid("orange")
        assert not red("1:R1 4:O0", gold=4).raid("orange")

    def test_a_raid_by_others_is_thought_through_from_the_same_table(self) -> None:
        state = position("1:R2 2:O0 3:O5 41:O1")
        plan = red("1:R2 2:O0 3:O5 41:O1")
        assert plan.conquer(1)
        rival = plan.against(state.table, "orange", gold=4, pairs=0)
        assert (rival.holdings("orange"), rival.holdings("red")) == (2, 2)
        assert rival.raid("red")
        assert plan.holdings("red") == 2

    def test_a_seat_without_tiles_cannot_raid(self) -> None:
        assert not red("2:O0", gold=9).raid("orange")


class TestGrowth:
    def test_a_neutral_tile_comes_before_a_rival_s(self) -> None:
        plan = red("1:R2 2:O1 41:O1")
        assert plan.grow()
        assert plan.actions == [Attack(1, 8)]

    def test_a_tile_that_makes_the_border_short_comes_first(self) -> None:
        plan = red("1:R2 15:R2 9:R2 41:O1")
        assert plan.grow()
        assert plan.holdings("red") == 4
        assert isinstance(plan.actions[-1], Attack)
        assert plan.actions[-1].target == 8

    def test_a_tile_may_be_too_dear(self) -> None:
        plan = red("1:R0 41:O1", gold=2)
        assert not plan.grow(most_gold=1)
        assert plan.grow(most_gold=2)
        assert not plan.grow()


def test_a_fortress_stands_where_a_rival_is_strongest() -> None:
    plan = red("1:R1 2:R0 3:R1 4:R1 8:O3 9:O9 10:O5 41:O1", tanks=2)
    plan.fortify()
    assert plan.actions == [BuildTank(3, SEVENS), BuildTank(3, SEVENS)]
