"""docs/rules/timberwall.md, section 10.7: what a viewer may imagine in the fog."""

from collections import Counter

import pytest
from msgspec.structs import replace
from timberwall_positions import KEY, after, position

from warroom_games.codec import decode_state, encode
from warroom_games.rng import Rng
from warroom_games.timberwall.actions import Move, Pass, RemoveWall
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import Cooling, State, Unit, Wall
from warroom_protocol.canonical import plain

DREAMS = 40
FORESTS = ((9, 0), (0, 9), (5, 0), (0, 5))


def dreams(state: State, seat: int | None) -> list[State]:
    public = plain(GAME.public(state))
    private = None if seat is None else plain(GAME.private(state, seat))
    return [GAME.imagine(public, private, seat, Rng(KEY, 10_000 * n)) for n in range(DREAMS)]


def spots(world: State, seat: int) -> set[tuple[int, int]]:
    return {(unit.x, unit.y) for unit in world.board.holdings[seat].units}


class TestSeat:
    """§10.7"""

    def test_the_views_are_those_that_were_given(self) -> None:
        state = position({(5, 5): 1}, {(6, 6): 7, (0, 9): 1}, walls={(5, 5, "east"): (1, 66)}, turn=9, round=5)
        for world in dreams(state, 0):
            assert GAME.private(world, 0) == GAME.private(state, 0)
            assert GAME.public(world) == GAME.public(state)
            assert decode_state(GAME, encode(world)) == world

    def test_the_hidden_units_vary_and_never_share_a_tile_or_stand_in_sight(self) -> None:
        state = position({(5, 5): 1}, {(6, 6): 7, (0, 9): 1}, turn=21, round=11)
        worlds = dreams(state, 0)
        assert len({encode(world.board.holdings[1]) for world in worlds}) > DREAMS // 2
        for world in worlds:
            hidden = [(unit.x, unit.y) for unit in world.board.holdings[1].units if (unit.x, unit.y) != (6, 6)]
            assert len(set(hidden)) == len(hidden)
            assert not set(hidden) & {(x, y) for x in range(3, 8) for y in range(3, 8)}
            assert not set(hidden) & {(1, 1), (8, 8)}
            assert Unit(6, 6, 7) in world.board.holdings[1].units

    @pytest.mark.parametrize("held", [0, 1, 3])
    def test_as_many_forests_are_held_as_the_table_says(self, held: int) -> None:
        red = dict.fromkeys(FORESTS[:held], 1)
        state = position({(5, 5): 1}, {**red, (7, 7): 1}, forests=FORESTS, held=(0, held), turn=31, round=16)
        for world in dreams(state, 0):
            assert len(spots(world, 1) & set(FORESTS)) == held

    def test_forests_in_sight_are_held_as_seen(self) -> None:
        state = position({(2, 6): 1}, {(0, 5): 5, (9, 0): 1}, forests=FORESTS, held=(0, 2), turn=31, round=16)
        for world in dreams(state, 0):
            assert len(spots(world, 1) & set(FORESTS)) == 2
            assert (0, 5) in spots(world, 1)

    def test_nobody_came_further_or_has_more_than_the_turns_allow(self) -> None:
        state = after(position({(3, 3): 25}, {(7, 7): 25, (6, 6): 5, (6, 7): 1}), Move(3, 3, "e"), Pass())
        for world in dreams(state, 0):
            holding = world.board.holdings[1]
            assert all(max(8 - unit.x, 8 - unit.y) <= 3 for unit in holding.units)
            assert sum(unit.points for unit in holding.units) + holding.reserves <= 37

    def test_before_its_first_turn_a_rival_has_what_everybody_begins_with(self) -> None:
        opening = GAME.setup(2, Options(), Rng(KEY))
        for world in dreams(opening, opening.table.seat):
            rival = world.board.holdings[1 - opening.table.seat]
            assert Counter(unit.points for unit in rival.units) == {25: 1, 5: 1, 1: 1}
            assert (rival.wood, rival.reserves) == (0, 5)

    def test_walls_out_of_sight_may_be_lost_and_walls_in_sight_are_not(self) -> None:
        state = position({(5, 5): 1}, neutral=[(0, 8, "east"), (5, 5, "south")], turn=9, round=5)
        near, lost = state.board.neutral_walls[0], Counter[bool]()
        for world in dreams(state, 0):
            assert near in world.board.neutral_walls
            lost[len(world.board.neutral_walls) == 1] += 1
            assert all(5 < edge.ready_round <= 11 for edge in world.board.cooling)
        assert lost[True]
        assert lost[False] > lost[True]

    def test_an_own_wall_out_of_sight_may_be_gone(self) -> None:
        """§10.4"""
        state = position({(5, 5): 1}, walls={(0, 8, "east"): (0, 100)}, turn=9, round=5)
        memory = replace(state.memories[0], walls=(Wall(0, 8, "east", 0, 100),))
        state = replace(state, memories=(memory, state.memories[1]))
        worlds = [world for world in dreams(state, 0) if not any(wall.owner == 0 for wall in world.board.walls)]
        assert worlds
        gone = GAME.apply(worlds[0], 0, RemoveWall(0, 8, "east"))
        assert gone.state.memories[0].walls == ()

    def test_an_edge_that_lost_its_wall_unseen_may_be_cooling(self) -> None:
        """§10.4"""
        state = position({(5, 5): 1}, neutral=[(5, 5, "east")], turn=9, round=5)
        state = replace(state, board=replace(state.board, neutral_walls=()))
        memory = replace(state.memories[0], neutral_walls=())
        state = replace(state, memories=(memory, state.memories[1]))
        assert {bool(world.board.cooling) for world in dreams(state, 0)} == {True, False}

    def test_what_is_known_to_cool_does(self) -> None:
        state = position({(5, 5): 1}, neutral=[(5, 5, "east")], turn=9, round=5)
        memory = replace(state.memories[0], neutral_walls=(), cooling=(Cooling(5, 5, "east", 7),))
        state = replace(state, memories=(memory, state.memories[1]))
        for world in dreams(state, 0):
            assert world.board.cooling == (Cooling(5, 5, "east", 7),)

    def test_a_rival_may_have_built_walls_unseen(self) -> None:
        state = position({(1, 5): 1}, {(6, 2): 25}, turn=41, round=21)
        built = [wall for world in dreams(state, 0) for wall in world.board.walls]
        assert built
        assert all(wall.owner == 1 and wall.hp == 100 for wall in built)


class TestSpectator:
    """§10.7"""

    def test_both_sides_are_imagined(self) -> None:
        red = dict.fromkeys(FORESTS[:2], 1)
        state = position({(0, 5): 1}, red, forests=FORESTS, held=(1, 2), turn=31, round=16)
        worlds = dreams(state, None)
        assert len({encode(world.board) for world in worlds}) > DREAMS // 2
        for world in worlds:
            assert GAME.public(world) == GAME.public(state)
            assert [len(spots(world, seat) & set(FORESTS)) for seat in (0, 1)] == [1, 2]
            assert not spots(world, 0) & spots(world, 1)

    def test_a_match_can_be_played_on_from_there(self) -> None:
        world = dreams(position({(5, 5): 1}, {(0, 9): 1}, turn=31, round=16), None)[0]
        assert GAME.to_act(after(world, Pass(), Pass())) == {0}


class TestNoFog:
    """§10.6, §10.7"""

    @pytest.mark.parametrize("seat", [None, 0, 1])
    def test_nothing_but_the_rolls_is_left_to_imagine(self, seat: int | None) -> None:
        state = position({(5, 5): 1}, {(0, 9): 7}, fog=False)
        for world in dreams(state, seat):
            assert (world.table, world.board, world.memories) == (state.table, state.board, ())
            assert world.rng != state.rng
