"""docs/rules/graph_battle.md, section 1: the board and the deal."""

from collections import Counter

import pytest
from graph_positions import KEY, position
from hypothesis import given
from hypothesis import strategies as st

from warroom_games.api import OptionsError
from warroom_games.graph_battle.board import carve_standard, is_connected, link
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
        ("cells", "connected"),
        [
            pytest.param([(0, 0)], True, id="one cell"),
            pytest.param([(0, 0), (1, 1), (2, 0)], True, id="by corners"),
            pytest.param([(0, 0), (0, 2)], False, id="§1.2 a gap splits"),
            pytest.param([(0, 0), (0, 1), (2, 0), (2, 1)], False, id="§1.2 two halves"),
        ],
    )
    def test_a_split_is_noticed(self, cells: list[tuple[int, int]], connected: bool) -> None:
        assert is_connected(cells) is connected

    def test_every_cell_is_removed_on_some_boards_and_kept_on_others(self) -> None:
        boards = [carve_standard(5, Rng(KEY, 10_000 * n))[0].positions for n in range(40)]
        kept = Counter(cell for board in boards for cell in board)
        assert len(kept) == 48
        assert max(kept.values()) < 40


class TestDeal:
    """§1.4, §1.5, §1.6"""

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
        nodes, _ = deal(count, seats, Rng(key), handicap=handicap)
        assert Counter(node.color for node in nodes) == {color: count // seats for color in COLORS[:seats]}
        assert min(node.strength for node in nodes) >= 1
        totals = [sum(node.strength for node in nodes if node.color == color) for color in COLORS[:seats]]
        assert totals == strengths

    @pytest.mark.parametrize("seats", [0, 1, 6])
    def test_other_numbers_of_players_are_refused(self, seats: int) -> None:
        with pytest.raises(OptionsError, match=f"2 to 5 seats, not {seats}"):
            GAME.setup(seats, Options(), Rng(KEY))
