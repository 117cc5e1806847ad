"""docs/rules/timberwall.md, sections 1 and 5.1: the board and the opening."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timberwall_positions import KEY, Place, after, neutral, position, refused

from warroom_games.api import OptionsError
from warroom_games.rng import KEY_BYTES, Rng
from warroom_games.timberwall.actions import BuildWall, Deploy, Move, Pass, RemoveWall
from warroom_games.timberwall.geometry import around, edges_of, grid, masks
from warroom_games.timberwall.opening import neutral_edges
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import Base, State

KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)
SIZES = st.sampled_from([10, 20, 30])


def opened(key: bytes = KEY, **options: Any) -> State:
    return GAME.setup(2, Options(**options), Rng(key))


def far(spot: tuple[int, int], base: Base) -> int:
    return max(abs(spot[0] - base.x), abs(spot[1] - base.y))


class TestTiles:
    """§1.1, §1.3"""

    @pytest.mark.parametrize(
        ("action", "code", "says"),
        [
            pytest.param(
                Move(10, 3, "e"), "tile.none", "no tile (10, 3); x and y go from 0 to 9", id="§1.1 no such column"
            ),
            pytest.param(
                Deploy(3, 12, 1), "tile.none", "no tile (3, 12); x and y go from 0 to 9", id="§1.1 no such row"
            ),
            pytest.param(BuildWall(29, 0, "east"), "tile.none", "no tile (29, 0)", id="§1.1 no such tile of an edge"),
            pytest.param(
                BuildWall(9, 4, "east"), "edge.none", "east of (9, 4) is the edge of the board", id="§1.3 east rim"
            ),
            pytest.param(
                RemoveWall(4, 9, "south"), "edge.none", "south of (4, 9) is the edge of the board", id="§1.3 south rim"
            ),
        ],
    )
    def test_what_is_not_on_the_board_is_refused(self, action: object, code: str, says: str) -> None:
        refusal, words = refused(position({(5, 5): 1}), action)
        assert refusal == code
        assert says in words

    @pytest.mark.parametrize(
        ("number", "place"),
        [
            pytest.param(0, (0, 0, "east"), id="§1.3 the first east edge"),
            pytest.param(1, (0, 0, "south"), id="§1.3 the first south edge"),
            pytest.param(86, (3, 4, "east"), id="§1.3 2 (4 · 10 + 3)"),
            pytest.param(87, (3, 4, "south"), id="§1.3 and 1 more"),
        ],
    )
    def test_edges_are_numbered(self, number: int, place: Place) -> None:
        assert grid(10).place(number) == place
        assert grid(10).edge(*place) == number

    @pytest.mark.parametrize(
        ("tile", "edges"),
        [
            pytest.param((4, 4), {(4, 3, "south"), (4, 4, "east"), (4, 4, "south"), (3, 4, "east")}, id="four edges"),
            pytest.param((0, 0), {(0, 0, "east"), (0, 0, "south")}, id="two in a corner"),
            pytest.param((9, 5), {(9, 4, "south"), (9, 5, "south"), (8, 5, "east")}, id="three at the rim"),
        ],
    )
    def test_a_tile_has_up_to_four_edges(self, tile: tuple[int, int], edges: set[object]) -> None:
        plain = grid(10)
        assert {plain.place(edge) for edge in edges_of(10, plain.tile(*tile))} == edges

    def test_distances_count_a_diagonal_as_one(self) -> None:
        """§1.4"""
        plain = grid(10)
        assert plain.distance(plain.tile(1, 1), plain.tile(4, 3)) == 3
        assert len(around(10, plain.tile(1, 1), 2)) == 16


class TestOpening:
    """§1.2, §1.4, §1.5, §5.1"""

    @pytest.mark.parametrize("size", [10, 20, 30])
    def test_the_bases_stand_one_tile_in_from_two_corners(self, size: Any) -> None:
        """§1.2"""
        assert opened(size=size).table.bases == (Base(1, 1, 100), Base(size - 2, size - 2, 100))

    @given(key=KEYS, size=SIZES, forests=st.integers(1, 20))
    def test_forests_are_far_from_both_bases(self, key: bytes, size: Any, forests: int) -> None:
        """§1.4"""
        table = opened(key, size=size, forests=forests).table
        assert len(set(table.forests)) == forests
        assert all(far(spot, base) >= 4 for spot in table.forests for base in table.bases)

    def test_there_are_ten_forests_unless_the_room_chooses(self) -> None:
        """§1.4"""
        assert len(opened().table.forests) == 10
        assert len(opened(forests=3).table.forests) == 3

    def test_every_far_tile_may_be_a_forest(self) -> None:
        """§1.4"""
        seen = Counter(spot for n in range(60) for spot in GAME.setup(2, Options(), Rng(KEY, 1000 * n)).table.forests)
        assert len(seen) == 50

    @pytest.mark.parametrize(
        ("spots", "count"),
        [
            pytest.param([(1, 1)], 4, id="§1.5 four edges"),
            pytest.param([(5, 5), (6, 5)], 7, id="§1.5 neighbours share theirs"),
            pytest.param([(0, 0)], 2, id="§1.5 no edge beyond the rim"),
        ],
    )
    def test_bases_and_forests_are_walled_in(self, spots: list[tuple[int, int]], count: int) -> None:
        assert len(neutral_edges(10, tuple(spots))) == count

    @given(key=KEYS, size=SIZES)
    def test_all_edges_of_bases_and_forests_have_a_neutral_wall_and_no_others(self, key: bytes, size: Any) -> None:
        """§1.5"""
        state = opened(key, size=size)
        plain = grid(size)
        spots = [*state.table.forests, *((base.x, base.y) for base in state.table.bases)]
        expected = {plain.place(edge) for spot in spots for edge in edges_of(size, plain.tile(*spot))}
        assert neutral(state) == expected
        assert state.board.neutral_walls == state.table.neutral_walls
        assert (state.board.walls, state.board.cooling) == ((), ())

    @given(key=KEYS, size=SIZES)
    def test_both_begin_with_the_same(self, key: bytes, size: Any) -> None:
        """§5.1"""
        state = opened(key, size=size)
        for holding, base in zip(state.board.holdings, state.table.bases, strict=True):
            assert (holding.wood, holding.reserves, holding.has_built) == (0, 5, False)
            assert [unit.points for unit in holding.units] == [25, 5, 1]
            spots = {(unit.x, unit.y) for unit in holding.units}
            assert len(spots) == 3
            assert all(1 <= far(spot, base) <= 2 for spot in spots)

    def test_a_coin_decides_who_begins(self) -> None:
        """§3.1"""
        first = Counter(GAME.setup(2, Options(), Rng(KEY, 1000 * n)).table.seat for n in range(60))
        assert min(first[0], first[1]) > 15

    @pytest.mark.parametrize("seats", [1, 3])
    def test_it_is_a_game_for_two(self, seats: int) -> None:
        with pytest.raises(OptionsError, match=f"timberwall is played by 2 seats, not {seats}"):
            GAME.setup(seats, Options(), Rng(KEY))

    def test_no_unit_stands_on_a_base(self) -> None:
        """§1.2"""
        state = position({(1, 2): 1}, {(8, 7): 1})
        assert refused(state, Move(1, 2, "n")) == ("move.base", "units cannot stand on a base")
        assert refused(after(state, Pass()), Move(8, 7, "s"))[0] == "move.base"
        assert refused(position({(8, 7): 1}), Move(8, 7, "s"))[0] == "move.base"


@pytest.mark.parametrize("size", [10, 20])
def test_masks_hold_the_tiles_around_each_tile(size: int) -> None:
    for radius in (0, 2, 3):
        for tile, mask in enumerate(masks(size, radius)):
            assert {other for other in range(size * size) if mask >> other & 1} == around(size, tile, radius)
