"""Turns: docs/rules/thardferr.md, section 9."""

from msgspec.structs import replace
from thardferr_positions import kingdom, match, played, refused, told

from warroom_games.api import Event
from warroom_games.thardferr.actions import Build, EndTurn, Raze, SetStrategy, Train
from warroom_games.thardferr.events import Arrived, Learnt, Produced, TurnBegan, TurnEnded
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import Project, State, Troop


def training(unit: str, count: int) -> tuple[Troop, ...]:
    return tuple(replace(each, training=count if each.unit == unit else 0) for each in kingdom().army)


def asked(state: State, turns: int) -> list[int | None]:
    """Return whose turns the next ones are."""
    seats = []
    for _ in range(turns):
        seats.append(state.seat)
        state = played(state, EndTurn(), seat=state.seat or 0)
    return seats


class TestOrder:
    """§9.1"""

    def test_seats_take_turns_in_order_and_rounds_are_counted(self) -> None:
        state = match(kingdom(), kingdom(), kingdom(), out=(1,))
        seen = []
        for _ in range(4):
            seen.append((state.seat, state.turn, state.round))
            assert state.seat is not None
            state = played(state, EndTurn(), seat=state.seat)
        assert seen == [(0, 1, 1), (2, 2, 1), (0, 3, 2), (2, 4, 2)]

    def test_each_round_of_three_or_more_may_begin_one_seat_later(self) -> None:
        rotating = Options(order="rotating")
        assert asked(match(*[kingdom()] * 3, options=rotating), 9) == [0, 1, 2, 1, 2, 0, 2, 0, 1]
        assert asked(match(*[kingdom()] * 4, out=(1,), options=rotating), 9) == [0, 2, 3, 2, 3, 0, 2, 3, 0]
        assert asked(match(options=rotating), 6) == [0, 1, 0, 1, 0, 1]

    def test_only_the_seat_whose_turn_it_is_may_act(self) -> None:
        assert refused(match(), EndTurn(), seat=1) == ("turn.not_yours", "it is seat 0's turn")
        assert GAME.legal_actions(match(), 1) == []


class TestStart:
    """§9.2"""

    def test_units_arrive_research_goes_on_goods_are_made_and_upkeep_is_paid(self) -> None:
        busy = kingdom(army=None, project=Project("Sharper Blades", 10))
        busy = replace(busy, army=training("Knight", 4))
        events = told(match(kingdom(), busy), EndTurn())
        told_to_one = [form for event in events for seat, form in event.private if seat == 1]
        assert [type(each) for each in told_to_one] == [Arrived, Learnt, Produced]
        assert events[:2] == [Event(TurnEnded(0, 1, "ended")), Event(TurnBegan(1, 2, 1))]
        paid = told_to_one[2]
        assert isinstance(paid, Produced)
        assert paid.paid.gold == 10 * (10 * 4 + 10 * 4 + 10 * 3 + 4 * 18)

    def test_a_turn_has_as_many_days_as_the_option_says(self) -> None:
        for days in (1, 10):
            state = played(match(options=Options(days_per_turn=days)), EndTurn())
            assert state.kingdoms[1].stores.iron == 1_500 + 40 * days


class TestActions:
    """§9.3"""

    def test_any_number_of_things_may_be_done(self) -> None:
        state = played(match(), *([Build("mill"), Raze("mill")] * 9), Train("Archer"), SetStrategy("Quick Retreat"))
        assert (state.seat, state.turn) == (0, 1)
        assert state.kingdoms[0].stores.gold == 60_000 - 9 * 450 - 235


class TestEnd:
    """§9.4, §9.5"""

    def test_the_turn_ends_when_the_player_says_so(self) -> None:
        assert played(match(), EndTurn()).seat == 1

    def test_the_clock_ends_the_turn(self) -> None:
        assert GAME.default_action(match(), 0) == EndTurn()
