"""docs/rules/tile_blitz.md, sections 2 and 3: order, rounds and turns."""

from typing import Any

import pytest
from msgspec.structs import replace
from tile_blitz_positions import KEY, cards, position

from warroom_games.api import IllegalActionError
from warroom_games.rng import Rng
from warroom_games.tile_blitz.actions import Action, Attack, BuildInfantry, BuildTank, EndTurn, March, Move
from warroom_games.tile_blitz.events import CardsDrawn, TurnBegan, TurnEnded
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME
from warroom_games.tile_blitz.state import Player
from warroom_protocol.canonical import plain

FIVE = "9:R5 37:G5 13:Y5 41:O5 25:P5"
STILL = Options(rotate_first=False)


class TestOrder:
    """Section 2."""

    @pytest.mark.parametrize(
        ("options", "played"),
        [
            pytest.param(Options(), "012 120 201 012", id="§2.4 the first player moves on"),
            pytest.param(STILL, "012 012 012 012", id="§2.4 without rotation"),
        ],
    )
    def test_play_goes_round(self, options: Options, played: str) -> None:
        """§2.2, §2.3"""
        state, seats = GAME.setup(3, options, Rng(KEY)), ""
        for number in range(1, 13):
            table = state.table
            assert (table.turn, table.round) == (number, (number + 2) // 3)
            seats += f"{' ' * (number % 3 == 1)}{table.seat}"
            state = GAME.apply(state, table.seat, EndTurn()).state
        assert seats.strip() == played

    @pytest.mark.parametrize(
        ("fields", "following"),
        [
            pytest.param({"seat": 0, "out": (1,)}, (2, 0, 1), id="§2.2 who is out is skipped"),
            pytest.param({"seat": 4, "out": (0, 1)}, (2, 2, 2), id="§2.4 the next in play begins"),
            pytest.param(
                {"seat": 0, "first": 1, "out": (1, 2)}, (3, 3, 2), id="§2.4 on from a first player who is out"
            ),
            pytest.param({"seat": 4, "first": 2, "out": (2,)}, (0, 2, 1), id="§2.3 a round goes on without its first"),
            pytest.param({"seat": 3, "first": 4, "out": ()}, (0, 0, 2), id="§2.4 from the last seat to the first"),
            pytest.param({"seat": 3, "first": 4, "options": STILL}, (4, 4, 2), id="§2.4 not without rotation"),
            pytest.param({"seat": 4, "out": (0,), "options": STILL}, (1, 1, 2), id="§2.4 unless the first is out"),
        ],
    )
    def test_seats_and_rounds_follow(self, fields: dict[str, Any], following: tuple[int, int, int]) -> None:
        state = position(FIVE, **fields)
        table = GAME.apply(state, state.table.seat, EndTurn()).state.table
        assert (table.seat, table.first, table.round) == following

    def test_red_begins_unless_a_lot_is_drawn(self) -> None:
        """§2.3, §2.5"""
        keys = [bytes([number]) * 16 for number in range(60)]
        assert {GAME.setup(5, Options(), Rng(key)).table.first for key in keys} == {0}
        tables = [GAME.setup(5, Options(beginner="lot"), Rng(key)).table for key in keys]
        assert {table.first for table in tables} == {0, 1, 2, 3, 4}
        assert all(table.seat == table.first and table.players[table.seat].gold == 2 for table in tables)

    @pytest.mark.parametrize(("seats", "gold"), [(5, [2, 0, 0, 0, 3]), (4, [2, 0, 0, 0]), (2, [2, 0])])
    def test_purple_begins_with_the_gold_of_its_option(self, seats: int, gold: list[int]) -> None:
        """§3.5: the colours that do not play get none."""
        table = GAME.setup(seats, Options(purple_gold=3), Rng(KEY)).table
        assert [player.gold for player in table.players] == gold


class TestUpcoming:
    """Section 2, rule 5."""

    @pytest.mark.parametrize(("seats", "options"), [(2, Options()), (3, Options()), (5, STILL)])
    def test_who_was_said_to_play_next_and_after_that_does(self, seats: int, options: Options) -> None:
        state = GAME.setup(seats, replace(options, max_rounds=4), Rng(KEY))
        said, played = [], []
        while not state.table.ended:
            said.append(state.table.upcoming)
            played.append(state.table.seat)
            state = GAME.apply(state, state.table.seat, EndTurn()).state
        assert said == [tuple(played[turn + 1 : turn + 3]) for turn in range(len(played))]
        assert state.table.upcoming == ()

    def test_two_players_have_two_turns_in_a_row(self) -> None:
        """§2.4, §2.6"""
        state, said = GAME.setup(2, Options(), Rng(KEY)), []
        for _ in range(4):
            said.append((state.table.seat, *state.table.upcoming))
            state = GAME.apply(state, state.table.seat, EndTurn()).state
        assert said == [(0, 1, 1), (1, 1, 0), (1, 0, 0), (0, 0, 1)]

    def test_a_seat_that_goes_out_of_play_is_no_longer_named(self) -> None:
        state = position(FIVE, seat=0)
        assert state.table.upcoming == (1, 2)
        assert GAME.remove(state, 1).state.table.upcoming == (2, 3)
        assert GAME.remove(state, 4).state.table.upcoming == (1, 2)
        beaten = position("9:R9 10:G1 13:Y5 41:O5 25:P5", seat=0)
        assert GAME.apply(beaten, 0, Attack(9, 10)).state.table.upcoming == (2, 3)

    def test_it_is_part_of_what_everybody_sees(self) -> None:
        view = plain(GAME.public(GAME.setup(2, Options(), Rng(KEY))))
        assert isinstance(view, dict)
        assert view["upcoming"] == [1, 1]

    def test_a_match_that_is_won_names_nobody(self) -> None:
        state = position("9:R9 10:O1", seat=0)
        assert state.table.upcoming == (1, 1)
        assert GAME.apply(state, 0, Attack(9, 10)).state.table.upcoming == ()


class TestTurns:
    """Section 3."""

    ANYTHING: tuple[Action, ...] = (
        Attack(41, 40),
        Move(41, 40, 1, 0),
        March(41, 40, 1, 0),
        BuildInfantry(41, 1),
        BuildTank(41, (6, 19)),
        EndTurn(),
    )

    @pytest.mark.parametrize("action", ANYTHING, ids=lambda action: type(action).__name__)
    def test_only_the_seat_whose_turn_it_is_may_act(self, action: Action) -> None:
        """§3.1"""
        state = position("9:R5 41:O5", gold={1: 2}, stamina={1: 1}, hands={1: "7c 7d"})
        with pytest.raises(IllegalActionError, match="red's turn") as refused:
            GAME.check(state, 1, action)
        assert refused.value.code == "turn.not_yours"
        assert (GAME.to_act(state), list(GAME.legal_actions(state, 1))) == (frozenset({0}), [])

    def test_the_first_turn_begins_with_its_income(self) -> None:
        """§3.2"""
        table = GAME.setup(2, Options(), Rng(KEY)).table
        assert table.players == (Player("red", 2, 1, 2), Player("orange", 0, 0, 0))
        assert (table.deck, table.decks, table.turn, table.round) == (50, 1, 1, 1)

    @pytest.mark.parametrize(
        ("stamina", "gained"),
        [
            pytest.param(0, 1, id="§3.2 the first point"),
            pytest.param(1, 1, id="§3.2 the second point"),
            pytest.param(2, 0, id="§3.2 never more than 2"),
        ],
    )
    def test_a_turn_brings_gold_stamina_and_cards(self, stamina: int, gained: int) -> None:
        state = position("9:R5 41:O5", gold={1: 3}, stamina={1: stamina}, hands={1: "5h"}, deck="9s 2c 7d")
        step = GAME.apply(state, 0, EndTurn())
        assert step.state.table.players[1] == Player("orange", 5, stamina + gained, 3)
        assert step.state.secrets[1].hand == cards("5h 9s 2c")
        assert [event.public for event in step.events] == [
            TurnEnded(seat=0, turn=1, reason="declined"),
            TurnBegan(seat=1, turn=2, round=1, gold=2, stamina=gained, cards=2),
        ]
        assert step.events[1].private == ((1, CardsDrawn(cards("9s 2c"))),)

    def test_a_player_may_act_again_and_again(self) -> None:
        """§3.3"""
        state = position("9:R2 41:O5", gold={0: 3})
        for action in (BuildInfantry(9, 1), BuildInfantry(9, 2), Attack(9, 10), EndTurn()):
            assert (GAME.to_act(state), GAME.turn(state)) == (frozenset({0}), 1)
            GAME.check(state, 0, action)
            state = GAME.apply(state, 0, action).state
        assert (GAME.to_act(state), GAME.turn(state)) == (frozenset({1}), 2)

    def test_what_is_not_used_is_kept(self) -> None:
        """§3.2"""
        state = position("9:R5 41:O5", gold={0: 3}, stamina={0: 2}, hands={0: "5h"})
        after = GAME.apply(state, 0, EndTurn()).state
        assert after.table.players[0] == Player("red", 3, 2, 1)
        assert after.secrets[0] is state.secrets[0]

    def test_the_clock_ends_the_turn(self) -> None:
        """§3.4"""
        assert GAME.default_action(position("9:R5 41:O5"), 0) == EndTurn()

    def test_the_first_two_turns_of_a_seat_are_spared(self) -> None:
        """§3.6"""
        assert GAME.info.spared_turns == 2

    def test_a_turn_lasts_five_seconds(self) -> None:
        """§3.3"""
        assert GAME.info.turn_ms == 5_000
