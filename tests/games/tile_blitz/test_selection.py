"""docs/rules/tile_blitz.md, section 13: the legal actions that are listed."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tile_blitz_positions import pair, position

from warroom_games.api import Step
from warroom_games.law import refusal
from warroom_games.playthrough import play
from warroom_games.rng import KEY_BYTES
from warroom_games.tile_blitz.actions import Action, Attack, BuildInfantry, BuildTank, EndTurn, March, Move
from warroom_games.tile_blitz.board import NEIGHBOURS, TILES
from warroom_games.tile_blitz.combat import defence
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import State

MATCHES = settings(max_examples=min(settings().max_examples // 20, 200))
MOST = 365


def listed(state: State, *kinds: type[Action]) -> list[Action]:
    actions = list(GAME.legal_actions(state, state.table.seat))
    return [action for action in actions if isinstance(action, kinds)] if kinds else actions


class TestSelection:
    """Section 13."""

    def test_attacks_come_by_source_then_target(self) -> None:
        """§13.1"""
        state = position("8:R3 9:R2 2:O1 10:O2 15:O9 16:O0 41:O5")
        assert listed(state, Attack) == [Attack(8, 1), Attack(9, 2), Attack(9, 16)]

    @pytest.mark.parametrize(
        ("hand", "given"),
        [
            pytest.param("7c 7d", "7c 7d", id="§13.2 the only pair"),
            pytest.param("9c 7c 7d 9d", "7c 7d", id="§13.2 the pair that was complete first"),
            pytest.param("9c 7c 9d 9s 7s", "9c 9d", id="§13.2 two of three"),
        ],
    )
    def test_a_tank_is_offered_on_each_tile_of_the_front(self, hand: str, given: str) -> None:
        state = position("1:R1 2:R1 3:R0 8:R1 41:O5", hands={0: hand})
        assert listed(state, BuildTank) == [BuildTank(tile, pair(given)) for tile in (2, 3, 8)]

    @pytest.mark.parametrize(
        "hand", [pytest.param("", id="§13.2 no card"), pytest.param("7c 8c 9c", id="§13.2 no pair")]
    )
    def test_without_a_pair_there_is_no_tank(self, hand: str) -> None:
        assert listed(position("9:R1 41:O5", hands={0: hand}), BuildTank) == []

    @pytest.mark.parametrize(
        ("gold", "counts"),
        [
            pytest.param(0, [], id="§13.3 no gold"),
            pytest.param(1, [1], id="§13.3 one gold"),
            pytest.param(2, [1, 2], id="§13.3 two gold"),
            pytest.param(7, [1, 7], id="§13.3 one, or all that the gold buys"),
        ],
    )
    def test_infantry_is_offered_on_each_tile_of_the_front(self, gold: int, counts: list[int]) -> None:
        state = position("1:R1 2:R1 8:R1 41:O5", gold={0: gold})
        assert listed(state, BuildInfantry) == [BuildInfantry(tile, count) for count in counts for tile in (2, 8)]

    @pytest.mark.parametrize(
        ("picture", "moves"),
        [
            pytest.param("1:R4+1 2:R1 8:R1", [Move(1, 2, 3, 1), Move(1, 8, 3, 1)], id="§13.4 from the rear"),
            pytest.param("1:R2 2:R1 8:R1 9:R1 3:R1 15:R1", [Move(1, 2, 1, 0), Move(1, 8, 1, 0)], id="§13.4 from deep"),
            pytest.param("9:R2 10:R3", [Move(9, 10, 1, 0)], id="§13.4 to the stronger tile of the front"),
            pytest.param("9:R2 10:R2", [Move(9, 10, 1, 0)], id="§13.4 among equals to the higher id"),
            pytest.param("9:R2 10:R0+2", [Move(9, 10, 1, 0)], id="§13.4 tanks count"),
            pytest.param("9:R1+3 10:R9", [], id="§13.4 a single troop stays"),
        ],
    )
    def test_stacks_move_towards_the_front(self, picture: str, moves: list[Move]) -> None:
        assert listed(position(f"{picture} 41:O9"), Move) == moves

    @pytest.mark.parametrize(
        ("picture", "stamina", "marches"),
        [
            pytest.param("8:R3+1 9:R1 10:R1 11:R6", 1, [March(8, 11, 2, 1)], id="§13.5 to the strongest"),
            pytest.param(
                "8:R3 9:R2 10:R3", 2, [March(9, 8, 1, 0), March(10, 8, 2, 0)], id="§13.5 the lowest id of equals"
            ),
            pytest.param("8:R3 9:R1 25:R2 26:R1+1", 1, [March(25, 26, 1, 0)], id="§13.5 each territory by itself"),
            pytest.param("8:R3+1 9:R1 10:R1 11:R5", 0, [], id="§13.5 not without stamina"),
        ],
    )
    def test_stacks_march_to_the_strongest_tile(self, picture: str, stamina: int, marches: list[March]) -> None:
        assert listed(position(f"{picture} 41:O9", stamina={0: stamina}), March) == marches

    def test_without_the_option_there_is_no_march(self) -> None:
        """§13.5"""
        assert listed(position("8:R3 9:R9 41:O9", stamina={0: 2}, options=Options(march=False)), March) == []

    def test_the_end_of_the_turn_comes_last(self) -> None:
        """§13.6"""
        assert listed(position("9:R1 41:O5")) == [EndTurn()]
        assert listed(position("9:R5 41:O5", gold={0: 1}))[-1] == EndTurn()

    @given(key=st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES), seats=st.integers(2, 5))
    @MATCHES
    def test_every_legal_attack_is_listed_and_no_list_is_too_long(self, key: bytes, seats: int) -> None:
        """§13.1"""
        for state in play(GAME, seats, Options(), key).sample(6)[:-1]:
            assert len(listed(state)) <= MOST
            everywhere = [Attack(source, target) for source, target in product(range(1, TILES + 1), repeat=2)]
            allowed = [attack for attack in everywhere if refusal(GAME, state, state.table.seat, attack) is None]
            assert listed(state, Attack) == allowed

    def test_a_stack_has_more_moves_than_a_list_may_hold(self) -> None:
        """§13.4: the game says truthfully that its list is not complete."""
        state = position("2:R0 8:R0 9:R60+2 10:R0 16:R0 41:O5")
        moves = [
            Move(9, target, troops, tanks) for target in (2, 8, 10, 16) for troops in range(60) for tanks in range(3)
        ]
        allowed = [move for move in moves if refusal(GAME, state, 0, move) is None]
        assert len(allowed) == 4 * (60 * 3 - 1) > 512
        assert not GAME.info.complete
        unlisted = next(move for move in allowed if move not in listed(state))
        assert isinstance(GAME.apply(state, 0, unlisted), Step)


def test_the_selection_agrees_with_its_description() -> None:
    """§13.4, §13.5: spelled out once more, with distances instead of layers."""
    state = position(
        "1:R3 2:R2 3:R4+1 4:R1 8:R1 9:R5 10:R2 15:R2+2 16:R2 17:R1 22:R3 37:R2 38:R3 41:O1", stamina={0: 1}
    )
    tiles = state.table.tiles
    own = [index for index in range(TILES) if tiles[index].color == "red"]
    front = [index for index in own if any(other not in own for other in NEIGHBOURS[index])]
    depth = dict.fromkeys(front, 0)
    for index in [*own, *own, *own]:
        near = [depth[other] for other in NEIGHBOURS[index] if other in depth]
        if index not in depth and near:
            depth[index] = min(near) + 1
    moves = [
        Move(one + 1, other + 1, tiles[one].troops - 1, tiles[one].tanks)
        for one in own
        for other in NEIGHBOURS[one]
        if tiles[one].troops > 1 and other in own
        if depth[other] < depth[one] or (depth[one] == 0 == depth[other] and _rank(state, other) > _rank(state, one))
    ]
    assert listed(state, Move) == moves
    assert [(march.source, march.target) for march in listed(state, March) if isinstance(march, March)] == [
        (1, 22), (2, 22), (3, 22), (9, 22), (10, 22), (15, 22), (16, 22), (37, 38),
    ]  # fmt: skip


def _rank(state: State, index: int) -> tuple[int, int]:
    return defence(state.table.tiles[index]), index
