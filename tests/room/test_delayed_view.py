"""Spectators: who may watch, and what delayed spectators learn."""

import pytest
from room_table import ALICE, BOB, CAROL, ROOM, SPECTATOR, Outcome, Table, kinds, only
from sealed_bids import GAME as SEALED_BIDS
from sealed_bids import SealedBids, State

from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.patches import apply
from warroom_server.ports.store import SNAPSHOT_EVERY
from warroom_server.room import commands
from warroom_server.room.delayed_view import TAIL_MS
from warroom_server.room.effects import Archive
from warroom_server.room.viewer_addresses import Local

TURN_MS = 10_000
LATE = SPECTATOR + 1


def behind(delay: int = 1, watch: str = "public", seats: int = 2, turn_ms: int = TURN_MS, **options: object) -> Table:
    """Return a match that a spectator watches from the start, *delay* turns behind."""
    room_options: dict[str, object] = {"delay": delay, "watch": watch}
    table = Table(SEALED_BIDS, seats=seats, turn_ms=turn_ms, options=options, room_options=room_options)
    table.watch()
    for seat in range(seats):
        table.join(seat)
    return table


def bid(table: Table, seat: int, **when: int) -> Outcome:
    """Play the first legal action of a seat."""
    return table.act(seat, next(iter(SEALED_BIDS.legal_actions(table.room.match.state, seat))), **when)


def play_turn(table: Table) -> list[wire.ServerMessage]:
    """Let all seats act until the next turn or the end; return the messages to the spectator."""
    turn, seen = table.room.match.turn, []
    while table.room.match.turn == turn and not table.room.is_over:
        seen += bid(table, min(table.room.match.asked)).sent(SPECTATOR)
    return seen


def updates(messages: list[wire.ServerMessage]) -> list[wire.Update]:
    return [message for message in messages if isinstance(message, wire.Update)]


def shown(table: Table, connection: int = SPECTATOR) -> object:
    """Return the view that a spectator has assembled."""
    view: object = None
    for message in table.messages(connection):
        match message:
            case wire.Snapshot():
                view = message.public
            case wire.Update():
                view = apply(view, message.patch)
            case _:
                pass
    return view


def test_a_turn_is_shown_when_the_match_is_so_many_turns_further() -> None:
    table = behind(2, rounds=4, cards=6)
    seen = [[update.p for update in updates(play_turn(table))] for _ in range(3)]
    assert seen == [[], [1, 2], [3]], "the opening counts as part of the first turn"


def test_players_are_not_delayed() -> None:
    table = behind(3)
    assert updates(bid(table, ALICE).sent(BOB)) or bid(table, BOB).sent(ALICE)


def test_the_stream_is_that_of_a_live_spectator_only_later() -> None:
    table, live = behind(1), Table.playing(SEALED_BIDS)
    live.watch()
    for _ in range(2):
        play_turn(table)
        play_turn(live)
    late = [encoded for encoded in table.payloads[SPECTATOR] if b"update" in encoded[:8]]
    now = [encoded for encoded in live.payloads[ALICE] if b"update" in encoded[:8]]
    assert late
    assert late == now[: len(late)]


def catch_up(table: Table) -> list[list[wire.ServerMessage]]:
    """Let time pass until spectators have seen the end; return the messages of each step."""
    seen = []
    while not table.room.is_publicly_over:
        assert table.room.wake_at is not None
        seen.append(table.expire(table.room.wake_at).sent(SPECTATOR))
    return seen


def test_the_last_turns_are_shown_one_by_one_after_the_end() -> None:
    table = behind(2)
    while not table.room.is_over:
        seen = play_turn(table)
        assert not [message for message in seen if isinstance(message, wire.Ended)]
    assert only([m for m in table.messages(ALICE) if isinstance(m, wire.Ended)], wire.Ended)
    assert (table.room.is_publicly_over, table.is_archived, table.room.listing().phase) == (False, False, "playing")
    first, last = catch_up(table)
    assert kinds(first) == ["Update"]
    assert kinds(last)[-1] == "Ended"
    assert table.now == TAIL_MS
    assert (table.is_archived, table.room.listing().phase) == (True, "ended")


def test_what_is_left_after_the_end_takes_no_longer_than_the_turns_would_have() -> None:
    table = Table.playing(SEALED_BIDS, turn_ms=500, room_options={"delay": 2})
    table.watch()
    while not table.room.is_over:
        play_turn(table)
    assert len(catch_up(table)) == 2
    assert table.now == 2 * 500


def test_a_match_without_spectators_is_put_away_at_once() -> None:
    table = Table.playing(SEALED_BIDS, turn_ms=600_000, room_options={"delay": 2})
    table.request(commands.Resign, BOB)
    assert (table.room.is_publicly_over, table.is_archived, table.room.listing().phase) == (True, True, "ended")
    assert "Ended" in kinds(table.watch().sent(SPECTATOR))


def test_the_end_is_shown_soon_though_all_players_have_left() -> None:
    table = behind(2, turn_ms=600_000)
    for _ in range(3):
        play_turn(table)
    for seat in (ALICE, BOB):
        table.detach(seat)
    table.tell(commands.Void("deserted"))
    assert not table.is_archived
    assert kinds(catch_up(table)[-1])[-1] == "Ended"
    assert table.now <= 10_000
    assert table.is_archived


def test_all_talk_is_heard_with_the_end_even_if_that_began_a_turn() -> None:
    class OneMore(SealedBids):
        """Sealed bids that count one more turn at the end."""

        def turn(self, state: State) -> int:
            return super().turn(state) + (not self.to_act(state))

    table = Table.playing(OneMore(), room_options={"delay": 2})
    table.watch()
    while not table.room.is_over:
        play_turn(table)
    table.request(commands.Say, ALICE, player="alice", name="Alice", text="well played")
    (seen,) = catch_up(table)
    assert kinds(seen)[-2:] == ["Ended", "Said"]


def test_nothing_of_the_present_reaches_a_delayed_spectator() -> None:
    table = behind(1, seats=3)
    table.clear()
    table.now = 4_000
    table.request(commands.Resign, CAROL)
    table.tell(commands.Pause("store"))
    table.tell(commands.Unpause())
    table.detach(BOB)
    table.expire(table.now + 300)
    assert table.messages(SPECTATOR) == []
    seats = only(table.watch(LATE).sent(LATE), wire.Seats)
    assert [(seat.connected, seat.out) for seat in seats.seats] == [(True, False)] * 3


def test_whoever_comes_later_is_as_far_behind() -> None:
    table = behind(1)
    play_turn(table)
    table.now += 5_000
    entered = table.watch(LATE).sent(LATE)
    assert kinds(entered) == ["Joined", "Snapshot", "Seats"]
    assert shown(table, LATE) == shown(table)
    asked = table.request(commands.Resync, LATE, reason="view.gap").sent(LATE)
    assert kinds(asked) == ["Snapshot", "Done"]
    assert only(asked, wire.Snapshot) == only(entered, wire.Snapshot)


def test_a_delayed_spectator_resumes_its_own_stream() -> None:
    table = behind(1, rounds=4, cards=6)
    play_turn(table)
    p = updates(table.messages(SPECTATOR))[-1].p
    table.detach(SPECTATOR)
    play_turn(table)
    back = table.watch(SPECTATOR, wire.Position(1, p, 0)).sent(SPECTATOR)
    assert kinds(back)[0] == "Resumed"
    assert [update.p for update in updates(back)] == [p + 1]


def test_refusals_tell_a_spectator_no_number_of_the_present() -> None:
    table = behind(1)
    bid(table, ALICE)
    verdict = only(table.act(SPECTATOR, b"\x80").sent(SPECTATOR), wire.Verdict)
    assert (verdict.code, verdict.p, verdict.q) == (codes.SEAT_NONE, 0, 0)


def test_a_stranger_does_not_learn_the_end_at_the_door() -> None:
    table = behind(2)
    while not table.room.is_over:
        play_turn(table)
    assert only(table.join(CAROL).sent(CAROL), wire.Error).code == codes.ROOM_STARTED
    catch_up(table)
    assert only(table.join(CAROL).sent(CAROL), wire.Error).code == codes.ROOM_ENDED


def test_all_hands_are_shown_where_the_room_says_so() -> None:
    table = behind(2, "all")
    hands = [secret.hand for secret in table.room.match.state.secrets]
    play_turn(table)
    assert shown(table) is None, "not even the opening is shown while it is the last that a rival has played"
    play_turn(table)
    view = shown(table)
    assert isinstance(view, dict)
    assert set(view) == {"public", "seats"}
    assert len(view["seats"]) == len(hands)
    assert "hand" in view["seats"][0]


def test_a_restarted_room_shows_the_same_as_late() -> None:
    table = behind(1, rounds=4, cards=6)
    play_turn(table)
    play_turn(table)
    before = table.watch(LATE).sent(LATE)
    table.restart()
    after = table.watch(LATE).sent(LATE)
    assert only(after, wire.Snapshot) == only(before, wire.Snapshot)
    assert not table.snapshots


def test_nothing_that_was_shown_after_the_end_is_taken_back_by_a_restart() -> None:
    table = behind(2)
    while not table.room.is_over:
        play_turn(table)
    table.expire(table.room.wake_at or 0)
    p = updates(table.messages(SPECTATOR))[-1].p
    assert not table.room.is_publicly_over
    table.restart()
    back = table.watch(SPECTATOR, wire.Position(1, p, 0)).sent(SPECTATOR)
    assert kinds(back)[0] == "Resumed"
    assert [update.p for update in updates(back)] == [p + 1]
    assert only(back, wire.Ended)


def test_a_room_is_put_away_however_often_its_node_restarts() -> None:
    table = behind(50)
    assert Archive() not in table.request(commands.Resign, BOB).effects
    table.restart()
    assert table.room.is_publicly_over
    woken_at = table.room.wake_at
    assert woken_at is not None
    assert Archive() in table.expire(max(table.now, woken_at)).effects
    assert table.room.wake_at is None


def test_a_match_that_goes_on_is_no_further_shown_after_a_restart() -> None:
    table = behind(2, rounds=4, cards=6)
    for _ in range(3):
        play_turn(table)
    before = table.room.public_match
    table.restart()
    assert (table.room.public_match.rev, table.room.is_publicly_over) == (before.rev, False)


@pytest.mark.parametrize("delay", [1, 3, 7, 50])
def test_the_last_turns_are_shown_within_seconds_however_long_a_turn_may_be(delay: int) -> None:
    table = behind(delay, turn_ms=86_400_000, rounds=10, cards=12)
    while not table.room.is_over:
        play_turn(table)
    shown_turns = len(catch_up(table))
    assert shown_turns == min(delay, 10)
    assert table.is_archived
    assert TAIL_MS - shown_turns < table.now <= TAIL_MS < 10_000


def test_a_room_with_delayed_spectators_is_never_restored_from_a_snapshot() -> None:
    saved = {}
    for delay in (0, 1):
        table = Table(SEALED_BIDS, room_options={"delay": delay})
        while len(table.log) <= SNAPSHOT_EVERY:
            table.join(ALICE)
            table.request(commands.Leave, ALICE)
        saved[delay] = len(table.snapshots)
    assert saved == {0: 1, 1: 0}


class TestRematches:
    MOVED = wire.Moved(ROOM, 99, "000000q", None)

    def rematched(self) -> Table:
        """Return a match whose rematch is created before spectators have seen its end."""
        table = behind(1)
        table.request(commands.Resign, BOB)
        table.clear()
        table.tell(commands.Rematched(99, "000000q", None))
        assert not table.room.is_publicly_over
        return table

    def test_delayed_spectators_are_led_on_when_they_have_seen_the_end(self) -> None:
        table = self.rematched()
        assert only(table.messages(ALICE), wire.Moved) == self.MOVED
        assert table.messages(SPECTATOR) == []
        seen = table.expire(table.now + TAIL_MS).sent(SPECTATOR)
        assert only(seen, wire.Moved) == self.MOVED
        assert kinds(seen)[-2:] == ["Ended", "Moved"]

    def test_whoever_comes_in_is_led_on_only_then(self) -> None:
        table = self.rematched()
        assert "Moved" not in kinds(table.watch(LATE).sent(LATE))
        assert only(table.join(BOB).sent(BOB), wire.Moved) == self.MOVED
        table.expire(table.now + TAIL_MS)
        assert only(table.watch(LATE + 1).sent(LATE + 1), wire.Moved) == self.MOVED


class TestDoors:
    def test_nobody_watches_where_nobody_may(self) -> None:
        table = Table(SEALED_BIDS, room_options={"watch": "nobody"})
        assert only(table.watch().sent(SPECTATOR), wire.Error).code == codes.WATCH_NOBODY

    def test_whoever_is_sent_away_sees_nothing_more(self) -> None:
        table = Table(SEALED_BIDS, seats=3, room_options={"watch": "nobody"})
        for seat in (ALICE, CAROL):
            table.join(seat)
        table.request(commands.Kick, ALICE, seat=1)
        table.join(BOB)
        assert table.request(commands.Start, ALICE).sent(CAROL) == []

    def test_who_sits_does_not_look_on_where_all_hands_are_shown(self) -> None:
        table = behind(2, "all")
        refused = table.tell(commands.Watch(Local(LATE), 5, None, "alice", "Alice")).sent(LATE)
        assert only(refused, wire.Error).code == codes.WATCH_SEATED
        assert kinds(table.tell(commands.Watch(Local(LATE), 6, None, "sam", "Sam")).sent(LATE))[0] == "Joined"

    def test_who_sits_may_look_on_where_only_the_public_view_is_shown(self) -> None:
        table = behind(1)
        assert kinds(table.tell(commands.Watch(Local(LATE), 5, None, "alice", "Alice")).sent(LATE))[0] == "Joined"

    @pytest.mark.parametrize(("watch", "is_rated"), [("public", True), ("nobody", True), ("all", False)])
    def test_where_all_hands_are_shown_no_result_counts(self, watch: str, is_rated: bool) -> None:
        table = Table.playing(SEALED_BIDS, room_options={"watch": watch, "delay": 2})
        assert table.room.listing().rated is is_rated
        table.request(commands.Resign, BOB)
        assert only(table.messages(ALICE), wire.Ended).rated is is_rated

    def test_a_room_made_with_too_small_a_delay_shows_all_hands_no_sooner(self) -> None:
        made, needed = behind(1, "all"), behind(2, "all")
        for _ in range(3):
            assert updates(play_turn(made)) == updates(play_turn(needed))
        assert shown(made) == shown(needed) is not None

    def test_a_room_made_with_none_shows_what_is_public(self) -> None:
        made, public = behind(0, "all"), behind(0)
        assert updates(play_turn(made)) == updates(play_turn(public)) != []
        assert shown(made) == shown(public)


class TestPrivateRooms:
    def test_the_key_opens_the_door(self) -> None:
        table = Table(SEALED_BIDS, seats=3, room_options={"private": True})
        joined = table.tell(commands.Join(Local(ALICE), 1, "alice", "Alice", None, "token", None, has_key=True))
        assert kinds(joined.sent(ALICE))[0] == "Joined"
        table.detach(ALICE)
        assert kinds(table.join(ALICE).sent(ALICE))[0] == "Joined", "whoever sits needs no key"
        own = table.tell(commands.Watch(Local(LATE), 1, None, "alice", "Alice"))
        assert kinds(own.sent(LATE))[0] == "Joined", "nor does it for looking on"
        watched = table.tell(commands.Watch(Local(SPECTATOR), 1, None, "sam", "Sam", has_key=True))
        assert kinds(watched.sent(SPECTATOR))[0] == "Joined"

    @pytest.mark.parametrize(
        "request_",
        [
            commands.Join(Local(CAROL), 5, "carol", "Carol", None, "token", None),
            commands.Watch(Local(CAROL), 5, None, "carol", "Carol"),
            commands.Leave(Local(CAROL), 5),
            commands.Start(Local(CAROL), 5),
            commands.Kick(Local(CAROL), 5, 0),
            commands.Fill(Local(CAROL), 5, None, None),
            commands.Legal(Local(CAROL), 5),
            commands.Resync(Local(CAROL), 5, ""),
            commands.Resign(Local(CAROL), 5),
            commands.Reclaim(Local(CAROL), 5),
            commands.Offer(Local(CAROL), 5, "draw", on=True),
            commands.Say(Local(CAROL), 5, "carol", "Carol", "hello"),
            commands.Mute(Local(CAROL), 5, "alice", on=True, everybody=False),
        ],
        ids=lambda request: type(request).__name__,
    )
    def test_without_it_there_is_no_such_room(self, request_: commands.Request) -> None:
        table = Table(SEALED_BIDS, seats=3, room_options={"private": True})
        table.tell(commands.Join(Local(ALICE), 1, "alice", "Alice", None, "token", None, has_key=True))
        code = codes.ROOM_UNKNOWN
        assert table.tell(request_).sent(CAROL) == [wire.Error(5, code, codes.REFUSALS[code])]

    def test_not_even_an_action_finds_it(self) -> None:
        table = Table(SEALED_BIDS, seats=2, room_options={"private": True})
        for seat, name in enumerate(("alice", "bob")):
            table.tell(commands.Join(Local(seat), 1, name, name.title(), None, "token", None, has_key=True))
        code = codes.ROOM_UNKNOWN
        answer = table.act(CAROL, b"\x80", id=9).sent(CAROL)
        assert answer == [wire.Verdict(ROOM, 9, code, codes.REFUSALS[code], 0, 0, None)]
