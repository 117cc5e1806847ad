"""docs/rules/graph_battle.md, section 1: the board and the deal."""

from collections import Counter

import pytest
from graph_positions import KEY, position
from hypothesis import given
from hypothesis import strategies as st

from warroom_games.api import OptionsError
from warroom_games.graph_battle.actions import ATTACKS, MAX_NODES
from warroom_games.graph_battle.board import (
    BOARDS,
    COLUMNS,
    GRID,
    HEXAGONS,
    SQUARES,
    Shape,
    carve_standard,
    link,
    would_split,
)
from warroom_games.graph_battle.deal import deal
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import COLORS, Board
from warroom_games.rng import KEY_BYTES, Rng

KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)


def reachable(board: Board) -> set[int]:
    """All nodes that can be reached from node 0."""
    reached = {0}
    while grown := {other for node in reached for other in board.neighbours[node]} - reached:
        reached |= grown
    return reached


class TestGrid:
    """§1.1"""

    @pytest.mark.parametrize(
        ("picture", "neighbours"),
        [
            pytest.param("R1 G1", ((1,), (0,)), id="§1.1 side by side"),
            pytest.param("R1 .\n. G1", ((1,), (0,)), id="§1.1 diagonal"),
            pytest.param("R1 . G1", ((), ()), id="§1.1 a gap joins nothing"),
            pytest.param(
                "R1 R1 R1\nR1 R1 R1\nR1 R1 G1",
                (
                    *((1, 3, 4), (0, 2, 3, 4, 5), (1, 4, 5)),
                    *((0, 1, 4, 6, 7), (0, 1, 2, 3, 5, 6, 7, 8), (1, 2, 4, 7, 8)),
                    *((3, 4, 7), (3, 4, 5, 6, 8), (4, 5, 7)),
                ),
                id="§1.1 eight around the middle, ids row by row",
            ),
        ],
    )
    def test_nodes_are_joined_to_the_cells_around_them(self, picture: str, neighbours: tuple[tuple[int, ...]]) -> None:
        assert position(picture).table.board.neighbours == neighbours

    def test_ids_count_row_by_row_whatever_the_order_of_the_cells(self) -> None:
        assert link([(1, 0), (0, 5), (0, 1)]).positions == ((0, 1), (0, 5), (1, 0))


class TestCarving:
    """§1.2, §1.3"""

    @pytest.mark.parametrize(
        ("seats", "nodes"), [pytest.param(n, 28 if n == 4 else 30, id=f"§1.3 {n} players") for n in (2, 3, 4, 5)]
    )
    @given(key=KEYS)
    def test_a_board_is_one_piece_of_the_grid(self, seats: int, nodes: int, key: bytes) -> None:
        board, _ = carve_standard(seats, Rng(key))
        assert len(board.positions) == len(set(board.positions)) == nodes
        assert all(0 <= row < 8 and 0 <= column < 6 for row, column in board.positions)
        assert reachable(board) == set(range(nodes))

    @pytest.mark.parametrize(
        ("picture", "is_split"),
        [
            pytest.param("x o x", True, id="§1.2 a gap splits"),
            pytest.param("x x o", False, id="§1.2 an end does not"),
            pytest.param("x o x\n. x .", False, id="§1.2 corners hold together"),
            pytest.param("x x\no .\nx x", True, id="§1.2 two halves"),
            pytest.param("x o x\nx . x\nx x x", False, id="§1.2 a long way round"),
            pytest.param("x . .\n. o .\n. . x", True, id="§1.2 only by a corner"),
        ],
    )
    def test_a_split_is_noticed(self, picture: str, is_split: bool) -> None:
        words = [line.split() for line in picture.splitlines()]
        cells = {
            row * COLUMNS + column: word
            for row, line in enumerate(words)
            for column, word in enumerate(line)
            if word != "."
        }
        removed = next(cell for cell, word in cells.items() if word == "o")
        assert would_split(sum(1 << cell for cell in cells), removed, SQUARES.links) is is_split

    @pytest.mark.parametrize("shape", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
    @given(wanted=st.sets(st.integers(0, 47), min_size=2))
    def test_a_split_is_what_can_no_longer_be_walked(self, shape: Shape, wanted: set[int]) -> None:
        """§1.2"""
        board = link([GRID[cell] for cell in wanted], shape)
        cells = sorted(GRID.index(board.positions[node]) for node in reachable(board))
        for cell in cells[: len(cells) * (len(cells) > 1)]:
            rest = link([GRID[other] for other in cells if other != cell], shape)
            is_split = reachable(rest) != set(range(len(rest.positions)))
            assert would_split(sum(1 << other for other in cells), cell, shape.links) is is_split

    def test_every_cell_is_removed_on_some_boards_and_kept_on_others(self) -> None:
        boards = [carve_standard(5, Rng(KEY, 10_000 * n))[0].positions for n in range(40)]
        kept = Counter(cell for board in boards for cell in board)
        assert len(kept) == 48
        assert max(kept.values()) < 40


class TestOtherBoards:
    """§1.7, §1.8"""

    @pytest.mark.parametrize(
        ("board", "seats", "nodes"),
        [
            *(pytest.param("full_grid", n, 45 if n == 5 else 48, id=f"§1.7 {n} players") for n in (2, 3, 4, 5)),
            *(pytest.param("hex", n, 28 if n == 4 else 30, id=f"§1.8 {n} players") for n in (2, 3, 4, 5)),
        ],
    )
    @given(key=KEYS)
    def test_they_are_one_piece_of_the_grid(self, board: str, seats: int, nodes: int, key: bytes) -> None:
        made, _ = BOARDS[board](seats, Rng(key))
        assert len(made.positions) == nodes
        assert set(made.positions) <= set(GRID)
        assert reachable(made) == set(range(nodes))

    @pytest.mark.parametrize(
        ("cell", "around"),
        [
            pytest.param((2, 2), [(1, 1), (1, 2), (2, 1), (2, 3), (3, 1), (3, 2)], id="§1.8 in an even row"),
            pytest.param((3, 2), [(2, 2), (2, 3), (3, 1), (3, 3), (4, 2), (4, 3)], id="§1.8 in an odd row"),
            pytest.param((0, 0), [(0, 1), (1, 0)], id="§1.8 in a narrow corner"),
            pytest.param((7, 0), [(6, 0), (6, 1), (7, 1)], id="§1.8 in a wide corner"),
        ],
    )
    def test_a_hexagon_has_six_around_it(self, cell: tuple[int, int], around: list[tuple[int, int]]) -> None:
        board = link(GRID, HEXAGONS)
        joined = board.neighbours[board.positions.index(cell)]
        assert [board.positions[other] for other in joined] == around

    @pytest.mark.parametrize("shape", [SQUARES, HEXAGONS], ids=["squares", "hexagons"])
    def test_edges_are_mutual_and_in_order(self, shape: Shape) -> None:
        """§1.1, §1.8"""
        neighbours = link(GRID, shape).neighbours
        assert all(node in neighbours[other] for node, joined in enumerate(neighbours) for other in joined)
        assert all(list(joined) == sorted(set(joined)) for joined in neighbours)

    def test_no_board_has_more_nodes_than_there_are_attacks(self) -> None:
        """§1.1"""
        assert len(ATTACKS) == MAX_NODES == len(GRID)


class TestDeal:
    """§1.4, §1.5, §1.6"""

    def test_the_handicap_follows_the_first_round(self) -> None:
        """§1.6"""
        nodes, _ = deal(28, (2, 0, 3, 1), Rng(KEY), handicap=True)
        totals = [sum(node.strength for node in nodes if node.color == color) for color in COLORS[:4]]
        assert totals == [15, 17, 14, 16]

    @pytest.mark.parametrize(
        ("seats", "handicap", "strengths"),
        [
            pytest.param(5, True, [12, 12, 12, 12, 12], id="§1.5 the standard game: 12 on 6"),
            pytest.param(4, True, [14, 15, 16, 17], id="§1.6 four players"),
            pytest.param(3, True, [20, 22, 24], id="§1.6 three players"),
            pytest.param(2, True, [30, 36], id="§1.6 two players"),
            pytest.param(2, False, [30, 30], id="§1.6 switched off"),
        ],
    )
    @given(key=KEYS)
    def test_all_nodes_are_claimed_in_equal_shares(
        self, seats: int, handicap: bool, strengths: list[int], key: bytes
    ) -> None:
        count = 28 if seats == 4 else 30
        nodes, _ = deal(count, tuple(range(seats)), Rng(key), handicap=handicap)
        assert Counter(node.color for node in nodes) == {color: count // seats for color in COLORS[:seats]}
        assert min(node.strength for node in nodes) >= 1
        totals = [sum(node.strength for node in nodes if node.color == color) for color in COLORS[:seats]]
        assert totals == strengths

    @pytest.mark.parametrize("seats", [0, 1, 6])
    def test_other_numbers_of_players_are_refused(self, seats: int) -> None:
        with pytest.raises(OptionsError, match=f"2 to 5 seats, not {seats}"):
            GAME.setup(seats, Options(), Rng(KEY))
