"""Requests inside rooms (chat, offers, mutes, bots, replays), against a scripted server."""

import asyncio

import msgspec
import pytest
from scripted_server import ABOUT, CLOCK, Peer, scripted, snapshot
from wait_until import until

from warroom_client import (
    Client,
    ClientError,
    DisconnectedError,
    Ended,
    LegalActions,
    ListingChange,
    Moved,
    Noticed,
    OffersChanged,
    Paused,
    RejectedError,
    Said,
    SeatsChanged,
    Updated,
)
from warroom_client.client import QUICK_ATTEMPTS
from warroom_protocol import codes
from warroom_protocol import messages as wire

ROOM = 7
END = wire.Ended(ROOM, (1, 2), "victory", "00", "11", "", True)


def listing(room: int, taken: int = 1) -> wire.RoomListing:
    return wire.RoomListing(room, "", "bids", "lobby", 2, taken, 0, 30_000)


def own_seat(*, stood_in: bool) -> wire.Seats:
    state = wire.SeatState(0, "ada", "Ada", True, False, "greedy" if stood_in else None, stood_in)
    return wire.Seats(ROOM, "playing", "ada", (state,), 0)


async def test_a_quick_match_is_requested_again_when_the_seat_is_taken() -> None:
    refs = []

    async def script(peer: Peer) -> None:
        await peer.welcome()
        for code in (codes.ROOM_FULL, codes.ROOM_STARTED):
            quick = await peer.expect(wire.Quick)
            refs.append(quick.ref)
            await peer.send(wire.Created(quick.ref, 6, "0000006"))
            join = await peer.expect(wire.Join)
            await peer.send(wire.Error(join.ref, code, "too late"))
        quick = await peer.expect(wire.Quick)
        refs.append(quick.ref)
        assert (quick.game, quick.seats, quick.room_options) == ("bids", 2, {"turn_ms": 5000})
        await peer.send(wire.Created(quick.ref, ROOM, "0000007"))
        await peer.seat()
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.quick("bids", seats=2, room_options={"turn_ms": 5000})
    assert room.number == ROOM
    assert len(set(refs)) == 3


@pytest.mark.parametrize(
    ("code", "attempts"),
    [
        pytest.param(codes.ROOM_FULL, QUICK_ATTEMPTS, id="always too late"),
        pytest.param(codes.ROOM_LIMIT, 1, id="not a matter of time"),
    ],
)
async def test_a_quick_match_gives_up_in_the_end(code: str, attempts: int) -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        for _ in range(attempts):
            quick = await peer.expect(wire.Quick)
            await peer.send(wire.Created(quick.ref, 6, "0000006"))
            join = await peer.expect(wire.Join)
            await peer.send(wire.Error(join.ref, code, "no"))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        with pytest.raises(RejectedError) as refused:
            await client.quick("bids")
    assert refused.value.code == code


async def test_an_invitation_opens_a_private_room_and_the_key_is_shown_again_on_the_way_back() -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        watch = await peer.expect(wire.Watch)
        assert (watch.room, watch.key) == (ROOM, "k3v5rm2a")
        await peer.send(wire.Joined(watch.ref, ROOM, "0000007", 1, None, None, ABOUT), snapshot(ROOM, {"n": 0}))
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        watch = await peer.expect(wire.Watch)
        assert watch.key == "k3v5rm2a"
        await peer.send(wire.Resumed(watch.ref, ROOM, "0000007", 1, None, None, ABOUT), END)
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        room = await client.watch("0000007-K3V5RM2A")
        assert room.invitation == "0000007-k3v5rm2a"
        assert [event async for event in room][-1] == Ended((1, 2), "victory", "00", "11", "", rated=True)


async def test_a_live_list_changes_and_outlives_a_break_and_other_questions() -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        asked = await peer.expect(wire.Rooms)
        assert (asked.game, asked.open, asked.live) == ("bids", True, True)
        await peer.send(wire.RoomList(asked.ref, (listing(2), listing(1))))
        once = await peer.expect(wire.Rooms)
        assert not once.live
        await peer.send(wire.RoomList(once.ref, (listing(9),)))
        assert await peer.expect(wire.Rooms) == asked
        await peer.send(wire.RoomList(asked.ref, (listing(2), listing(1))), wire.Listed((listing(3),), (1,)))
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        again = await peer.expect(wire.Rooms)
        await peer.send(wire.RoomList(again.ref, (listing(4), listing(3))))
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        live = await client.live_rooms("bids", is_open=True)
        assert await anext(live) == ListingChange((listing(1), listing(2)), ())
        assert await client.rooms() == (listing(9),)
        assert await anext(live) == ListingChange((listing(3),), (1,))
        assert await anext(live) == ListingChange((listing(4),), (2,))
        assert live.rooms == (listing(3), listing(4))
        live.stop()
        assert [change async for change in live] == []


async def test_a_list_continues_after_its_last_room_with_the_same_filters() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        asked = await peer.expect(wire.Older)
        assert (asked.before, asked.game, asked.phase, asked.open, asked.player) == (9, "bids", "lobby", True, "ada")
        await peer.send(wire.RoomList(asked.ref, (listing(8),)))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        assert await client.rooms("bids", phase="lobby", is_open=True, player="ada", before=9) == (listing(8),)


async def test_a_live_list_of_no_game_is_refused_and_the_next_one_ends_the_one_before() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        refused = await peer.expect(wire.Rooms)
        await peer.send(wire.Error(refused.ref, codes.GAME_UNKNOWN, "unknown game chess"))
        for _ in range(2):
            asked = await peer.expect(wire.Rooms)
            await peer.send(wire.RoomList(asked.ref, ()))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        with pytest.raises(RejectedError, match="chess"):
            await client.live_rooms("chess")
        first = await client.live_rooms()
        second = await client.live_rooms()
        assert [change async for change in first] == [ListingChange((), ())]
        assert await anext(second) == ListingChange((), ())
    with pytest.raises(ClientError, match="closed"):
        await anext(second)


async def test_a_player_is_followed_from_room_to_room() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        asked = await peer.expect(wire.Rooms)
        assert (asked.player, asked.live) == ("bob", True)
        await peer.send(wire.RoomList(asked.ref, (listing(1),)))
        ping = await peer.expect(wire.Ping)
        await peer.send(wire.Listed((listing(1, taken=2),), ()), wire.Listed((listing(2),), (1,)), wire.Pong(ping.ref))
        await peer.until_closed()

    found = []
    async with scripted(script) as url, Client(url) as client:
        async for room in client.follow("bob"):
            found.append(room.room)
            if len(found) == 2:
                break
            await client.ping()
    assert found == [1, 2]


async def test_chat_and_offers_after_the_match_lead_to_the_reserved_seat() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(END, wire.Said(ROOM, 5, "bob", "Bob", 1, "again?"))
        await peer.send(wire.Offers(ROOM, (("rematch", (1,)),)))
        offer = await peer.expect(wire.Offer)
        assert (offer.what, offer.on) == ("rematch", True)
        await peer.send(wire.Done(offer.ref), wire.Moved(ROOM, 8, "0000008-key", "key"))
        join = await peer.expect(wire.Join)
        assert (join.room, join.key) == (8, "key")
        await peer.send(wire.Joined(join.ref, 8, "0000008", 1, 1, "seat", ABOUT), snapshot(8, None))
        leave = await peer.expect(wire.Leave)
        await peer.send(wire.Done(leave.ref))
        await peer.until_closed()

    after = []
    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        assert isinstance([event async for event in room][-1], Ended)
        with pytest.raises(ClientError, match="no rematch"):
            await client.move_on(room)
        async for event in room.afterwards():
            after.append(event)
            if isinstance(event, OffersChanged):
                assert room.offers == {"rematch": (1,)}
                await room.offer("rematch")
            if isinstance(event, Moved):
                rematch = await client.move_on(room)
    assert after == [Said("bob", "Bob", 1, "again?"), OffersChanged(), Moved(8, "0000008-key")]
    assert (rematch.number, rematch.seat) == (8, 1)


async def test_a_decision_that_another_client_of_the_seat_made_is_open_no_more() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(wire.Prompt(ROOM, 0, 1, 0, 30_000))
        for news in ((), (wire.Notice(ROOM, codes.NOTICE_DECIDED, ""),)):
            ping = await peer.expect(wire.Ping)
            await peer.send(*news, wire.Pong(ping.ref))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        await client.ping()
        assert room.prompt is not None
        await client.ping()
        assert room.prompt is None


@pytest.mark.parametrize("reclaims", [True, False])
async def test_a_returning_player_reclaims_the_seat_unless_told_not_to(reclaims: bool) -> None:
    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(own_seat(stood_in=False))
        # A bot that sits in for somebody who is there stays until it is asked to go.
        await peer.send(own_seat(stood_in=True))
        ping = await peer.expect(wire.Ping)
        await peer.send(wire.Pong(ping.ref))
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        await peer.resume(own_seat(stood_in=True))
        if reclaims:
            asked = await peer.expect(wire.Reclaim)
            await peer.send(wire.Done(asked.ref))
        await peer.send(END)
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url, reclaims=reclaims) as client:
        room = await client.join(ROOM)
        await client.ping()
        assert room.is_stood_in
        assert isinstance([event async for event in room][-1], Ended)


async def test_a_restarted_program_takes_its_seat_back_from_the_bot() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(own_seat(stood_in=True))
        reclaim = await peer.expect(wire.Reclaim)
        await peer.send(wire.Error(reclaim.ref, codes.SEAT_NO_BOT, "it is gone"), own_seat(stood_in=False), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url, token="token-of-ada") as client:
        room = await client.join(ROOM)
        seen = [event async for event in room]
    assert sum(isinstance(event, SeatsChanged) for event in seen) == 2
    assert not room.is_stood_in


async def test_chat_is_not_repeated_after_a_resume() -> None:
    lines = [wire.Said(ROOM, at, "bob", "Bob", 1, "hello") for at in (1, 2, 3)]

    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.send(*lines[:2])
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        await peer.resume(*lines)
        await peer.send(END)
        await peer.until_closed()

    async with scripted(first, second) as url, Client(url) as client:
        room = await client.join(ROOM)
        seen = [event async for event in room]
    assert seen.count(Said("bob", "Bob", 1, "hello")) == 3


async def test_everything_a_room_can_be_asked_goes_out_and_a_refusal_has_its_code() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat()
        requests: tuple[wire.Fill | wire.Kick | wire.Say | wire.Mute | wire.Reclaim, ...] = (
            wire.Fill(0, ROOM, 1, "greedy"),
            wire.Kick(0, ROOM, 1),
            wire.Say(0, ROOM, "hello"),
            wire.Mute(0, ROOM, "bob", True, True),
            wire.Reclaim(0, ROOM),
        )
        for request in requests:
            asked = await peer.expect(type(request))
            assert msgspec.structs.replace(asked, ref=0) == request
            await peer.send(wire.Done(asked.ref))
        start = await peer.expect(wire.Start)
        await peer.send(wire.Error(start.ref, codes.ROOM_TOO_FEW, "two are needed"))
        await peer.send(wire.Notice(ROOM, codes.NOTICE_KICKED, "the host sent you away"), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        await room.fill(1, "greedy")
        await room.kick(1)
        await room.say("hello")
        await room.mute("bob", everybody=True)
        await room.reclaim()
        with pytest.raises(RejectedError) as refused:
            await room.start()
        assert refused.value.code == codes.ROOM_TOO_FEW
        assert isinstance([event async for event in room][-1], Ended)
        assert room.seat is None


async def test_a_token_is_rotated_once_although_the_answer_was_lost() -> None:
    hellos = []

    async def first(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.until_closed()

    async def lost(peer: Peer) -> None:
        hellos.append(await peer.expect(wire.Hello))
        peer.socket.transport.abort()

    async def third(peer: Peer) -> None:
        hello = await peer.expect(wire.Hello)
        hellos.append(hello)
        await peer.send(wire.Welcome(hello.ref, 1, "ada", "newer-token", "Ada", "scripted"))
        join = await peer.resume()
        assert join.seat_token is None
        await peer.until_closed()

    async with scripted(first, lost, third) as url, Client(url, name="Ada") as client:
        await client.join(ROOM)
        assert await client.rotate() == "newer-token"
        assert client.token == "newer-token"
        await until(lambda: client.is_connected)
    assert hellos[0] == hellos[1]
    assert (hellos[0].rotate, hellos[0].token) == (True, "token-of-ada")


async def test_a_client_whose_token_was_rotated_away_does_not_come_back() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.socket.close(codes.CLOSE_ROTATED)

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(DisconnectedError) as gone:
            _ = [event async for event in room]
        assert gone.value.code == codes.CLOSE_ROTATED
        with pytest.raises(DisconnectedError):
            await client.rotate()


async def test_finished_matches_a_replay_in_parts_and_a_ranking_are_fetched() -> None:
    summary = wire.MatchSummary(ROOM, "0000007", "bids", 1, (), (), "victory", 1, 1, True)
    rated = wire.Rated(1, "ada", "Ada", None, 20_000, 26_000, 2000, 3)

    async def script(peer: Peer) -> None:
        await peer.welcome()
        matches = await peer.expect(wire.Matches)
        assert (matches.game, matches.player, matches.before) == ("bids", "ada", 9)
        await peer.send(wire.MatchList(matches.ref, (summary,)))
        for offset, data in ((0, b"WAR"), (3, b"VIEW")):
            part = await peer.expect(wire.Replay)
            assert (part.view, part.offset, part.key) == ("own", offset, "key")
            await peer.send(wire.ReplayPart(part.ref, ROOM, offset, 7, data))
        for _ in range(2):
            ranking = await peer.expect(wire.Ranking)
            await peer.send(wire.RankingList(ranking.ref, "bids", 1, (rated,), ranking.bots))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        assert await client.matches("bids", player="ada", before=9) == (summary,)
        assert await client.replay("0000007-key", "own") == b"WARVIEW"
        assert (await client.ranking("bids")).players == (rated,)
        assert (await client.ranking("bids", bots=True)).bots
        with pytest.raises(ClientError, match="7 characters"):
            await client.replay("nonsense")


async def test_two_replays_at_once_are_fetched_by_turns() -> None:
    is_asked = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        first = await peer.expect(wire.Replay)
        is_asked.set()
        matches = await peer.expect(wire.Matches)  # asked after both replays, and there before the second one
        await peer.send(wire.MatchList(matches.ref, ()), wire.ReplayPart(first.ref, first.room, 0, 1, b"1"))
        second = await peer.expect(wire.Replay)
        await peer.send(wire.ReplayPart(second.ref, second.room, 0, 1, b"2"))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        fetching = [asyncio.ensure_future(client.replay(room)) for room in (7, 8)]
        await is_asked.wait()
        assert await client.matches() == ()
        assert await asyncio.gather(*fetching) == [b"1", b"2"]


async def test_legal_actions_that_the_server_does_not_repeat_are_those_of_the_last_list() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        for answer in ([({"type": "pass"},)], [None], [({"type": "end"},), ("1 gold",)], [None]):
            asked = await peer.expect(wire.Legal)
            await peer.send(wire.LegalList(asked.ref, ROOM, 4, True, *answer))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        assert await room.legal() == await room.legal() == LegalActions(4, True, ({"type": "pass"},))
        noted = LegalActions(4, True, ({"type": "end"},), ("1 gold",))
        assert await room.legal(notes=True) == await room.legal(notes=True) == noted


async def test_a_list_of_legal_actions_is_kept_even_if_nobody_waits_for_it_any_more() -> None:
    is_asked = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        first = await peer.expect(wire.Legal)
        is_asked.set()
        second = await peer.expect(wire.Legal)
        await peer.send(wire.LegalList(first.ref, ROOM, 4, True, ({"type": "pass"},)))
        await peer.send(wire.LegalList(second.ref, ROOM, 4, True, None))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        given_up = asyncio.ensure_future(room.legal())
        await is_asked.wait()
        given_up.cancel()
        assert (await room.legal()).actions == ({"type": "pass"},)


async def test_a_reference_to_legal_actions_that_never_came_is_an_error() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        asked = await peer.expect(wire.Legal)
        await peer.send(wire.LegalList(asked.ref, ROOM, 4, True, None))
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        with pytest.raises(ClientError, match="legal actions that it has not sent"):
            await room.legal()


async def test_additions_of_a_newer_server_break_nothing() -> None:
    async def script(peer: Peer) -> None:
        await peer.welcome()
        await peer.seat({"n": 0})
        await peer.socket.send(msgspec.msgpack.encode(["fanfare", ROOM, {"notes": [1, 2]}]))
        await peer.send(wire.Notice(ROOM, "weather.rain", "it rains"), wire.Paused(ROOM, 0, "eclipse", None))
        await peer.send(wire.Update(ROOM, 2, [], ({"type": "miracle", "depth": {"a": [1]}}, 7), CLOCK, None), END)
        await peer.until_closed()

    async with scripted(script) as url, Client(url) as client:
        room = await client.join(ROOM)
        seen = [event async for event in room][1:]
    assert seen[0] == Noticed("weather.rain", "it rains")
    assert seen[1] == Paused("eclipse")
    assert seen[2] == Updated(({"type": "miracle", "depth": {"a": [1]}}, 7))
    assert isinstance(seen[3], Ended)
