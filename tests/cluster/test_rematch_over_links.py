"""Rematches of players on two nodes while the link between these breaks: all of them meet in one room."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from linked_nodes import client, come_back, is_inside, let_pass, meet, play, seat_two
from manual_time import ManualTime
from memory_links import Network
from resuming_client import ResumingClient
from small_node import FickleStore, LittleNode, token_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Done, Ended, Error, Joined, Moved, Offer, Offers, Prompt, Resign, Watch
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.ports.store import FINDABLE_S

Neighbours = Callable[..., Awaitable[list[LittleNode]]]


async def finish(here: LittleNode, there: LittleNode) -> tuple[int, ResumingClient, ResumingClient, ResumingClient]:
    """Return a match on *here* that is over and archived, its players on either node, and a spectator *there*."""
    room, ada, bob = await seat_two(here, there)
    eve = client(there, "Eve")
    there.say(eve, Watch(3, room))
    await until(lambda: bool(eve.of(Joined)))
    for node, player in ((here, ada), (there, bob)):
        node.say(player, Offer(50, room, "draw"))
    await until(lambda: all(viewer.of(Ended) for viewer in (ada, bob, eve)))
    await here.archiver.archived(room)
    return room, ada, bob, eve


async def link_again(nodes: list[LittleNode], network: Network, store: FickleStore, time: ManualTime) -> None:
    """Mend the network, and let the nodes find each other."""
    network.mend()
    await let_pass(time, 500)
    for node in nodes:
        await store.renew(node.name, node.name, lease_ms=LEASE_MS)
    await meet(nodes, store)


async def assert_played_again(*places: tuple[LittleNode, ResumingClient]) -> None:
    """Check that the players were sent to one room, find their seats there and play; seats go round."""
    (moved,) = {moved for _, player in places for moved in player.of(Moved)}
    for (node, player), seat in zip(places, (1, 0), strict=True):
        joined = await node.join(player, moved.to)
        assert isinstance(joined, Joined), joined
        assert (joined.seat, joined.about.follows) == (seat, moved.room)
    for number, (node, player) in enumerate(places, start=1):
        await until(lambda player=player: player.of(Prompt)[-1].room == moved.to)
        assert (await play(node, player, moved.to, number)).code is None


async def is_told_of_the_rematch(node: LittleNode, player: ResumingClient, room: int) -> bool:
    """Whether a player learned of the rematch by entering the finished room again; one that did not asks for it."""
    await until(lambda: is_inside(node, player, room))
    is_told = bool(player.of(Moved))
    if not is_told:
        node.say(player, Offer(52, room, "rematch"))
        await until(lambda: bool(player.of(Moved)))
    return is_told


@pytest.mark.parametrize("turns", range(8))
async def test_a_link_that_breaks_while_a_rematch_is_agreed_on_and_comes_back_keeps_nobody_from_it(
    neighbours: Neighbours, store: FickleStore, network: Network, time: ManualTime, turns: int
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    room, ada, bob, eve = await finish(here, there)
    for node, player in ((here, ada), (there, bob)):
        node.say(player, Offer(51, room, "rematch"))
    for _ in range(turns):
        await asyncio.sleep(0)
    network.cut()
    await let_pass(time, 500)
    await link_again(nodes, network, store, time)
    is_refused = [error.code for error in bob.of(Error)] == [codes.ROOM_MOVING]
    assert is_refused or Done(51) in bob.of(Done)
    assert await is_told_of_the_rematch(there, bob, room) or is_refused
    await until(lambda: all(viewer.of(Moved) for viewer in (ada, eve)))
    await assert_played_again((here, ada), (there, bob))
    assert set(eve.of(Moved)) == set(bob.of(Moved))


async def test_players_who_ask_for_a_rematch_out_of_reach_of_each_other_meet_when_the_link_is_back(
    neighbours: Neighbours, store: FickleStore, network: Network, time: ManualTime
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    room, ada, bob, _ = await finish(here, there)
    network.cut()
    await until(lambda: bob.resumed == 1)
    assert room in there.room_host, "what is over is shown from its replay"
    for node, player in ((here, ada), (there, bob)):
        node.say(player, Offer(51, room, "rematch"))
    await until(lambda: all(player.of(Moved) for player in (ada, bob)))
    (moved,) = {*ada.of(Moved), *bob.of(Moved)}
    owner, edge = (here, there) if moved.to in here.room_host else (there, here)
    waiting = asyncio.create_task(edge.join(bob if edge is there else ada, moved.to))
    await let_pass(time, 500)
    assert not waiting.done(), "the room of the rematch is out of reach, and may be back at any moment"
    await link_again(nodes, network, store, time)
    assert isinstance(await waiting, Joined)
    assert moved.to in owner.room_host
    await assert_played_again((here, ada), (there, bob))


async def test_a_link_that_breaks_just_before_the_new_room_is_told_costs_nobody_the_way_there(
    neighbours: Neighbours, store: FickleStore, network: Network, time: ManualTime
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    room, ada, bob, eve = await finish(here, there)
    network.hold_from(b"moved")
    there.say(bob, Offer(51, room, "rematch"))
    await until(lambda: bool(ada.of(Offers)) and ada.of(Offers)[-1].offers == (("rematch", (1,)),))
    here.say(ada, Offer(51, room, "rematch"))
    await until(lambda: bool(ada.of(Moved)))
    assert (bob.of(Moved), eve.of(Moved)) == ([], [])
    network.cut()
    await until(lambda: bool(bob.of(Moved)) and bool(eve.of(Moved)))
    network.release(here.name)
    await link_again(nodes, network, store, time)
    await assert_played_again((here, ada), (there, bob))


async def test_a_player_cut_off_before_the_end_learns_of_the_end_and_of_the_rematch(
    neighbours: Neighbours, store: FickleStore, network: Network, time: ManualTime
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    network.cut()
    await let_pass(time, 500)
    here.say(ada, Resign(50, room))
    await until(lambda: bool(ada.of(Ended)))
    here.say(ada, Offer(51, room, "rematch"))
    await until(lambda: bool(ada.of(Moved)))
    assert (bob.of(Ended), bob.of(Moved)) == ([], [])
    await here.archiver.archived(room)
    await let_pass(time, 500)
    await until(lambda: bool(bob.of(Moved)))
    assert bob.of(Ended) == ada.of(Ended)
    await link_again(nodes, network, store, time)
    await assert_played_again((here, ada), (there, bob))


@pytest.mark.parametrize("is_late", [False, True])
async def test_who_comes_back_over_a_mended_link_agrees_with_the_others_where_the_match_ended_for_a_minute(
    neighbours: Neighbours, store: FickleStore, network: Network, time: ManualTime, is_late: bool
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    room, ada, bob, _ = await finish(here, there)
    there.dispatcher.closed(bob)
    network.cut()
    await let_pass(time, 500)
    if is_late:
        time.advance(1000 * FINDABLE_S)
    await link_again(nodes, network, store, time)
    back = await come_back(there, token_of(bob))
    assert isinstance(await there.join(back, room), Joined)
    assert (room in there.room_host) == is_late
    there.say(back, Offer(51, room, "rematch"))
    if not is_late:
        await until(lambda: bool(ada.of(Offers)) and ada.of(Offers)[-1].offers == (("rematch", (1,)),))
        assert (ada.of(Moved), back.of(Moved)) == ([], [])
    here.say(ada, Offer(51, room, "rematch"))
    await until(lambda: all(player.of(Moved) for player in (ada, back)))
    await assert_played_again((here, ada), (there, back))
