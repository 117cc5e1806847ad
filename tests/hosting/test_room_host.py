"""The driver: effects become frames, appends and deadlines, and one room's trouble stays its own."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest
import sealed_bids
from manual_time import ManualTime
from sealed_bids import SealedBids, State
from small_node import GAMES, FickleStore, LittleNode, NotedConnection, verdict_of
from wait_until import until

from warroom_games.api import Seat, Step
from warroom_protocol import codes
from warroom_protocol.messages import (
    Act,
    Ended,
    Error,
    Expired,
    Leave,
    Legal,
    Notice,
    Paused,
    Private,
    Prompt,
    Snapshot,
    Update,
    Verdict,
    Watch,
)
from warroom_server.hosting.connections import SLOW_MS
from warroom_server.hosting.hosted_room import Hold
from warroom_server.room import commands
from warroom_server.room.commands import Command
from warroom_server.room.effects import ActionOutput, Effect
from warroom_server.room.log_fold import LogFold
from warroom_server.room.room import Room

TURN_MS = sealed_bids.GAME.info.turn_ms


async def test_the_actor_gets_private_then_update_then_verdict(node: LittleNode) -> None:
    room, (ada, bob) = await node.table()
    node.act(ada, room, 1)
    await node.settle()
    before = len(bob.frames)
    node.act(bob, room, 2)
    await node.settle()
    kinds = [type(message) for message in bob.messages[before:] if not isinstance(message, Prompt)]
    assert kinds[1:] == [Private, Update, Verdict]
    assert verdict_of(bob, 2).code is None


async def test_a_public_frame_is_built_once_for_all_viewers(node: LittleNode) -> None:
    room, players = await node.table()
    viewers = [node.greet(f"Viewer {number}") for number in range(5)]
    for viewer in viewers:
        node.say(viewer, Watch(1, room))
    await node.settle()
    for number, player in enumerate(players):
        node.act(player, room, number)
        await node.settle()
    last = {id(frame) for viewer in viewers for frame in viewer.frames if frame == viewers[0].frames[-1]}
    assert len(viewers[0].of(Update)) == 1
    assert len(last) == 1


async def test_nothing_is_shown_before_the_store_has_it(node: LittleNode, store: FickleStore) -> None:
    room, (ada, _) = await node.table()
    store.is_away = True
    node.act(ada, room, 1)
    await until(lambda: bool(ada.of(Paused)))
    assert ada.of(Verdict) == []
    assert ada.of(Paused)[-1].reason == codes.PAUSE_STORE
    store.is_away = False
    await until(lambda: bool(ada.of(Verdict)))
    assert verdict_of(ada, 1).code is None
    assert ada.of(Paused)[-1].reason is None


async def test_a_turn_runs_out_only_after_the_sockets_were_polled_again(node: LittleNode, time: ManualTime) -> None:
    room, (ada, bob) = await node.table()
    time.advance(TURN_MS)
    in_time = time.now()
    time.advance(1)
    assert not ada.of(Expired)
    # Bytes that lay in the socket since before the deadline are read between the timer and its second hop.
    turn = ada.of(Prompt)[-1].turn
    card = b"\x82\xa4type\xa3bid\xa4card" + bytes([_lowest_card(ada)])
    act = b"\x95\xa3act\xce" + room.to_bytes(4, "big") + b"\x01" + bytes([turn]) + card
    node.dispatcher.received(ada, act, in_time, node.time.now())
    await node.settle()
    assert verdict_of(ada, 1).code is None
    time.advance(0)
    await node.settle()
    assert not ada.of(Expired)
    assert len(bob.of(Expired)) == 1
    assert node.counters.expired_turns == 1


def _lowest_card(player: NotedConnection) -> int:
    private = player.of(Update)[0], player.of(Private)[-1]
    patch = private[1].patch
    assert isinstance(patch, list)
    hand: list[int] = patch[0][1]["hand"]
    return hand[0]


async def test_a_room_that_another_node_owns_is_let_go_and_no_connection_with_it(
    node: LittleNode, store: FickleStore
) -> None:
    room, (ada, bob) = await node.table()
    other = await node.create(ada, ref=78)
    await node.join(ada, other)
    assert await store.claim([(room, "node-a", 1)], "node-b") == [2]
    node.act(ada, room, 1)
    await node.settle()
    assert room not in node.room_host
    assert [player.of(Paused)[-1].reason for player in (ada, bob)] == [codes.PAUSE_MOVING, codes.PAUSE_MOVING]
    assert (ada.closed, bob.closed) == (None, None)
    assert ada.of(Verdict) == []
    line = node.connections.clients.get(ada.id)
    assert line is not None
    session = line.session
    assert session.following == {room, other}
    assert (session.inside, session.lost) == ((other,), (room,))


async def test_a_stopping_server_lets_nobody_run_out_of_time(
    node: LittleNode, time: ManualTime, store: FickleStore
) -> None:
    room, (ada, _) = await node.table()
    before = await store.log(room)
    node.room_host.stop()
    time.advance(TURN_MS + 1)
    await node.settle()
    assert ada.of(Expired) == []
    assert await store.log(room) == before


async def test_a_hold_that_ends_late_does_not_start_the_clock_of_the_room_taken_in_anew(
    node: LittleNode, store: FickleStore
) -> None:
    room, (ada, _) = await node.table()
    old = node.hosted(room)
    node.room_host.hold(old, Hold.RESTART)
    node.room_host.remove(old)
    await node.take_over()
    node.say(ada, Watch(5, room))
    node.room_host.release(old, Hold.RESTART)
    assert ada.of(Paused)[-1].reason == codes.PAUSE_RESTART


async def test_of_several_reasons_that_hold_a_room_it_is_told_the_gravest_and_whether_players_are_waited_for(
    node: LittleNode,
) -> None:
    room, (ada, bob) = await node.table()
    hosted = node.hosted(room)
    node.dispatcher.closed(bob)
    told: list[tuple[bool, str | None]] = []
    for change, why in [
        (node.room_host.hold, Hold.OUTAGE),
        (node.room_host.hold, Hold.RESTART),
        (node.room_host.release, Hold.OUTAGE),
        (node.room_host.hold, Hold.LEASE),
        (node.room_host.release, Hold.RESTART),
        (node.room_host.release, Hold.LEASE),
    ]:
        change(hosted, why)
        told.append((hosted.pause is not None and hosted.pause.is_for_players, ada.of(Paused)[-1].reason))
    store, restart = codes.PAUSE_STORE, codes.PAUSE_RESTART
    assert told == [(False, store), (True, store), (True, restart), (True, store), (False, store), (False, None)]


async def test_a_finished_match_is_archived(node: LittleNode, store: FickleStore) -> None:
    room, players = await node.table(rounds=1)
    for number, player in enumerate(players):
        node.act(player, room, number)
        await node.settle()
    assert all(len(player.of(Ended)) == 1 for player in players)
    hosted = node.hosted(room)
    await until(lambda: hosted.is_archived)
    assert await store.replay(room) is not None
    assert await store.load(room) is None


class TestBugs:
    """A game that raises."""

    class Buggy(SealedBids):
        """Sealed bids that break when a test says so."""

        def __init__(self) -> None:
            self.breaks_on_apply = False

        def apply(self, state: State, seat: Seat, action: sealed_bids.Action) -> Step:
            if self.breaks_on_apply:
                raise ZeroDivisionError("a bug in the rules")
            return super().apply(state, seat, action)

    @pytest.fixture
    def game(self) -> "TestBugs.Buggy":
        return self.Buggy()

    @pytest.fixture
    async def node(self, new_node: Callable[..., Awaitable[LittleNode]], game: "TestBugs.Buggy") -> LittleNode:
        return await new_node(games=(GAMES[0], game))

    async def test_a_bug_ends_its_room_durably_and_no_other(
        self, node: LittleNode, game: "TestBugs.Buggy", store: FickleStore
    ) -> None:
        room, (ada, bob) = await node.table()
        other, (eve, _) = await node.table()
        game.breaks_on_apply = True
        node.act(ada, room, 1)
        await node.settle()
        assert verdict_of(ada, 1).code == codes.INTERNAL
        assert [notice.code for notice in bob.of(Notice)] == [codes.NOTICE_INTERNAL]
        assert bob.of(Ended)[0].reason == codes.END_VOID
        hosted = node.hosted(room)
        await until(lambda: hosted.is_archived)
        assert await store.replay(room) is not None
        game.breaks_on_apply = False
        node.act(eve, other, 2)
        await node.settle()
        assert verdict_of(eve, 2).code is None

    async def test_a_room_that_cannot_even_end_is_forgotten(self, node: LittleNode) -> None:
        room, (ada, _) = await node.table()
        hosted = node.hosted(room)
        hosted.room = Doomed.of(hosted.room)
        node.act(ada, room, 1, {"type": "peek"})
        assert room not in node.room_host
        assert verdict_of(ada, 1).code == codes.INTERNAL
        assert ada.of(Paused)[-1].reason == codes.PAUSE_MOVING
        node.act(ada, room, 2, {"type": "peek"})
        assert [verdict.id for verdict in ada.of(Verdict)] == [1], "whether it counts only the room could tell"
        node.say(ada, Legal(5, room))
        assert (ada.of(Error)[-1].ref, ada.of(Error)[-1].code) == (5, codes.ROOM_MOVING)

    async def test_a_room_that_is_gone_is_unknown_to_whoever_was_not_in_it(self, node: LittleNode) -> None:
        room, _ = await node.table()
        hosted = node.hosted(room)
        node.room_host.remove(hosted)
        eve = node.greet("Eve")
        node.say(eve, Act(room, 1, 1, msgspec.Raw(msgspec.msgpack.encode({"type": "peek"}))))
        assert verdict_of(eve, 1).code == codes.ROOM_UNKNOWN
        node.say(eve, Legal(5, room))
        node.say(eve, Leave(6, room))
        assert [(error.ref, error.code) for error in eve.of(Error)] == [
            (5, codes.ROOM_UNKNOWN),
            (6, codes.ROOM_UNKNOWN),
        ]
        assert eve.of(Notice) == []


class Doomed(Room):
    """A room that takes no command at all."""

    @classmethod
    def of(cls, room: Room) -> "Doomed":
        """Return a doomed room with the audience of *room*."""
        doomed = cls(LogFold(room.match), now=0)
        doomed.audience = room.audience
        return doomed

    def handle(self, command: Command, now: int) -> list[Effect]:
        """Raise."""
        raise ZeroDivisionError(f"a bug in the room: {command} at {now}")

    def act(self, act: commands.Act, now: int, output: ActionOutput) -> bool:
        """Raise."""
        raise ZeroDivisionError(f"a bug in the room: {act} at {now}")


class TestSlowViewers:
    """Viewers that do not read."""

    async def test_a_congested_viewer_is_skipped_and_brought_up_to_date_later(self, node: LittleNode) -> None:
        room, players = await node.table()
        viewer = node.greet("Slow")
        node.say(viewer, Watch(1, room))
        viewer.is_congested = True
        before = len(viewer.frames)
        for number, player in enumerate(players):
            node.act(player, room, number)
            await node.settle()
        assert len(viewer.frames) == before
        assert all(player.of(Update) for player in players)
        viewer.is_congested = False
        node.dispatcher.drained(viewer)
        notice, snapshot = viewer.messages[before : before + 2]
        assert isinstance(notice, Notice)
        assert isinstance(snapshot, Snapshot)
        assert (notice.code, snapshot.p) == (codes.NOTICE_SLOW, players[0].of(Update)[-1].p)

    async def test_a_viewer_that_stays_too_slow_is_closed(self, node: LittleNode, time: ManualTime) -> None:
        room, players = await node.table()
        viewer = node.greet("Slow")
        node.say(viewer, Watch(1, room))
        viewer.is_congested = True
        for number, player in enumerate(players):
            node.act(player, room, number)
            await node.settle()
        time.advance(SLOW_MS - 1)
        just_before = viewer.closed
        time.advance(1)
        assert (just_before, viewer.closed) == (None, codes.CLOSE_SLOW)
        assert all(player.closed is None for player in players)

    async def test_nothing_is_read_from_whoever_does_not_read(self, node: LittleNode) -> None:
        viewer = node.greet("Slow")
        assert node.say(viewer, Watch(1, 5)) == 0
        viewer.is_congested = True
        assert node.say(viewer, Watch(2, 5)) > 0
