"""docs/rules/timberwall.md, section 2: points, tiers, levels and bonuses."""

import pytest
from timberwall_positions import act, after, position, unit, units

from warroom_games.timberwall.actions import Attack, HitWall, Merge, Move, Pass
from warroom_games.timberwall.combat import shield, support
from warroom_games.timberwall.events import Attacked
from warroom_games.timberwall.state import Unit
from warroom_games.timberwall.units import LEVELS, floor, level, luck_of, tier, wall_damage


class TestTiers:
    """§2.1, §2.2, §2.3"""

    @pytest.mark.parametrize(
        ("points", "ranks"),
        [
            *(pytest.param(n, (1, n), id=f"§2.2 {n} points") for n in (1, 2, 3, 4)),
            *(pytest.param(n, (2, n // 5), id=f"§2.2 {n} points") for n in (5, 10, 15, 20)),
            *(pytest.param(n, (3, n // 25), id=f"§2.2 {n} points") for n in (25, 50, 75, 100)),
            *(pytest.param(n, (4, n // 125), id=f"§2.2 {n} points") for n in (125, 250, 375, 500)),
            pytest.param(7, (2, 1), id="§2.2 the document's ranges have gaps: the threshold reached counts"),
            pytest.param(24, (2, 4), id="§2.2 just below tier 3"),
            pytest.param(124, (3, 4), id="§2.2 just below tier 4"),
        ],
    )
    def test_points_decide_tier_and_level(self, points: int, ranks: tuple[int, int]) -> None:
        assert (tier(points), level(points)) == ranks

    def test_the_levels_are_those_of_the_table(self) -> None:
        """§2.2, §2.3"""
        assert LEVELS == (1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 75, 100, 125, 250, 375, 500)

    @pytest.mark.parametrize(
        ("points", "values"),
        [
            pytest.param(3, (1, 1, 34), id="tier 1"),
            pytest.param(19, (5, 2, 51), id="tier 2"),
            pytest.param(60, (25, 4, 100), id="tier 3"),
            pytest.param(500, (125, 8, 100), id="tier 4"),
        ],
    )
    def test_a_tier_has_its_first_level_its_luck_and_its_blow(self, points: int, values: tuple[int, int, int]) -> None:
        assert (floor(points), luck_of(points), wall_damage(points)) == values

    def test_points_are_health_as_well(self) -> None:
        """§2.1"""
        fought = after(position({(5, 5): 20}, {(6, 5): 8}, rolls=[50]), Attack(5, 5, "e"))
        assert units(fought, 0) == {(6, 5): Unit(6, 5, 12, still=1)}


class TestShield:
    """§2.4"""

    @pytest.mark.parametrize("still", [0, 1, 2, 3])
    def test_three_own_turn_ends_shield(self, still: int) -> None:
        assert shield(unit(5, still=still)) == (still == 3)

    def test_the_count_grows_at_own_turn_ends_and_stops_at_three(self) -> None:
        state = position({(5, 5): 5}, {(9, 9): 5})
        counts = []
        for _ in range(8):
            state = after(state, Pass())
            counts.append(units(state, 0)[5, 5].still)
        assert counts == [1, 1, 2, 2, 3, 3, 3, 3]

    def test_a_move_begins_the_count_anew(self) -> None:
        moved = after(position({(5, 5): unit(5, still=3)}), Move(5, 5, "e"))
        assert units(moved, 0)[6, 5].still == 1

    def test_so_does_moving_in_after_a_fight(self) -> None:
        moved = after(position({(5, 5): unit(25, still=3)}, {(6, 5): 1}, rolls=[50]), Attack(5, 5, "e"))
        assert units(moved, 0)[6, 5].still == 1

    @pytest.mark.parametrize(
        ("spot", "action"),
        [
            pytest.param((5, 5), HitWall(5, 5, "e"), id="§2.4 hitting a wall is no move"),
            pytest.param((7, 8), Attack(7, 8, "e"), id="§2.4 hitting a base is no move"),
        ],
    )
    def test_a_hit_is_no_move(self, spot: tuple[int, int], action: object) -> None:
        hit = after(position({spot: unit(5, still=2)}, neutral=[(5, 5, "east")]), action)
        assert units(hit, 0)[spot].still == 3


class TestSupport:
    """§2.5"""

    @pytest.mark.parametrize(
        ("friend", "bonus"),
        [
            pytest.param(Unit(6, 6, 10), 1, id="§2.5 same tier, diagonal"),
            pytest.param(Unit(6, 5, 20), 1, id="§2.5 same tier, another level"),
            pytest.param(Unit(6, 5, 4), 0, id="§2.5 a lower tier"),
            pytest.param(Unit(6, 5, 25), 0, id="§2.5 a higher tier"),
            pytest.param(Unit(7, 5, 5), 0, id="§2.5 two tiles away"),
        ],
    )
    def test_a_friend_of_the_same_tier_beside_supports(self, friend: Unit, bonus: int) -> None:
        own = Unit(5, 5, 5)
        assert support(own, (own, friend)) == bonus

    def test_a_wall_between_friends_does_not_matter(self) -> None:
        state = position(
            {(5, 5): 5}, {(6, 5): 5, (7, 5): 5}, walls={(6, 5, "east"): (1, 100)}, rolls=[50, 0]
        )  # fmt: skip
        fight = act(state, Attack(5, 5, "e")).events[0].public
        assert isinstance(fight, Attacked)
        assert (fight.shield, fight.support) == (0, 1)

    def test_a_friend_that_merged_away_no_longer_supports(self) -> None:
        state = after(position({(5, 5): 5, (5, 6): 5}, {(9, 9): 1}), Merge(5, 6, "n"))
        (left,) = state.board.holdings[0].units
        assert support(left, state.board.holdings[0].units) == 0
