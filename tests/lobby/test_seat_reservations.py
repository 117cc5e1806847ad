"""Held seats: one at a time for a player, and none for a while for one who does not come."""

import pytest
from manual_time import ManualTime

from warroom_server.lobby.seat_reservations import HELD_MS, REMEMBERED, REST_MS, SeatReservations


@pytest.fixture
def holds(time: ManualTime) -> SeatReservations:
    """Return the held seats of a node, of which there are none."""
    return SeatReservations(time)


def test_a_seat_is_held_for_a_while_and_for_others_than_oneself(holds: SeatReservations, time: ManualTime) -> None:
    holds.keep("ada", 1)
    assert (holds.count(1, "bob"), holds.count(1, "ada"), holds.count(2, "bob")) == (1, 0, 0)
    time.advance(HELD_MS)
    assert holds.count(1, "bob") == 0


def test_asking_again_holds_a_seat_no_longer(holds: SeatReservations, time: ManualTime) -> None:
    holds.keep("ada", 1)
    time.advance(HELD_MS - 1)
    holds.keep("ada", 1)
    assert holds.count(1, "bob") == 1
    time.advance(1)
    holds.keep("ada", 1)
    assert holds.count(1, "bob") == 0
    time.advance(REST_MS - 1)
    holds.keep("ada", 1)
    assert holds.count(1, "bob") == 0
    time.advance(1)
    holds.keep("ada", 1)
    assert holds.count(1, "bob") == 1


def test_one_seat_is_held_at_a_time(holds: SeatReservations, time: ManualTime) -> None:
    holds.keep("ada", 1)
    time.advance(HELD_MS - 1)
    holds.keep("ada", 2)
    assert (holds.count(1, "bob"), holds.count(2, "bob")) == (0, 1)
    time.advance(1)
    assert holds.count(2, "bob") == 0, "no longer than the first one would have been"


def test_who_came_may_be_expected_again_at_once(holds: SeatReservations, time: ManualTime) -> None:
    holds.keep("ada", 1)
    holds.came("ada", 2)
    assert holds.count(1, "bob") == 1, "that was another room"
    holds.came("ada", 1)
    assert (holds.count(1, "bob"), len(holds)) == (0, 0)
    time.advance(HELD_MS)
    holds.keep("ada", 1)
    assert holds.count(1, "bob") == 1


def test_a_room_that_is_gone_is_held_against_nobody_who_was_still_expected(
    holds: SeatReservations, time: ManualTime
) -> None:
    holds.keep("ada", 1)
    time.advance(HELD_MS)
    holds.keep("bob", 1)
    holds.forget(1)
    assert (holds.count(1, ""), len(holds)) == (0, 1)
    for player in ("ada", "bob"):
        holds.keep(player, 2)
    assert (holds.count(2, "ada"), holds.count(2, "bob")) == (1, 0)


def test_only_so_many_are_remembered(holds: SeatReservations) -> None:
    for number in range(REMEMBERED + 1):
        holds.keep(f"player {number}", 1)
    assert (len(holds), holds.count(1, "")) == (REMEMBERED, REMEMBERED)
