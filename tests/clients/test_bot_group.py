"""Bots that sit down together."""

import asyncio

import pytest
from scripted_server import ABOUT, Peer, scripted, snapshot

from warroom_bots.bot_group import sit_down
from warroom_bots.crew import Crew
from warroom_bots.room_search import RoomRequest
from warroom_bots.roster import Roster
from warroom_client import RejectedError
from warroom_protocol import codes
from warroom_protocol import messages as wire

OPEN = wire.RoomListing(7, "0000007", "bids", "lobby", 3, 1, 0, 10_000)
PAIR = RoomRequest(room=OPEN.code, count=2)


async def seat_two(second_code: str) -> tuple[int, asyncio.Event]:
    """Let two bots sit down, of which the second is refused; return how many sit, and whether the first has left."""
    has_left = asyncio.Event()

    async def first(peer: Peer) -> None:
        await peer.welcome()
        while True:
            match request := await peer.hear():
                case wire.Rooms():
                    await peer.send(wire.RoomList(request.ref, (OPEN,)))
                case wire.Join():
                    joined = wire.Joined(request.ref, 7, OPEN.code, 1, 0, "seat", ABOUT)
                    await peer.send(joined, snapshot(7, None, 0))
                case wire.Leave():
                    has_left.set()
                    await peer.send(wire.Done(request.ref))
                case _:
                    raise AssertionError(request)

    async def second(peer: Peer) -> None:
        await peer.welcome()
        join = await peer.expect(wire.Join)
        await peer.send(wire.Error(join.ref, second_code, "no"))
        await peer.until_closed()

    async with scripted(first, second) as url:
        crew = Crew(Roster(url, "random", None, print))
        try:
            return len((await sit_down(crew, PAIR)).rooms), has_left
        except RejectedError:
            assert has_left.is_set()
            raise
        finally:
            await crew.close()


async def test_bots_that_already_sit_leave_if_another_one_is_refused() -> None:
    with pytest.raises(RejectedError, match=codes.STORE_UNAVAILABLE):
        await seat_two(codes.STORE_UNAVAILABLE)


async def test_bots_stay_if_somebody_else_took_the_last_seat() -> None:
    seated, has_left = await seat_two(codes.ROOM_FULL)
    assert seated == 1
    assert not has_left.is_set()
