"""docs/rules/strata.md, section 1: layers, links and corners."""

from collections import Counter

import pytest
from strata_positions import at, position

from warroom_games.api import IllegalActionError
from warroom_games.codec import decode_action, encode
from warroom_games.rng import Rng
from warroom_games.strata.actions import Attack, Infuse, Move, Place
from warroom_games.strata.board import GRAVITY, HOMES, INDEX, NEIGHBOURS, SIZES, VERTICES, Vertex
from warroom_games.strata.options import Options
from warroom_games.strata.rules import GAME


def around(vertex: Vertex) -> set[Vertex]:
    return {VERTICES[other] for other in NEIGHBOURS[INDEX[vertex]]}


class TestLayers:
    """§1.1"""

    def test_there_are_117_vertices_in_order(self) -> None:
        assert len(VERTICES) == 117
        assert list(VERTICES) == sorted(VERTICES)
        assert Counter(vertex.layer for vertex in VERTICES) == {0: 9, 1: 25, 2: 49, 3: 25, 4: 9}

    def test_the_page_tells_the_place_of_a_vertex_in_the_view(self) -> None:
        starts = (0, 9, 34, 83, 108)
        assert all(INDEX[at(layer, x, y)] == starts[layer] + x * SIZES[layer] + y for layer, x, y in VERTICES)

    @pytest.mark.parametrize(
        "action",
        [
            pytest.param(Place(at(0, 3, 0)), id="§1.1 place"),
            pytest.param(Infuse(at(0, 3, 0)), id="§1.1 infuse"),
            pytest.param(Move(at(0, 3, 0), at(0, 0, 0)), id="§1.1 move from nowhere"),
            pytest.param(Move(at(0, 0, 0), at(0, 3, 0)), id="§1.1 move to nowhere"),
            pytest.param(Attack(at(0, 0, 0), at(0, 3, 0)), id="§1.1 attack on nothing"),
        ],
    )
    def test_a_vertex_that_there_is_not_is_refused(self, action: Place | Infuse | Move | Attack) -> None:
        state = position({at(0, 0, 0): "A1*1"}, pools="A1*1 B0*0")
        with pytest.raises(IllegalActionError, match=r"no vertex \(0; 3, 0\); on layer 0 x and y go from 0 to 2") as no:
            GAME.check(state, 0, action)
        assert no.value.code == "vertex.unknown"

    @pytest.mark.parametrize(
        ("vertex", "says"),
        [
            pytest.param([5, 0, 0], r"no vertex \(5; 0, 0\); layers go from 0 to 4", id="§1.1 a layer too many"),
            pytest.param([2, 7, 0], r"no vertex \(2; 7, 0\); on layer 2 x and y go from 0 to 6", id="§1.1 beyond all"),
            pytest.param([4, 0, 99], r"no vertex \(4; 0, 99\); on layer 4 x and y go from 0 to 2", id="§1.1 far off"),
        ],
    )
    def test_a_vertex_off_the_board_is_refused_by_name_as_well(self, vertex: list[int], says: str) -> None:
        place = decode_action(GAME, encode({"type": "place", "vertex": vertex}))
        with pytest.raises(IllegalActionError, match=says) as no:
            GAME.check(position({}, pools="A1*1 B0*0"), 0, place)
        assert no.value.code == "vertex.unknown"


class TestLinks:
    """§1.2, §1.3"""

    @pytest.mark.parametrize(
        ("vertex", "joined"),
        [
            pytest.param(
                at(2, 3, 3),
                {at(2, 2, 3), at(2, 4, 3), at(2, 3, 2), at(2, 3, 4), at(1, 2, 2), at(3, 2, 2)},
                id="§1.2 the centre, with a partner above and below",
            ),
            pytest.param(
                at(2, 0, 6),
                {at(2, 6, 6), at(2, 1, 6), at(2, 0, 5), at(2, 0, 0)},
                id="§1.2 a corner wraps around; §1.3 the outer ring has no partner",
            ),
            pytest.param(
                at(0, 0, 0),
                {at(0, 1, 0), at(0, 2, 0), at(0, 0, 1), at(0, 0, 2), at(1, 1, 1)},
                id="§1.3 toward the middle x and y rise by 1",
            ),
            pytest.param(
                at(3, 1, 3),
                {at(3, 0, 3), at(3, 2, 3), at(3, 1, 2), at(3, 1, 4), at(2, 2, 4), at(4, 0, 2)},
                id="§1.3 outward x and y fall by 1",
            ),
            pytest.param(
                at(1, 4, 0),
                {at(1, 3, 0), at(1, 0, 0), at(1, 4, 1), at(1, 4, 4), at(2, 5, 1)},
                id="§1.3 the ring of a 5x5 layer is joined inward alone",
            ),
        ],
    )
    def test_a_vertex_is_joined_to(self, vertex: Vertex, joined: set[Vertex]) -> None:
        assert around(vertex) == joined

    def test_links_are_mutual_and_join_no_vertex_to_itself(self) -> None:
        """§1.3"""
        links = {(one, other) for one in VERTICES for other in around(one)}
        assert links == {(other, one) for one, other in links}
        assert not any(one == other for one, other in links)

    def test_every_layer_has_its_links(self) -> None:
        """§1.2, §1.3"""
        flat = Counter(one.layer for one in VERTICES for other in around(one) if one.layer == other.layer)
        assert flat == {layer: 4 * size * size for layer, size in enumerate(SIZES)}
        steep = Counter(
            (one.layer, other.layer) for one in VERTICES for other in around(one) if one.layer < other.layer
        )
        assert steep == {(0, 1): 9, (1, 2): 25, (2, 3): 25, (3, 4): 9}


class TestOpening:
    """§1.4, §1.5"""

    def test_the_home_corners(self) -> None:
        """§1.4"""
        corners = [[VERTICES[home] for home in homes] for homes in HOMES]
        assert corners == [[at(0, 0, 0), at(0, 2, 2)], [at(4, 0, 0), at(4, 2, 2)]]

    def test_the_board_is_empty_at_first(self) -> None:
        """§1.5"""
        state = GAME.setup(2, Options(), Rng(bytes(16)))
        assert state.vertices == (None,) * 117
        assert GAME.to_act(state) == {0}

    def test_both_sides_play_the_same_board(self) -> None:
        """§1.3, §1.4"""

        def mirrored(vertex: Vertex) -> Vertex:
            return at(4 - vertex.layer, vertex.x, vertex.y)

        assert all(around(mirrored(vertex)) == set(map(mirrored, around(vertex))) for vertex in VERTICES)
        assert [mirrored(VERTICES[home]) for home in HOMES[0]] == [VERTICES[home] for home in HOMES[1]]
        assert GRAVITY[::-1] == GRAVITY
