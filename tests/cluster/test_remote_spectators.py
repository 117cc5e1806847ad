"""Spectators of an edge: one destination for all, the same bytes for all, and everything of each when it matters."""

from collections.abc import Awaitable, Callable

from linked_nodes import client, come_back, let_pass, play, seat_two, talk
from manual_time import ManualTime
from memory_links import Network
from resuming_client import ResumingClient
from small_node import FickleStore, LittleNode, NotedConnection, token_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import (
    Create,
    Created,
    Done,
    Error,
    Join,
    Joined,
    Leave,
    Mute,
    Paused,
    Position,
    Resumed,
    Resync,
    Said,
    Say,
    Seats,
    Snapshot,
    Update,
    Watch,
    Welcome,
)
from warroom_server.cluster import messages
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.cluster.messages import Batch

Neighbours = Callable[..., Awaitable[list[LittleNode]]]


def raw(viewer: NotedConnection, name: bytes) -> list[bytes]:
    """Return the messages of one name that a viewer got, as they came."""
    return [frame for frame in viewer.frames if name in frame[:12]]


async def watch(node: LittleNode, room: int, name: str = "Eve") -> ResumingClient:
    """Return somebody who watches a room."""
    viewer = client(node, name)
    node.say(viewer, Watch(7, room))
    await until(lambda: bool(viewer.of(Snapshot)))
    await talk()
    return viewer


def batches(network: Network) -> list[Batch]:
    """Return what owners sent to edges."""
    sent = [messages.CODEC.decode(payload) for payload in network.sent]
    return [message for message in sent if isinstance(message, Batch)]


async def test_the_owner_counts_all_spectators_of_an_edge(neighbours: Neighbours, time: ManualTime) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, _ = await seat_two(here, there)
    viewers = [await watch(there, room) for _ in range(5)]
    await let_pass(time, 500)
    assert ada.of(Seats)[-1].watching == viewers[0].of(Seats)[-1].watching == 5
    there.say(viewers[0], Leave(9, room))
    there.dispatcher.closed(viewers[1])
    await let_pass(time, 500)
    assert viewers[0].of(Done) == [Done(9)]
    assert ada.of(Seats)[-1].watching == 3
    for viewer in viewers[2:]:
        there.dispatcher.closed(viewer)
    await until(lambda: len(here.remote_viewers) == 1)
    assert len(there.remote_rooms) == 1


async def test_spectators_that_arrive_together_share_one_snapshot(neighbours: Neighbours, network: Network) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, _, _ = await seat_two(here, there)
    before = len(batches(network))
    viewers = [there.greet(f"Viewer {number}") for number in range(20)]
    for viewer in viewers:
        there.say(viewer, Watch(7, room))
    await until(lambda: all(viewer.of(Snapshot) for viewer in viewers))
    snapshots = [payload for batch in batches(network)[before:] for payload in batch.payloads if b"snapshot" in payload]
    assert len(snapshots) < len(viewers) / 2
    assert len({viewer.frames[2] for viewer in viewers}) == 1, "and all get the same bytes"


async def test_who_comes_later_gets_the_bytes_that_one_here_gets(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    await watch(there, room)
    for number, (node, player) in enumerate([(here, ada), (there, bob)] * 2, start=1):
        assert (await play(node, player, room, number)).code is None
    await talk()
    near, far = await watch(here, room), await watch(there, room)
    assert raw(near, b"snapshot") == raw(far, b"snapshot")
    assert raw(near, b"joined") == raw(far, b"joined")
    assert far.of(Paused)[-1].reason is None


async def test_who_comes_back_gets_what_was_missed(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    eve = await watch(there, room)
    start = eve.of(Snapshot)[0]
    for number, (node, player) in enumerate([(here, ada), (there, bob)] * 2, start=1):
        assert (await play(node, player, room, number)).code is None
    await until(lambda: len(eve.of(Update)) > 1)
    back, lost = there.greet("Eve"), there.greet("Eve")
    there.say(back, Watch(8, room, Position(start.life, start.p, 0)))
    await until(lambda: len(raw(back, b"update")) == len(raw(eve, b"update")))
    assert (raw(back, b"update"), len(back.of(Resumed))) == (raw(eve, b"update"), 1)
    there.say(lost, Watch(8, room, Position(start.life + 1, start.p, 0)))
    await until(lambda: bool(lost.of(Snapshot)))
    assert lost.of(Resumed) == []


async def test_a_copy_that_went_wrong_and_a_slow_viewer_get_a_snapshot_of_their_own(
    neighbours: Neighbours, network: Network
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    eve, dan = await watch(there, room), await watch(there, room)
    there.say(eve, Resync(5, room, codes.VIEW_DRIFT))
    await until(lambda: eve.of(Done) == [Done(5)])
    eve.is_congested = True
    for number, (node, player) in enumerate([(here, ada), (there, bob)], start=1):
        assert (await play(node, player, room, number)).code is None
    await talk()
    eve.is_congested = False
    there.dispatcher.drained(eve)
    await until(lambda: len(eve.of(Snapshot)) == 3)
    assert (len(dan.of(Snapshot)), eve.position(room)) == (1, dan.position(room))


async def test_who_talks_or_mutes_somebody_stays_a_spectator_and_hears_what_it_wants(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    eve, dan = await watch(there, room, "Eve"), await watch(there, room, "Dan")
    there.say(eve, Say(5, room, "hello"))
    await until(lambda: bool(eve.of(Done)) and bool(dan.of(Said)))
    there.say(dan, Mute(6, room, eve.of(Welcome)[0].player))
    await until(lambda: bool(dan.of(Done)))
    there.say(eve, Say(7, room, "do you hear me?"))
    await until(lambda: len(eve.of(Said)) == 2)
    await talk()
    assert [line.text for line in dan.of(Said)] == ["hello"]
    for number, (node, player) in enumerate([(here, ada), (there, bob)], start=1):
        assert (await play(node, player, room, number)).code is None
    await until(lambda: bool(dan.of(Update)) and len(dan.of(Update)) == len(eve.of(Update)))
    assert raw(dan, b"update") == raw(eve, b"update")
    there.say(dan, Join(6, room))
    await until(lambda: bool(dan.of(Error)))
    assert dan.of(Error)[0].code == codes.ROOM_STARTED


async def test_spectators_resume_where_another_node_takes_their_room_over(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    dying, edge, heir = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob = await seat_two(dying, edge)
    viewers = [await watch(edge, room) for _ in range(3)]
    await dying.stop()
    await until(lambda: viewers[0].of(Paused)[-1].reason == codes.PAUSE_MOVING)
    await let_pass(time, LEASE_MS)
    await heir.take_over()
    cara = await come_back(heir, token_of(ada))
    assert isinstance(await heir.join(cara, room), Joined)
    await until(lambda: viewers[2].of(Paused)[-1].reason is None)
    assert (await play(heir, cara, room, 1)).code is None
    assert (await play(edge, bob, room, 2)).code is None
    await until(lambda: len({len(viewer.of(Update)) for viewer in viewers}) == 1 and bool(viewers[0].of(Update)))
    await let_pass(time, 500)
    assert cara.of(Seats)[-1].watching == 3


async def test_spectators_whose_own_node_takes_the_room_over_resume_there(
    neighbours: Neighbours, time: ManualTime
) -> None:
    dying, heir = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(dying, heir)
    eve = await watch(heir, room)
    await dying.stop()
    await let_pass(time, LEASE_MS)
    await heir.take_over()
    cara = await come_back(heir, token_of(ada))
    assert isinstance(await heir.join(cara, room), Joined)
    assert (await play(heir, cara, room, 1)).code is None
    assert (await play(heir, bob, room, 2)).code is None
    await until(lambda: raw(eve, b"update") == raw(bob, b"update")[-len(raw(eve, b"update")) :] != [])
    assert (len(eve.of(Resumed)), len(heir.remote_rooms)) == (1, 0)


async def test_a_private_room_is_found_with_its_key_alone_also_once_others_watch_it(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    ada = here.greet("Ada")
    here.say(ada, Create(5, "sealed_bids", 2, {}, {"private": True}))
    await until(lambda: bool(ada.of(Created)))
    created = ada.of(Created)[0]
    friend, stranger = there.greet("Friend"), there.greet("Stranger")
    there.say(friend, Watch(7, created.room, None, created.key))
    await until(lambda: bool(friend.of(Joined)))
    there.say(stranger, Watch(7, created.room))
    await until(lambda: bool(stranger.of(Error)))
    assert stranger.of(Error)[0].code == codes.ROOM_UNKNOWN
