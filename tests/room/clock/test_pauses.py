"""Pauses: the clock stands still while there is any reason, and viewers learn the current one."""

from room_table import ALICE, BOB, SPECTATOR, Table, kinds, only
from sealed_bids import GAME, Bid, Peek

from warroom_games.log import Agreed, decode_entry
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.room.commands import Offer, Pause, Resign, Unpause


def playing(**room_options: object) -> Table:
    return Table.playing(GAME, room_options={"pause_ms": 60_000, **room_options})


def agree(table: Table, what: str, at: int) -> list[wire.ServerMessage]:
    """Let both make an offer; return the messages to Bob, the second."""
    table.now = at
    table.request(Offer, ALICE, what=what, on=True)
    return table.request(Offer, BOB, what=what, on=True).sent(BOB)


def paused(table: Table, at: int, reason: str | None, left_ms: int | None = None) -> wire.Paused:
    return wire.Paused(table.room.number, at, reason, left_ms)


def settled(table: Table) -> int | None:
    """Run everything that is due at once, and return the next wake-up time."""
    while (wake_at := table.room.wake_at) is not None and wake_at <= table.now:
        table.expire(table.now)
    return table.room.wake_at


def test_an_agreed_pause_holds_the_clock_from_its_entry_on_and_everybody_is_told_how_long() -> None:
    table = playing()
    table.watch()
    assert only(agree(table, "pause", 3_000), wire.Paused) == paused(table, 3_000, "agreed", 60_000)
    assert table.messages(SPECTATOR)[-1] == paused(table, 3_000, "agreed", 60_000)
    assert settled(table) == 63_000
    assert table.expire(50_000).acted == []
    assert only(agree(table, "resume", 50_000), wire.Paused) == paused(table, 3_000, None)
    assert settled(table) == 57_001


def test_actions_are_refused_meanwhile_and_nothing_is_lost_by_it() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    refused = only(table.act(ALICE, Peek(), at=9_000).sent(ALICE), wire.Verdict)
    assert (refused.code, refused.detail) == (codes.ACT_PAUSED, codes.REFUSALS[codes.ACT_PAUSED])
    agree(table, "resume", 20_000)
    assert table.act(ALICE, Peek(), at=26_999).acted == [(ALICE, "player")]


def test_a_pause_ends_by_itself() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    settled(table)
    outcome = table.expire(63_000)
    assert decode_entry(table.log[-1].entry) == Agreed(3_000, "resume")
    assert only(outcome.sent(ALICE), wire.Paused) == paused(table, 3_000, None)
    assert settled(table) == 70_001


def test_the_end_of_a_pause_waits_for_the_store_without_asking_again_and_again() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    settled(table)
    table.answers = False
    table.expire(63_000)
    assert (len(table.waiting), table.room.wake_at) == (1, None)
    table.now = 90_000
    table.commit()
    assert not table.room.match.is_halted
    assert settled(table) == 97_001


def test_whoever_comes_in_is_told_how_long_it_can_still_last() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    table.now = 23_000
    assert only(table.watch().sent(SPECTATOR), wire.Paused) == paused(table, 3_000, "agreed", 40_000)


def test_a_store_outage_in_an_agreed_pause_is_told_and_the_pause_goes_on_after_it() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    assert table.tell(Pause("store"), at=4_000).sent(BOB) == [paused(table, 3_000, "store")]
    assert table.tell(Unpause(), at=9_000).sent(BOB) == [paused(table, 3_000, "agreed", 54_000)]
    agree(table, "resume", 10_000)
    assert settled(table) == 17_001


def test_an_agreed_pause_in_a_store_outage_changes_nothing_that_is_told() -> None:
    table = playing()
    table.tell(Pause("store"), at=2_000)
    assert "Paused" not in kinds(agree(table, "pause", 3_000))
    assert "Paused" not in kinds(agree(table, "resume", 4_000))
    assert settled(table) is None
    assert table.tell(Unpause(), at=5_000).sent(BOB)[-1] == paused(table, 2_000, None)
    assert settled(table) == 13_001


def test_a_pause_holds_again_after_a_restart_and_begins_to_count_anew() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    table.now = 50_000
    table.restart()
    table.tell(Pause("restart"))
    table.join(ALICE)
    table.join(BOB)
    assert table.tell(Unpause(), at=51_000).sent(ALICE)[0] == paused(table, 3_000, "agreed", 59_000)
    assert settled(table) == 110_000
    agree(table, "resume", 60_000)
    assert settled(table) == 67_001


def test_a_pause_goes_on_with_the_next_owner_and_ends_when_it_would_have_ended() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    for at in (23_000, 43_000):
        table.now = at
        table.hand_over()
    assert only(table.join(ALICE).sent(ALICE), wire.Paused) == paused(table, 3_000, "agreed", 20_000)
    assert settled(table) == 63_000


def test_a_room_that_is_handed_over_between_two_pauses_has_all_of_the_second() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    agree(table, "resume", 23_000)
    table.hand_over()
    for player in (ALICE, BOB):
        table.join(player)
    assert only(agree(table, "pause", 24_000), wire.Paused).left_ms == 60_000


def test_a_pause_stops_what_has_not_expired_yet_although_it_could_have() -> None:
    table = playing()
    table.act(BOB, Bid(table.room.match.state.secrets[BOB].hand[0]), at=1_000)
    agree(table, "pause", 10_050)
    assert table.expire(20_000).acted == []
    agree(table, "resume", 30_000)
    settled(table)
    assert table.room.match.turn == 2


def test_the_end_of_the_match_ends_the_pause() -> None:
    table = playing()
    agree(table, "pause", 3_000)
    outcome = table.request(Resign, ALICE)
    assert table.room.is_over
    assert only(outcome.sent(BOB), wire.Paused) == paused(table, 3_000, None)
