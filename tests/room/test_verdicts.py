"""Verdicts while a bot stands in, the limits of the bot, and who must leave or learn nothing."""

import pytest
from bot_claims import Agency
from room_table import ALICE, BOB, CAROL, Outcome, Table, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid

from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Local

GRACE_MS = 3_000


def verdict(outcome: Outcome, connection: int) -> wire.Verdict:
    return only(outcome.sent(connection), wire.Verdict)


def bid(table: Table, connection: int, seat: int, action_id: int | None = None) -> Outcome:
    card = table.room.match.state.secrets[seat].hand[0]
    return table.act(connection, Bid(card), id=action_id, turn=table.room.match.decisions[seat])


@pytest.fixture
def table() -> Table:
    """Return a match of three with a grace period of three seconds."""
    return Table.playing(SEALED_BIDS, 3, room_options={"grace_ms": GRACE_MS})


def replaced(table: Table) -> int:
    """Let a bot stand in for Bob, who disconnected; return the bot's connection."""
    agency = Agency(table)
    table.detach(BOB)
    for seat in (ALICE, CAROL):
        bid(table, seat, seat)
    (bot,) = agency.hire(agency.wait(GRACE_MS + 500))
    assert table.room.match.stand_in(BOB) is not None
    return bot


def test_an_accepted_action_stays_accepted(table: Table) -> None:
    assert verdict(bid(table, BOB, BOB, 77), BOB).code is None
    turn = 1
    replaced(table)
    table.join(BOB)
    assert verdict(table.act(BOB, Bid(1), id=77, turn=turn), BOB).code is None


def test_a_refused_action_stays_refused(table: Table) -> None:
    bot = replaced(table)
    table.join(BOB)
    assert verdict(bid(table, BOB, BOB, 99), BOB).code == codes.SEAT_BOT
    table.request(commands.Reclaim, BOB)
    bid(table, bot, BOB)
    for seat in sorted(table.room.match.asked - {BOB}):
        bid(table, seat, seat)
    assert table.room.match.stand_in(BOB) is None
    assert verdict(bid(table, BOB, BOB, 99), BOB).code == codes.SEAT_BOT
    assert verdict(bid(table, BOB, BOB, 100), BOB).code is None


def test_a_bot_neither_gives_up_nor_speaks_for_the_owner(table: Table) -> None:
    bot = replaced(table)
    assert only(table.request(commands.Resign, bot).sent(bot), wire.Error).code == codes.SEAT_NONE
    said = table.request(commands.Say, bot, player="robot", name="Robot", text="I am Bob")
    assert not [message for message in said.sent(ALICE) if isinstance(message, wire.Said)]


class TestNobodyStaysUnseen:
    def test_the_other_tab_of_somebody_who_left_is_out_where_nobody_may_watch(self) -> None:
        table = Table(SEALED_BIDS, seats=3, room_options={"watch": "nobody"})
        for seat in (ALICE, BOB):
            table.join(seat)
        table.join(BOB, connection=70)
        outcome = table.request(commands.Leave, BOB)
        assert only(outcome.sent(70), wire.Notice).code == codes.NOTICE_LEFT
        assert Local(70) not in table.room.audience

    def test_it_stays_as_a_spectator_where_anybody_may_watch(self) -> None:
        table = Table(SEALED_BIDS, seats=3)
        table.join(ALICE)
        table.join(ALICE, connection=70)
        table.request(commands.Leave, ALICE)
        assert Local(70) in table.room.audience

    def test_whoever_comes_back_while_the_place_is_being_freed_sits_down_anew(self) -> None:
        table = Table(SEALED_BIDS, seats=3, room_options={"grace_ms": GRACE_MS, "watch": "nobody"})
        for seat in (ALICE, BOB):
            table.join(seat)
        table.detach(BOB)
        table.expire(300)
        table.answers = False
        table.expire(GRACE_MS + 500)
        assert table.waiting
        assert table.join(BOB).sent(BOB) == []
        table.answers = True
        outcome = table.commit()
        assert only(outcome.sent(BOB), wire.Joined).seat == 1
        assert table.room.match.seat_of("bob") == 1


def test_strangers_cannot_tell_a_busy_private_room_from_none() -> None:
    table = Table(SEALED_BIDS, seats=3, room_options={"private": True}, answers=False)
    table.tell(commands.Join(Local(ALICE), 1, "alice", "Alice", None, "token", None, has_key=True))
    for number in range(100):
        stranger = commands.Join(Local(200 + number), 5, f"eve {number}", "Eve", None, "token", None)
        assert only(table.tell(stranger).sent(200 + number), wire.Error).code == codes.ROOM_UNKNOWN
    friend = commands.Join(Local(BOB), 5, "bob", "Bob", None, "token", None, has_key=True)
    assert table.tell(friend).sent(BOB) == []
    table.answers = True
    assert only(table.commit().sent(BOB), wire.Joined).seat == 1


def test_a_bot_that_was_replaced_does_not_look_lost() -> None:
    table = Table(SEALED_BIDS, seats=2)
    table.join(ALICE)
    agency = Agency(table)
    (bot,) = agency.hire(agency.fill())
    table.detach(bot)
    agency.hire(agency.wait(table.now + 2_000))
    agency.wait(table.now + 500)
    assert table.room.match.stand_in(1) is not None
    seats = [message for message in table.messages(ALICE) if isinstance(message, wire.Seats)][-1]
    assert (seats.seats[1].connected, seats.seats[1].bot) == (True, "greedy")
