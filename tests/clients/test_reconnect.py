"""Reconnecting: many rooms after a break, rooms that moved, and rooms that lost their history."""

import asyncio

import pytest
from msgspec.structs import replace
from scripted_server import ABOUT, CLOCK, Peer, scripted, snapshot

from warroom_client import (
    Client,
    ClientError,
    Disconnected,
    Ended,
    Judged,
    Noticed,
    Reconnected,
    Refreshed,
    RejectedError,
    Updated,
)
from warroom_client.requests import MAX_REQUESTS
from warroom_client.room_entry import RETURNING
from warroom_protocol import codes
from warroom_protocol import messages as wire

ROOM = 7
END = wire.Ended(ROOM, (1, 2), "victory", "00", "11")
MOVED = wire.Notice(ROOM, codes.NOTICE_MOVED, "it goes on elsewhere")
ROOMS = 100


def accepted(act: wire.Act) -> wire.Verdict:
    return wire.Verdict(ROOM, act.id, None, None, 2, 0, None)


def update(p: int, value: int) -> wire.Update:
    return wire.Update(ROOM, p, [(("n",), value)], ({"type": "counted"},), CLOCK, None)


async def follow_many(peer: Peer) -> None:
    """Let the client watch many rooms, then break the connection."""
    await peer.welcome()
    for _ in range(ROOMS):
        watch = await peer.expect(wire.Watch)
        joined = wire.Joined(watch.ref, watch.room, "", 1, None, None, ABOUT)
        await peer.send(joined, snapshot(watch.room, {"n": 0}))
    peer.socket.transport.abort()


async def answer(peer: Peer, message: wire.ClientMessage) -> None:
    """Let a room be entered again, or answer a ping."""
    if isinstance(message, wire.Watch):
        assert message.position == wire.Position(1, 1, 0)
        resumed = wire.Resumed(message.ref, message.room, "", 1, None, None, ABOUT)
        await peer.send(resumed, wire.Update(message.room, 2, [(("n",), 1)], (), CLOCK, None))
    else:
        assert isinstance(message, wire.Ping)
        await peer.send(wire.Pong(message.ref))


async def test_a_hundred_rooms_come_back_after_a_break() -> None:
    async def second(peer: Peer) -> None:
        await peer.welcome()
        while True:
            await answer(peer, await peer.hear())

    async with scripted(follow_many, second) as url, Client(url) as client:
        rooms = [await client.watch(number) for number in range(ROOMS)]
        for room in rooms:
            assert [type(await anext(room)) for _ in range(4)] == [Refreshed, Disconnected, Reconnected, Updated]
        assert [room.public for room in rooms] == [{"n": 1}] * ROOMS


async def test_rooms_that_come_back_leave_the_program_space_to_ask() -> None:
    waiting = asyncio.Event()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        held = [await peer.expect(wire.Watch) for _ in range(RETURNING)]
        waiting.set()
        ping = await peer.expect(wire.Ping)
        await peer.send(wire.Pong(ping.ref))
        for watch in held:
            await answer(peer, watch)
        while True:
            await answer(peer, await peer.hear())

    async with scripted(follow_many, second) as url, Client(url) as client:
        rooms = [await client.watch(number) for number in range(ROOMS)]
        await waiting.wait()
        assert await client.ping() > 0
        for room in rooms:
            assert [type(await anext(room)) for _ in range(4)] == [Refreshed, Disconnected, Reconnected, Updated]


async def test_what_the_program_asks_without_waiting_is_bounded_but_hinders_no_repair() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        pings = [await peer.expect(wire.Ping) for _ in range(MAX_REQUESTS)]
        await peer.send(update(5, 4))
        resync = await peer.expect(wire.Resync)
        await peer.send(wire.Done(resync.ref), snapshot(ROOM, {"n": 4}, 5), *(wire.Pong(ping.ref) for ping in pings))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        asking = [asyncio.create_task(client.ping()) for _ in range(MAX_REQUESTS)]
        await asyncio.sleep(0)
        with pytest.raises(ClientError, match="64 requests are still unanswered"):
            await client.ping()
        await asyncio.gather(*asking)
        assert room.public == {"n": 4}


async def test_a_room_that_moved_is_entered_again_on_the_same_connection() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        act = await peer.expect(wire.Act)
        await peer.send(MOVED)
        join = await peer.resume(update(2, 1))
        assert (join.position, join.seat_token) == (wire.Position(1, 1, 0), "seat")
        again = await peer.expect(wire.Act)
        assert again == act
        await peer.send(accepted(again), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        await room.act({"type": "count"}, turn=1)
        seen = [type(event) async for event in room]
    assert seen == [Refreshed, Noticed, Reconnected, Updated, Judged, Ended]


async def test_a_room_that_moves_while_it_is_entered_again_is_entered_once_more() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(MOVED)
        await peer.resume(MOVED)
        await peer.resume(update(2, 1), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        assert [type(event) async for event in room][-2:] == [Updated, Ended]


async def test_what_cannot_be_asked_twice_fails_when_its_room_moves() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.expect(wire.Resign)
        ping = await peer.expect(wire.Ping)
        await peer.send(MOVED)
        await peer.resume()
        await peer.send(wire.Pong(ping.ref), wire.Notice(8, codes.NOTICE_MOVED, "not a room of ours"))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        resigning = asyncio.create_task(room.resign())
        await asyncio.sleep(0)
        pinging = asyncio.create_task(client.ping())
        with pytest.raises(RejectedError) as refused:
            await resigning
        assert refused.value.code == codes.ROOM_MOVING
        assert await pinging > 0


async def test_a_room_that_knows_nothing_of_its_viewer_is_entered_again() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(update(5, 4))
        resync = await peer.expect(wire.Resync)
        await peer.send(wire.Error(resync.ref, codes.ROOM_NOT_HERE, "who are you?"))
        join = await peer.seat({"n": 4}, p=5)
        assert join.position is None
        ping = await peer.expect(wire.Ping)
        await peer.send(wire.Pong(ping.ref), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        assert [type(event) async for event in room] == [Refreshed, Reconnected, Refreshed, Ended]


async def test_actions_of_another_life_are_given_up() -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.expect(wire.Act)
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        join = await peer.expect(wire.Join)
        await peer.send(wire.Joined(join.ref, ROOM, "0000007", 2, 0, "seat", ABOUT))
        await peer.send(replace(snapshot(ROOM, {"n": 9}), life=2))
        ping = await peer.expect(wire.Ping)
        await peer.send(wire.Pong(ping.ref), END)
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(ClientError, match="lost its history"):
            await room.act({"type": "count"}, turn=1)
        assert [type(event) async for event in room][-1] is Ended
        assert room.public == {"n": 9}
