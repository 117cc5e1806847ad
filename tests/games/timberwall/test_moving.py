"""docs/rules/timberwall.md, section 4: moves and merges."""

from typing import Any

import pytest
from timberwall_positions import Place, act, after, points, position, refused, told, unit, units

from warroom_games.timberwall.actions import Attack, HitWall, Merge, Move
from warroom_games.timberwall.events import Merged, Moved
from warroom_games.timberwall.geometry import DIRECTIONS
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import Unit


class TestMove:
    """§4.1"""

    @pytest.mark.parametrize(("direction", "offset"), DIRECTIONS.items(), ids=DIRECTIONS)
    @pytest.mark.parametrize("strength", [1, 5, 25, 125])
    def test_every_unit_moves_one_tile_in_eight_directions(
        self, direction: Any, offset: tuple[int, int], strength: int
    ) -> None:
        moved = after(position({(4, 4): strength}), Move(4, 4, direction))
        assert points(moved, 0) == {(4 + offset[0], 4 + offset[1]): strength}

    @pytest.mark.parametrize(
        ("action", "code", "says"),
        [
            pytest.param(Move(4, 5, "n"), "unit.none", "no unit at (4, 5)", id="§4.1 an empty tile"),
            pytest.param(Move(6, 6, "n"), "unit.none", "no unit at (6, 6)", id="§4.1 an enemy's unit"),
            pytest.param(Move(0, 4, "sw"), "step.off_board", "sw of (0, 4) is off the board", id="§4.1 off the board"),
            pytest.param(HitWall(0, 4, "w"), "step.off_board", "w of (0, 4)", id="§4.1 a wall off the board"),
            pytest.param(
                Move(5, 5, "nw"), "move.taken", "a unit blocks the tile nw of (5, 5)", id="§4.1 a friend is there"
            ),
            pytest.param(
                Move(5, 5, "se"), "move.taken", "a unit blocks the tile se of (5, 5)", id="§4.1 an enemy is there"
            ),
        ],
    )
    def test_a_move_that_is_not_allowed_is_refused(self, action: object, code: str, says: str) -> None:
        refusal, words = refused(position({(5, 5): 1, (4, 4): 1, (0, 4): 1}, {(6, 6): 1}), action)
        assert refusal == code
        assert says in words

    def test_the_event_tells_from_where_to_where(self) -> None:
        step = act(position({(4, 4): 7}), Move(4, 4, "ne"))
        assert told(step.events, 0)[0] == Moved(seat=0, source=(4, 4), target=(5, 3), points=7)


class TestObstacles:
    """§4.2, §4.3"""

    @pytest.mark.parametrize(
        ("direction", "wall"),
        [
            pytest.param("n", (4, 3, "south"), id="§4.2 north"),
            pytest.param("e", (4, 4, "east"), id="§4.2 east"),
            pytest.param("s", (4, 4, "south"), id="§4.2 south"),
            pytest.param("w", (3, 4, "east"), id="§4.2 west"),
        ],
    )
    @pytest.mark.parametrize("is_neutral", [True, False], ids=["neutral", "own"])
    def test_a_wall_blocks_a_straight_step(self, direction: Any, wall: Place, is_neutral: bool) -> None:
        state = position({(4, 4): 1}, neutral=[wall]) if is_neutral else position({(4, 4): 1}, walls={wall: (0, 100)})
        code, words = refused(state, Move(4, 4, direction))
        assert (code, words) == ("step.walled", f"a wall blocks the way {direction} of (4, 4)")

    @pytest.mark.parametrize(
        ("direction", "corner"),
        [
            pytest.param("se", [(4, 4, "east"), (4, 5, "east"), (4, 4, "south"), (5, 4, "south")], id="§4.3 se"),
            pytest.param("ne", [(4, 3, "east"), (4, 4, "east"), (4, 3, "south"), (5, 3, "south")], id="§4.3 ne"),
            pytest.param("sw", [(3, 4, "east"), (3, 5, "east"), (3, 4, "south"), (4, 4, "south")], id="§4.3 sw"),
            pytest.param("nw", [(3, 3, "east"), (3, 4, "east"), (3, 3, "south"), (4, 3, "south")], id="§4.3 nw"),
        ],
    )
    def test_any_wall_at_the_corner_blocks_a_diagonal_step(self, direction: Any, corner: list[Place]) -> None:
        move = Move(4, 4, direction)
        for wall in corner:
            assert refused(position({(4, 4): 1}, neutral=[wall]), move)[0] == "step.corner"
        plain = position({(4, 4): 1})
        edges: Any = [(x, y, side) for x in range(2, 7) for y in range(2, 7) for side in ("east", "south")]
        others = [edge for edge in edges if edge not in corner]
        assert after(position({(4, 4): 1}, neutral=others), move).board.holdings == after(plain, move).board.holdings

    @pytest.mark.parametrize("beside", [(5, 4), (4, 5)])
    @pytest.mark.parametrize("owner", ["green", "red"])
    def test_any_unit_beside_it_blocks_a_diagonal_step(self, beside: tuple[int, int], owner: str) -> None:
        """§4.3"""
        state = position({(4, 4): 1, beside: 1}) if owner == "green" else position({(4, 4): 1}, {beside: 1})
        code, words = refused(state, Move(4, 4, "se"))
        assert code == "step.corner"
        assert words == "a wall or unit at the corner blocks the way se of (4, 4)"

    def test_a_base_beside_it_does_not(self) -> None:
        """§4.3"""
        assert points(after(position({(0, 1): 1}), Move(0, 1, "ne")), 0) == {(1, 0): 1}


class TestMerge:
    """§4.4, §4.5"""

    @pytest.mark.parametrize(
        ("mover", "target", "sum_"),
        [
            pytest.param(4, 1, 5, id="§4.4 the document's example: T1(4) + T1(1) = T2(5)"),
            pytest.param(1, 1, 2, id="§4.4 the tier need not rise"),
            pytest.param(20, 20, 40, id="§4.4 two tier 2 make a tier 3"),
            pytest.param(100, 100, 200, id="§4.4 two tier 3 make a tier 4"),
            pytest.param(7, 24, 31, id="§4.4 points between levels count"),
            pytest.param(250, 250, 500, id="§4.5 just 500"),
        ],
    )
    def test_the_sum_stands_on_the_target(self, mover: int, target: int, sum_: int) -> None:
        assert points(after(position({(4, 4): mover, (5, 5): target}), Merge(4, 4, "se")), 0) == {(5, 5): sum_}

    def test_what_exceeds_500_stays_with_the_mover(self) -> None:
        """§4.5"""
        state = position({(4, 4): unit(300, still=2), (5, 4): unit(375, still=1)})
        step = act(state, Merge(4, 4, "e"))
        assert units(step.state, 0) == {(4, 4): Unit(4, 4, 175, still=3), (5, 4): Unit(5, 4, 500, still=2)}
        assert told(step.events, 0)[0] == Merged(seat=0, source=(4, 4), target=(5, 4), points=500, rest=175)

    def test_the_target_keeps_its_counters(self) -> None:
        """§4.4"""
        state = position({(8, 0): unit(1, still=3), (9, 0): unit(1, still=2, forest=2)})
        assert units(after(state, Merge(8, 0, "e")), 0) == {(9, 0): Unit(9, 0, 2, still=3, forest=3)}

    @pytest.mark.parametrize(
        ("green", "neutral", "code", "says"),
        [
            pytest.param({}, [], "merge.none", "no unit e of (4, 4)", id="§4.4 nobody is there"),
            pytest.param({(5, 4): 25}, [], "merge.tier", "tier 4 cannot merge with tier 3", id="§4.4 another tier"),
            pytest.param({(5, 4): 500}, [], "merge.full", "already has 500 points", id="§4.5 the target is full"),
            pytest.param({(5, 4): 125}, [(4, 4, "east")], "step.walled", "e of (4, 4)", id="§4.4 a wall between"),
        ],
    )
    def test_a_merge_that_is_not_allowed_is_refused(
        self, green: dict[tuple[int, int], int], neutral: list[Place], code: str, says: str
    ) -> None:
        refusal, words = refused(position({(4, 4): 125, **green}, neutral=neutral), Merge(4, 4, "e"))
        assert refusal == code
        assert says in words

    def test_a_full_unit_may_merge_into_a_smaller_one(self) -> None:
        """§4.5"""
        assert points(after(position({(4, 4): 500, (5, 4): 125}), Merge(4, 4, "e")), 0) == {(4, 4): 125, (5, 4): 500}

    def test_an_enemy_is_attacked_not_merged_into(self) -> None:
        """§4.4"""
        state = position({(4, 4): 5}, {(5, 4): 5})
        assert refused(state, Merge(4, 4, "e"))[0] == "merge.none"
        assert Attack(4, 4, "e") in GAME.legal_actions(state, 0)


@pytest.mark.parametrize(
    ("units", "words"),
    [
        pytest.param({}, "your units: none", id="none at all"),
        pytest.param({(5, 5): 1, (0, 9): 1}, "your units: (5, 5), (0, 9)", id="some"),
        pytest.param({(x, 5): 1 for x in range(8)}, "(6, 5), (7, 5)", id="as many as are named"),
        pytest.param({(x, 5): 1 for x in range(9)}, "(7, 5) and 1 more", id="one more"),
    ],
)
def test_a_refusal_for_want_of_a_unit_says_where_there_are_some(units: dict[tuple[int, int], int], words: str) -> None:
    code, detail = refused(position(units), Move(3, 3, "n"))
    assert code == "unit.none"
    assert detail.startswith("you have no unit at (3, 3); ")
    assert detail.endswith(words)
