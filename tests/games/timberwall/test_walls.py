"""docs/rules/timberwall.md, section 7: walls."""

from itertools import pairwise
from typing import Any

import pytest
from timberwall_positions import Place, act, after, neutral, position, refused, told, walls

from warroom_games.timberwall.actions import BuildWall, HitWall, Pass, RemoveWall
from warroom_games.timberwall.events import WallBuilt, WallHit, WallRemoved
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import Cooling, State

EDGE: Place = (5, 4, "east")


def passed(state: State, turns: int) -> State:
    for _ in range(turns):
        state = after(state, Pass())
    return state


class TestBuilding:
    """§7.1, §7.2, §7.3"""

    def test_a_wall_costs_ten_wood_and_has_100_hp(self) -> None:
        """§7.1, §7.2"""
        step = act(position({(5, 4): 1}, wood=(25, 0)), BuildWall(*EDGE))
        assert walls(step.state) == {EDGE: (0, 100)}
        assert step.state.board.holdings[0].wood == 15
        assert told(step.events, 0) == [WallBuilt(seat=0, x=5, y=4, side="east")]

    @pytest.mark.parametrize("edge", [(5, 4, "east"), (5, 4, "south"), (4, 4, "east"), (5, 3, "south")])
    def test_any_edge_of_an_own_unit_may_have_one(self, edge: Place) -> None:
        """§7.2"""
        assert walls(after(position({(5, 4): 1}, wood=(10, 0)), BuildWall(*edge))) == {edge: (0, 100)}

    @pytest.mark.parametrize(
        ("fields", "edge", "code", "says"),
        [
            pytest.param({"wood": (9, 0)}, EDGE, "build.wood", "costs 10 wood; you have 9", id="§7.2 too dear"),
            pytest.param({}, (6, 4, "east"), "build.no_unit", "beside the edge east of (6, 4)", id="§7.2 no unit"),
            pytest.param({}, (3, 7, "south"), "build.no_unit", "south of (3, 7)", id="§7.2 only an enemy's unit"),
            pytest.param(
                {}, (3, 3, "east"), "build.near_base", "is within 2 tiles of a base", id="§7.2 near the own base"
            ),
            pytest.param(
                {}, (5, 6, "east"), "build.near_base", "is within 2 tiles of a base", id="§7.2 near the other base"
            ),
            pytest.param(
                {"neutral": [EDGE]},
                EDGE,
                "build.taken",
                "there is already a wall east of (5, 4)",
                id="§7.2 neutral wall",
            ),
            pytest.param(
                {"walls": {EDGE: (1, 9)}}, EDGE, "build.taken", "there is already a wall", id="§7.2 the enemy's wall"
            ),
        ],
    )
    def test_a_wall_that_is_not_allowed_is_refused(
        self, fields: dict[str, Any], edge: Place, code: str, says: str
    ) -> None:
        green, red = {(5, 4): 1, (4, 3): 1, (5, 6): 1}, {(3, 7): 1}
        state = position(green, red, **{"wood": (50, 0), **fields})
        refusal, words = refused(state, BuildWall(*edge))
        assert refusal == code
        assert says in words
        assert BuildWall(*edge) not in GAME.legal_actions(state, 0)

    def test_only_one_is_built_in_a_turn(self) -> None:
        """§7.3"""
        state = after(position({(5, 4): 1}, wood=(50, 0)), BuildWall(*EDGE))
        assert refused(state, BuildWall(4, 4, "east")) == ("build.spent", "you already built a wall this turn")
        assert not any(isinstance(action, BuildWall) for action in GAME.legal_actions(state, 0))

    def test_the_next_turn_has_its_own(self) -> None:
        """§7.3"""
        state = passed(after(position({(5, 4): 1}, wood=(50, 0)), BuildWall(*EDGE)), 2)
        assert len(walls(after(state, BuildWall(4, 4, "east")))) == 2


class TestHitting:
    """§7.4"""

    @pytest.mark.parametrize(
        ("points", "lasts"),
        [
            pytest.param(4, [66, 32, 0], id="§7.4 tier 1 needs three hits"),
            pytest.param(5, [49, 0], id="§7.4 tier 2 needs two"),
            pytest.param(25, [0], id="§7.4 tier 3 needs one"),
            pytest.param(125, [0], id="§7.4 tier 4 needs one"),
        ],
    )
    @pytest.mark.parametrize("owner", [0, 1])
    def test_a_tier_has_its_blow(self, points: int, lasts: list[int], owner: int) -> None:
        state = position({(5, 4): points}, walls={EDGE: (owner, 100)})
        for before, hp in pairwise([100, *lasts]):
            step = act(state, HitWall(5, 4, "e"))
            assert told(step.events, 0)[0] == WallHit(0, (5, 4), *EDGE, damage=before - hp, hp=hp)
            assert walls(step.state) == ({EDGE: (owner, hp)} if hp else {})
            state = after(step.state, Pass())

    @pytest.mark.parametrize("points", [1, 5, 25])
    def test_a_neutral_wall_falls_at_once(self, points: int) -> None:
        step = act(position({(6, 4): points}, neutral=[EDGE]), HitWall(6, 4, "w"))
        assert neutral(step.state) == set()
        assert told(step.events, 0)[0] == WallHit(0, (6, 4), *EDGE, damage=100, hp=0)

    @pytest.mark.parametrize(
        ("spot", "direction"), [((5, 4), "e"), ((6, 4), "w")], ids=["from the west", "from the east"]
    )
    def test_it_is_hit_from_both_sides(self, spot: tuple[int, int], direction: Any) -> None:
        assert walls(after(position({spot: 25}, walls={EDGE: (1, 100)}), HitWall(*spot, direction))) == {}

    def test_where_no_wall_stands_nothing_is_hit(self) -> None:
        assert refused(position({(5, 4): 1}), HitWall(5, 4, "e")) == ("wall.none", "there is no wall e of (5, 4)")

    def test_other_walls_stay(self) -> None:
        state = position({(5, 4): 25}, neutral=[(2, 2, "east")], walls={EDGE: (1, 100), (0, 5, "south"): (1, 50)})
        hit = after(state, HitWall(5, 4, "e"))
        assert walls(hit) == {(0, 5, "south"): (1, 50)}
        assert neutral(hit) == {(2, 2, "east")}


class TestCooling:
    """§7.5"""

    @pytest.mark.parametrize(
        ("action", "fields"),
        [
            pytest.param(HitWall(5, 4, "e"), {"walls": {EDGE: (1, 100)}}, id="§7.5 a built wall destroyed"),
            pytest.param(HitWall(5, 4, "e"), {"neutral": [EDGE]}, id="§7.5 a neutral wall destroyed"),
            pytest.param(RemoveWall(*EDGE), {"walls": {EDGE: (0, 100)}}, id="§7.5 a wall removed"),
        ],
    )
    def test_an_edge_that_lost_its_wall_cools_for_five_more_rounds(
        self, action: object, fields: dict[str, Any]
    ) -> None:
        state = position({(5, 4): 25}, wood=(50, 0), turn=5, round=3, **fields)
        state = after(state, action)
        assert state.board.cooling == (Cooling(*EDGE, ready_round=9),)
        while state.table.round < 9:
            if state.table.seat == 0:
                code, words = refused(state, BuildWall(*EDGE))
                assert (code, words) == ("build.cooling", "the edge east of (5, 4) cools down until round 9")
                assert BuildWall(*EDGE) not in GAME.legal_actions(state, 0)
            state = after(state, Pass())
        assert state.board.cooling == ()
        assert walls(after(state, BuildWall(*EDGE))) == {EDGE: (0, 100)}

    def test_other_edges_do_not_cool(self) -> None:
        state = position({(5, 4): 25}, wood=(50, 0), cooling={EDGE: 3})
        assert walls(after(state, BuildWall(4, 4, "east"))) == {(4, 4, "east"): (0, 100)}


class TestRemoving:
    """§7.6"""

    def test_an_own_wall_is_removed_from_anywhere_for_nothing(self) -> None:
        state = after(position({(5, 4): 1}, wood=(10, 0)), BuildWall(*EDGE))
        step = act(state, RemoveWall(*EDGE))
        assert walls(step.state) == {}
        assert step.state.board.holdings[0].wood == 0
        assert told(step.events, 0) == [WallRemoved(seat=0, x=5, y=4, side="east")]

    def test_it_does_not_use_up_the_wall_of_the_turn(self) -> None:
        state = after(position({(5, 4): 1}, walls={EDGE: (0, 100)}, wood=(10, 0)), RemoveWall(*EDGE))
        assert walls(after(state, BuildWall(4, 4, "east"))) == {(4, 4, "east"): (0, 100)}

    @pytest.mark.parametrize(
        "fields",
        [
            pytest.param({}, id="§7.6 nothing is there"),
            pytest.param({"walls": {EDGE: (1, 100)}}, id="§7.6 the enemy's wall"),
            pytest.param({"neutral": [EDGE]}, id="§7.6 a neutral wall"),
        ],
    )
    def test_only_own_walls_are_removed(self, fields: dict[str, Any]) -> None:
        state = position({(5, 4): 1}, **fields)
        code, words = refused(state, RemoveWall(*EDGE))
        assert (code, words) == ("remove.none", "you have no known wall east of (5, 4)")
