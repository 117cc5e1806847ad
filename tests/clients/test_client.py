"""The asyncio client against a scripted server."""

import asyncio
import socket

import msgspec
import pytest
from scripted_server import ABOUT, CLOCK, Peer, scripted, snapshot

from warroom_client import (
    Client,
    ClientError,
    Disconnected,
    DisconnectedError,
    Ended,
    Judged,
    Prompted,
    Reconnected,
    Refreshed,
    RejectedError,
    UnsendableError,
    Updated,
    VersionError,
)
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.versions import mismatch

ROOM = 7
END = wire.Ended(ROOM, (1, 2), "victory", "00", "11")


def accepted(act: wire.Act) -> wire.Verdict:
    return wire.Verdict(ROOM, act.id, None, None, 2, 0, None)


def update(p: int, value: int) -> wire.Update:
    return wire.Update(ROOM, p, [(("n",), value)], ({"type": "counted"},), CLOCK, None)


async def test_a_room_is_followed_to_its_end() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000))
        legal = await peer.expect(wire.Legal)
        await peer.send(wire.LegalList(legal.ref, ROOM, 1, True, ({"type": "count"},)))
        act = await peer.expect(wire.Act)
        assert (act.turn, bytes(act.action)) == (1, b"\x81\xa4type\xa5count")
        await peer.send(update(2, 1), accepted(act), END)
        await peer.until_closed()

    seen = []
    async with scripted(script) as url, Client(url, name="Ada") as client:
        room = await client.join("0000007")
        async for event in room:
            seen.append(event)
            if isinstance(event, Prompted):
                legal = await room.legal()
                await room.act(legal.actions[0], turn=legal.turn)
    assert [type(event) for event in seen] == [Refreshed, Prompted, Updated, Judged, Ended]
    assert (client.player, client.token, room.public, room.phase) == ("ada", "token-of-ada", {"n": 1}, "ended")


async def test_a_refused_action_raises_its_code() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        act = await peer.expect(wire.Act)
        await peer.send(wire.Verdict(ROOM, act.id, "bid.spent", "card 3 is not in your hand", 1, 0, None))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(RejectedError, match="card 3") as refused:
            await room.act({"type": "bid"}, turn=1)
    assert refused.value.code == "bid.spent"


@pytest.mark.parametrize(
    "value", [2**70, 2**53, 1.5, object(), "x" * 4096, "\ud800", [[[[[[]]]]]]], ids=lambda value: type(value).__name__
)
async def test_what_breaks_a_limit_is_not_sent_and_leaves_the_line_as_it_is(value: object) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        act = await peer.expect(wire.Act)
        await peer.send(accepted(act))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(UnsendableError, match="cannot be sent"):
            await room.act({"type": "bid", "card": value}, turn=1)
        for request in (room.say("x" * 501), room.kick(64), room.kick(2**70), room.fill(bot="x" * 65)):
            with pytest.raises(UnsendableError, match="this cannot be sent"):
                await request
        assert room.unanswered == ()
        await room.act({"type": "bid"}, turn=1)


async def test_a_name_that_is_too_long_is_not_sent() -> None:
    async def script(peer: Peer) -> None:
        await peer.until_closed()

    async with scripted(script) as url:
        with pytest.raises(UnsendableError, match="hello"):
            await Client(url, name="x" * 65).__aenter__()


async def test_a_final_close_is_reported_only_by_the_end_of_the_room() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.socket.close(codes.CLOSE_MALFORMED)

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        assert await anext(room) == Refreshed()
        with pytest.raises(DisconnectedError):
            await anext(room)


@pytest.mark.parametrize("code", [1001, 1011, 1012, codes.CLOSE_SLOW, codes.CLOSE_IDLE])
async def test_after_a_close_the_client_resumes_where_it_was(code: int) -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(update(2, 1))
        await peer.socket.close(code)

    async def second(peer: Peer) -> None:
        hello = await peer.welcome()
        assert hello.token == "token-of-ada"
        join = await peer.resume(update(3, 2))
        assert (join.position, join.seat_token) == (wire.Position(1, 2, 0), "seat")
        await peer.send(END)
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        room = await client.join(ROOM)
        seen = [type(event) async for event in room]
    assert seen == [Refreshed, Updated, Disconnected, Reconnected, Updated, Ended]
    assert room.public == {"n": 2}


async def test_an_unanswered_action_is_sent_again_under_the_same_id() -> None:
    ids = []

    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        ids.append((await peer.expect(wire.Act)).id)
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        await peer.resume()
        act = await peer.expect(wire.Act)
        ids.append(act.id)
        await peer.send(accepted(act))
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        room = await client.join(ROOM)
        verdict = await room.act({"type": "count"}, turn=1)
    assert ids == [verdict.id, verdict.id]


async def test_an_action_whose_verdict_comes_with_the_resume_is_not_sent_again() -> None:
    acts = []

    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        acts.append(await peer.expect(wire.Act))
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        await peer.resume(update(2, 1), accepted(acts[0]))
        legal = await peer.expect(wire.Legal)
        await peer.send(wire.LegalList(legal.ref, ROOM, 2, True, ()))
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        room = await client.join(ROOM)
        await room.act({"type": "count"}, turn=1)
        assert (await room.legal()).turn == 2
    assert room.public == {"n": 1}


async def test_a_request_without_a_reply_is_repeated_with_its_ref() -> None:
    refs = []

    async def first(peer: Peer) -> None:
        await peer.welcome()
        refs.append((await peer.expect(wire.Create)).ref)
        await peer.socket.close(1012)

    async def second(peer: Peer) -> None:
        await peer.welcome()
        create = await peer.expect(wire.Create)
        refs.append(create.ref)
        await peer.send(wire.Created(create.ref, ROOM, "0000007"))
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        created = await client.create("bids", seats=2)
    assert created.code == "0000007"
    assert refs[0] == refs[1]


async def test_a_request_that_must_not_be_repeated_says_that_its_fate_is_unknown() -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.expect(wire.Resign)
        await peer.socket.close(1012)

    async with scripted(first) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(DisconnectedError) as lost:
            await room.resign()
    assert lost.value.code == 1012


async def test_a_server_that_refuses_the_version_is_not_asked_again() -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.expect(wire.Hello)
        await peer.send(wire.Error(hello.ref, codes.HELLO_VERSION, mismatch(server=[9], client=hello.versions)))
        await peer.socket.close(codes.CLOSE_VERSION)

    async with scripted(script) as url:
        with pytest.raises(VersionError) as refused:
            await Client(url).__aenter__()
    said = "refused protocol 1 of this client: the server speaks protocol 9, the client 1: update the client"
    assert str(refused.value) == f"{url} {said}"
    assert refused.value.code == codes.HELLO_VERSION


@pytest.mark.parametrize(
    ("welcome", "said"),
    [
        pytest.param([9, "ada", "t", "", "warroom 9"], "the server speaks protocol 9, the client 1", id="another"),
        pytest.param([9, {"player": "ada"}], "the server speaks protocol 9, the client 1", id="of other fields"),
        pytest.param(
            [1, "ada", "t", "", "warroom 9", "more"],
            "the server's protocol 1 is not the one of this client: welcome has 7 fields; allowed: at most 6",
            id="with more fields",
        ),
    ],
)
async def test_the_welcome_of_another_version_is_refused(welcome: list[object], said: str) -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.expect(wire.Hello)
        await peer.socket.send(msgspec.msgpack.encode(["welcome", hello.ref, *welcome]))
        await peer.until_closed()

    async with scripted(script) as url:
        with pytest.raises(VersionError) as refused:
            await Client(url).__aenter__()
    assert str(refused.value).startswith(f"{url}: {said}")


@pytest.mark.parametrize("code", [codes.CLOSE_VERSION, codes.CLOSE_MALFORMED, codes.CLOSE_TEXT])
async def test_a_final_close_ends_everything_that_waits(code: int) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.expect(wire.Act)
        await peer.socket.close(code)

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(DisconnectedError) as lost:
            await room.act({"type": "count"}, turn=1)
        assert lost.value.code == code
        with pytest.raises(DisconnectedError):
            await client.rooms()
        with pytest.raises(DisconnectedError):
            async for _ in room:
                pass


async def test_an_unreachable_server_is_one_clear_error() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(DisconnectedError, match=f"cannot reach ws://127.0.0.1:{port}/ws"):
            await Client(f"ws://127.0.0.1:{port}/ws").__aenter__()


async def test_an_invalid_address_is_one_clear_error() -> None:
    with pytest.raises(ClientError, match="not a websocket address"):
        await Client("http://127.0.0.1/ws").__aenter__()


async def test_patience_ends() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.socket.close(1012)

    async with scripted(script) as url, Client(url, patience_s=0.3) as client:
        with pytest.raises(DisconnectedError, match="no connection for"):
            await client.games()


async def test_a_gap_asks_for_a_snapshot() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(update(5, 4))
        resync = await peer.expect(wire.Resync)
        assert resync.reason == "view.gap"
        await peer.send(wire.Done(resync.ref), snapshot(ROOM, {"n": 4}, 5), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        assert [type(event) async for event in room] == [Refreshed, Refreshed, Ended]
    assert room.public == {"n": 4}


async def test_a_refused_join_leaves_the_client_free_to_try_again() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        join = await peer.expect(wire.Join)
        await peer.send(wire.Error(join.ref, codes.ROOM_FULL, "every seat is taken"))
        await peer.seat({"n": 0})
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        with pytest.raises(RejectedError, match="every seat is taken"):
            await client.join(ROOM)
        assert (await client.join(ROOM)).public == {"n": 0}
        with pytest.raises(ClientError, match="already"):
            await client.watch(ROOM)


async def test_a_room_that_is_gone_after_a_break_ends_with_the_reason() -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.socket.close(1012)

    async def second(peer: Peer) -> None:
        await peer.welcome()
        join = await peer.expect(wire.Join)
        await peer.send(wire.Error(join.ref, codes.ROOM_UNKNOWN, "there is no such room"))
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(RejectedError, match="no such room"):
            async for _ in room:
                pass


async def test_two_rooms_share_one_connection_and_keep_apart() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        watch = await peer.expect(wire.Watch)
        await peer.send(wire.Joined(watch.ref, 8, "0000008", 1, None, None, ABOUT), snapshot(8, {"n": 10}))
        await peer.send(update(2, 1), wire.Update(8, 2, [(("n",), 11)], (), CLOCK, None))
        ping = await peer.expect(wire.Ping)
        await peer.send(wire.Pong(ping.ref))
        leave = await peer.expect(wire.Leave)
        await peer.send(wire.Done(leave.ref), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        playing, watching = await client.join(ROOM), await client.watch("0000008")
        await client.ping()
        assert (playing.public, watching.public, watching.seat) == ({"n": 1}, {"n": 11}, None)
        await watching.leave()
        assert [type(event) async for event in watching] == [Refreshed, Updated]
        assert [type(event) async for event in playing] == [Refreshed, Updated, Ended]


async def test_cancelling_an_act_leaves_the_client_working() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        act = await peer.expect(wire.Act)
        ping = await peer.expect(wire.Ping)
        await peer.send(accepted(act), wire.Pong(ping.ref))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(room.act({"type": "count"}, turn=1), 0.05)
        assert await client.ping() > 0
        assert room.unanswered == ()


async def test_closing_the_client_ends_whatever_waits() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.until_closed()

    async with scripted(script) as url:
        async with Client(url) as client:
            room = await client.join(ROOM)
            acting = asyncio.create_task(room.act({"type": "count"}, turn=1))
            await asyncio.sleep(0)
        with pytest.raises(ClientError, match="closed"):
            await acting
        with pytest.raises(ClientError, match="closed"):
            await client.games()


async def test_acting_without_being_asked_is_an_error_of_the_program() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(ClientError, match="it is not its turn"):
            await room.act({"type": "count"})


async def test_a_client_closed_at_once_leaves_nothing_open() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.until_closed()
        gone.set()

    gone = asyncio.Event()
    async with scripted(script) as url:
        async with Client(url) as client:
            pass
        await gone.wait()
        with pytest.raises(ClientError, match="closed"):
            await client.games()
