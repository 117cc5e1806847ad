"""Actions that wait go to the store together, and nobody can tell: each is judged, shown and answered by itself."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from benchmarks.tiles49 import GAME as TILES
from benchmarks.tiles49 import WIDTH, Move
from hypothesis import given
from hypothesis import strategies as st
from hypothesis_effort import fewer
from msgspec.structs import replace
from room_table import ALICE, BOB, CAROL, DAVE, SPECTATOR, Outcome, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import Action, Bid, Peek, SealedBids, State

from warroom_games.api import Event, IllegalActionError, Seat, Step
from warroom_games.codec import encode
from warroom_games.log import Acted, Resigned, decode_entry
from warroom_games.replay import seal
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.codec import decode_server
from warroom_server.ports.store import SNAPSHOT_EVERY, Append, Fenced
from warroom_server.room.commands import Act, Expire, Lag, Leave, Legal, Pause, Resign, Unpause, Void
from warroom_server.room.effects import Drop, Effect, Send
from warroom_server.room.request_queue import PER_SEAT
from warroom_server.room.room import Room
from warroom_server.room.viewer_addresses import Local

TAB = 70
"""Another connection of a player who is already connected."""
RETURNED = 200
"""The first of the connections of those who come back."""
ERIN = 4
"""The last seat of the 49 tiles."""
TURN_MS = 10_000


def lowest(table: Table, seat: int) -> Bid:
    return Bid(table.room.match.state.secrets[seat].hand[0])


def tile(seat: int, column: int) -> int:
    return seat * WIDTH + column


def move(seat: int, *, n: int, f: int = 0, t: int = 1) -> Move:
    """Return a move between two columns of the row that belongs to a seat."""
    return Move(tile(seat, f), tile(seat, t), n, 0)


def thinking(table: Table) -> Table:
    """Let the store of a table think until it is asked to `commit`; Alice peeks, which it thinks about first."""
    table.answers = False
    table.act(ALICE, Peek(), id=500)
    assert len(table.waiting) == 1
    return table


def revs(table: Table) -> list[int]:
    """Return what is with the store."""
    return [append.rev for append in table.waiting]


def senders(table: Table) -> list[tuple[int, int]]:
    """Return seats and ids of the actions that are with the store."""
    entries = [decode_entry(append.entry) for append in table.waiting]
    return [(entry.seat, entry.id) for entry in entries if isinstance(entry, Acted)]


def verdicts(messages: Sequence[wire.ServerMessage]) -> list[tuple[int, str | None]]:
    return [(message.id, message.code) for message in messages if isinstance(message, wire.Verdict)]


def is_silent(outcome: Outcome, *connections: int) -> bool:
    return not any(outcome.sent(connection) for connection in connections)


# --- together to the store, one by one to the viewers -------------------------------------------------------------


def test_all_that_waits_goes_to_the_store_as_soon_as_it_has_answered() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    head = len(table.log)
    for seat in (BOB, CAROL, DAVE):
        assert table.act(seat, Peek()).effects == []
    outcome = table.commit()
    assert revs(table) == [head + 2, head + 3, head + 4]
    assert [type(effect) for effect in outcome.effects if isinstance(effect, Append)] == [Append] * 3
    assert [seat for seat, _ in senders(table)] == [BOB, CAROL, DAVE]
    for left in (2, 1, 0):
        assert not any(isinstance(effect, Append) for effect in table.commit().effects)
        assert len(table.waiting) == left


def test_nothing_of_a_group_is_shown_or_answered_before_its_own_commit() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    for seat in (BOB, CAROL, DAVE):
        table.act(seat, Peek(), id=500 + seat)
    before = table.room.match.rev
    outcome = table.commit()
    assert kinds(outcome.sent(ALICE)) == ["Private", "Verdict", "Prompt"]
    assert is_silent(outcome, BOB, CAROL, DAVE)
    for number, seat in enumerate((BOB, CAROL, DAVE), 2):
        outcome = table.commit()
        assert table.room.match.rev == before + number
        assert kinds(outcome.sent(seat)) == ["Private", "Verdict", "Prompt"]
        assert verdicts(outcome.sent(seat)) == [(500 + seat, None)]
        assert is_silent(outcome, *(other for other in range(4) if other != seat))


def test_the_public_frames_of_a_group_are_numbered_one_after_the_other() -> None:
    table = Table.playing(TILES, 5)
    table.watch()
    table.answers = False
    for seat in range(5):
        table.act(seat, move(seat, n=1 + seat), id=500 + seat)
    first = table.room.match.state.version
    for seat in range(5):
        outcome = table.commit()
        update, verdict = only(outcome.sent(SPECTATOR), wire.Update), only(outcome.sent(seat), wire.Verdict)
        assert (update.p, verdict.p, verdict.id, verdict.code) == (2 + seat, 2 + seat, 500 + seat, None)
        assert table.room.match.state.version == first + 1 + seat
        tiles = table.room.match.state.tiles
        assert [tiles[tile(each, 0)].troops for each in range(5)] == [
            999 - each if each <= seat else 1000 for each in range(5)
        ]


class Announced(SealedBids):
    """Sealed bids in which everybody sees who has bid."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        step = super().apply(state, seat, action)
        said = (Event({"type": "ready", "seat": seat}),) if isinstance(action, Bid) else ()
        return replace(step, events=(*step.events, *said))


def test_a_private_frame_follows_the_public_one_that_precedes_it_in_its_group() -> None:
    table = Table.playing(Announced(), 4)
    table.now = 1_000
    thinking(table)
    table.act(BOB, lowest(table, BOB))
    table.act(CAROL, Peek())
    table.act(DAVE, lowest(table, DAVE))
    table.commit()
    assert only(table.commit().sent(CAROL), wire.Update).p == 2
    private = only(table.commit().sent(CAROL), wire.Private)
    assert (private.p, private.q, private.joint) == (2, 2, False)
    assert only(table.watch().sent(SPECTATOR), wire.Snapshot).clock.at == 1_000
    private = only(table.commit().sent(DAVE), wire.Private)
    assert (private.p, private.q, private.joint) == (3, 2, True)
    resumed = table.join(CAROL, connection=TAB, position=wire.Position(1, 1, 1)).sent(TAB)
    frames = [each for each in resumed if isinstance(each, wire.Update | wire.Private)]
    assert kinds(frames) == ["Update", "Private", "Update"]


def test_several_actions_of_one_seat_go_together_if_each_names_its_decision() -> None:
    table = Table.playing(TILES, 5)
    table.answers = False
    for number in range(4):
        table.act(BOB, move(BOB, n=100), id=500 + number, turn=1 + number)
    table.commit()
    assert senders(table) == [(BOB, 501), (BOB, 502), (BOB, 503)]
    for number in range(1, 4):
        outcome = table.commit()
        assert verdicts(outcome.sent(BOB)) == [(500 + number, None)]
        assert only(outcome.sent(BOB), wire.Prompt).turn == 2 + number


def test_what_arrives_while_a_group_is_with_the_store_is_the_next_group() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek(), id=501)
    table.act(CAROL, Peek(), id=502)
    table.commit()
    table.act(DAVE, Peek(), id=503)
    table.act(ALICE, lowest(table, ALICE), id=504)
    assert not any(isinstance(effect, Append) for effect in table.commit().effects), "one of the group is left"
    assert senders(table) == [(CAROL, 502)]
    table.commit()
    assert senders(table) == [(DAVE, 503), (ALICE, 504)]


def test_the_place_of_an_action_in_a_group_is_free_for_another_of_its_sender() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    for number in range(PER_SEAT):
        table.act(BOB, Peek(), id=600 + number, turn=1 + number)
    assert verdicts(table.act(BOB, Peek(), id=700, turn=1).sent(BOB)) == [(700, codes.ACT_BUSY)]
    table.commit()
    assert senders(table) == [(BOB, 600)]
    assert table.act(BOB, Peek(), id=701, turn=1).sent(BOB) == []
    assert verdicts(table.act(BOB, Peek(), id=702, turn=1).sent(BOB)) == [(702, codes.ACT_BUSY)]


def test_all_requests_of_a_group_are_unanswered_in_order_until_each_is_committed() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    for seat in (BOB, CAROL):
        table.act(seat, Peek(), id=500 + seat)
    table.commit()
    table.act(DAVE, Peek(), id=503)

    def unanswered() -> list[int]:
        return [request.id for request in table.room.unanswered() if isinstance(request, Act)]

    assert unanswered() == [501, 502, 503]
    table.commit()
    assert unanswered() == [502, 503]


def test_a_snapshot_in_the_midst_of_a_group_knows_nothing_of_the_rest() -> None:
    table = Table(TILES, seats=5)
    for _ in range((SNAPSHOT_EVERY - 10) // 2):
        table.join(ALICE)
        table.request(Leave, ALICE)
    for seat in range(5):
        table.join(seat)
    table.answers = False
    for seat in range(5):
        table.act(seat, move(seat, n=1 + seat), id=500 + seat)
    while table.waiting and not table.snapshots:
        table.commit()
    assert table.waiting, "the group is longer"
    [(rev, _)] = table.snapshots
    assert rev == SNAPSHOT_EVERY == len(table.log)
    restored = Room.restore(TILES, table.stored(0), table.now)
    assert restored.match == table.room.match
    while table.waiting:
        table.commit()
    assert Room.restore(TILES, table.stored(0), table.now).match == table.room.match


# --- the law ------------------------------------------------------------------------------------------------------

SEATS = 4
deeds = st.tuples(
    st.integers(0, SEATS - 1),  # who
    st.sampled_from([0, 0, 0, 0, 0, -1, 1]),  # how far off the decision is that it names
    st.integers(0, 200),  # what
    st.sampled_from([0, 0, 0, 5, 400]),  # how long ago it arrived
    st.booleans(),  # from which connection
)
steps = st.one_of(
    st.tuples(st.just("act"), deeds),
    st.tuples(st.just("act"), deeds),
    st.tuples(st.just("act"), deeds),
    st.tuples(st.just("commit"), st.integers(1, 4)),
    st.tuples(st.just("wait"), st.integers(1, 700)),
    st.tuples(st.just("resign"), st.integers(0, 60)),
)
schedules = st.lists(steps, min_size=5, max_size=60)


def some_bid(table: Table, seat: int, choice: int) -> object:
    """Return an action for sealed bids that may be illegal, or no action at all."""
    hand = table.room.match.state.secrets[seat].hand
    return (b"\xc1", Bid(20), Peek(), Peek(), *map(Bid, hand))[choice % (4 + len(hand))]


def some_move(table: Table, seat: int, choice: int) -> object:
    """Return a move that is illegal if the seat has too few troops there by now."""
    return move(seat, f=choice % WIDTH, t=(choice + 1) % WIDTH, n=choice % 121) if choice else b"\xc1"


class Twins:
    """One room whose store answers at once, and one whose store thinks; both are told the same."""

    def __init__(self, game: Any, seats: int, choose: Callable[[Table, int, int], object], **settings: Any) -> None:
        self.one, self.other = (Table(game, seats=seats, **settings) for _ in range(2))
        for table in (self.one, self.other):
            table.watch()
            for seat in range(seats):
                table.join(seat)
                table.join(seat, connection=TAB + seat)
        self.other.answers = False
        self.choose = choose
        self.next_id = 1_000

    def act(self, seat: int, off: int, choice: int, ago: int, has_tab: bool) -> None:
        match = self.one.room.match
        action = b"" if match.is_over else self.choose(self.one, seat, choice)
        while sum(self.is_from(request, seat) for request in self.other.room.unanswered()) >= PER_SEAT:
            self.other.commit()
        self.next_id += 1
        data = action if isinstance(action, bytes) else encode(action)
        arrived = max(0, self.one.now - ago)
        connection = TAB + seat if has_tab else seat
        for table in (self.one, self.other):
            table.tell(Act(Local(connection), self.next_id, match.decisions[seat] + off, data, arrived))

    @staticmethod
    def is_from(request: object, seat: int) -> bool:
        return getattr(request, "viewer", None) in (Local(seat), Local(TAB + seat))

    def resign(self, seat: int) -> None:
        for table in (self.one, self.other):
            table.tell(Resign(Local(seat), self.next_id))

    def commit(self, count: int) -> None:
        for _ in range(count):
            if self.other.waiting:
                self.other.commit()

    def wait(self, ms: int) -> None:
        """Let time pass, and turns time out, while the store of neither has anything to answer."""
        self.settle()
        for table in (self.one, self.other):
            table.now += ms
            if (wake_at := table.room.wake_at) is not None and wake_at <= table.now:
                table.tell(Expire())
                self.settle()

    def settle(self) -> None:
        while self.other.waiting:
            self.other.commit()

    def check(self) -> None:
        """Compare what was stored, and every message that anybody got."""
        assert self.other.log == self.one.log
        assert self.other.snapshots == self.one.snapshots
        assert self.other.room.match == self.one.room.match
        for connection in {*self.one.payloads, *self.other.payloads}:
            assert told(self.other, connection) == told(self.one, connection)
        for seat in range(len(self.one.room.match.seats)):
            resumed = [
                table.join(seat, connection=RETURNED + seat, position=wire.Position(1, 1, 1))
                for table in (self.one, self.other)
            ]
            assert resumed[0].messages == resumed[1].messages
        restored = Room.restore(self.one.game, self.other.stored(), self.other.now)
        assert restored.match == self.one.room.match


def told(table: Table, connection: Any) -> list[tuple[wire.ServerMessage, bytes]]:
    """Return what a viewer was sent, except for the seating: it is told last, after all that waited was judged."""
    messages = zip(table.messages(connection), table.payloads[connection], strict=True)
    return [(message, data) for message, data in messages if not isinstance(message, wire.Seats)]


def follow(twins: Twins, schedule: Sequence[tuple[str, Any]]) -> None:
    for name, what in schedule:
        if name == "act":
            twins.act(*what)
        elif name == "resign":
            if what < SEATS - 2:
                twins.resign(what)
        elif name == "commit":
            twins.commit(what)
        else:
            twins.wait(what)
    twins.settle()
    twins.check()


@fewer(1)
@given(
    schedule=schedules, game=st.sampled_from([SEALED_BIDS, SEALED_BIDS, Announced()]), delay=st.sampled_from([0, 0, 1])
)
def test_whatever_waits_together_ends_as_if_the_store_had_answered_at_once(
    schedule: list[tuple[str, Any]], game: SealedBids, delay: int
) -> None:
    options = {"rounds": 6, "cards": 9, "peeks": 5}
    settings = {"turn_ms": 1_000, "options": options, "room_options": {"delay": delay}}
    follow(Twins(game, SEATS, some_bid, **settings), schedule)


@fewer(1)
@given(schedule=schedules)
def test_on_49_tiles_as_well(schedule: list[tuple[str, Any]]) -> None:
    follow(Twins(TILES, 5, some_move, turn_ms=None), schedule)


# --- what cannot follow waits -------------------------------------------------------------------------------------


class InOrder(SealedBids):
    """Sealed bids in which nobody may bid before the seat to the right has, or peek after it has."""

    def check(self, state: State, seat: Seat, action: Action) -> None:
        super().check(state, seat, action)
        has_bid = seat == ALICE or state.secrets[seat - 1].bid is not None
        if isinstance(action, Bid) and not has_bid:
            raise IllegalActionError("bid.early", "wait for the bid to the right")
        if isinstance(action, Peek) and seat != ALICE and has_bid:
            raise IllegalActionError("peek.late", "the bid to the right is in")


def test_what_a_group_makes_illegal_is_refused_once_that_is_committed() -> None:
    table = thinking(Table.playing(InOrder(), 4))
    table.act(ALICE, lowest(table, ALICE), id=501, turn=2)
    table.act(BOB, Peek(), id=502)
    outcome = table.commit()
    assert senders(table) == [(ALICE, 501)]
    assert is_silent(outcome, BOB), "it is legal, as far as anybody knows"
    outcome = table.commit()
    assert verdicts(outcome.sent(ALICE)) == [(501, None)]
    assert verdicts(outcome.sent(BOB)) == [(502, "peek.late")]
    assert [(to, type(each).__name__) for to, each in outcome.messages] == [
        (ALICE, "Private"), (ALICE, "Verdict"), (BOB, "Verdict"),
    ]  # fmt: skip
    assert table.waiting == []


def test_what_a_group_makes_legal_goes_with_it() -> None:
    table = thinking(Table.playing(InOrder(), 4))
    table.act(ALICE, lowest(table, ALICE), id=501, turn=2)
    table.act(BOB, lowest(table, BOB), id=502)
    table.act(CAROL, lowest(table, CAROL), id=503)
    table.commit()
    assert senders(table) == [(ALICE, 501), (BOB, 502), (CAROL, 503)]
    for seat, action_id in senders(table):
        assert verdicts(table.commit().sent(seat)) == [(action_id, None)]


def test_what_is_illegal_with_or_without_the_group_is_refused_after_it_and_counted_once() -> None:
    table = thinking(Table.playing(InOrder(), 4))
    table.act(BOB, Peek(), id=501)
    table.act(DAVE, lowest(table, DAVE), id=502)
    table.act(CAROL, Peek(), id=503)
    assert is_silent(table.commit(), BOB, CAROL, DAVE)
    assert senders(table) == [(BOB, 501)]
    assert not table.room.work.refused
    outcome = table.commit()
    assert (verdicts(outcome.sent(DAVE)), senders(table)) == ([(502, "bid.early")], [(CAROL, 503)])
    assert table.room.work.refused == ("bid.early",)


def test_troops_move_on_in_the_same_group_and_only_once() -> None:
    table = Table.playing(TILES, 5)
    for number in range(8):
        table.act(BOB, move(BOB, n=120), id=600 + number)
    table.answers = False
    table.act(ALICE, move(ALICE, n=1))
    table.act(BOB, move(BOB, n=39), id=501, turn=9)  # leaves one
    table.act(BOB, move(BOB, f=1, t=2, n=120), id=502, turn=10)
    table.act(BOB, move(BOB, n=1), id=503, turn=11)
    table.act(ERIN, move(ERIN, n=1), id=504)
    assert verdicts(table.commit().sent(BOB)) == []
    assert senders(table) == [(BOB, 501), (BOB, 502)]
    assert verdicts(table.commit().sent(BOB)) == [(501, None)]
    outcome = table.commit()
    assert verdicts(outcome.sent(BOB)) == [(502, None), (503, "tiles.enough")]
    assert [message.p for message in outcome.sent(BOB) if isinstance(message, wire.Verdict)] == [12, 12]
    assert senders(table) == [(ERIN, 504)]


@pytest.mark.parametrize(
    ("action", "turn", "code"),
    [
        pytest.param(b"\xc1", 1, codes.ACT_MALFORMED, id="malformed"),
        pytest.param(Bid(20), 1, "bid.spent", id="illegal"),
        pytest.param(Peek(), 2, codes.ACT_STALE, id="for another decision"),
    ],
)
def test_no_mistake_is_answered_on_top_of_what_is_not_committed(action: object, turn: int, code: str) -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek(), id=501)
    table.act(CAROL, action, id=502, turn=turn)
    table.act(DAVE, Peek(), id=503)
    assert is_silent(table.commit(), BOB, CAROL, DAVE)
    assert senders(table) == [(BOB, 501)]
    outcome = table.commit()
    assert verdicts(outcome.sent(CAROL)) == [(502, code)]
    assert senders(table) == [(DAVE, 503)]
    assert verdicts(table.commit().sent(DAVE)) == [(503, None)]


def test_a_message_that_cannot_be_read_ends_a_group() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek(), id=501)
    table.tell(Act(Local(CAROL), 502, 1, encode(Peek()), table.now, "turn of act cannot be"))
    assert is_silent(table.commit(), CAROL)
    assert senders(table) == [(BOB, 501)]
    assert verdicts(table.commit().sent(CAROL)) == [(502, codes.MESSAGE_INVALID)]


def test_an_action_for_a_decision_that_is_taken_in_the_same_group_is_stale_after_it() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek(), id=501, turn=1)
    table.act(BOB, lowest(table, BOB), id=502, turn=1)
    assert is_silent(table.commit(), BOB)
    assert senders(table) == [(BOB, 501)]
    assert verdicts(table.commit().sent(BOB)) == [(501, None), (502, codes.ACT_STALE)]


def test_a_seat_that_decides_in_a_group_is_asked_no_more_in_it() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, lowest(table, BOB), id=501, turn=1)
    table.act(BOB, Peek(), id=502, turn=1)
    table.commit()
    assert senders(table) == [(BOB, 501)]
    assert verdicts(table.commit().sent(BOB)) == [(501, None), (502, codes.ACT_STALE)]


def test_a_new_turn_ends_a_group() -> None:
    table = Table.playing(SEALED_BIDS, 3)
    table.answers = False
    hands = [table.room.match.state.secrets[seat].hand for seat in range(3)]
    for seat in range(3):
        table.act(seat, Bid(hands[seat][0]), id=500 + seat)
    for seat in range(3):
        table.act(seat, Bid(hands[seat][1]), id=510 + seat, turn=2)
    table.commit()
    assert senders(table) == [(BOB, 501), (CAROL, 502)]
    assert is_silent(table.commit(), ALICE, CAROL)
    outcome = table.commit()
    assert table.room.match.turn == 2
    assert only(outcome.sent(ALICE), wire.Prompt).turn == 2
    assert senders(table) == [(ALICE, 510), (BOB, 511), (CAROL, 512)]


class Steps(SealedBids):
    """Sealed bids in which each bid is a turn of its own, for those whose bids are missing."""

    def turn(self, state: State) -> int:
        return 10 * state.table.round + sum(secret.bid is not None for secret in state.secrets)


def test_a_new_turn_ends_a_group_also_if_nobody_else_is_asked() -> None:
    table = thinking(Table.playing(Steps(), 4))
    table.act(BOB, lowest(table, BOB), id=501)
    table.act(CAROL, Peek(), id=502, turn=2)
    table.commit()
    assert senders(table) == [(BOB, 501)]
    outcome = table.commit()
    assert only(outcome.sent(DAVE), wire.Prompt).turn == 2
    assert senders(table) == [(CAROL, 502)]


class TakingBack(SealedBids):
    """Sealed bids in which a peek takes the bid of the seat to the right back."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        step = super().apply(state, seat, action)
        if not isinstance(action, Peek) or seat == ALICE:
            return step
        secrets = list(step.state.secrets)
        secrets[seat - 1] = replace(secrets[seat - 1], bid=None)
        return replace(step, state=replace(step.state, secrets=tuple(secrets)))


def test_an_action_by_which_another_seat_is_asked_again_ends_a_group() -> None:
    table = thinking(Table.playing(TakingBack(), 4))
    table.act(DAVE, Peek(), id=501)
    table.act(BOB, lowest(table, BOB), id=502)
    table.act(CAROL, Peek(), id=503)
    table.act(DAVE, lowest(table, DAVE), id=504, turn=2)
    table.commit()
    assert senders(table) == [(DAVE, 501), (BOB, 502), (CAROL, 503)]
    table.commit()
    table.commit()
    outcome = table.commit()
    assert only(outcome.sent(BOB), wire.Prompt).turn == 2
    assert senders(table) == [(DAVE, 504)]


def test_the_end_of_the_match_ends_a_group() -> None:
    table = Table.playing(SEALED_BIDS, 3, options={"rounds": 1})
    table.answers = False
    for seat in range(3):
        table.act(seat, lowest(table, seat), id=500 + seat)
    table.act(ALICE, Peek(), id=510)
    table.commit()
    table.commit()
    assert not table.is_archived
    outcome = table.commit()
    assert verdicts(outcome.sent(ALICE)) == [(510, codes.ROOM_ENDED)]
    assert only(outcome.sent(ALICE), wire.Ended).chain == table.log[-1].chain.hex()
    assert (table.is_archived, table.waiting) == (True, [])
    assert seal(table.log)


def test_a_request_that_is_no_action_ends_a_group() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek(), id=501)
    table.request(Resign, CAROL)
    table.act(DAVE, Peek(), id=503)
    table.commit()
    assert senders(table) == [(BOB, 501)]
    table.commit()
    [resigned] = [decode_entry(append.entry) for append in table.waiting]
    assert isinstance(resigned, Resigned)
    table.commit()
    assert senders(table) == [(DAVE, 503)], "nothing follows a resignation"


def test_no_action_follows_an_entry_that_is_none() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.request(Resign, CAROL)
    table.act(DAVE, Peek(), id=503)
    table.commit()
    assert len(table.waiting) == 1
    assert senders(table) == []
    assert verdicts(table.commit().sent(DAVE)) == []
    assert senders(table) == [(DAVE, 503)]


def test_a_question_waits_for_the_action_of_its_sender_wherever_that_is_in_a_group() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek())
    table.act(CAROL, Peek())
    table.commit()
    for seat in (BOB, CAROL):
        assert table.request(Legal, seat).messages == []
    assert kinds(table.request(Legal, DAVE).sent(DAVE)) == ["LegalList"]
    assert is_silent(table.commit(), CAROL)
    assert kinds(table.commit().sent(CAROL)) == ["Private", "Verdict", "Prompt", "LegalList"]


def test_what_was_ordered_meanwhile_comes_after_the_whole_group() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek(), id=501)
    table.act(CAROL, Peek(), id=502)
    table.commit()
    table.tell(Void("internal"))
    assert table.room.wake_at is None, "there is nothing to do before the store answers"
    assert senders(table) == [(BOB, 501), (CAROL, 502)]
    assert not any(isinstance(effect, Append) for effect in table.commit().effects)
    assert verdicts(table.commit().sent(CAROL)) == [(502, None)]
    assert only(table.commit().sent(CAROL), wire.Ended).reason == codes.END_VOID


def test_a_late_action_ends_a_group_and_is_refused_after_it() -> None:
    table = Table.playing(SEALED_BIDS, 4, turn_ms=TURN_MS)
    table.answers = False
    table.act(ALICE, Peek(), at=TURN_MS + 5, arrived=TURN_MS - 1)
    table.act(BOB, Peek(), id=501, arrived=TURN_MS)
    table.act(CAROL, Peek(), id=502, arrived=TURN_MS + 1)
    table.act(DAVE, Peek(), id=503, arrived=TURN_MS)
    table.commit()
    assert senders(table) == [(BOB, 501)]
    outcome = table.commit()
    late = only(outcome.sent(CAROL), wire.Verdict)
    assert (late.code, late.receipt) == (codes.ACT_LATE, wire.Receipt(TURN_MS, 0, TURN_MS + 1, TURN_MS + 5))
    assert senders(table) == [(DAVE, 503)]


def test_an_action_that_counts_only_with_credit_ends_a_group_and_counts_after_it() -> None:
    table = Table.playing(SEALED_BIDS, 4, turn_ms=TURN_MS)
    table.tell(Lag(Local(CAROL), 300, 0))
    table.answers = False
    table.act(ALICE, Peek(), at=TURN_MS + 5, arrived=TURN_MS - 1)
    table.act(BOB, Peek(), id=501, arrived=TURN_MS)
    table.act(CAROL, Peek(), id=502, arrived=TURN_MS + 1)
    table.act(DAVE, Peek(), id=503, arrived=TURN_MS)
    table.commit()
    assert senders(table) == [(BOB, 501)]
    table.commit()
    assert senders(table) == [(CAROL, 502), (DAVE, 503)], "after it, others go together again"
    verdict = only(table.commit().sent(CAROL), wire.Verdict)
    assert verdict.code is None
    assert verdict.receipt is not None
    assert verdict.receipt.credit > 0


# --- sent again, and the store's other answers --------------------------------------------------------------------


@pytest.mark.parametrize("place", [1, 2, 3], ids=["first", "second", "last"])
def test_an_action_of_a_group_that_is_sent_again_gets_one_verdict_where_it_came_last(place: int) -> None:
    table = Table.playing(SEALED_BIDS, 4)
    table.join(place, connection=TAB)
    thinking(table)
    for seat in (BOB, CAROL, DAVE):
        table.act(seat, Peek(), id=500 + seat)
    table.commit()
    table.clear()
    assert table.act(TAB, Peek(), id=500 + place, turn=1).effects == []
    outcomes = [table.commit() for _ in range(3)]
    assert table.waiting == []
    assert verdicts(outcomes[place - 1].sent(TAB)) == [(500 + place, None)]
    for seat in (BOB, CAROL, DAVE):
        assert verdicts(table.messages(seat)) == ([] if seat == place else [(500 + seat, None)])
    assert verdicts(table.messages(TAB)) == [(500 + place, None)]
    assert verdicts(table.act(place, Peek(), id=500 + place).sent(place)) == [(500 + place, None)]


def test_an_id_is_not_the_same_if_another_seat_of_the_group_has_it() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek(), id=77)
    table.act(CAROL, Peek(), id=77)
    table.commit()
    assert senders(table) == [(BOB, 77), (CAROL, 77)]
    assert table.act(DAVE, Peek(), id=77).effects == []
    for seat in (BOB, CAROL, DAVE):
        assert verdicts(table.commit().sent(seat)) == [(77, None)]


def test_an_action_of_a_group_counts_although_its_connection_is_gone() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    table.act(BOB, Peek())
    table.act(CAROL, Peek(), id=502)
    table.commit()
    table.detach(CAROL)
    table.commit()
    table.commit()
    assert table.room.match.state.secrets[CAROL].peeks == 1
    table.join(CAROL, connection=TAB)
    assert verdicts(table.act(TAB, Peek(), id=502, turn=1).sent(TAB)) == [(502, None)]


@pytest.mark.parametrize("committed", [0, 1, 2])
def test_a_room_that_is_fenced_within_a_group_shows_nothing_of_the_rest(committed: int) -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    for seat in (BOB, CAROL, DAVE):
        table.act(seat, Peek())
    table.commit()
    for _ in range(committed):
        table.commit()
    table.clear()
    match = table.room.match
    dropped: list[Effect] = [Drop()]
    assert table.tell(Fenced()).effects == dropped
    assert table.room.match is match
    assert (table.is_dropped, table.room.wake_at) == (True, None)
    assert table.act(ALICE, Peek()).effects == []
    assert not table.payloads


def test_another_node_goes_on_from_what_the_log_has_of_a_group() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4))
    for seat in (BOB, CAROL, DAVE):
        table.act(seat, Peek(), id=500 + seat)
    table.commit()
    table.write(table.waiting[0])
    table.tell(Fenced())
    table.restart()
    table.answers = True
    for seat in (BOB, CAROL):
        table.join(seat)
    assert [table.room.match.state.secrets[seat].peeks for seat in range(4)] == [1, 1, 2, 2]
    assert table.act(BOB, Peek(), id=501, turn=1).acted == []
    assert table.act(CAROL, Peek(), id=502, turn=1).acted == [(CAROL, "player")]


# --- time ---------------------------------------------------------------------------------------------------------


def test_room_time_stands_still_until_the_last_of_a_group_is_committed() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4, turn_ms=TURN_MS))
    for seat in (BOB, CAROL):
        table.act(seat, Peek())
    table.now = 3_000
    table.commit()
    table.now = 4_000
    assert only(table.commit().sent(BOB), wire.Prompt).at == 0
    asleep_until = table.room.wake_at
    assert asleep_until is None
    table.now = 6_000
    assert only(table.commit().sent(CAROL), wire.Prompt).at == 0
    assert table.room.wake_at == 6_000 + TURN_MS + 1
    assert any(isinstance(effect, Append) for effect in table.act(DAVE, Peek(), at=6_500).effects)
    assert only(table.commit().sent(DAVE), wire.Prompt).at == 500


def test_the_last_commit_of_a_group_does_not_end_what_else_holds_the_clock() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4, turn_ms=TURN_MS))
    table.act(BOB, Peek())
    table.act(CAROL, Peek())
    table.commit()
    table.tell(Pause("store"))
    table.commit()
    table.commit()
    table.tell(Unpause(), at=5_000)
    table.act(DAVE, Peek(), at=5_300)
    assert only(table.commit().sent(DAVE), wire.Prompt).at == 300


def test_a_group_that_takes_no_time_stops_no_clock() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4, turn_ms=TURN_MS))
    table.act(BOB, Peek())
    table.act(CAROL, Peek())
    while table.waiting:
        table.commit()
    assert table.room.wake_at == TURN_MS + 1
    table.act(DAVE, Peek(), at=700)
    assert only(table.commit().sent(DAVE), wire.Prompt).at == 700


def test_an_action_that_arrives_between_two_commits_of_a_group_arrives_when_that_was_sent() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4, turn_ms=TURN_MS))
    for seat in (BOB, CAROL):
        table.act(seat, Peek())
    table.commit()
    table.now = 2 * TURN_MS
    table.commit()
    table.act(DAVE, Peek(), id=503, at=3 * TURN_MS)
    table.commit()
    assert verdicts(table.commit().sent(DAVE)) == [(503, None)]


def test_no_turn_times_out_before_the_last_of_a_group_is_committed() -> None:
    table = thinking(Table.playing(SEALED_BIDS, 4, turn_ms=TURN_MS))
    for seat in (BOB, CAROL):
        table.act(seat, Peek())
    table.commit()
    assert table.expire(TURN_MS + 1).effects == []
    table.commit()
    assert table.expire(2 * TURN_MS).effects == []
    table.commit()
    assert table.expire(3 * TURN_MS - 1).effects == []
    assert len(table.expire(3 * TURN_MS + 1).effects) == 1


# --- bugs of games, and ids sent twice ----------------------------------------------------------------------------


class Buggy(SealedBids):
    """Sealed bids that fail when a player peeks."""

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        if isinstance(action, Peek):
            raise ZeroDivisionError
        return super().apply(state, seat, action)


def test_a_bug_that_shows_in_a_group_refuses_nobody_whose_action_is_with_the_store() -> None:
    table = Table.playing(Buggy(), 4)
    table.answers = False
    table.act(ALICE, Bid(table.room.match.state.secrets[ALICE].hand[0]), id=501)
    table.act(BOB, Bid(table.room.match.state.secrets[BOB].hand[0]), id=502)
    table.act(CAROL, Peek(), id=503)
    with pytest.raises(ZeroDivisionError):
        table.commit()
    saved = table.room.salvage()
    appended = [decode_entry(effect.entry) for effect in saved if isinstance(effect, Append)]
    with_store = {entry.id for entry in appended if isinstance(entry, Acted)}
    told = [decode_server(effect.payload) for effect in saved if isinstance(effect, Send)]
    refused = {each.id for each in told if isinstance(each, wire.Verdict) and each.code}
    assert with_store == {502}
    assert not with_store & refused


def test_an_id_that_waits_twice_is_in_the_log_once() -> None:
    table = Table(SEALED_BIDS, seats=2)
    table.join(ALICE)
    table.answers = False
    table.join(BOB)
    table.act(BOB, Peek(), id=77, turn=1)  # waits as a viewer's, who does not sit yet
    table.commit()
    table.act(BOB, Bid(2), id=77, turn=2)  # waits as Bob's
    while table.waiting:
        table.commit()
    entries = [decode_entry(logged.entry) for logged in table.log]
    assert [(entry.seat, entry.id) for entry in entries if isinstance(entry, Acted)] == [(BOB, 77)]
