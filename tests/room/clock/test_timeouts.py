"""The clock is fair: nobody expires early, and nothing that arrived in time is refused."""

from room_table import ALICE, BOB, CAROL, SPECTATOR, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid, Peek

from warroom_games.graph_battle.actions import EndTurn
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.room.commands import Act, Expire, Pause, Resign, Unpause
from warroom_server.room.viewer_addresses import Local


def bid(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[-1])


def test_a_turn_lasts_from_the_entry_that_began_it() -> None:
    table = Table.playing(GRAPH_BATTLE, turn_ms=30_000)
    assert only(table.messages(ALICE), wire.Prompt).deadline == 30_000
    outcome = table.act(ALICE, EndTurn(), at=12_345)
    assert only(outcome.sent(BOB), wire.Prompt) == wire.Prompt(table.room.number, BOB, 1, 12_345, 42_345)
    assert only(outcome.sent(BOB), wire.Update).clock == wire.Clock(12_345, 2, 42_345)


def test_an_early_bid_does_not_buy_the_rival_more_time() -> None:
    table = Table.playing(SEALED_BIDS, turn_ms=30_000)
    table.act(ALICE, bid(table, ALICE), at=29_000)
    assert table.expire(30_000).acted == []
    assert table.expire(30_001).acted == [(BOB, "clock")]


def test_the_room_wants_to_wake_just_after_the_deadline() -> None:
    table = Table.playing(SEALED_BIDS, turn_ms=30_000)
    assert table.expire(400).acted == []
    assert table.room.wake_at == 30_001


def test_an_action_that_arrived_at_the_deadline_is_in_time_however_late_it_is_handled() -> None:
    table = Table.playing(SEALED_BIDS)
    assert table.act(ALICE, bid(table, ALICE), at=10_030, arrived=10_000).acted == [(ALICE, "player")]


def test_an_action_that_arrived_late_is_refused_with_a_receipt() -> None:
    table = Table.playing(SEALED_BIDS)
    verdict = only(table.act(ALICE, bid(table, ALICE), at=10_007, arrived=10_001).sent(ALICE), wire.Verdict)
    assert verdict.code == codes.ACT_LATE
    assert verdict.receipt == wire.Receipt(deadline=10_000, credit=0, arrived=10_001, judged=10_007)
    assert table.room.match.asked == {ALICE, BOB}


def test_the_clock_acts_for_each_late_seat_in_seat_order_and_says_so() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    table.act(BOB, bid(table, BOB), at=5_000)
    outcome = table.expire(10_020)
    assert outcome.acted == [(ALICE, "clock"), (CAROL, "clock")]
    expired = only(outcome.sent(CAROL), wire.Expired)
    assert expired == wire.Expired(table.room.number, CAROL, 1, wire.Receipt(10_000, 0, None, 10_020), left=2)
    assert kinds(outcome.sent(CAROL)) == ["Private", "Update", "Expired", "Prompt"]
    assert kinds(outcome.sent(ALICE)) == ["Private", "Expired", "Private", "Update", "Prompt"]
    assert only(outcome.sent(BOB), wire.Prompt).deadline == 20_020


def test_a_seat_that_acted_before_its_time_was_up_hears_that_it_missed_no_turn() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek(), at=5_000)
    outcome = table.expire(10_001)
    told = [only(outcome.sent(player), wire.Expired) for player in (ALICE, BOB)]
    assert [(expired.acted, expired.left) for expired in told] == [(True, None), (False, 2)]


def test_an_action_that_waited_for_the_store_comes_before_the_clock() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    table.answers = False
    table.act(ALICE, bid(table, ALICE), at=9_990)
    table.act(BOB, bid(table, BOB), at=9_995)
    table.now = 60_000
    table.expire(60_000)
    table.commit()
    table.commit()
    assert table.room.match.asked == {CAROL}
    assert table.room.wake_at == 60_000 + 11
    table.answers = True
    assert table.expire(60_011).acted == [(CAROL, "clock")]


def test_time_stands_still_while_the_store_thinks() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek(), at=4_000)
    meanwhile = table.room.wake_at
    table.now = 500_000
    outcome = table.commit()
    assert only(outcome.sent(ALICE), wire.Prompt) == wire.Prompt(table.room.number, ALICE, 2, 4_000, 10_000)
    assert (meanwhile, table.room.wake_at) == (None, 506_001)
    table.answers = True
    assert table.act(ALICE, Peek(), at=506_000).acted == []
    assert table.act(ALICE, bid(table, ALICE), at=506_000).acted == [(ALICE, "player")]


def test_what_arrives_while_time_stands_still_is_dated_there() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek(), at=9_999)
    table.act(BOB, bid(table, BOB), at=20_000)
    table.now = 30_000
    table.commit()
    table.commit()
    assert table.room.match.asked == {ALICE}


def test_a_late_action_that_waited_behind_its_own_time_out_is_late_not_stale() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.expire(10_001)
    table.act(ALICE, bid(table, ALICE), turn=1)
    outcome = table.commit()
    verdict = only(outcome.sent(ALICE), wire.Verdict)
    assert verdict.code == codes.ACT_LATE
    assert verdict.receipt == wire.Receipt(10_000, 0, 10_001, 10_001)


def test_nobody_expires_before_the_sockets_were_polled() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    assert table.act(ALICE, bid(table, ALICE), at=10_050, arrived=9_999).acted == [(ALICE, "player")]
    assert table.act(BOB, bid(table, BOB), at=10_050, arrived=10_000).acted == [(BOB, "player")]
    assert table.room.wake_at == 10_001
    assert table.expire(10_051).acted == [(CAROL, "clock")]


def test_a_poll_that_began_before_the_deadline_does_not_count_although_it_ended_after_it() -> None:
    table = Table.playing(SEALED_BIDS)
    table.now = 9_700
    table.watch(200)
    table.now = 9_800
    table.watch(201)
    assert table.room.wake_at == 9_950
    assert table.expire(10_030).acted == []
    assert table.act(ALICE, bid(table, ALICE), at=10_031, arrived=9_999).acted == [(ALICE, "player")]
    assert table.room.wake_at == 10_001
    assert table.expire(10_032).acted == [(BOB, "clock")]


def test_a_pause_stops_the_clock_and_everybody_is_told() -> None:
    table = Table.playing(SEALED_BIDS)
    outcome = table.tell(Pause("store"), at=3_000)
    assert only(outcome.sent(BOB), wire.Paused) == wire.Paused(table.room.number, 3_000, "store")
    assert table.room.wake_at is None
    assert table.expire(90_000).acted == []
    assert only(table.watch().sent(SPECTATOR), wire.Paused).reason == "store"
    outcome = table.tell(Unpause(), at=100_000)
    assert only(outcome.sent(SPECTATOR), wire.Paused) == wire.Paused(table.room.number, 3_000, None)
    assert table.room.wake_at == 107_001


def test_a_paused_room_still_takes_actions() -> None:
    table = Table.playing(SEALED_BIDS)
    table.tell(Pause("admin"), at=3_000)
    assert table.act(ALICE, Peek(), at=50_000).acted == [(ALICE, "player")]
    assert table.room.match.at == 3_000
    assert table.room.wake_at is None


def test_pausing_twice_for_one_reason_says_nothing_and_another_reason_is_told() -> None:
    table = Table.playing(SEALED_BIDS)
    table.tell(Pause("store"))
    assert table.tell(Pause("store")).effects == []
    assert only(table.tell(Pause("admin")).sent(ALICE), wire.Paused).reason == "admin"
    table.tell(Unpause())
    assert table.tell(Unpause()).effects == []


def test_a_pause_during_an_append_outlasts_it() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek(), at=1_000)
    table.tell(Pause("store"), at=5_000)
    table.now = 6_000
    table.commit()
    assert table.room.wake_at is None
    table.tell(Unpause(), at=7_000)
    assert table.room.wake_at == 7_000 + 9_001


def test_a_detached_seat_keeps_its_clock() -> None:
    table = Table.playing(SEALED_BIDS)
    table.detach(ALICE)
    table.act(BOB, bid(table, BOB), at=2_000)
    assert table.expire(10_001).acted == [(ALICE, "clock")]


def test_a_whole_match_of_nobody_is_played_by_the_clock() -> None:
    table = Table.playing(SEALED_BIDS, 4)
    for seat in range(4):
        table.detach(seat)
    while table.room.wake_at is not None:
        table.expire(max(table.now, table.room.wake_at))
    assert table.room.is_over
    assert table.now == 4 * 10_001


def test_resigning_may_end_the_turn_and_starts_the_next_budget() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    table.act(ALICE, bid(table, ALICE), at=1_000)
    table.act(BOB, bid(table, BOB), at=2_000)
    table.now = 3_000
    outcome = table.request(Resign, CAROL)
    assert only(outcome.sent(ALICE), wire.Prompt).deadline == 13_000


def test_the_token_of_an_older_time_out_is_stale() -> None:
    table = Table.playing(SEALED_BIDS)
    table.expire(10_001)
    table.expire(20_002)
    assert only(table.act(ALICE, Peek(), turn=1).sent(ALICE), wire.Verdict).code == codes.ACT_STALE
    assert only(table.act(ALICE, Peek(), turn=2).sent(ALICE), wire.Verdict).code == codes.ACT_LATE


def test_an_arrival_before_the_last_standstill_is_dated_where_it_was() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    table.answers = False
    table.act(ALICE, Peek(), at=9_000)
    table.now = 50_000
    table.commit()
    table.tell(Act(Local(BOB), 9, 1, b"\xc1", arrived=8_500), at=60_000)
    verdict = only(table.messages(BOB), wire.Verdict)
    assert verdict.code == codes.ACT_MALFORMED


def test_a_timer_that_was_set_before_an_append_does_not_end_a_turn_early() -> None:
    """Room time stood still for 5 ms, so what was read up to the old moment is not all that counts."""
    table = Table.playing(SEALED_BIDS)
    armed = table.room.wake_at
    assert armed == 10_001
    table.answers = False
    table.act(ALICE, bid(table, ALICE), at=1_000)
    table.answers = True
    table.now = 1_005
    table.commit()
    assert table.room.wake_at == armed + 5
    assert table.tell(Expire(armed), at=armed + 9).acted == []
    assert table.tell(Expire(armed + 5)).acted == [(BOB, "clock")]
