"""docs/rules/tile_blitz.md, sections 1 and 2.1: the board, where each colour starts, and who plays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tile_blitz_positions import KEY, position, shown

from warroom_games.api import OptionsError
from warroom_games.rng import Rng
from warroom_games.tile_blitz import board
from warroom_games.tile_blitz.board import ALL, NEIGHBOURS, TILES, beside, path, territory, tile_id
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import Tile


def indexes(*ids: int) -> int:
    return sum(1 << number - 1 for number in ids)


class TestTiles:
    """Section 1."""

    @pytest.mark.parametrize(
        ("x", "y", "number"),
        [
            pytest.param(0, 0, 1, id="§1.1 the first"),
            pytest.param(0, 6, 7, id="§1.1 the end of the first row"),
            pytest.param(1, 5, 13, id="§1.1 yellow's"),
            pytest.param(6, 6, 49, id="§1.1 the last"),
        ],
    )
    def test_a_tile_has_the_id_of_the_document(self, x: int, y: int, number: int) -> None:
        assert tile_id(x, y) == number

    def test_neighbours_are_those_one_step_away(self) -> None:
        """§1.2"""
        places = {tile_id(x, y): (x, y) for x in range(7) for y in range(7)}
        assert len(places) == TILES
        for one, (x, y) in places.items():
            near = [other for other, (u, v) in places.items() if abs(x - u) + abs(y - v) == 1]
            assert [index + 1 for index in NEIGHBOURS[one - 1]] == near
            assert beside(indexes(one)) == indexes(*near)

    def test_a_set_of_tiles_is_taken_apart_in_order(self) -> None:
        assert board.indexes(indexes(49, 1, 8)) == (0, 7, 48)
        assert board.indexes(0) == ()
        assert board.indexes(ALL) == tuple(range(TILES))

    def test_neighbours_of_all_are_all(self) -> None:
        """§1.2"""
        assert beside(ALL) == ALL
        assert beside(0) == 0

    @pytest.mark.parametrize(
        ("seats", "picture"),
        [
            pytest.param(2, "9:R5 41:O5", id="§2.1 two are red and orange"),
            pytest.param(3, "9:R5 13:Y5 37:G5", id="§2.1 three"),
            pytest.param(4, "9:R5 13:Y5 37:G5 41:O5", id="§2.1 four are all but purple"),
            pytest.param(5, "9:R5 13:Y5 25:P5 37:G5 41:O5", id="§1.3 five"),
        ],
    )
    def test_every_colour_starts_on_its_tile(self, seats: int, picture: str) -> None:
        state = GAME.setup(seats, Options(), Rng(KEY))
        assert shown(state) == picture
        assert state.table.tiles.count(Tile(None, 0, 0)) == TILES - seats

    def test_the_colours_come_in_their_order(self) -> None:
        """§2.1"""
        state = GAME.setup(5, Options(), Rng(KEY))
        assert [player.color for player in state.table.players] == ["red", "green", "yellow", "orange", "purple"]

    @pytest.mark.parametrize("seats", [1, 6])
    def test_other_tables_are_refused(self, seats: int) -> None:
        """§2.1"""
        with pytest.raises(OptionsError, match=f"tile_blitz is played by 2 to 5 seats, not {seats}"):
            GAME.setup(seats, Options(), Rng(KEY))

    def test_power_counts_a_tank_twice(self) -> None:
        """§1.4, §8.3"""
        assert [Tile("red", 0, 0).power, Tile("red", 3, 0).power, Tile("red", 3, 2).power] == [0, 3, 7]


class TestPaths:
    """§7.2"""

    RING = position("1:R1 2:R1 3:R1 8:R1 10:R1 15:R1 16:R1 17:R1 9:O5 49:R1").table.tiles

    def test_a_territory_is_what_a_path_of_own_tiles_joins(self) -> None:
        assert territory(indexes(1, 2, 9, 11, 49), 0) == indexes(1, 2, 9)
        assert territory(indexes(1, 2, 9, 11, 49), 48) == indexes(49)

    @given(tiles=st.sets(st.integers(0, TILES - 1), min_size=1), data=st.data())
    def test_a_territory_is_what_one_can_walk_to(self, tiles: set[int], data: st.DataObject) -> None:
        start = data.draw(st.sampled_from(sorted(tiles)))
        walked, rest = {start}, [start]
        for index in rest:
            fresh = (set(NEIGHBOURS[index]) & tiles) - walked
            walked |= fresh
            rest += sorted(fresh)
        assert territory(sum(1 << index for index in tiles), start) == sum(1 << index for index in walked)

    def test_rows_do_not_join_at_their_ends(self) -> None:
        assert territory(indexes(7, 8), 6) == indexes(7)
        assert path(position("7:R1 8:R1").table.tiles, 6, 7) == ()

    @pytest.mark.parametrize(
        ("source", "target", "tiles"),
        [
            pytest.param(1, 2, [1, 2], id="one step"),
            pytest.param(1, 10, [1, 2, 3, 10], id="round the corner"),
            pytest.param(8, 16, [8, 15, 16], id="the shorter way round"),
        ],
    )
    def test_a_path_is_a_shortest_one(self, source: int, target: int, tiles: list[int]) -> None:
        assert [index + 1 for index in path(self.RING, source - 1, target - 1)] == tiles

    def test_without_a_way_there_is_no_path(self) -> None:
        assert path(self.RING, 0, 48) == ()
