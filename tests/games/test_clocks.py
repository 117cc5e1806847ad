"""The clock of one seat: bank, increment, and the lag that may be forgiven."""

import pytest
from msgspec.structs import replace

from warroom_games.clocks import ALLOWANCE_MS, ALLOWANCE_SAVED_MS, SeatClock

DEADLINE = 10_000
FRESH = SeatClock(5_000).asked()


def test_the_last_moment_is_the_deadline_and_the_bank_after_it() -> None:
    assert FRESH.due(DEADLINE) == 15_000
    assert SeatClock(0).due(DEADLINE) == DEADLINE


@pytest.mark.parametrize(
    ("arrivals", "increment", "bank"),
    [
        pytest.param((), 700, 5_000, id="a turn in which it did not act"),
        pytest.param((9_000,), 0, 5_000, id="in the turn"),
        pytest.param((DEADLINE,), 0, 5_000, id="at the deadline"),
        pytest.param((11_200,), 0, 3_800, id="beyond it"),
        pytest.param((11_200,), 700, 4_500, id="beyond it, with an increment"),
        pytest.param((3_000,), 700, 5_700, id="saved up"),
        pytest.param((1_000, 2_000, 12_000), 700, 3_700, id="several actions are one increment"),
        pytest.param((11_000, 12_000), 0, 3_000, id="what was used last counts, not the sum"),
        pytest.param((12_000, 11_000), 0, 3_000, id="an older arrival that was considered later gives nothing back"),
        pytest.param((15_000,), 0, 0, id="all of it"),
        pytest.param((15_060,), 0, 0, id="all of it, and credit"),
    ],
)
def test_the_bank_when_the_turn_is_over(arrivals: tuple[int, ...], increment: int, bank: int) -> None:
    clock = FRESH
    for arrived in arrivals:
        clock = clock.acted(DEADLINE, arrived)
        assert clock.bank == 5_000, "until then it is what everybody saw"
    assert clock.settled(increment, 0).bank == bank


def test_a_time_out_takes_the_bank_and_earns_nothing() -> None:
    clock = FRESH.acted(DEADLINE, 9_000).timed_out(0)
    assert (clock.bank, clock.due(DEADLINE)) == (5_000, 15_000)
    settled = clock.settled(700, 0)
    assert (settled.bank, settled.missed) == (0, 0)


def test_a_turn_in_which_the_seat_acted_and_the_clock_ended_it_is_no_missed_one() -> None:
    clock = FRESH.timed_out(0).settled(0, 0)
    assert clock.missed == 1
    assert clock.asked().acted(DEADLINE, 5).timed_out(0).settled(0, 0).missed == 0


def test_the_first_turns_of_a_seat_may_be_spared() -> None:
    clock, missed = SeatClock(0), []
    for _ in range(5):
        clock = clock.settled(0, 2).asked().timed_out(0).settled(0, 2)
        missed.append(clock.missed)
    assert (missed, clock.turns) == ([0, 0, 1, 2, 3], 5)


@pytest.mark.parametrize(
    ("spared", "left"),
    [pytest.param(0, [2, 1, 0, 0], id="none is spared"), pytest.param(2, [4, 3, 2, 1, 0, 0], id="two are spared")],
)
def test_a_warning_counts_down_to_the_bot(spared: int, left: list[int]) -> None:
    clock, seen = SeatClock(0), []
    for _ in left:
        clock = clock.asked()
        seen.append(clock.misses_left(3, spared))
        clock = clock.timed_out(0).settled(0, spared)
    assert seen == left


def test_missed_turns_are_counted_in_a_row() -> None:
    clock = FRESH.timed_out(0).settled(0, 0).asked().timed_out(0).settled(0, 0)
    assert clock.missed == 2
    assert clock.asked().settled(0, 0).missed == 2
    assert clock.asked().acted(DEADLINE, 5).settled(0, 0).missed == 0
    assert clock.rested() == replace(clock, missed=0)


def test_within_a_turn_the_count_tells_nobody_what_became_of_the_seat() -> None:
    clock = FRESH.timed_out(0).settled(0, 0).asked()
    assert clock.timed_out(0).missed == clock.acted(DEADLINE, 5).missed == clock.missed == 1


def test_a_turn_in_which_the_clock_acts_several_times_counts_once() -> None:
    assert FRESH.timed_out(0).timed_out(0).settled(0, 0).missed == 1


def test_whoever_takes_a_seat_has_no_time_out_of_the_one_before() -> None:
    assert FRESH.timed_out(0).rested().settled(0, 0).missed == 0


def test_the_first_time_that_a_seat_is_asked_in_a_turn_fills_its_allowance() -> None:
    clock = SeatClock(0)
    assert clock.most_credit(DEADLINE) == 0
    assert clock.asked().asked().allowance == ALLOWANCE_MS
    assert clock.settled(0, 0).allowance == 0
    for _ in range(9):
        clock = clock.asked().settled(0, 0)
    assert clock.allowance == ALLOWANCE_SAVED_MS


@pytest.mark.parametrize(
    ("allowance", "turn_ms", "most"),
    [(300, 60_000, 300), (100, 60_000, 100), (300, 5_000, 250), (300, 200, 10), (300, 210, 10), (0, 60_000, 0)],
)
def test_credit_is_never_above_the_quota_or_five_percent_of_the_turn(allowance: int, turn_ms: int, most: int) -> None:
    assert SeatClock(0, allowance=allowance).most_credit(turn_ms) == most


@pytest.mark.parametrize(
    ("arrivals", "allowance"),
    [
        pytest.param((9_000,), 100, id="in time"),
        pytest.param((14_000,), 100, id="from the bank"),
        pytest.param((15_060,), 40, id="what was forgiven is gone"),
        pytest.param((15_030, 15_080), 20, id="one turn pays once for how late it was"),
        pytest.param((15_100,), 0, id="all of it"),
    ],
)
def test_what_was_forgiven_is_taken_when_the_turn_is_over(arrivals: tuple[int, ...], allowance: int) -> None:
    clock = FRESH
    for arrived in arrivals:
        clock = clock.acted(DEADLINE, arrived)
        assert clock.allowance == 100, "within a turn the last moment stays where it is"
    assert clock.settled(0, 0).allowance == allowance


def test_credit_that_the_others_waited_for_in_vain_is_gone_too() -> None:
    assert FRESH.timed_out(70).settled(0, 0) == SeatClock(0, allowance=30, missed=1, turns=1)


def test_a_clock_without_bank_or_lag_settles_to_itself() -> None:
    assert SeatClock(0).settled(500, 0) == SeatClock(0)
