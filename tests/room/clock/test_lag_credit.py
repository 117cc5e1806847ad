"""Time banks and lag credit: the time of each seat beyond the deadline, and the receipts."""

import pytest
from room_table import ALICE, BOB, CAROL, Table, only
from sealed_bids import GAME, Bid, Peek

from warroom_games.log import Acted, StoodIn, TimedOut, decode_entry, encode_entry
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.ports.store import LogEntry
from warroom_server.room.commands import Lag, Leave, Resign
from warroom_server.room.viewer_addresses import Local

PHONE = 50


def playing(seats: int = 2, **room_options: object) -> Table:
    return Table.playing(GAME, seats, room_options=room_options)


def bid(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[-1])


def last(table: Table) -> object:
    return decode_entry(table.log[-1].entry)


def verdict(table: Table, connection: int, *, at: int, arrived: int | None = None) -> wire.Verdict:
    """Bid and return the verdict."""
    seat = table.seat_of(connection)
    assert seat is not None
    return only(table.act(connection, bid(table, seat), at=at, arrived=arrived).sent(connection), wire.Verdict)


# --- banks ----------------------------------------------------------------------------------------------------------


def test_the_prompt_names_the_seats_last_moment_and_the_clock_the_banks() -> None:
    table = playing(bank_ms=5_000, increment_ms=100)
    assert only(table.messages(ALICE), wire.Prompt).deadline == 15_000
    assert only(table.messages(ALICE), wire.Update).clock == wire.Clock(0, 1, 10_000, (5_000, 5_000))
    table.act(ALICE, bid(table, ALICE), at=3_000)
    outcome = table.act(BOB, bid(table, BOB), at=12_000)
    assert only(outcome.sent(ALICE), wire.Prompt).deadline == 22_000 + 5_100
    assert only(outcome.sent(ALICE), wire.Update).clock == wire.Clock(12_000, 2, 22_000, (5_100, 3_100))


def test_a_room_without_banks_shows_none() -> None:
    assert only(playing().messages(ALICE), wire.Update).clock == wire.Clock(0, 1, 10_000)


def test_seats_expire_when_their_own_bank_is_over() -> None:
    table = playing(bank_ms=5_000)
    table.act(BOB, bid(table, BOB), at=14_000)
    table.expire(15_001)
    outcome = table.act(ALICE, bid(table, ALICE), at=16_000)
    assert outcome.acted == [(ALICE, "player")]
    assert table.room.match.due(BOB) == 25_001 + 1_000
    assert table.expire(26_002).acted == [(BOB, "clock")]


def test_the_bank_of_who_ran_out_tells_the_others_nothing_before_the_turn_is_over() -> None:
    table = playing(3, bank_ms=5_000)
    for seat, at in ((ALICE, 1_000), (CAROL, 2_000), (BOB, 14_000)):
        table.act(seat, bid(table, seat), at=at)
    assert only(table.messages(CAROL)[-3:], wire.Update).clock == wire.Clock(14_000, 2, 24_000, (5_000, 1_000, 5_000))
    assert table.expire(25_001).acted == [(BOB, "clock")]
    outcome = table.request(Resign, ALICE)
    assert only(outcome.sent(CAROL), wire.Update).clock is None
    outcome = table.act(CAROL, bid(table, CAROL), at=25_002)
    assert only(outcome.sent(CAROL), wire.Update).clock == wire.Clock(25_002, 3, 35_002, (5_000, 0, 3_998))


# --- credit ---------------------------------------------------------------------------------------------------------


def test_an_action_within_the_credit_is_accepted_with_a_receipt_and_again_with_the_same() -> None:
    table = playing()
    table.tell(Lag(Local(ALICE), 60))
    accepted = verdict(table, ALICE, at=10_045, arrived=10_040)
    assert (accepted.code, accepted.receipt) == (None, wire.Receipt(10_000, 60, 10_040, 10_045))
    entry = last(table)
    assert isinstance(entry, Acted)
    assert (entry.arrived, entry.credit) == (10_040, 60)
    repeated = table.act(ALICE, Peek(), id=accepted.id).sent(ALICE)
    table.restart()
    table.join(ALICE)
    assert repeated == table.act(ALICE, Peek(), id=accepted.id).sent(ALICE) == [accepted]


def test_an_action_in_time_needs_no_credit() -> None:
    table = playing()
    table.tell(Lag(Local(ALICE), 60))
    assert verdict(table, ALICE, at=10_000).receipt is None
    entry = last(table)
    assert isinstance(entry, Acted)
    assert entry.credit == 0


def test_an_action_beyond_the_credit_is_told_so_in_words() -> None:
    table = playing()
    table.tell(Lag(Local(ALICE), 60))
    refused = verdict(table, ALICE, at=10_140)
    assert (refused.code, refused.receipt) == (codes.ACT_LATE, wire.Receipt(10_000, 60, 10_140, 10_140))
    assert refused.detail == "your move arrived 140 ms after the deadline; credit 60 ms"


def test_a_seat_expires_after_its_credit_and_the_receipt_says_so() -> None:
    table = playing()
    table.tell(Lag(Local(ALICE), 60))
    assert table.expire(10_001).acted == [(BOB, "clock")]
    assert table.room.wake_at == 10_061
    assert table.expire(10_060).acted == []
    outcome = table.expire(10_061)
    assert outcome.acted == [(ALICE, "clock")]
    assert only(outcome.sent(ALICE), wire.Expired).receipt == wire.Receipt(10_000, 60, None, 10_061)


@pytest.mark.parametrize(("turn_ms", "rtt_ms", "credit"), [(10_000, 7_000, 100), (1_000, 7_000, 50), (10_000, 33, 33)])
def test_credit_ends_at_the_quota_and_at_five_percent_of_the_turn(turn_ms: int, rtt_ms: int, credit: int) -> None:
    table = playing(turn_ms=turn_ms)
    table.tell(Lag(Local(ALICE), rtt_ms))
    table.act(BOB, bid(table, BOB))
    assert table.room.wake_at == turn_ms + credit + 1


def test_allowance_that_was_not_used_is_saved_for_three_turns() -> None:
    table = playing()
    table.tell(Lag(Local(ALICE), 9_000))
    credits = []
    for turn in range(4):
        credits.append(table.room.match.most_credit(ALICE))
        table.act(BOB, bid(table, BOB), at=100 * turn + 50)
        table.act(ALICE, bid(table, ALICE), at=100 * turn + 60)
    assert credits == [100, 200, 300, 300]


def test_the_slowest_device_of_whoever_plays_counts_as_long_as_it_is_there() -> None:
    table = playing()
    table.tell(Lag(Local(ALICE), 20))
    table.act(BOB, bid(table, BOB))

    def credit() -> int:
        table.expire(table.now + 300)
        assert table.room.wake_at is not None
        return table.room.wake_at - 10_001

    table.join(ALICE, connection=PHONE)
    assert credit() == 20
    table.tell(Lag(Local(PHONE), 80))
    assert credit() == 80
    table.request(Leave, PHONE)
    assert credit() == 20
    table.detach(ALICE)
    assert credit() == 0


def test_what_arrived_within_the_credit_counts_even_if_the_line_breaks_before_it_is_considered() -> None:
    table = playing()
    for connection in (ALICE, BOB):
        table.tell(Lag(Local(connection), 60))
    table.answers = False
    table.act(BOB, bid(table, BOB), at=10_010)
    table.act(ALICE, bid(table, ALICE), at=10_500)
    table.detach(ALICE)
    table.commit()
    table.commit()
    assert table.room.match.turn == 2
    entry = last(table)
    assert isinstance(entry, Acted)
    assert (entry.arrived, entry.credit) == (10_010, 60)


def test_a_spectators_line_and_a_strangers_are_nobodys_credit() -> None:
    table = playing()
    table.watch()
    for connection in (100, 777):
        table.tell(Lag(Local(connection), 90))
    table.expire(500)
    assert table.room.wake_at == 10_001


def test_after_a_restart_there_is_no_credit_until_the_line_is_measured_again() -> None:
    table = playing()
    table.tell(Lag(Local(ALICE), 60))
    table.act(BOB, bid(table, BOB), at=9_000)
    table.restart()
    table.join(ALICE)
    table.expire(9_500)
    assert table.room.wake_at == 10_001, "room time goes on where it stood"
    table.tell(Lag(Local(ALICE), 60))
    assert table.room.wake_at == 10_061


def test_a_bot_that_stands_in_has_its_own_line() -> None:
    table = playing()
    table.tell(Lag(Local(ALICE), 60))
    stood_in = StoodIn(100, ALICE, "robot", "Robot", "greedy")
    advanced = table.room.match.advance(stood_in)
    table.log.append(LogEntry(advanced.match.rev, encode_entry(stood_in), advanced.match.chain))
    table.restart()
    table.join(ALICE)
    table.join(BOB)
    table.act(BOB, bid(table, BOB))
    table.tell(Lag(Local(ALICE), 60))
    deadline = table.room.match.due(ALICE)
    assert table.room.match.most_credit(ALICE) == 100
    table.now = deadline - table.room.match.at + 1
    while (wake_at := table.room.wake_at) is not None and wake_at <= table.now:
        table.expire(table.now)
    entries = [decode_entry(logged.entry) for logged in table.log]
    assert [entry.credit for entry in entries if isinstance(entry, TimedOut)] == [0]
