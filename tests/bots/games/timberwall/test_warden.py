"""The warden of Timberwall: each rule of the document shown deciding, and whole turns."""

import asyncio
from typing import Any

import pytest
from scripted_server import Peer, scripted
from timberwall_bots import chosen, decision, situation
from timberwall_positions import after, position, unit

from warroom_bots.api import Decision
from warroom_bots.bot_executor import BotExecutor
from warroom_bots.games.timberwall.attacks import (
    engage,
    incomes,
    is_aggressive,
    is_match,
    is_stronger,
    is_swarm,
    may_engage,
    strike_base,
)
from warroom_bots.games.timberwall.holding_position import (
    guards_base,
    hands_over,
    is_anchored,
    is_blocked,
    is_hunter,
    may_leave,
    retreat,
)
from warroom_bots.games.timberwall.intruders import answer_intruder, block_with_flesh
from warroom_bots.games.timberwall.spawns import (
    bans_trash,
    convert_for_army,
    grab_forests,
    is_opening,
    spawn_army,
    spawn_in_despair,
)
from warroom_bots.games.timberwall.unit_goals import (
    GATHER,
    Goal,
    awaiting_relief,
    gatherer_goals,
    goals,
    has_gatherer_near,
    hunter_goals,
    intercept,
    pursue,
    unclaimed_forests,
)
from warroom_bots.games.timberwall.walls import faces_home, fortify, is_emergency, may_break, open_forest
from warroom_bots.games.timberwall.warden import BOT, OutOfTurnError, WardenBot
from warroom_bots.random_bot import BOT as RANDOM
from warroom_bots.registry import bots_for
from warroom_bots.runner import Think
from warroom_bots.simulation import simulate
from warroom_bots.supervision import Failure, Supervisor
from warroom_client import Client
from warroom_games.codec import encode
from warroom_games.rng import Rng
from warroom_games.timberwall.actions import Attack, BuildWall, Convert, Deploy, Ending, HitWall, Move, Pass
from warroom_games.timberwall.rules import GAME
from warroom_protocol import messages as wire

LATE: Any = {"turn": 41, "round": 21}


def tile(x: int, y: int) -> int:
    return 10 * y + x


class TestForestAnchor:
    """The document's 3A."""

    def test_units_on_a_forest_hold_their_position(self) -> None:
        sight = situation(position({(9, 0): unit(1, 3, 3), (5, 5): 1}, **LATE))
        assert is_anchored(sight, tile(9, 0))
        assert not may_leave(sight, tile(9, 0))
        assert may_leave(sight, tile(5, 5))

    def test_they_may_attack_from_there(self) -> None:
        sight = situation(position({(9, 0): unit(5, 3, 3)}, {(8, 0): 1}, **LATE))
        assert engage(sight) == Attack(9, 0, "w")

    def test_a_higher_tier_beside_them_lets_them_retreat(self) -> None:
        sight = situation(position({(9, 0): unit(1, 3, 3)}, {(7, 0): 1, (8, 0): 25}, held=(1, 0), **LATE))
        assert retreat(sight) is None
        sight = situation(position({(9, 2): unit(1, 3, 3), (9, 5): 1}, {(9, 1): 25}, forests=((9, 2),), **LATE))
        assert retreat(sight) in (Move(9, 2, "s"), Move(9, 2, "sw"))


class TestSpawnLogic:
    """The document's 3B."""

    def test_at_most_two_units_grab_forests_in_the_opening(self) -> None:
        start = {(0, 0): 25, (2, 0): 5, (0, 2): 1}
        state = position(start, reserves=(5, 0))
        assert grab_forests(situation(state)) == Deploy(3, 0, 2)
        state = after(state, Deploy(3, 0, 2))
        assert isinstance(grab_forests(situation(state, spawned=1)), Deploy)
        assert grab_forests(situation(after(state, Deploy(3, 1, 2)), spawned=2)) is None

    def test_the_opening_counts_spawns_not_units_on_the_board(self) -> None:
        many = position({(x, 3): 1 for x in range(4)} | {(4, x): 1 for x in range(4)}, reserves=(5, 0))
        assert isinstance(grab_forests(situation(many, spawned=1)), Deploy)
        assert grab_forests(situation(position({(0, 0): 25}, reserves=(5, 0)), spawned=2)) is None

    def test_the_bot_remembers_its_spawns_though_the_units_are_lost(self) -> None:
        bot, start = WardenBot(), position({(0, 0): 25}, reserves=(5, 0))
        assert [type(chosen(bot, start)) for _ in range(3)] == [Deploy, Deploy, Move]

    @pytest.mark.parametrize(("reserves", "action"), [(8, Deploy), (7, Deploy), (6, Move), (4, Move)])
    def test_a_bot_that_comes_later_takes_each_reserve_spent_for_a_spawn(self, reserves: int, action: type) -> None:
        state = position({(0, 0): 25}, reserves=(reserves, 0), turn=7, round=4)
        assert isinstance(chosen(WardenBot(), state), action)

    def test_later_on_no_unit_is_spawned_for_that(self) -> None:
        assert grab_forests(situation(position({(0, 0): 1}, reserves=(5, 0), turn=17, round=9))) is None
        assert is_opening(situation(position(turn=16, round=8)))

    @pytest.mark.parametrize(
        ("enemy", "reserves", "wood", "action"),
        [
            pytest.param(4, 5, 0, Deploy(3, 3, 5), id="tier 1 is answered by tier 2"),
            pytest.param(20, 25, 0, Deploy(3, 3, 25), id="tier 2 by tier 3"),
            pytest.param(25, 125, 0, Deploy(3, 3, 125), id="tier 3 by tier 4"),
            pytest.param(500, 125, 0, Deploy(3, 3, 125), id="nothing is above tier 4"),
            pytest.param(20, 23, 40, Convert(), id="wood is converted first"),
            pytest.param(20, 23, 39, None, id="too little of both"),
        ],
    )
    def test_an_enemy_near_the_base_is_answered_one_tier_above(
        self, enemy: int, reserves: int, wood: int, action: object
    ) -> None:
        sight = situation(position({(0, 0): 1}, {(4, 4): enemy}, reserves=(reserves, 0), wood=(wood, 0)))
        assert answer_intruder(sight) == action

    def test_so_is_one_near_a_forest_but_not_one_far_from_both(self) -> None:
        near = position({(5, 2): 1}, {(6, 3): 1}, reserves=(5, 0))
        far = position({(5, 5): 1}, {(5, 6): 1}, reserves=(5, 0))
        assert answer_intruder(situation(near)) == Deploy(3, 1, 5)
        assert answer_intruder(situation(far)) is None

    @pytest.mark.parametrize(
        ("own", "forests", "action"),
        [
            pytest.param({(3, 5): 5}, ((9, 0), (6, 4)), None, id="as near as a spawned one"),
            pytest.param({(9, 8): 5}, ((9, 0), (6, 4)), None, id="nearer"),
            pytest.param({(0, 0): 5}, ((9, 0), (6, 4)), Deploy(3, 2, 5), id="too far away"),
            pytest.param({(6, 4): unit(5, 3, 3)}, ((9, 0), (6, 4)), Deploy(3, 2, 5), id="held by a forest"),
            pytest.param({(7, 5): unit(5, 3, 3)}, ((9, 0), (7, 5)), None, id="in a forest beside the intruder"),
            pytest.param({(7, 7): 4}, ((9, 0), (6, 4)), Deploy(3, 2, 5), id="of too low a tier"),
        ],
    )
    def test_only_units_that_reach_the_intruder_in_time_answer_it(self, own: Any, forests: Any, action: object) -> None:
        sight = situation(position({(6, 8): 1, **own}, {(7, 6): 4}, forests=forests, reserves=(5, 0)))
        assert answer_intruder(sight) == action

    def test_every_intruder_is_looked_at(self) -> None:
        state = position({(5, 1): 1, (4, 6): 1}, {(6, 1): 25, (4, 4): 4}, reserves=(6, 0), wood=(20, 0))
        assert answer_intruder(situation(state)) == Deploy(3, 3, 5)

    @pytest.mark.parametrize(
        ("reserves", "action"), [(24, None), (25, Deploy(3, 3, 25)), (130, Deploy(3, 3, 125))], ids=str
    )
    def test_reserves_are_hoarded_for_tier_three_or_four(self, reserves: int, action: object) -> None:
        assert spawn_army(situation(position({(0, 0): 1}, reserves=(reserves, 0), **LATE))) == action


class TestDefence:
    """The document's AI Defense: a wall of flesh."""

    @pytest.mark.parametrize(
        ("enemy", "fields", "action"),
        [
            pytest.param((4, 4), LATE, Deploy(3, 3, 10), id="the strongest blocker, between"),
            pytest.param((5, 4), LATE, None, id="not for an enemy four tiles away"),
            pytest.param((4, 4), {"reserves": (4, 0), **LATE}, None, id="no trash after turn 8"),
            pytest.param((2, 2), {"reserves": (4, 0), **LATE}, Deploy(2, 1, 4), id="but beside the base, yes"),
            pytest.param((2, 2), {"reserves": (3, 0), **LATE}, None, id="if it is a strong one"),
        ],
    )
    def test_blockers_are_spawned_when_an_enemy_is_within_three_tiles(
        self, enemy: tuple[int, int], fields: dict[str, Any], action: object
    ) -> None:
        sight = situation(position({(5, 5): 1}, {enemy: 100}, **{"reserves": (12, 0), **fields}))
        assert block_with_flesh(sight) == action

    def test_no_unit_is_spawned_in_the_way_of_a_stronger_one(self) -> None:
        fields: Any = {"reserves": (12, 0), **LATE}
        assert block_with_flesh(situation(position({(5, 4): 25}, {(4, 4): 7}, **fields))) is None
        assert block_with_flesh(situation(position({(5, 4): 5}, {(4, 4): 25}, **fields))) == Deploy(3, 3, 10)

    def test_units_at_the_base_stay_in_the_way_of_an_enemy_there(self) -> None:
        sight = situation(position({(2, 2): 5, (7, 0): 5}, {(2, 3): 25}, **LATE))
        assert [guards_base(sight, tile(2, 2)), guards_base(sight, tile(7, 0))] == [True, False]
        assert retreat(sight) is None
        assert not may_leave(sight, tile(2, 2))
        calm = situation(position({(2, 2): 5}, {(5, 5): 25}, **LATE))
        assert not guards_base(calm, tile(2, 2))


class TestNoTrash:
    """The document's 4.2."""

    @pytest.mark.parametrize(
        ("round_", "enemy", "banned"),
        [
            pytest.param(8, (9, 9), False, id="until turn 8 of each"),
            pytest.param(9, (9, 9), True, id="from then on"),
            pytest.param(9, (3, 3), True, id="an enemy near"),
            pytest.param(9, (2, 2), False, id="an enemy beside the base"),
        ],
    )
    def test_tier_one_is_banned(self, round_: int, enemy: tuple[int, int], banned: bool) -> None:
        assert bans_trash(situation(position({}, {enemy: 1}, turn=2 * round_, round=round_))) is banned

    @pytest.mark.parametrize(("reserves", "action"), [(24, Convert()), (25, None)], ids=["below", "affordable"])
    def test_wood_is_converted_until_tier_three_is_affordable(self, reserves: int, action: object) -> None:
        sight = situation(position({(0, 0): 1}, wood=(20, 0), reserves=(reserves, 0), **LATE))
        assert convert_for_army(sight) == action

    @pytest.mark.parametrize(
        ("own", "enemy", "action"),
        [
            pytest.param((9, 0), (4, 4), Deploy(3, 3, 5), id="desperate"),
            pytest.param((4, 3), (4, 4), None, id="somebody defends"),
            pytest.param((9, 0), (9, 9), None, id="nobody comes"),
        ],
    )
    def test_tier_two_is_spawned_in_despair(self, own: tuple[int, int], enemy: tuple[int, int], action: object) -> None:
        assert spawn_in_despair(situation(position({own: 1}, {enemy: 25}, reserves=(9, 0), **LATE))) == action


class TestCombatLoop:
    """The document's 3C, 4.1 and 4.4."""

    ATTACK = Attack(5, 5, "e")

    @pytest.mark.parametrize(
        ("own", "enemy", "matches", "stronger"),
        [(7, 5, True, True), (5, 7, True, False), (4, 5, False, False), (5, 5, True, True)],
    )
    def test_tier_and_power_are_compared(self, own: int, enemy: int, matches: bool, stronger: bool) -> None:
        sight = situation(position({(5, 5): own}, {(6, 5): enemy}))
        assert (is_match(sight, self.ATTACK), is_stronger(sight, self.ATTACK)) == (matches, stronger)

    def test_power_counts_shield_and_support(self) -> None:
        sight = situation(position({(5, 5): 6}, {(6, 5): unit(5, still=3), (7, 5): 5}))
        assert not is_stronger(sight, self.ATTACK)

    def test_two_allies_beside_make_a_swarm(self) -> None:
        assert is_swarm(situation(position({(5, 5): 1, (4, 5): 1, (5, 4): 1}, {(6, 5): 5})), self.ATTACK)
        assert not is_swarm(situation(position({(5, 5): 1, (4, 5): 1}, {(6, 5): 5})), self.ATTACK)

    def test_wood_incomes_are_compared_by_active_forests(self) -> None:
        own: Any = {(5, 5): 1, (9, 0): unit(1, 3, 3), (0, 9): unit(1, 2, 2)}
        forests = ((9, 0), (0, 9), (6, 5), (5, 0))
        state = position(own, {(6, 5): unit(1, 3, 3), (5, 0): 1}, forests=forests, held=(2, 2))
        assert incomes(situation(state)) == (2, 4)
        assert is_aggressive(situation(state))

    def test_without_enemy_income_there_is_no_aggression(self) -> None:
        sight = situation(position({(9, 0): unit(1, 3, 3), (5, 5): 5}, {(6, 5): 7}, held=(1, 0)))
        assert incomes(sight) == (2, 0)
        assert not is_aggressive(sight)

    def test_the_enemys_tier_is_attacked_with_and_without_aggression(self) -> None:
        calm = situation(position({(9, 0): unit(1, 3, 3), (5, 5): 5}, {(6, 5): 7}, held=(1, 0)))
        assert may_engage(calm, self.ATTACK)
        assert engage(calm) == self.ATTACK
        assert engage(situation(position({(5, 5): 4}, {(6, 5): 5}))) is None

    def test_in_aggression_an_equal_trade_is_welcome(self) -> None:
        sight = situation(position({(5, 5): 5}, {(6, 5): 7}))
        assert engage(sight) == self.ATTACK

    def test_an_enemy_on_a_forest_comes_first_then_the_nearest_to_the_base(self) -> None:
        enemies = {(6, 6): 1, (4, 5): 1, (5, 6): 1}
        assert engage(situation(position({(5, 5): 20}, enemies, forests=((6, 6),)))) == Attack(5, 5, "w")
        assert engage(situation(position({(5, 5): 20}, {(6, 5): 1, (4, 5): 1}, forests=((6, 5),)))) == Attack(5, 5, "e")
        assert engage(situation(position({(5, 5): 20}, {(6, 5): 1, (4, 5): 1}))) == Attack(5, 5, "w")

    def test_of_several_attacks_the_one_that_wins_without_luck_comes_first(self) -> None:
        assert engage(situation(position({(5, 5): 5}, {(4, 5): 7, (6, 5): 4}))) == Attack(5, 5, "e")

    @pytest.mark.parametrize(
        ("own", "enemies", "fields", "action"),
        [
            pytest.param({(5, 5): 25}, {(5, 6): 1}, {}, Move(5, 5, "e"), id="the base comes first"),
            pytest.param({(4, 4): 25}, {(4, 5): 1}, {}, Attack(4, 4, "s"), id="but not from afar"),
            pytest.param({(5, 5): 20}, {(5, 6): 1}, {}, Attack(5, 5, "s"), id="nor for a gatherer"),
            pytest.param(
                {(5, 5): 25}, {(5, 6): 1}, {"forests": ((5, 6),)}, Attack(5, 5, "s"), id="nor before a forest"
            ),
            pytest.param(
                {(9, 9): 25},
                {(8, 9): 1, (9, 8): 1},
                {"neutral": [(8, 8, "east")]},
                Attack(9, 9, "n"),
                id="nor where no way is open",
            ),
        ],
    )
    def test_a_hunter_before_the_enemy_base_presses_on_past_enemies_in_the_open(
        self, own: Any, enemies: Any, fields: Any, action: object
    ) -> None:
        assert chosen(WardenBot(), position(own, enemies, **fields, **LATE)) == action

    def test_a_unit_retreats_from_a_higher_tier_to_the_nearest_friend(self) -> None:
        state = position({(5, 5): 1, (5, 8): 1}, {(5, 4): 25})
        assert engage(situation(state)) is None
        assert retreat(situation(state)) in (Move(5, 5, "se"), Move(5, 5, "s"), Move(5, 5, "sw"))

    def test_an_equal_is_no_reason_to_retreat(self) -> None:
        assert retreat(situation(position({(5, 5): 25}, {(5, 4): 100}))) is None


class TestWalls:
    """The document's 4.3, and what it says of breaking walls."""

    @pytest.mark.parametrize(
        ("own", "enemy", "points", "action"),
        [
            pytest.param((5, 0), (6, 0), 25, BuildWall(5, 0, "east"), id="a wall between"),
            pytest.param((5, 0), (6, 0), 1, BuildWall(5, 0, "east"), id="against an equal, too"),
            pytest.param((5, 0), (4, 0), 25, None, id="never towards the own base"),
            pytest.param((5, 0), (6, 1), 25, None, id="no edge parts a diagonal"),
            pytest.param((5, 0), (7, 0), 25, None, id="not at two tiles"),
            pytest.param((5, 1), (6, 1), 25, None, id="not beside a forest"),
        ],
    )
    def test_a_unit_on_a_forest_is_fortified(
        self, own: tuple[int, int], enemy: tuple[int, int], points: int, action: object
    ) -> None:
        assert fortify(situation(position({own: 1}, {enemy: points}, forests=((5, 0),), wood=(10, 0)))) == action

    def test_a_weaker_enemy_needs_no_wall(self) -> None:
        assert fortify(situation(position({(5, 0): 5}, {(6, 0): 4}, forests=((5, 0),), wood=(10, 0)))) is None

    def test_a_cooling_edge_is_respected(self) -> None:
        state = position({(5, 0): 25}, {(6, 0): 25}, forests=((5, 0),), wood=(10, 0), neutral=[(5, 0, "east")])
        cooling = after(state, HitWall(5, 0, "e"), Pass())
        assert fortify(situation(cooling)) is None

    def test_the_side_of_the_base_is_known(self) -> None:
        sight = situation(position({(5, 5): 1}))
        assert faces_home(sight, tile(5, 5), tile(4, 4))
        assert not faces_home(sight, tile(5, 5), tile(5, 6))

    @pytest.mark.parametrize(
        ("enemy", "neutral", "action"),
        [
            pytest.param((6, 0), [(4, 0, "east"), (5, 0, "south")], None, id="the only way home is not walled up"),
            pytest.param((4, 0), [(3, 0, "east"), (4, 0, "south")], BuildWall(4, 0, "east"), id="no way home there"),
        ],
    )
    def test_the_side_of_the_base_is_the_way_home_on_foot(
        self, enemy: tuple[int, int], neutral: Any, action: object
    ) -> None:
        state = position({(5, 0): 1}, {enemy: 25}, forests=((5, 0),), wood=(10, 0), neutral=neutral)
        assert fortify(situation(state)) == action

    def test_walls_are_broken_from_tier_two_on_or_in_an_emergency(self) -> None:
        calm = situation(position({(5, 5): 1, (6, 6): 5}))
        assert (may_break(calm, tile(5, 5)), may_break(calm, tile(6, 6))) == (False, True)
        assert is_emergency(situation(position({(5, 5): 1})))
        assert may_break(situation(position({(5, 5): 1, (6, 6): 5}, {(3, 3): 1})), tile(5, 5))

    ENCLOSED = ((8, 0, "east"), (9, 0, "south"))

    @pytest.mark.parametrize(
        ("green", "neutral", "action"),
        [
            pytest.param({(8, 0): 5}, ENCLOSED, HitWall(8, 0, "e"), id="a forest walled in is opened"),
            pytest.param({(8, 0): 1, (5, 5): 5}, ENCLOSED, None, id="not by tier 1"),
            pytest.param({(8, 0): 5}, ENCLOSED[:1], None, id="one that is open already is not"),
            pytest.param({(8, 0): 5, (9, 0): 1}, ENCLOSED, None, id="nor one that is taken"),
            pytest.param({(5, 5): 5}, ENCLOSED, None, id="nor one far away"),
        ],
    )
    def test_enclosed_forests_are_opened(self, green: dict[tuple[int, int], int], neutral: Any, action: object) -> None:
        assert open_forest(situation(position(green, neutral=neutral))) == action

    @pytest.mark.parametrize(
        ("green", "fields", "action"),
        [
            pytest.param(
                {(4, 5): 5, (5, 6): unit(1, 3, 3)},
                {"forests": ((5, 5), (5, 6))},
                HitWall(4, 5, "e"),
                id="the open side is held by an own unit",
            ),
            pytest.param({(4, 5): 5, (5, 6): 1}, {"forests": ((5, 5),)}, None, id="that can walk in itself"),
            pytest.param({(4, 5): 5}, {"forests": ((5, 5),)}, None, id="the open side is free"),
            pytest.param(
                {(4, 5): 5},
                {"forests": ((5, 5),), "more": [(5, 6, "east"), (4, 6, "east"), (5, 6, "south")]},
                HitWall(4, 5, "e"),
                id="the open side leads nowhere",
            ),
        ],
    )
    def test_forests_that_no_unit_can_reach_are_opened(
        self, green: Any, fields: dict[str, Any], action: object
    ) -> None:
        neutral = [(5, 4, "south"), (5, 5, "east"), (4, 5, "east"), *fields.pop("more", ())]
        assert open_forest(situation(position(green, neutral=neutral, **fields))) == action

    def test_a_built_wall_is_not_taken_for_a_neutral_one(self) -> None:
        state = position({(8, 0): 5}, walls={(8, 0, "east"): (1, 100)}, neutral=[(9, 0, "south")])
        assert open_forest(situation(state)) is None


class TestForestBlocking:
    """The document's 4.5."""

    @pytest.mark.parametrize(
        ("own", "enemy", "blocked"),
        [
            pytest.param(unit(1, 1, 1), (9, 9), True, id="begun"),
            pytest.param(unit(1, 2, 2), (9, 9), True, id="nearly active"),
            pytest.param(unit(1, 3, 3), (9, 9), False, id="active: anchored, not blocked"),
            pytest.param(unit(1, 1, 1), (4, 4), False, id="the base is threatened"),
            pytest.param(unit(25, 1, 1), (9, 9), False, id="hunters are exempt"),
        ],
    )
    def test_a_unit_that_began_an_occupation_stays(self, own: Any, enemy: tuple[int, int], blocked: bool) -> None:
        sight = situation(position({(9, 0): own}, {enemy: 1}, **LATE))
        assert is_blocked(sight, tile(9, 0)) is blocked

    def test_a_threatened_base_lets_them_come_but_nowhere_else(self) -> None:
        sight = situation(position({(6, 4): unit(5, 1, 1)}, {(4, 4): 1}, forests=((6, 4), (7, 4)), **LATE))
        assert intercept(sight) == Move(6, 4, "sw")
        assert not may_leave(sight, tile(6, 4))

    def test_hunters_are_held_by_no_forest_once_the_opening_is_over(self) -> None:
        units: Any = {(9, 0): unit(25, 3, 3), (0, 9): unit(20, 3, 3)}
        late = situation(position(units, forests=((9, 0), (0, 9)), **LATE))
        assert [is_hunter(late, tile(9, 0)), is_hunter(late, tile(0, 9))] == [True, False]
        assert [may_leave(late, tile(9, 0)), may_leave(late, tile(0, 9))] == [True, False]
        assert not is_hunter(situation(position(units)), tile(9, 0))


class TestRoles:
    """The document's section 5."""

    def test_a_gatherer_goes_for_the_nearest_free_forest(self) -> None:
        sight = situation(position({(7, 2): 5}, forests=((9, 0), (0, 9))))
        assert pursue(sight) == Move(7, 2, "ne")

    def test_it_goes_for_the_enemys_forests_and_for_the_base_at_last(self) -> None:
        forests = ((9, 0), (6, 4), (5, 2))
        sight = situation(position({(4, 4): 5}, {(6, 4): 4, (5, 2): 25}, forests=forests))
        assert [goal.tiles for goal in gatherer_goals(sight, tile(4, 4))] == [
            [tile(9, 0)], [], [tile(6, 4)], [tile(8, 8)]
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("own", "enemies", "action"),
        [
            pytest.param({(6, 4): 5, (9, 9): 5}, {(4, 4): 7}, Move(6, 4, "sw"), id="the nearest of those that match"),
            pytest.param({(6, 7): 5, (7, 4): 25}, {(4, 4): 25}, Move(7, 4, "sw"), id="not one of a lower tier"),
            pytest.param({(6, 4): 5}, {(5, 4): 5}, None, id="not at four tiles from the base"),
        ],
    )
    def test_enemies_near_the_base_are_intercepted(
        self, own: dict[tuple[int, int], int], enemies: dict[tuple[int, int], int], action: object
    ) -> None:
        assert intercept(situation(position(own, enemies, **LATE))) == action

    def test_that_comes_before_the_handover_and_before_a_retreat(self) -> None:
        state = position({(4, 3): 25, (5, 1): 1}, {(2, 4): 25, (6, 1): 5}, forests=((6, 3),))
        assert retreat(situation(state)) is not None
        assert chosen(WardenBot(), state) == intercept(situation(state))

    def test_a_hunter_presses_the_base_before_it_hunts_in_forests(self) -> None:
        state = position({(5, 5): 25}, {(4, 4): 1, (6, 6): 1, (5, 7): 125}, forests=((6, 6), (5, 7), (9, 0)), **LATE)
        found = list(hunter_goals(situation(state), tile(5, 5)))
        assert [goal.tiles for goal in found] == [[tile(8, 8)], [tile(6, 6)]]
        assert found[0].weight > found[1].weight

    def test_it_takes_forests_only_when_no_enemy_is_in_sight_and_no_gatherer_near(self) -> None:
        states = [
            position({(5, 5): 25}, {(0, 9): 1}, **LATE),
            position({(5, 5): 25}, {(5, 7): 1}, **LATE),
            position({(5, 5): 25, (5, 8): 5}, **LATE),
        ]
        last = [[*hunter_goals(situation(state), tile(5, 5))][-1].tiles for state in states]
        assert last == [[tile(9, 0)], [], []]
        assert [has_gatherer_near(situation(state), tile(5, 5)) for state in states] == [False, False, True]

    @pytest.mark.parametrize("late", [{}, LATE], ids=["opening", "later"])
    @pytest.mark.parametrize(
        ("enemies", "action"), [({(5, 7): 125}, Move(5, 5, "e")), ({}, Move(5, 5, "se"))], ids=["visible", "none"]
    )
    def test_a_tier_three_enters_an_empty_forest_only_when_no_enemy_is_visible(
        self, enemies: Any, action: object, late: Any
    ) -> None:
        state = position({(5, 5): 25}, enemies, forests=((6, 6),), **late)
        assert pursue(situation(state)) == action

    def test_in_the_opening_a_tier_three_makes_for_the_nearest_forest(self) -> None:
        state = position({(5, 5): 25}, forests=((7, 5),))
        assert pursue(situation(state)) == Move(5, 5, "ne")

    def test_it_does_not_come_back_to_a_forest_that_it_handed_over(self) -> None:
        sight = situation(position({(7, 5): 25, (6, 6): 1}, forests=((6, 5), (9, 0))))
        assert unclaimed_forests(sight) == [tile(9, 0)]

    def test_gatherers_come_to_take_over_from_it(self) -> None:
        sight = situation(position({(6, 5): unit(25, 1, 1), (3, 5): 5}, forests=((6, 5),)))
        assert awaiting_relief(sight) == [tile(6, 5)]
        assert pursue(sight) == Move(3, 5, "ne")

    def test_later_on_it_presses_the_enemy_base(self) -> None:
        state = position({(5, 5): 25}, {(5, 7): 1}, forests=((7, 5),), **LATE)
        assert pursue(situation(state)) == Move(5, 5, "se")

    def test_enemies_on_forests_weigh_more_in_aggression(self) -> None:
        calm = position({(5, 5): 25, (9, 0): unit(1, 3, 3)}, {(7, 5): 1}, forests=((9, 0), (7, 5)), held=(1, 1), **LATE)
        weights = {goal.tiles[0]: goal.weight for goal in hunter_goals(situation(calm), tile(5, 5)) if goal.tiles}
        eager = position({(5, 5): 25}, {(7, 5): 1}, forests=((7, 5),), held=(0, 1), **LATE)
        raised = {goal.tiles[0]: goal.weight for goal in hunter_goals(situation(eager), tile(5, 5)) if goal.tiles}
        assert weights[tile(7, 5)] < GATHER < raised[tile(7, 5)]

    def test_a_tier_three_hands_over_to_a_gatherer_beside_it(self) -> None:
        alone = position({(9, 0): unit(25, 3, 3), (5, 5): 1})
        joined = position({(9, 0): unit(25, 3, 3), (9, 1): 1})
        early = position({(9, 0): unit(25, 2, 2), (9, 1): 1})
        assert [hands_over(situation(state), tile(9, 0)) for state in (alone, joined, early)] == [False, True, False]
        assert [may_leave(situation(state), tile(9, 0)) for state in (alone, joined, early)] == [False, True, False]

    def test_roles_follow_the_tier(self) -> None:
        sight = situation(position({(5, 5): 25, (5, 6): 20}, **LATE))
        assert list(goals(sight, tile(5, 5))) == list(hunter_goals(sight, tile(5, 5)))
        assert list(goals(sight, tile(5, 6))) == list(gatherer_goals(sight, tile(5, 6)))
        assert Goal(GATHER, [tile(9, 0)]) in goals(sight, tile(5, 6))

    def test_tier_one_goes_around_walls_that_it_may_not_break(self) -> None:
        cage: Any = [(8, 0, "east"), (9, 0, "south")]
        fields: Any = {"neutral": cage, "forests": ((9, 0), (8, 3))}
        assert pursue(situation(position({(8, 0): 1, (1, 9): 5}, **fields))) == Move(8, 0, "s")
        assert pursue(situation(position({(8, 0): 5}, **fields))) == HitWall(8, 0, "e")
        assert pursue(situation(position({(8, 0): 1, (8, 3): unit(5, 3, 3)}, **fields))) == HitWall(8, 0, "e")


class TestVictory:
    """The document's absolute victory priority."""

    def test_the_base_is_hit_whatever_else_there_is(self) -> None:
        state = position(
            {(7, 7): unit(5, 1, 1), (9, 9): unit(1, 1, 1)},
            {(6, 7): 1},
            forests=((7, 7), (9, 9)),
            reserves=(130, 0),
            wood=(20, 0),
        )
        assert strike_base(situation(state)) == Attack(7, 7, "se")
        assert chosen(WardenBot(), state) == Attack(7, 7, "se")

    def test_without_a_way_there_is_nothing_to_strike(self) -> None:
        assert strike_base(situation(position({(5, 5): 5}, {(6, 5): 1}))) is None


class TestTurns:
    def test_the_warden_passes_when_it_has_nothing_to_do(self) -> None:
        assert chosen(WardenBot(), position({(9, 0): unit(1, 3, 3)}, **LATE)) == Pass()

    def test_it_refuses_to_act_out_of_turn(self) -> None:
        state = position({(5, 5): 1}, {(6, 6): 1}, seat=1)
        with pytest.raises(OutOfTurnError, match="seat 0 is asked in the turn of seat 1"):
            WardenBot().choose(decision(state, 0))

    def test_each_turn_has_exactly_one_ending_action_and_nothing_after_it(self) -> None:
        turns: dict[int, list[Any]] = {}

        class Noted(WardenBot):
            def choose(self, decision: Decision) -> Any:
                action: Any = super().choose(decision)
                public: Any = decision.public
                turns.setdefault(public["turn"], []).append(action)
                return action

        noted = type(BOT)(name="noted", game="timberwall", summary="", make=lambda _: Noted())
        simulate(GAME, [noted, RANDOM], seed="one ending action", options={"max_turns": 80})
        ending = {kind.__struct_config__.tag for kind in Ending.__args__}
        assert len(turns) > 20
        for actions in turns.values():
            assert [action["type"] in ending for action in actions] == [False] * (len(actions) - 1) + [True]

    def test_equal_views_lead_to_equal_choices(self) -> None:
        state = position({(5, 5): 5, (0, 0): 25}, {(6, 6): 7, (0, 9): 500}, wood=(30, 30), reserves=(9, 0), **LATE)
        dream = GAME.imagine(decision(state).public, decision(state).private, 0, Rng(bytes(16)))
        assert dream.board != state.board
        assert chosen(WardenBot(), dream) == chosen(WardenBot(), state)

    def test_the_bot_is_offered_for_its_game(self) -> None:
        assert bots_for("timberwall")["warden"] is BOT

    @pytest.mark.parametrize(("size", "turns"), [(10, 60), (20, 40), (30, 30)])
    def test_it_plays_on_every_board(self, size: Any, turns: int) -> None:
        options = {"size": size, "max_turns": turns}
        assert simulate(GAME, [BOT, BOT], seed="boards", options=options).match.is_over


@pytest.mark.long
@pytest.mark.timeout(600)
def test_it_beats_the_greedy_bot_in_more_than_half_of_two_hundred_matches() -> None:
    """These are the matches of the study in docs/rules/BALANCE.md: each map twice, once from either seat."""
    greedy, won = bots_for("timberwall")["greedy"], 0.0
    for number in range(200):
        seat = number % 2
        bots = [BOT, greedy] if seat == 0 else [greedy, BOT]
        result = GAME.result(simulate(GAME, bots, seed=f"1 {number // 2}").match.state)
        assert result is not None
        won += (1 + (result.ranks[seat] < result.ranks[1 - seat]) - (result.ranks[seat] > result.ranks[1 - seat])) / 2
    assert won > 100


async def test_the_warden_waits_ten_milliseconds_before_it_acts() -> None:
    state = position({(9, 0): unit(1, 3, 3)}, **LATE)
    asked = decision(state)
    waited: list[float] = []
    failures: list[Failure] = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat(asked.public)
        await peer.send(wire.Private(7, 1, 1, False, (((), asked.private),), (), None))
        start = asyncio.get_running_loop().time()
        await peer.send(wire.Prompt(7, 0, 1, 0, 30_000))
        legal = await peer.expect(wire.Legal)
        waited.append(asyncio.get_running_loop().time() - start)
        await peer.send(wire.LegalList(legal.ref, 7, 1, False, asked.legal))
        act = await peer.expect(wire.Act)
        assert bytes(act.action) == encode({"type": "pass"})
        await peer.send(wire.Verdict(7, act.id, None, None, 1, 0, None))
        await peer.send(wire.Ended(7, (1, 2), "victory", "00", "11"))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as host:
        supervisor = Supervisor(BOT, BotExecutor(1), think=Think(), tell=failures.append)
        await supervisor.play(await host.join("0000007"), Rng(bytes(16)))
    assert failures == []
    assert waited[0] >= 0.010
