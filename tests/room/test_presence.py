"""The grace period of absent players, as it is announced."""

from room_table import ALICE, BOB, CAROL, Table
from sealed_bids import GAME as SEALED_BIDS

from warroom_protocol import messages as wire
from warroom_server.room import commands

GRACE_MS = 3_000


def playing(seats: int = 3) -> Table:
    return Table.playing(SEALED_BIDS, seats, room_options={"grace_ms": GRACE_MS})


def grace(table: Table, seat: int) -> int | None:
    """Return the grace period of a seat that ALICE learned last."""
    table.expire(table.now + 500)
    [*_, seats] = [message for message in table.messages(ALICE) if isinstance(message, wire.Seats)]
    assert not seats.seats[seat].connected
    return seats.seats[seat].grace


def test_a_player_of_the_running_match_is_waited_for() -> None:
    table = playing()
    table.detach(BOB)
    assert grace(table, BOB) == GRACE_MS


def test_who_gave_up_is_not_waited_for() -> None:
    table = playing()
    table.request(commands.Resign, CAROL)
    table.detach(CAROL)
    assert grace(table, CAROL) is None


def test_nobody_is_waited_for_when_the_match_is_over() -> None:
    table = playing(2)
    table.request(commands.Resign, ALICE)
    assert table.room.is_over
    table.detach(BOB)
    assert grace(table, BOB) is None


def handed_over(*lasting_ms: int) -> Table:
    """Return a match that changed owners several times, after these durations; BOB left at the start."""
    table = playing()
    table.detach(BOB)
    for lasted_ms in lasting_ms:
        table.now += lasted_ms
        table.hand_over()
        table.join(ALICE)
    return table


def test_the_time_to_come_back_goes_on_with_the_next_owner() -> None:
    table = handed_over(1_000, 500)
    assert grace(table, BOB) == GRACE_MS - 1_500


def test_whoever_was_here_until_a_room_was_handed_over_has_all_the_time() -> None:
    table = handed_over(1_000)
    assert grace(table, CAROL) == GRACE_MS


def test_the_time_to_come_back_begins_anew_after_a_crash() -> None:
    table = handed_over(1_000)
    table.restart()
    table.join(ALICE)
    assert grace(table, BOB) == GRACE_MS


def test_a_time_that_was_over_long_before_is_over() -> None:
    table = handed_over(GRACE_MS, GRACE_MS)
    assert grace(table, BOB) == 0


def test_the_place_of_somebody_who_is_away_is_freed_in_time_whoever_has_the_lobby() -> None:
    table = Table(SEALED_BIDS, seats=3, room_options={"grace_ms": GRACE_MS})
    for player in (ALICE, BOB):
        table.join(player)
    table.detach(BOB)
    table.now = GRACE_MS - 1
    table.hand_over()
    table.join(ALICE)
    assert table.room.match.seat_of("bob") == BOB
    table.expire(GRACE_MS)
    assert table.room.match.seat_of("bob") is None
    assert table.room.match.seat_of("alice") == ALICE
