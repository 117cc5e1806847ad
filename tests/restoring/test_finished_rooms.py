"""Players who were away when their match ended learn the result on any node, from the replay."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import pytest
from linked_nodes import let_pass
from small_node import FickleStore, LittleNode, NotedConnection, token_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Act, Ended, Error, Join, Joined, Resign, Verdict, Watch, Welcome
from warroom_server.ports.store import KeptReplay
from warroom_server.restoring.waiting_clients import MOVING_MS, SEEK_MS

ACTION = 42

NewNode = Callable[..., Awaitable[LittleNode]]


class ReadingDesk:
    """Hands out the replays of a store one by one, as a test wants it."""

    def __init__(self, store: FickleStore, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wanted: list[int] = []
        """Rooms whose replays were asked for, in order."""
        self.is_open = asyncio.Event()
        self._replay = store.replay
        monkeypatch.setattr(store, "replay", self.replay)

    async def replay(self, room: int) -> KeptReplay | None:
        self.wanted.append(room)
        await self.is_open.wait()
        return await self._replay(room)


async def _finished(node: LittleNode) -> tuple[int, list[NotedConnection]]:
    """Return a room whose match is over and whose replay is kept, and its two players."""
    players = [node.greet("Ada"), node.greet("Bob")]
    room = await node.create(players[0])
    for player in players:
        await node.join(player, room)
    node.act(players[0], room, ACTION)
    await node.settle()
    node.say(players[1], Resign(5, room))
    await node.settle()
    await node.archiver.archived(room)
    return room, players


async def test_a_player_who_comes_back_on_another_node_learns_the_result_and_the_verdict(new_node: NewNode) -> None:
    node = await new_node(name="first")
    room, players = await _finished(node)
    (told,) = players[0].of(Ended)
    other = await new_node(name="second")
    back = other.greet("Ada", token_of(players[0]))
    assert isinstance(await other.join(back, room), Joined)
    assert back.of(Ended) == [told]
    other.say(back, Act(room, ACTION, 1, msgspec.Raw(msgspec.msgpack.encode({}))))
    await other.settle()
    assert {(each.id, each.code) for each in back.of(Verdict)} == {(ACTION, None)}


async def test_nobody_else_brings_a_finished_match_back(new_node: NewNode) -> None:
    node = await new_node(name="first")
    room, _ = await _finished(node)
    other = await new_node(name="second")
    stranger = other.greet("Eve")
    answer = await other.join(stranger, room)
    assert isinstance(answer, Error)
    assert answer.code == codes.ROOM_UNKNOWN
    other.say(stranger, Watch(9, room))
    await until(lambda: len(stranger.of(Error)) == 2)
    assert len(other.room_host) == 0


async def test_a_match_that_was_brought_back_is_neither_stored_nor_listed_nor_kept_for_ever(
    new_node: NewNode, store: FickleStore
) -> None:
    node = await new_node(name="first")
    room, players = await _finished(node)
    other = await new_node(name="second")
    kept = await store.replay(room)
    await other.join(other.greet("Ada", token_of(players[0])), room)
    assert await store.replay(room) == kept
    assert await store.whereabouts([room]) == [None]
    other.expiry.sweep()
    assert len(other.room_host) == 1
    other.time.advance(600_000)
    other.expiry.sweep()
    assert len(other.room_host) == 0


async def test_a_store_that_is_away_turns_them_away_for_now(new_node: NewNode, store: FickleStore) -> None:
    node = await new_node(name="first")
    room, players = await _finished(node)
    other = await new_node(name="second")
    back = other.greet("Ada", token_of(players[0]))
    await until(lambda: bool(back.of(Welcome)))
    store.is_away = True
    other.say(back, Join(5, room))
    await let_pass(other.time, MOVING_MS)
    assert [(error.ref, error.code) for error in back.of(Error)] == [(5, codes.STORE_UNAVAILABLE)]
    store.is_away = False
    assert isinstance(await other.join(back, room), Joined)


async def test_a_node_whose_lease_was_in_doubt_does_not_claim_what_is_over(
    new_node: NewNode, store: FickleStore
) -> None:
    node = await new_node(name="first")
    running, _ = await node.table()
    over, _ = await _finished(node)
    node.reclaim.lose()
    await node.lease.begin()
    await until(lambda: not node.gate.is_shut and not node.room_host.is_in_doubt(running))
    await node.lease.suspend()
    assert store.claims == [(running, "first", 1)]
    assert over in node.room_host


class TestSeveral:
    async def test_who_looks_for_another_room_does_not_wait_for_a_match_to_be_brought_back(
        self, new_node: NewNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        node = await new_node(name="first")
        room, players = await _finished(node)
        desk = ReadingDesk(store, monkeypatch)
        other = await new_node(name="second")
        back, viewer = other.greet("Ada", token_of(players[0])), other.greet("Eve")
        await until(lambda: bool(back.of(Welcome)))
        other.say(back, Join(5, room))
        await until(lambda: desk.wanted == [room])
        other.say(viewer, Watch(9, room + 1))
        await until(lambda: [error.code for error in viewer.of(Error)] == [codes.ROOM_UNKNOWN])
        await let_pass(other.time, 3 * SEEK_MS)
        assert (back.of(Joined), desk.wanted) == ([], [room])
        desk.is_open.set()
        await until(lambda: bool(back.of(Joined)))

    async def test_only_a_match_that_was_played_through_again_gives_others_time(
        self, new_node: NewNode, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("warroom_server.restoring.finished_rooms.BREATH_S", 3600)
        node = await new_node(name="first")
        room, _ = await _finished(node)
        other = await new_node(name="second")
        for name in ("Eve", "Mallory"):
            answer = await other.join(other.greet(name), room)
            assert isinstance(answer, Error)

    async def test_a_player_who_comes_while_a_stranger_is_refused_is_let_in(
        self, new_node: NewNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        node = await new_node(name="first")
        room, players = await _finished(node)
        desk = ReadingDesk(store, monkeypatch)
        other = await new_node(name="second")
        stranger, back = other.greet("Eve"), other.greet("Ada", token_of(players[0]))
        await until(lambda: bool(back.of(Welcome)))
        other.say(stranger, Join(4, room))
        await until(lambda: desk.wanted == [room])
        other.say(back, Join(5, room))
        desk.is_open.set()
        await until(lambda: bool(back.of(Joined)))

    async def test_who_comes_when_too_many_matches_wait_is_looked_after_later(
        self, new_node: NewNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("warroom_server.cluster.room_locator.RECALLS", 2)
        node = await new_node(name="first")
        finished = [await _finished(node) for _ in range(4)]
        desk = ReadingDesk(store, monkeypatch)
        other = await new_node(name="second")
        back = [other.greet("Ada", token_of(players[0])) for _, players in finished]
        await until(lambda: all(player.of(Welcome) for player in back))
        rooms = [room for room, _ in finished]
        for player, room in zip(back, rooms, strict=True):
            other.say(player, Join(5, room))
        await other.settle()
        desk.is_open.set()
        await until(lambda: bool(back[1].of(Joined)))
        await other.settle()
        assert desk.wanted == rooms[:2]
        await let_pass(other.time, SEEK_MS)
        await until(lambda: all(player.of(Joined) for player in back))
