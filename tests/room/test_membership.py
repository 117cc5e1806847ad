"""Entering, leaving, and announcements of presence."""

from room_table import ALICE, BOB, CAROL, SPECTATOR, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid, Peek

from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.room.commands import Expire, Leave, Legal, Refresh, Resync, Void
from warroom_server.room.presence import COMINGS_MS
from warroom_server.room.viewer_addresses import Local


def test_a_spectator_sees_the_public_part_only() -> None:
    table = Table.playing(SEALED_BIDS)
    sent = table.watch().sent(SPECTATOR)
    assert kinds(sent) == ["Joined", "Snapshot", "Seats", "Paused"]
    joined, snapshot = only(sent, wire.Joined), only(sent, wire.Snapshot)
    assert (joined.seat, joined.seat_token, snapshot.q, snapshot.private) == (None, None, 0, None)


def test_a_player_who_comes_back_gets_prompt_verdict_seats_and_time() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek(), id=77, at=1_000)
    table.detach(ALICE)
    table.now = 5_000
    sent = table.join(ALICE, connection=50, position=wire.Position(1, 1, 2)).sent(50)
    assert kinds(sent) == ["Resumed", "Prompt", "Verdict", "Seats", "Paused", "Offers"]
    assert only(sent, wire.Prompt) == wire.Prompt(table.room.number, ALICE, 2, 5_000, 10_000)
    assert only(sent, wire.Verdict).id == 77


def test_a_refusal_is_repeated_to_one_who_comes_back_if_it_was_the_last_verdict() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek(), id=77)
    table.act(ALICE, b"\xc1", id=78)
    sent = table.join(ALICE, connection=50, position=wire.Position(1, 1, 2)).sent(50)
    assert only(sent, wire.Verdict).id == 78


def test_a_second_device_has_no_verdict_to_miss() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek(), id=77)
    assert "Verdict" not in kinds(table.join(ALICE, connection=50).sent(50))


def test_one_who_comes_back_without_having_acted_gets_no_verdict() -> None:
    table = Table.playing(SEALED_BIDS)
    sent = table.join(ALICE, connection=50, position=wire.Position(1, 1, 1)).sent(50)
    assert kinds(sent) == ["Resumed", "Prompt", "Seats", "Paused", "Offers"]


def test_whoever_comes_after_the_end_is_told_how_it_ended() -> None:
    table = Table.playing(SEALED_BIDS)
    table.tell(Void("test"))
    assert kinds(table.watch().sent(SPECTATOR)) == ["Joined", "Snapshot", "Seats", "Ended"]
    assert kinds(table.join(ALICE, connection=50).sent(50)) == ["Joined", "Snapshot", "Seats", "Ended", "Offers"]


def test_a_player_may_look_on_from_one_connection() -> None:
    table = Table.playing(SEALED_BIDS)
    table.watch(ALICE)
    assert table.room.audience.of_seat(ALICE) == ()
    assert table.act(BOB, Bid(table.room.match.state.secrets[BOB].hand[0])).sent(ALICE) == []


def test_comings_and_goings_are_told_at_most_a_few_times_a_second() -> None:
    table = Table.playing(SEALED_BIDS)
    table.now = 1_000
    assert only(table.watch(200).sent(ALICE), wire.Seats).watching == 1
    for connection in range(201, 240):
        assert table.watch(connection).sent(ALICE) == []
    assert table.room.wake_at == 1_000 + COMINGS_MS
    assert only(table.tell(Expire(), at=1_000 + COMINGS_MS).sent(ALICE), wire.Seats).watching == 40
    assert table.room.wake_at == 10_001


def test_a_lost_seat_is_shown_as_not_connected() -> None:
    table = Table.playing(SEALED_BIDS)
    outcome = table.tell(Leave(Local(ALICE), 5), at=1_000)
    assert [seat.connected for seat in only(outcome.sent(BOB), wire.Seats).seats] == [False, True]
    table.now = 2_000
    table.detach(BOB)
    assert table.room.listing().watching == 0


def test_resync_is_a_snapshot_the_time_and_a_reply() -> None:
    table = Table.playing(SEALED_BIDS)
    sent = table.request(Resync, ALICE, reason="view.drift").sent(ALICE)
    assert kinds(sent) == ["Snapshot", "Paused", "Done"]
    assert only(sent, wire.Snapshot).private is not None
    assert only(table.request(Resync, 99, reason="").sent(99), wire.Error).code == codes.ROOM_NOT_HERE


def test_a_viewer_that_was_too_slow_is_refreshed() -> None:
    table = Table.playing(SEALED_BIDS)
    table.watch()
    assert kinds(table.tell(Refresh(Local(SPECTATOR))).sent(SPECTATOR)) == ["Snapshot", "Seats", "Paused"]
    assert kinds(table.tell(Refresh(Local(ALICE))).sent(ALICE)) == ["Snapshot", "Prompt", "Seats", "Paused", "Offers"]
    assert table.tell(Refresh(Local(99))).effects == []


def test_a_viewer_that_was_too_slow_for_the_end_of_the_match_is_told_of_it() -> None:
    table = Table.playing(SEALED_BIDS)
    table.watch()
    table.tell(Void("void"))
    assert kinds(table.tell(Refresh(Local(SPECTATOR))).sent(SPECTATOR)) == ["Snapshot", "Seats", "Ended"]


def test_watching_works_while_the_store_thinks() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek())
    assert kinds(table.watch().sent(SPECTATOR))[:2] == ["Joined", "Snapshot"]
    assert kinds(table.join(BOB, connection=50).sent(50))[:2] == ["Joined", "Snapshot"]


def test_a_newcomer_in_the_same_breath_is_not_sent_what_its_snapshot_holds() -> None:
    table = Table(SEALED_BIDS, seats=2)
    table.join(ALICE)
    table.answers = False
    table.join(BOB)
    table.join(CAROL)
    table.watch(CAROL)
    table.commit()
    sent = table.commit().sent(CAROL)
    assert kinds(sent) == ["Error", "Joined", "Snapshot", "Seats", "Paused"]
    assert only(sent, wire.Snapshot).p == 1


def test_a_newcomer_is_told_once_who_sits_there_also_when_the_others_are_told_later() -> None:
    table = Table.playing(SEALED_BIDS)
    table.tell(Expire(), at=1_000)
    table.watch(200)
    table.now += 1
    assert kinds(table.watch(201).sent(201)) == ["Joined", "Snapshot", "Seats", "Paused"]
    told = table.tell(Expire(), at=1_000 + COMINGS_MS)
    assert {viewer for viewer, _ in told.messages} == {ALICE, BOB, 200}


def test_a_newcomer_is_told_again_when_that_has_changed() -> None:
    table = Table.playing(SEALED_BIDS)
    table.watch(200)
    table.watch(201)
    table.detach(BOB)
    told = table.tell(Expire(), at=COMINGS_MS)
    assert {viewer for viewer, _ in told.messages} == {ALICE, 200, 201}


def test_somebody_alone_is_told_nothing_twice() -> None:
    table = Table(SEALED_BIDS)
    assert kinds(table.watch().sent(SPECTATOR)) == ["Joined", "Snapshot", "Seats"]
    assert table.room.wake_at is None


def test_requests_of_strangers_and_spectators_are_refused() -> None:
    table = Table.playing(SEALED_BIDS)
    table.watch()
    assert only(table.request(Legal, SPECTATOR).sent(SPECTATOR), wire.Error).code == codes.SEAT_NONE
    assert only(table.request(Legal, 99).sent(99), wire.Error).code == codes.ROOM_NOT_HERE
