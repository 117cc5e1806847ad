"""A store that returns without the end of a room's log."""

from typing import Any

import pytest
from room_table import ALICE, BOB, SPECTATOR, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid, Peek

from warroom_games.log import LogError, RolledBack
from warroom_games.match import Match
from warroom_games.registry import Registry
from warroom_games.replay import seal, steps, verify
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.ports.store import LogEntry
from warroom_server.room.commands import Leave
from warroom_server.room.match_messages import counts

LONG = {"rounds": 10, "cards": 20, "peeks": 5}


def bid(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[0])


def thinking(**settings: Any) -> Table:
    """Return a table in the middle of a match, without a pending append."""
    table = Table.playing(SEALED_BIDS, options=LONG, **settings)
    for _ in range(3):
        for seat in (ALICE, BOB):
            table.act(seat, bid(table, seat), at=table.now + 1_000)
    table.answers = False
    return table


def cut(table: Table, head: int, life: int) -> None:
    """Cut the log to *head* entries, and let another owner continue from there in another life."""
    del table.log[head:]
    table.restart()
    match = table.room.match
    advanced = match.advance(RolledBack(match.at, life))
    table.log.append(LogEntry(advanced.match.rev, advanced.entry, advanced.match.chain))
    table.restart()
    table.answers = True
    table.clear()


class TestAfterARollBack:
    def test_whoever_comes_back_gets_the_notice_and_a_snapshot_of_the_new_life(self) -> None:
        table = thinking()
        p = table.room.match.turn
        cut(table, len(table.log) - 3, life=2)
        for viewer in (ALICE, BOB):
            sent = table.join(viewer, position=wire.Position(1, p, 0)).sent(viewer)
            assert kinds(sent)[:3] == ["Joined", "Snapshot", "Notice"]
            assert only(sent, wire.Joined).life == only(sent, wire.Snapshot).life == 2
            assert only(sent, wire.Notice).code == codes.NOTICE_ROLLED_BACK
        assert only(table.watch().sent(SPECTATOR), wire.Notice).code == codes.NOTICE_ROLLED_BACK

    def test_whoever_saw_the_notice_resumes_without_it(self) -> None:
        table = thinking()
        cut(table, len(table.log) - 3, life=2)
        snapshot = only(table.join(BOB).sent(BOB), wire.Snapshot)
        table.act(BOB, Peek())
        position = wire.Position(snapshot.life, snapshot.p, snapshot.q)
        sent = table.join(BOB, position=position).sent(BOB)
        assert kinds(sent)[:2] == ["Resumed", "Private"]
        assert "Notice" not in kinds(sent)

    def test_an_action_that_was_lost_may_be_played_again(self) -> None:
        table = thinking()
        table.answers = True
        head = len(table.log)
        table.act(ALICE, bid(table, ALICE), id=900)
        cut(table, head, life=2)
        table.join(ALICE)
        assert only(table.act(ALICE, bid(table, ALICE), id=900).sent(ALICE), wire.Verdict).code is None

    def test_an_action_that_was_not_lost_stays_accepted(self) -> None:
        table = thinking()
        table.answers = True
        accepted = only(table.act(ALICE, bid(table, ALICE), id=900).sent(ALICE), wire.Verdict)
        head = len(table.log)
        table.act(BOB, bid(table, BOB))
        cut(table, head, life=2)
        table.join(ALICE)
        assert table.act(ALICE, Peek(), id=900).sent(ALICE) == [accepted]

    def test_its_result_does_not_count_and_its_replay_holds(self) -> None:
        table = thinking()
        cut(table, len(table.log) - 3, life=2)
        while table.room.wake_at is not None:
            table.expire(max(table.now, table.room.wake_at))
        result = table.room.match.result
        assert result is not None
        assert result.ranks
        assert not counts(table.room.match)
        registry = Registry([SEALED_BIDS])
        assert verify(seal(table.log), registry).result == result
        assert [step.kind for step in steps(seal(table.log), registry)].count("roll_back") == 1

    def test_a_match_that_was_never_cut_counts(self) -> None:
        table = thinking()
        table.answers = True
        while table.room.wake_at is not None:
            table.expire(max(table.now, table.room.wake_at))
        assert counts(table.room.match)

    def test_another_owner_knows_it_from_a_snapshot_alone(self) -> None:
        table = Table(SEALED_BIDS)
        for _ in range(10):
            table.join(ALICE)
            table.request(Leave, ALICE)
        cut(table, 11, life=2)
        for _ in range(30):
            table.join(ALICE)
            table.request(Leave, ALICE)
        table.restart(0)
        assert table.room.match.life == 2

    def test_room_time_goes_on_from_the_last_entry_that_is_left(self) -> None:
        table = thinking(turn_ms=10_000)
        cut(table, len(table.log) - 2, life=2)
        match = table.room.match
        assert match.deadline is not None
        assert table.room.wake_at == table.now + match.deadline - match.at + 1


class TestTheEntry:
    def played(self) -> Match:
        return thinking().room.match

    @pytest.mark.parametrize("life", [1, 2])
    def test_a_life_is_never_lived_twice(self, life: int) -> None:
        match = self.played()
        second = match.advance(RolledBack(match.at, 2)).match
        with pytest.raises(LogError, match=f"life {life} cannot follow life 2"):
            second.advance(RolledBack(match.at, life))

    def test_a_match_that_is_over_has_no_other_life(self) -> None:
        table = thinking()
        table.answers = True
        while table.room.wake_at is not None:
            table.expire(max(table.now, table.room.wake_at))
        with pytest.raises(LogError, match="of a match that is ended"):
            table.room.match.advance(RolledBack(table.room.match.at, 2))

    def test_time_does_not_go_back(self) -> None:
        match = self.played()
        with pytest.raises(LogError, match="room time goes back"):
            match.advance(RolledBack(match.at - 1, 2))
