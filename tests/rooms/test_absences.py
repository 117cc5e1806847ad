"""How long somebody who is away is waited for, as everybody is told."""

from sealed_bids import GAME as SEALED_BIDS
from table import ALICE, BOB, CAROL, Table

from warroom_protocol import messages as wire
from warroom_server.rooms import commands

GRACE_MS = 3_000


def playing(seats: int = 3) -> Table:
    return Table.playing(SEALED_BIDS, seats, room_options={"grace_ms": GRACE_MS})


def grace(table: Table, seat: int) -> int | None:
    """Return until when a seat is waited for, as ALICE is told last."""
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
