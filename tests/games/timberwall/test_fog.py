"""docs/rules/timberwall.md, section 10: sight, memory and what is not available."""

from typing import Any

import pytest
from msgspec.structs import replace
from timberwall_positions import Place, act, after, position, refused, told, unit, walls

from warroom_games.registry import Registry
from warroom_games.timberwall.actions import Attack, BuildWall, Deploy, HitWall, Move, Pass, RemoveWall
from warroom_games.timberwall.events import Unavailable
from warroom_games.timberwall.geometry import grid
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import Cooling, Knowledge, State, Table, Unit, Wall, knowledge
from warroom_protocol.messages import Create
from warroom_server.session.room_proposal import Proposal, consider

EDGE: Place = (5, 5, "east")


def lit(tiles: tuple[str, ...], shade: str = ".") -> set[tuple[int, int]]:
    return {(x, y) for y, row in enumerate(tiles) for x, letter in enumerate(row) if letter == shade}


def square(x: int, y: int, radius: int, size: Any = 10) -> set[tuple[int, int]]:
    return {
        (i, j)
        for i in range(max(0, x - radius), min(size, x + radius + 1))
        for j in range(max(0, y - radius), min(size, y + radius + 1))
    }


def seen_walls(known: Knowledge) -> dict[Place, int]:
    return {(wall.x, wall.y, wall.side): wall.hp for wall in known.walls}


class TestSight:
    """§10.1"""

    def test_a_base_sees_three_tiles_far_and_a_unit_two(self) -> None:
        state = position({(5, 6): 1}, {(0, 9): 1})
        assert lit(knowledge(state, 0).tiles) == square(1, 1, 3) | square(5, 6, 2)
        assert lit(knowledge(state, 1).tiles) == square(8, 8, 3) | square(0, 9, 2)

    @pytest.mark.parametrize("size", [10, 20, 30])
    def test_what_is_far_is_never_seen(self, size: Any) -> None:
        tiles = knowledge(position(size=size), 0).tiles
        assert len(lit(tiles)) == 25
        assert len(lit(tiles, "?")) == size * size - 25

    @pytest.mark.parametrize(
        ("spot", "is_seen"),
        [
            pytest.param((7, 5), True, id="§10.1 two tiles from a unit"),
            pytest.param((8, 5), False, id="§10.1 three tiles from a unit"),
            pytest.param((4, 4), True, id="§10.1 three tiles from the base"),
            pytest.param((0, 5), False, id="§10.1 four tiles from the base"),
        ],
    )
    def test_an_enemy_unit_is_seen_with_its_counters_or_not_at_all(self, spot: tuple[int, int], is_seen: bool) -> None:
        state = position({(5, 6): 1}, {spot: unit(7, 2, 1)})
        assert knowledge(state, 0).enemies == ((Unit(*spot, 7, 2, 1),) if is_seen else ())

    def test_enemies_are_listed_row_by_row_whenever_they_came(self) -> None:
        state = position({(5, 5): 1}, {(6, 6): 1, (5, 4): 2, (4, 6): 3})
        assert [(enemy.x, enemy.y) for enemy in knowledge(state, 0).enemies] == [(5, 4), (4, 6), (6, 6)]

    def test_stores_of_the_enemy_are_hidden_and_the_own_are_not(self) -> None:
        state = position({(5, 5): 1}, {(6, 6): 1}, wood=(7, 50), reserves=(3, 99))
        assert (knowledge(state, 0).wood, knowledge(state, 0).reserves) == (7, 3)
        assert b"holdings" not in repr(GAME.public(state)).encode()

    def test_the_sight_follows_a_unit_and_what_it_leaves_stays_explored(self) -> None:
        """§10.3"""
        tiles = knowledge(after(position({(5, 6): 1}), Move(5, 6, "e")), 0).tiles
        assert lit(tiles) == square(1, 1, 3) | square(6, 6, 2)
        assert lit(tiles, "-") == square(5, 6, 2) - square(6, 6, 2) - square(1, 1, 3)

    def test_a_unit_that_falls_sees_no_more(self) -> None:
        state = after(position({(5, 6): 25}, {(6, 6): 1}, rolls=[50]), Attack(5, 6, "e"))
        assert lit(knowledge(state, 1).tiles) == square(8, 8, 3)

    def test_a_deployed_unit_looks_around_at_once(self) -> None:
        state = after(position(reserves=(1, 0)), Deploy(3, 3, 1))
        assert lit(knowledge(state, 0).tiles) == square(1, 1, 3) | square(3, 3, 2)

    def test_the_table_tells_everybody_the_same(self) -> None:
        state = position({(5, 5): 1}, {(6, 6): 1})
        assert GAME.public(state) is state.table
        assert isinstance(state.table, Table)
        assert state.table.board is None


class TestMemory:
    """§10.2, §10.3"""

    @pytest.mark.parametrize(
        ("edge", "is_seen"),
        [
            pytest.param((7, 5, "east"), True, id="§10.2 the near tile is in sight"),
            pytest.param((8, 5, "east"), False, id="§10.2 neither tile is"),
            pytest.param((5, 2, "south"), True, id="§10.2 the far tile is"),
        ],
    )
    def test_a_wall_is_seen_from_either_side(self, edge: Place, is_seen: bool) -> None:
        state = position({(5, 5): 1}, walls={edge: (1, 66)})
        assert seen_walls(knowledge(state, 0)) == ({edge: 66} if is_seen else {})

    def test_walls_seen_stay_remembered_as_last_seen(self) -> None:
        """§10.3"""
        state = position({(5, 5): 1}, {(9, 5): 5}, walls={(7, 5, "east"): (0, 100)})
        away = after(state, Move(5, 5, "w"), Move(9, 5, "w"), Pass(), HitWall(8, 5, "w"))
        assert walls(away) == {(7, 5, "east"): (0, 49)}
        assert seen_walls(knowledge(away, 0)) == {(7, 5, "east"): 100}
        back = after(away, Move(4, 5, "e"))
        assert seen_walls(knowledge(back, 0)) == {(7, 5, "east"): 49}

    def test_a_wall_lost_unseen_is_missed_when_the_edge_comes_in_sight(self) -> None:
        """§10.3"""
        state = position({(5, 5): 1}, {(8, 5): 25}, walls={(7, 5, "east"): (0, 100), (0, 4, "east"): (0, 15)})
        away = after(state, Move(5, 5, "w"), HitWall(8, 5, "w"))
        assert seen_walls(knowledge(away, 0)) == {(7, 5, "east"): 100, (0, 4, "east"): 15}
        back = after(away, Move(4, 5, "e"))
        assert seen_walls(knowledge(back, 0)) == {(0, 4, "east"): 15}
        assert knowledge(back, 0).cooling == ()

    def test_all_neutral_walls_are_known_and_believed_in_until_seen_gone(self) -> None:
        """§10.3"""
        number = grid(10).edge(0, 8, "east")
        state = position({(4, 8): 1}, {(0, 8): 1}, neutral=[(0, 8, "east"), (9, 3, "south")], seat=1)
        assert all(number in knowledge(state, seat).neutral_walls for seat in (0, 1))
        gone = after(state, HitWall(0, 8, "e"))
        assert number in knowledge(gone, 0).neutral_walls
        assert number not in knowledge(gone, 1).neutral_walls
        seen = after(gone, Move(4, 8, "w"))
        assert knowledge(seen, 0).neutral_walls == (grid(10).edge(9, 3, "south"),)

    def test_units_out_of_sight_are_not_remembered(self) -> None:
        """§10.3"""
        state = position({(5, 5): 1}, {(7, 5): 1}, seat=1)
        assert knowledge(after(state, Move(7, 5, "e")), 0).enemies == ()

    def test_walls_found_together_are_listed_by_place(self) -> None:
        """§10.3"""
        edges: list[Place] = [(7, 6, "south"), (7, 4, "east"), (7, 5, "east")]
        state = position({(4, 5): 1}, walls={edge: (1, 100) for edge in edges})
        found = knowledge(after(state, Move(4, 5, "e")), 0).walls
        assert found == tuple(Wall(*edge, 1, 100) for edge in sorted(edges))

    @pytest.mark.parametrize(("watcher", "knows"), [((4, 6), True), ((9, 0), False)])
    def test_who_sees_a_loss_knows_until_when_the_edge_cools(self, watcher: tuple[int, int], knows: bool) -> None:
        """§10.2"""
        edge: Place = (2, 6, "east")
        state = position({(2, 6): 25}, {watcher: 1}, walls={edge: (1, 100)})
        hit = after(state, HitWall(2, 6, "e"))
        assert knowledge(hit, 0).cooling == (Cooling(*edge, 7),)
        assert knowledge(hit, 1).cooling == ((Cooling(*edge, 7),) if knows else ())


class TestUnavailable:
    """§10.4"""

    def test_building_on_an_edge_that_cools_unseen(self) -> None:
        state = replace(position({(5, 5): 1}, wood=(10, 0)))
        state = replace(state, board=replace(state.board, cooling=(Cooling(*EDGE, 4),)))
        assert BuildWall(*EDGE) in GAME.legal_actions(state, 0)
        step = act(state, BuildWall(*EDGE))
        assert told(step.events, 0) == [Unavailable(0, "build_wall", *EDGE, ready_round=4)]
        assert told(step.events, 1) == told(step.events) == []
        own = knowledge(step.state, 0)
        assert (own.wood, own.has_built, own.cooling) == (10, False, (Cooling(*EDGE, 4),))
        assert (step.state.table.turn, step.state.table.seat) == (1, 0)

    def test_the_fact_is_then_known(self) -> None:
        state = position({(5, 5): 1}, wood=(10, 0))
        state = replace(state, board=replace(state.board, cooling=(Cooling(*EDGE, 4),)))
        known = after(state, BuildWall(*EDGE))
        assert refused(known, BuildWall(*EDGE))[0] == "build.cooling"
        assert walls(after(known, BuildWall(4, 5, "east"))) == {(4, 5, "east"): (0, 100)}

    @pytest.mark.parametrize("rebuilt", [{}, {(0, 7, "east"): (1, 100)}], ids=["gone", "the enemy's by now"])
    def test_removing_an_own_wall_that_was_destroyed_unseen(self, rebuilt: dict[Place, tuple[int, int]]) -> None:
        edge: Place = (0, 7, "east")
        state = _remembering(position({(5, 5): 1}, walls=rebuilt), Wall(*edge, 0, 100))
        assert RemoveWall(*edge) in GAME.legal_actions(state, 0)
        step = act(state, RemoveWall(*edge))
        assert told(step.events, 0) == [Unavailable(0, "remove_wall", *edge, ready_round=None)]
        assert told(step.events, 1) == told(step.events) == []
        assert knowledge(step.state, 0).walls == ()
        assert refused(step.state, RemoveWall(*edge))[0] == "remove.none"
        assert walls(step.state) == rebuilt

    def test_a_wall_that_stands_is_removed_out_of_sight(self) -> None:
        edge: Place = (0, 7, "east")
        state = _remembering(position({(5, 5): 1}, walls={edge: (0, 32)}), Wall(*edge, 0, 100))
        removed = after(state, RemoveWall(*edge))
        assert walls(removed) == {}
        assert knowledge(removed, 0).walls == ()
        assert knowledge(removed, 0).cooling == (Cooling(*edge, 7),)


class TestNoFog:
    """§10.6"""

    def test_everything_is_public_and_nothing_private(self) -> None:
        state = position({(5, 5): 1}, {(0, 9): 7}, wood=(1, 2), fog=False)
        public = GAME.public(state)
        assert isinstance(public, Table)
        assert public.board is state.board
        assert GAME.private(state, 0) is None
        assert GAME.private(state, 1) is None

    def test_a_seat_knows_what_is_there(self) -> None:
        state = position({(5, 5): 1}, {(0, 9): 7}, walls={(0, 7, "east"): (1, 100)}, cooling={EDGE: 4}, fog=False)
        known = knowledge(state, 0)
        assert known.enemies == (Unit(0, 9, 7),)
        assert known.walls == state.board.walls
        assert lit(known.tiles) == square(5, 5, 9)
        assert refused(replace(state, table=state.table), RemoveWall(0, 7, "east"))[0] == "remove.none"

    def test_no_edge_cools_unseen(self) -> None:
        state = position({(5, 5): 1}, wood=(10, 0), cooling={EDGE: 4}, fog=False)
        assert refused(state, BuildWall(*EDGE))[0] == "build.cooling"

    def test_walls_fall_and_are_removed_as_in_the_fog(self) -> None:
        state = position({(5, 5): 25}, neutral=[EDGE], walls={(5, 5, "south"): (0, 100)}, fog=False)
        state = after(state, RemoveWall(5, 5, "south"), HitWall(5, 5, "e"))
        assert state.board.cooling == (Cooling(5, 5, "south", 7), Cooling(*EDGE, 7))
        assert (walls(state), state.board.neutral_walls) == ({}, ())


class TestSpectators:
    """§10.8"""

    def test_they_see_all_two_turns_later_unless_the_room_says_otherwise(self) -> None:
        proposal = consider(Create(1, "timberwall", None, {}, {}), Registry([GAME]))
        assert isinstance(proposal, Proposal)
        assert (proposal.room_options.watch, proposal.room_options.delay) == ("all", 2)


def _remembering(state: State, wall: Wall) -> State:
    """Return the state in which green remembers a wall of its own."""
    memory = replace(state.memories[0], walls=(wall,))
    return replace(state, memories=(memory, state.memories[1]))
