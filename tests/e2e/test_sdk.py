"""What the SDK offers people, against a real server over real sockets."""

import asyncio
from typing import Any

import pytest
from server_process import ServerProcess
from wait_until import until

from warroom_client import Client, DisconnectedError, Ended, Moved, Prompted, RejectedError, Room, Said, Updated
from warroom_client.replays import steps
from warroom_protocol import codes
from warroom_protocol.view_replay import read_view

BIDS = {"rounds": 2, "cards": 4, "peeks": 1}
PATIENCE_S = 30.0


async def table(first: Client, second: Client, **policies: Any) -> tuple[Room, Room]:
    """Sit down together in a room of sealed bids."""
    created = await first.create("sealed_bids", seats=2, options=BIDS, room_options=policies)
    return await first.join(created.code), await second.join(created.code)


async def play(room: Room) -> Ended:
    """Play the first legal action each time, until the match is over."""
    async for event in room:
        if isinstance(event, Prompted) and room.prompt is not None and room.prompt.turn == event.turn:
            legal = await room.legal()
            await room.act(legal.actions[0], turn=legal.turn)
        elif isinstance(event, Ended):
            return event
    raise AssertionError("the events of a room end with the match")


async def moved(client: Client, room: Room) -> Room:
    async for event in room.afterwards():
        if isinstance(event, Moved):
            return await client.move_on(room)
    raise AssertionError("there was no rematch")


async def test_two_who_want_the_same_meet_and_a_live_list_shows_it(shared_server: ServerProcess) -> None:
    url = shared_server.url
    async with Client(url, name="Ada") as ada, Client(url, name="Bob") as bob, Client(url) as eve, asyncio.timeout(30):
        live = await eve.live_rooms("sealed_bids", phase="lobby", is_open=True)
        await anext(live)
        wish: dict[str, Any] = {"seats": 2, "options": BIDS, "room_options": {"fill_after_ms": 3_600_000}}
        first = await ada.quick("sealed_bids", **wish)
        while first.number not in {listing.room for listing in live.rooms}:
            await anext(live)
        followed = eve.follow(ada.player)
        assert (await anext(followed)).room == first.number
        second = await bob.quick("sealed_bids", **wish)
        assert second.number == first.number
        await asyncio.gather(play(first), play(second))
        await followed.aclose()


async def test_a_private_match_is_entered_by_invitation_watched_replayed_and_played_again(
    shared_server: ServerProcess,
) -> None:
    url = shared_server.url
    async with Client(url, name="Ada") as ada, Client(url, name="Bob") as bob, Client(url, name="Eve") as eve:
        async with asyncio.timeout(PATIENCE_S):
            mine, theirs = await table(ada, bob, private=True, reveal_s=3600)
            with pytest.raises(RejectedError) as hidden:
                await eve.watch(mine.number)
            assert hidden.value.code == codes.ROOM_UNKNOWN
            watched = await eve.watch(mine.invitation)
            await mine.say("good luck")
            result, *_ = await asyncio.gather(play(mine), play(theirs))
            seen = [event async for event in watched]
            assert any(isinstance(event, Said) and event.text == "good luck" for event in seen)
            assert seen[-1] == result
            await asyncio.gather(mine.offer("rematch"), theirs.offer("rematch"))
            again = await asyncio.gather(moved(ada, mine), moved(bob, theirs), moved(eve, watched))
        assert len({room.number for room in again}) == 1
        assert [room.seat is None for room in again] == [False, False, True]
        assert again[0].about is not None
        assert again[0].about.follows == mine.number


async def fetched(client: Client, code: str, view: Any) -> bytes:
    """Return a replay as soon as it was put away, a moment after the end."""
    while True:
        try:
            return await client.replay(code, view)
        except RejectedError as refused:
            if refused.code not in (codes.REPLAY_RUNNING, codes.REPLAY_UNKNOWN):
                raise


async def test_a_view_replay_ends_with_the_views_that_were_seen(shared_server: ServerProcess) -> None:
    url = shared_server.url
    async with Client(url, name="Ada") as ada, Client(url, name="Bob") as bob, asyncio.timeout(PATIENCE_S):
        mine, theirs = await table(ada, bob, reveal_s=3600)
        await asyncio.gather(play(mine), play(theirs))
        own = read_view(await fetched(ada, mine.code, "own"))
        public = read_view(await fetched(ada, mine.code, "public"))
        with pytest.raises(RejectedError) as sealed:
            await ada.replay(mine.code, "all")
        assert sealed.value.code == codes.REPLAY_SEALED
        matches = await ada.matches("sealed_bids", player=ada.player)
        assert matches[0].room == mine.number
    last = list(steps(own))[-1]
    assert (last.public, last.private, own.seat) == (mine.public, mine.private, mine.seat)
    shown = list(steps(public))
    assert (shown[-1].public, shown[-1].private) == (mine.public, None)
    assert any(isinstance(event, Updated) and event.private for step in steps(own) for event in step.events)
    assert isinstance(shown[-1].events[-1], Ended)


async def test_who_may_see_all_hands_sees_them_late(shared_server: ServerProcess) -> None:
    url = shared_server.url
    async with Client(url, name="Ada") as ada, Client(url, name="Bob") as bob, Client(url) as eve:
        async with asyncio.timeout(PATIENCE_S):
            mine, theirs = await table(ada, bob, watch="all", delay=2, turn_ms=1000)
            watched = await eve.watch(mine.code)
            await asyncio.gather(play(mine), play(theirs))
            assert isinstance([event async for event in watched][-1], Ended)
    assert watched.public == {"public": mine.public, "seats": [mine.private, theirs.private]} or watched.public == {
        "public": mine.public,
        "seats": [theirs.private, mine.private],
    }


async def test_a_new_token_shuts_out_who_has_the_old_one(shared_server: ServerProcess) -> None:
    url = shared_server.url
    async with Client(url, name="Ada") as ada, Client(url, name="Bob") as bob, asyncio.timeout(PATIENCE_S):
        mine, theirs = await table(ada, bob)
        stolen, seat_token = ada.token, mine.seat_token
        async with Client(url, token=stolen) as thief:
            new = await ada.rotate()
            await until(lambda: not thief.is_connected)
            with pytest.raises(DisconnectedError) as gone:
                await thief.ping()
            assert gone.value.code == codes.CLOSE_ROTATED
        assert new != stolen
        with pytest.raises(RejectedError) as refused:
            await Client(url, token=stolen).__aenter__()
        assert refused.value.code == codes.HELLO_TOKEN
        async with Client(url, name="Mallory") as thief:
            with pytest.raises(RejectedError) as refused:
                await thief.join(mine.code, seat_token=seat_token)
            assert refused.value.code == codes.SEAT_TOKEN
        await asyncio.gather(play(mine), play(theirs))
