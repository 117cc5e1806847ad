"""docs/rules/strata.md, section 2: force and occupation."""

from fractions import Fraction
from itertools import product

import pytest

from warroom_games.strata.board import INDEX, VERTICES, Vertex
from warroom_games.strata.force import CAP, SIXTHS, exerted_force, in_text, raw_force
from warroom_games.strata.state import Stack


def vertex_on(layer: int) -> int:
    return INDEX[Vertex(layer, 1, 1)]


class TestRawForce:
    """§2.1, §2.2"""

    @pytest.mark.parametrize(
        ("layer", "pieces", "energy", "force"),
        [
            pytest.param(0, 3, 2, "6", id="§2.1 gravity 1"),
            pytest.param(1, 3, 3, "9/2", id="§2.1 gravity 2"),
            pytest.param(2, 4, 7, "28/3", id="§2.1 gravity 3"),
            pytest.param(3, 3, 3, "9/2", id="§2.1 gravity 2 again"),
            pytest.param(4, 3, 2, "6", id="§2.1 gravity 1 again"),
            pytest.param(0, 2, 5, "10", id="§2.1 exactly the cap"),
            pytest.param(0, 11, 1, "10", id="§2.1 above the cap"),
            pytest.param(2, 30, 30, "10", id="§2.1 far above the cap"),
            pytest.param(0, 9, 0, "0", id="§2.1 no energy, no force"),
            pytest.param(2, 1, 1, "1/3", id="§2.2 never rounded"),
        ],
    )
    def test_pieces_times_energy_by_gravity(self, layer: int, pieces: int, energy: int, force: str) -> None:
        assert in_text(raw_force(Stack(0, pieces, energy), vertex_on(layer))) == force

    @pytest.mark.parametrize("layer", range(5))
    def test_it_is_the_exact_fraction_everywhere(self, layer: int) -> None:
        """§2.2"""
        gravity = (Fraction(1), Fraction(2), Fraction(3), Fraction(2), Fraction(1))[layer]
        for pieces, energy in product(range(1, 35), range(35)):
            exact = min(Fraction(10), pieces * energy / gravity)
            assert Fraction(raw_force(Stack(1, pieces, energy), vertex_on(layer)), SIXTHS) == exact

    def test_every_force_has_its_text(self) -> None:
        """§2.2"""
        assert [Fraction(in_text(force)) for force in range(CAP + 1)] == [Fraction(n, 6) for n in range(61)]


class TestOccupation:
    """§2.3, §2.4"""

    @pytest.mark.parametrize(
        ("layer", "pieces", "energy", "is_occupied"),
        [
            pytest.param(0, 1, 1, True, id="§2.3 3x3 requires 1"),
            pytest.param(0, 9, 0, False, id="§2.3 energy is required"),
            pytest.param(1, 2, 4, True, id="§2.3 5x5 requires 4"),
            pytest.param(1, 1, 7, False, id="§2.3 7/2 is less than 4"),
            pytest.param(3, 8, 1, True, id="§2.3 the other 5x5 requires 4"),
            pytest.param(2, 3, 9, True, id="§2.3 7x7 requires 9"),
            pytest.param(2, 2, 13, False, id="§2.3 26/3 is less than 9"),
            pytest.param(4, 1, 1, True, id="§2.3 the other 3x3 requires 1"),
        ],
    )
    def test_a_stack_occupies_its_vertex(self, layer: int, pieces: int, energy: int, is_occupied: bool) -> None:
        stack, vertex = Stack(0, pieces, energy), vertex_on(layer)
        assert exerted_force(stack, vertex) == (raw_force(stack, vertex) if is_occupied else 0)
        assert (exerted_force(stack, vertex) > 0) is is_occupied

    def test_the_force_exerted_is_capped_too(self) -> None:
        """§2.4"""
        assert {exerted_force(Stack(0, 99, 9), vertex) for vertex in range(len(VERTICES))} == {CAP}
