"""The answers of the store, restarts, and bugs in a game."""

from typing import Any

import pytest
from bot_claims import Agency
from room_table import ALICE, BOB, CAROL, SPECTATOR, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Action, Bid, Peek, SealedBids, State

from warroom_games.api import Seat, Step
from warroom_games.codec import encode
from warroom_games.graph_battle.actions import EndTurn
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.log import LogError, Sat
from warroom_games.registry import Registry
from warroom_games.replay import seal, verify
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.codec import decode_server
from warroom_server.ports.store import Fenced, LogEntry, StoredRoom
from warroom_server.room.commands import Leave, Reclaim, Void
from warroom_server.room.effects import Archive, Drop
from warroom_server.room.log_fold import LogFold
from warroom_server.room.room import Room
from warroom_server.room.streams import STORED
from warroom_server.room.viewer_addresses import Local


def bid(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[0])


def come_and_go(table: Table, count: int) -> None:
    """Fill the log with this many entries of a player who joins and leaves."""
    for _ in range(count // 2):
        table.join(ALICE)
        table.request(Leave, ALICE)


def brawl(table: Table, count: int) -> None:
    """Play this many actions of Graph Battle, one per second, some of them attacks."""
    for number in range(count):
        [seat] = table.room.match.asked
        actions = list(GRAPH_BATTLE.legal_actions(table.room.match.state, seat))
        table.act(seat, actions[number * 7919 % len(actions)], at=table.now + 1_000)


def replayed(table: Table, seat: int, since: int = 0) -> list[bytes]:
    """Return every frame of the streams of a seat after public number *since*."""
    table.clear()
    table.join(seat, position=wire.Position(1, since, 0))
    return [data for data in table.payloads[seat] if isinstance(decode_server(data), wire.Update | wire.Private)]


def test_a_fenced_room_falls_silent() -> None:
    table = Table.playing(SEALED_BIDS)
    table.answers = False
    table.act(ALICE, Peek())
    assert table.tell(Fenced()).effects == [Drop()]
    assert table.act(BOB, Peek()).effects == []
    assert table.tell(Void("test")).effects == []
    assert table.room.wake_at is None


def test_a_snapshot_is_saved_every_64_entries() -> None:
    table = Table(SEALED_BIDS)
    come_and_go(table, 130)
    assert [rev for rev, _ in table.snapshots] == [64, 128]


def test_a_log_replayed_on_another_node_makes_the_same_frames() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    for _ in range(3):
        table.act(ALICE, Peek())
        for seat in range(3):
            table.act(seat, bid(table, seat), at=table.now + 100)
    first = {seat: replayed(table, seat) for seat in range(3)}
    table.restart()
    assert {seat: replayed(table, seat) for seat in range(3)} == first
    assert len(first[ALICE]) == 4 + 4 + 3 + 2


@pytest.mark.parametrize("snapshot", [None, 0, 1])
def test_a_restored_room_goes_on_exactly_where_it_was(snapshot: int | None) -> None:
    table = Table.playing(GRAPH_BATTLE, 5)
    brawl(table, 140)
    last = table.act(min(table.room.match.asked), EndTurn(), id=77)
    verdict = next(message for _, message in last.messages if isinstance(message, wire.Verdict))
    before = table.room.match
    frames = replayed(table, ALICE, since=verdict.p - STORED)
    table.restart(snapshot)
    assert table.room.match == before
    assert replayed(table, ALICE, since=verdict.p - STORED) == frames
    assert len(frames) == STORED
    for seat in range(5):
        table.join(seat)
    sender = next(seat for seat in range(5) if any(isinstance(each, wire.Verdict) for each in last.sent(seat)))
    assert table.act(sender, EndTurn(), id=77).sent(sender) == [verdict]


@pytest.mark.parametrize("snapshot", [None, 0])
def test_the_verdict_of_the_last_action_is_sent_again_after_a_restart(snapshot: int | None) -> None:
    table = Table(SEALED_BIDS, seats=2)
    come_and_go(table, 58)
    table.join(ALICE)
    table.join(BOB)
    verdict = only(table.act(ALICE, bid(table, ALICE), id=77).sent(ALICE), wire.Verdict)
    table.act(BOB, Peek())
    assert [rev for rev, _ in table.snapshots] == [len(table.log)]
    table.restart(snapshot)
    assert only(table.join(ALICE, position=wire.Position(1, 1, 2)).sent(ALICE), wire.Verdict) == verdict


class Endless(SealedBids):
    """Sealed bids in which anybody may peek any number of times, without seeing anything."""

    def check(self, state: State, seat: Seat, action: Action) -> None:
        if not isinstance(action, Peek):
            super().check(state, seat, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        return Step(state) if isinstance(action, Peek) else super().apply(state, seat, action)


def peeks(table: Table, count: int) -> list[tuple[int, int]]:
    """Let Alice and Bob peek in turn this many times; return seats and ids of the actions, all accepted."""
    made = [(number % 2, 1_000 + number) for number in range(count)]
    for seat, action_id in made:
        assert only(table.act(seat, Peek(), id=action_id).sent(seat), wire.Verdict).code is None
    return made


@pytest.mark.parametrize("snapshot", [0, -1], ids=["the first snapshot", "the last one"])
def test_every_accepted_id_stays_accepted_on_another_node(snapshot: int) -> None:
    table = Table.playing(Endless())
    made = peeks(table, 260)
    table.restart(snapshot)
    for seat in (ALICE, BOB):
        table.join(seat)
    head = len(table.log)
    for seat, action_id in made:
        verdict = only(table.act(seat, Peek(), id=action_id, turn=1).sent(seat), wire.Verdict)
        assert (verdict.id, verdict.code) == (action_id, None)
    assert len(table.log) == head, "nothing was applied twice"
    assert only(table.act(BOB, Peek(), id=made[0][1], turn=1).sent(BOB), wire.Verdict).code == codes.ACT_STALE


def test_the_verdict_on_an_action_of_long_ago_has_no_numbers() -> None:
    table = Table.playing(Endless())
    peeks(table, 140)
    table.restart(-1)
    table.join(ALICE)
    verdict = only(table.act(ALICE, Peek(), id=1_000, turn=1).sent(ALICE), wire.Verdict)
    assert verdict == wire.Verdict(table.room.number, 1_000, None, None, 0, 0, None)


def test_a_snapshot_does_not_grow_with_the_match() -> None:
    table = Table.playing(Endless())
    peeks(table, 1_000)
    sizes = [len(data) for _, data in table.snapshots]
    assert len(sizes) == 15
    assert max(sizes) - min(sizes) < 32


def test_a_bot_that_stood_in_long_ago_keeps_its_verdicts_as_well() -> None:
    table = Table.playing(Endless(), turn_ms=3_600_000, room_options={"grace_ms": 3_000})
    agency = Agency(table)
    table.detach(BOB)
    (bot,) = agency.hire(agency.wait(table.now + 3_500))
    player = table.room.match.holder(BOB).player
    turn = table.room.match.decisions[BOB]
    assert only(table.act(bot, bid(table, BOB), id=77, turn=turn).sent(bot), wire.Verdict).code is None
    table.join(BOB)
    table.request(Reclaim, BOB)
    table.act(ALICE, bid(table, ALICE))
    assert table.room.match.stand_in(BOB) is None
    peeks(table, 140)
    verdicts = LogFold.restore(table.game, table.stored(-1)).verdicts_of(player)
    assert verdicts is not None
    found = verdicts.find(77)
    assert found is not None
    assert found.code is None


def test_after_a_restart_room_time_goes_on_from_the_last_entry() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek(), at=4_000)
    table.now = 1_000_000
    table.restart()
    assert table.room.wake_at == 1_000_000 + 6_001


def test_a_viewer_resumes_after_a_restart_with_what_it_missed() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek())
    position = wire.Position(1, 1, 1)
    table.restart()
    outcome = table.join(ALICE, position=position)
    assert kinds(outcome.sent(ALICE)) == ["Resumed", "Private", "Prompt", "Verdict", "Seats", "Paused", "Offers"]


def test_a_room_that_was_full_but_not_started_starts_after_the_restart() -> None:
    table = Table(SEALED_BIDS, answers=False)
    table.join(ALICE)
    table.commit()
    table.join(BOB)
    table.commit()
    table.restart()
    table.answers = True
    assert table.room.wake_at == 0
    assert only(table.join(CAROL).sent(CAROL), wire.Error).code == codes.ROOM_FULL
    table.expire(table.now)
    assert table.room.match.phase == "playing"


def test_a_match_that_ended_but_was_not_archived_is_archived_after_the_restart() -> None:
    table = Table.playing(SEALED_BIDS)
    table.tell(Void("test"))
    table.restart()
    woken_at = table.room.wake_at
    assert woken_at == 0
    assert table.expire(woken_at).effects == [Archive()]
    assert table.room.wake_at is None
    assert only(table.watch().sent(SPECTATOR), wire.Ended).reason == "void"


def test_the_log_of_a_finished_match_is_its_replay() -> None:
    table = Table.playing(SEALED_BIDS, 3, seating="random", options={"rounds": 2})
    while table.room.wake_at is not None:
        table.expire(max(table.now, table.room.wake_at))
    verified = verify(seal(table.log), Registry([SEALED_BIDS]))
    assert verified.result == table.room.match.result
    assert verified.chain == table.log[-1].chain


def test_a_log_that_does_not_hold_is_not_gone_on_with() -> None:
    table = Table.playing(SEALED_BIDS)
    table.act(ALICE, Peek())
    first, *middle, last = table.log
    broken: dict[str, list[LogEntry]] = {
        "must start with the opening": [],
        "must start with the opening of its room": [LogEntry(1, encode(Sat(0, "alice", "Alice")), bytes(32))],
        "entry 1 is not": [LogEntry(1, first.entry, bytes(32))],
        f"entry {last.rev} is not": [first, *middle, LogEntry(last.rev, last.entry, bytes(32))],
        "entry 5: the match has started": [first, *middle, *middle],
    }
    for reason, entries in broken.items():
        with pytest.raises(LogError, match=reason):
            Room.restore(SEALED_BIDS, StoredRoom(1, "node", 1, None, tuple(entries)), 0)


class Buggy(SealedBids):
    """Sealed bids that fail when a player peeks."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        if isinstance(action, Peek):
            raise ZeroDivisionError
        return super().apply(state, seat, action)


def test_a_bug_in_a_game_shows_before_anything_is_stored_and_leaves_the_room_as_it_was() -> None:
    table = Table.playing(Buggy())
    before, log = table.room.match, list(table.log)
    with pytest.raises(ZeroDivisionError):
        table.act(ALICE, Peek())
    assert table.room.match is before
    assert table.log == log
    assert table.room.salvage() == []
    assert table.act(ALICE, bid(table, ALICE)).acted == [(ALICE, "player")]


def test_what_was_decided_before_a_bug_is_not_lost_and_the_room_can_be_ended() -> None:
    table = Table.playing(Buggy())
    table.answers = False
    table.act(ALICE, bid(table, ALICE))
    table.act(BOB, Peek(), id=502)
    with pytest.raises(ZeroDivisionError):
        table.commit()
    saved: list[Any] = table.room.salvage()
    assert [type(effect).__name__ for effect in saved] == ["SendAll", "Send", "Send"]
    refused = decode_server(saved[-1].payload)
    assert isinstance(refused, wire.Verdict)
    assert (saved[-1].viewer, refused.id, refused.code) == (Local(BOB), 502, codes.INTERNAL)
    assert table.room.salvage() == []
    table.answers = True
    ended = only(table.tell(Void("internal")).sent(ALICE), wire.Ended)
    assert ended.reason == "void"
