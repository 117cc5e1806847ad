"""A store that comes back without the end of a room's log, in virtual time: refilled, or rolled back and announced."""

from typing import Any, Literal

import pytest
from room_table import ALICE, BOB, SPECTATOR, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Bid, Peek

from warroom_games.log import LogError, RolledBack, StoodIn
from warroom_games.match import Match
from warroom_games.registry import Registry
from warroom_games.replay import seal, steps, verify
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_server.ports.store import LogEntry
from warroom_server.room import log_fold as ledger_module
from warroom_server.room.commands import Behind, Command, Committed, Fenced, Leave, Lost, Repair
from warroom_server.room.effects import Append, Drop
from warroom_server.room.log_fold import KEPT, LogFold
from warroom_server.room.match_messages import counts

LONG = {"rounds": 10, "cards": 20, "peeks": 5}


def bid(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[0])


def thinking(**settings: Any) -> Table:
    """Return a table in the midst of a match, with nothing on its way to the store."""
    table = Table.playing(SEALED_BIDS, options=LONG, **settings)
    for _ in range(3):
        for seat in (ALICE, BOB):
            table.act(seat, bid(table, seat), at=table.now + 1_000)
    table.answers = False
    return table


def in_flight(table: Table) -> Append:
    [append] = table.waiting
    return append


def cut(table: Table, head: int, life: int) -> None:
    """Let the store have only *head* entries, and another owner go on from there in another life."""
    del table.log[head:]
    table.restart()
    match = table.room.match
    advanced = match.advance(RolledBack(match.at, life))
    table.log.append(LogEntry(advanced.match.rev, advanced.entry, advanced.match.chain))
    table.restart()
    table.answers = True
    table.clear()


class TestARoomThatNobodyPlaysIn:
    def test_it_writes_its_last_entry_again_to_be_sure_and_goes_on(self) -> None:
        table = thinking()
        newest = table.log[-1]
        assert table.tell(Repair()).effects == [Append(newest.rev, newest.entry, newest.chain)]
        table.waiting.clear()
        outcome = table.tell(Committed(newest.rev))
        assert outcome.effects == []
        assert table.tell(Repair()).effects != []

    def test_what_the_store_lost_is_written_again_in_order(self) -> None:
        table = thinking()
        whole = list(table.log)
        table.tell(Repair())
        assert table.forget(4).messages == []
        while table.waiting:
            assert table.commit().messages == []
        assert table.log == whole

    def test_its_clock_stands_still_meanwhile(self) -> None:
        table = thinking(turn_ms=10_000)
        due = table.room.wake_at
        assert due is not None
        table.tell(Repair(), at=due - 5)
        assert table.room.wake_at is None
        table.waiting.clear()
        table.tell(Committed(len(table.log)), at=due + 60_000)
        assert table.room.wake_at == due + 60_000 + 5

    def test_what_is_asked_meanwhile_is_judged_as_of_its_arrival(self) -> None:
        table = thinking()
        rev = table.room.match.rev
        table.tell(Repair())
        assert table.act(ALICE, bid(table, ALICE), id=900).messages == []
        table.waiting.clear()
        table.tell(Committed(rev))
        verdict = only(table.commit().sent(ALICE), wire.Verdict)
        assert (verdict.id, verdict.code) == (900, None)

    def test_an_action_that_was_accepted_before_is_answered_at_once(self) -> None:
        table = thinking()
        table.answers = True
        accepted = only(table.act(ALICE, bid(table, ALICE), id=900).sent(ALICE), wire.Verdict)
        table.answers = False
        table.tell(Repair())
        assert table.act(ALICE, Peek(), id=900).sent(ALICE) == [accepted]

    def test_an_entry_on_its_way_tells_as_much_itself(self) -> None:
        table = thinking()
        table.act(ALICE, Peek())
        assert table.tell(Repair()).effects == []
        assert len(table.waiting) == 1


@pytest.mark.parametrize("kind", [Behind, Lost])
@pytest.mark.parametrize("has_action", [False, True], ids=["nobody acts", "an action is on its way"])
def test_wherever_the_log_was_cut_it_is_whole_again_and_nobody_sees_anything_but_what_was_asked_for(
    kind: type[Behind] | type[Lost], has_action: bool
) -> None:
    for head in range(len(thinking().log) + 1):
        table = thinking()
        if has_action:
            table.act(ALICE, Peek(), id=900)
        else:
            table.tell(Repair())
        whole: list[LogEntry | Append] = [*table.log, *table.waiting] if has_action else list(table.log)
        table.waiting.clear()
        del table.log[head:]
        sent = table.tell(kind(head)).messages if head < len(whole) else []
        while table.waiting:
            sent += table.commit().messages
        assert [(logged.rev, logged.entry, logged.chain) for logged in table.log] == [
            (known.rev, known.entry, known.chain) for known in whole
        ]
        assert kinds([message for _, message in sent]) == (["Private", "Verdict", "Prompt"] if has_action else [])


class TestAStoreThatForgotWhoseTheRoomIs:
    def test_it_is_told_again_with_the_first_entry_that_it_lacks(self) -> None:
        table = thinking()
        table.act(ALICE, Peek())
        whole: list[LogEntry | Append] = [*table.log, in_flight(table)]
        table.waiting.clear()
        head = len(table.log) - 3
        [revival] = table.tell(Lost(head)).effects
        missing = whole[head]
        assert revival == Append(missing.rev, missing.entry, missing.chain, revives=whole[head - 1].chain)

    def test_an_empty_store_gets_everything_from_the_opening_on(self) -> None:
        table = thinking()
        whole = list(table.log)
        table.tell(Repair())
        table.waiting.clear()
        table.log.clear()
        [first] = table.tell(Lost(0)).effects
        assert first == Append(1, whole[0].entry, whole[0].chain, revives=b"")
        while table.waiting:
            table.commit()
        assert table.log == whole

    def test_a_room_with_one_entry_is_written_again_too(self) -> None:
        table = Table(SEALED_BIDS, answers=False)
        opening = table.log[0]
        assert table.tell(Repair()).effects == [Append(1, opening.entry, opening.chain)]
        table.waiting.clear()
        assert table.tell(Lost(0)).effects == [Append(1, opening.entry, opening.chain, revives=b"")]

    @pytest.mark.parametrize("is_restored", [False, True])
    def test_it_knows_the_entries_of_its_history_from_others(self, is_restored: bool) -> None:
        table = thinking()
        if is_restored:
            table.restart()
        known = {(entry.rev, entry.chain) for entry in table.log}
        asked = {(rev, chain) for rev in range(len(table.log) + 2) for _, chain in known}
        assert {(rev, chain) for rev, chain in asked if table.room.has_entry(rev, chain)} == known

    def test_it_tells_apart_what_it_has_forgotten_and_what_it_never_had(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ledger_module, "KEPT", 1)
        monkeypatch.setattr(ledger_module, "KEPT_MS", -1)
        table = thinking()
        head = table.room.match.rev
        assert head > 2
        forgotten = [table.room.has_forgotten(rev) for rev in range(1, head + 2)]
        assert forgotten == [True] * (head - 1) + [False, False]

    def test_another_owner_ends_it(self) -> None:
        table = thinking()
        table.tell(Repair())
        assert table.tell(Fenced()).effects == [Drop()]


@pytest.mark.parametrize(
    ("ms_each", "is_kept"), [pytest.param(50, True, id="half a minute ago"), pytest.param(200, False, id="long ago")]
)
def test_whatever_was_written_in_the_last_minute_is_kept_however_much_it_was(ms_each: int, is_kept: bool) -> None:
    log = LogFold(Table.playing(SEALED_BIDS).room.match)
    first = log.match.rev + 1
    for number in range(KEPT + 100):
        log.adopt(log.prepare(StoodIn(number * ms_each, ALICE, f"bot {number}", "Bot", "bot")))
    assert (log.written(first) is not None) == is_kept
    assert log.written(log.match.rev - KEPT + 1) is not None


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Behind(99), id="more written than we know"),
        pytest.param(Lost(99), id="more written by somebody else"),
        pytest.param(Fenced(), id="another owner"),
    ],
)
def test_a_history_that_is_not_ours_is_left_to_its_owner(answer: Command) -> None:
    table = thinking()
    table.act(ALICE, Peek())
    assert table.tell(answer).effects == [Drop()]


@pytest.mark.parametrize(("head", "history"), [(70, "cut"), (0, "gone")])
@pytest.mark.parametrize("kind", [Behind, Lost])
def test_a_room_whose_new_owner_never_saw_what_is_missing_is_given_up(
    head: int, history: Literal["cut", "gone"], kind: type[Behind] | type[Lost]
) -> None:
    table = Table(SEALED_BIDS)
    for _ in range(70):
        table.join(ALICE)
        table.request(Leave, ALICE)
    table.restart(1)
    table.answers = False
    table.join(ALICE)
    assert table.tell(kind(head)).effects == [Drop(history)]
    assert table.room.wake_at is None


def test_a_room_is_not_taken_up_again_from_an_entry_that_its_owner_never_saw() -> None:
    table = Table(SEALED_BIDS)
    for _ in range(70):
        table.join(ALICE)
        table.request(Leave, ALICE)
    table.restart(1)
    head, _ = table.snapshots[1]
    table.answers = False
    table.join(ALICE)
    assert table.tell(Lost(head)).effects == [Drop("cut")]


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
