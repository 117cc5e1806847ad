"""docs/rules/timberwall.md, section 5: deploying and converting."""

from typing import Any

import pytest
from timberwall_positions import act, after, points, position, refused, told

from warroom_games.timberwall.actions import Convert, ConvertAll, Deploy, Pass
from warroom_games.timberwall.events import Converted, Deployed, Income
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.units import LEVELS


class TestDeploying:
    """§5.2"""

    @pytest.mark.parametrize("level", LEVELS)
    def test_every_level_can_be_deployed_for_its_points(self, level: int) -> None:
        state = after(position(reserves=(500, 0)), Deploy(3, 0, level))
        assert points(state, 0) == {(3, 0): level}
        assert state.board.holdings[0].reserves == 500 - level

    @pytest.mark.parametrize(
        ("action", "code", "says"),
        [
            pytest.param(
                Deploy(2, 2, 7), "deploy.level", "7 points are not a level; the levels are 1, 2", id="§5.2 level"
            ),
            pytest.param(Deploy(2, 2, 25), "deploy.reserves", "you have 20", id="§5.2 too dear"),
            pytest.param(
                Deploy(4, 2, 5), "deploy.zone", "(4, 2) is not within 2 tiles of your base", id="§5.2 too far"
            ),
            pytest.param(Deploy(8, 7, 5), "deploy.zone", "(8, 7)", id="§5.2 around the other base"),
            pytest.param(Deploy(1, 1, 5), "deploy.zone", "(1, 1)", id="§5.2 on the base itself"),
            pytest.param(Deploy(2, 3, 5), "deploy.taken", "(2, 3) is occupied", id="§5.2 a friend is there"),
            pytest.param(Deploy(3, 2, 5), "deploy.taken", "(3, 2) is occupied", id="§5.2 an enemy is there"),
        ],
    )
    def test_a_unit_that_is_not_allowed_is_refused(self, action: Deploy, code: str, says: str) -> None:
        refusal, words = refused(position({(2, 3): 1}, {(3, 2): 1}, reserves=(20, 0)), action)
        assert refusal == code
        assert says in words

    def test_the_zone_has_fifteen_tiles(self) -> None:
        listed = [action for action in GAME.legal_actions(position(reserves=(1, 0)), 0) if isinstance(action, Deploy)]
        assert {(action.x, action.y) for action in listed} == {
            (x, y) for x in range(4) for y in range(4) if (x, y) != (1, 1)
        }

    def test_the_event_tells_what_came(self) -> None:
        step = act(position(reserves=(5, 0)), Deploy(2, 2, 5))
        assert told(step.events, 0) == [Deployed(seat=0, target=(2, 2), points=5)]


class TestConverting:
    """§5.3"""

    @pytest.mark.parametrize(
        ("wood", "action", "left"),
        [
            pytest.param(20, Convert(), (0, 1), id="§5.3 just enough"),
            pytest.param(59, Convert(), (39, 1), id="§5.3 one at a time"),
            pytest.param(59, ConvertAll(), (19, 2), id="§5.3 max convert"),
        ],
    )
    def test_twenty_wood_become_a_reserve(self, wood: int, action: object, left: tuple[int, int]) -> None:
        step = act(position(wood=(wood, 0)), action)
        own = step.state.board.holdings[0]
        assert (own.wood, own.reserves) == left
        assert told(step.events, 0) == [Converted(seat=0, wood=20 * left[1], reserves=left[1])]

    @pytest.mark.parametrize("action", [Convert(), ConvertAll()], ids=["convert", "convert_all"])
    def test_less_is_refused(self, action: Any) -> None:
        state = position(wood=(19, 0))
        assert refused(state, action) == ("convert.wood", "a reserve costs 20 wood; you have 19")
        assert action not in GAME.legal_actions(state, 0)


class TestIncome:
    """§5.4"""

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            pytest.param({}, [[1, 0], [1, 1], [2, 1], [2, 2], [3, 2]], id="every round"),
            pytest.param(
                {"reserve_rounds": 2}, [[0, 0], [0, 0], [1, 0], [1, 1], [1, 1], [1, 1]], id="every second round"
            ),
            pytest.param({"reserve_rounds": 3}, [[0, 0]] * 4 + [[1, 0], [1, 1], [1, 1]], id="every third round"),
        ],
    )
    def test_every_own_turn_end_brings_a_reserve_or_only_some(
        self, options: dict[str, Any], expected: list[list[int]]
    ) -> None:
        state, reserves = position(**options), []
        for _ in expected:
            state = after(state, Pass())
            reserves.append([holding.reserves for holding in state.board.holdings])
        assert reserves == expected

    def test_a_turn_end_without_one_says_so(self) -> None:
        assert told(act(position(reserve_rounds=2), Pass()).events, 0)[0] == Income(seat=0, wood=0, reserves=0)
