"""The room that bots join: a matching open one, or a new one."""

import pytest
from scripted_server import ABOUT, Peer, scripted, snapshot

from warroom_bots.room_search import FILL_AFTER_MS, FoundRoom, RoomRequest, find_room, take_first_seat
from warroom_client import Client, ClientError, RejectedError
from warroom_protocol import codes
from warroom_protocol import messages as wire

OPEN = wire.RoomListing(7, "0000007", "bids", "lobby", 3, 1, 0, 10_000)
"""A room with two open seats and ten seconds a turn."""
RUNNING = wire.RoomListing(9, "0000009", "bids", "playing", 3, 3, 0, 10_000)
GAME = wire.GameListing("bids", "Bids", "", 1, 2, 5, 4, 10_000, True, {}, {})
NEW = "0000008"


async def serve(peer: Peer, created: list[wire.Create] | None = None) -> None:
    """List the rooms, and create one if asked to; note these requests."""
    await peer.welcome()
    while True:
        match request := await peer.hear():
            case wire.Rooms():
                await peer.send(wire.RoomList(request.ref, (RUNNING, OPEN)))
            case wire.Games():
                await peer.send(wire.GameList(request.ref, (GAME,), {}))
            case wire.Create():
                if created is not None:
                    created.append(request)
                await peer.send(wire.Created(request.ref, 8, NEW))
            case wire.Join(room=8):
                await peer.send(wire.Joined(request.ref, 8, NEW, 1, 0, "seat", ABOUT), snapshot(8, None, 0))
            case wire.Join():
                await peer.send(wire.Error(request.ref, codes.ROOM_FULL, "every seat is taken"))
            case _:
                raise AssertionError(f"asked for {request}")


async def find(wanted: RoomRequest) -> FoundRoom:
    async with scripted(serve) as url, Client(url) as client:
        return await find_room(client, wanted)


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        pytest.param(RoomRequest(game="bids"), 1, id="anything"),
        pytest.param(RoomRequest(game="bids", count=2), 2, id="as many as there are seats"),
        pytest.param(RoomRequest(game="bids", seats=3, turn_ms=10_000), 1, id="the very same"),
        pytest.param(RoomRequest(room="0000007", count=2), 2, id="by name"),
    ],
)
async def test_bots_join_a_matching_open_room(wanted: RoomRequest, count: int) -> None:
    assert await find(wanted) == FoundRoom("0000007", "bids", 3, count)


@pytest.mark.parametrize(
    ("wanted", "seats", "count"),
    [
        pytest.param(RoomRequest(game="bids", count=3), 4, 3, id="more bots than open seats"),
        pytest.param(RoomRequest(game="bids", count=5), 5, 5, id="more bots than is usual"),
        pytest.param(RoomRequest(game="bids", seats=2), 2, 2, id="another number of seats"),
        pytest.param(RoomRequest(game="bids", turn_ms=2_000), 4, 4, id="another clock"),
        pytest.param(RoomRequest(game="bids", options={"rounds": 2}), 4, 4, id="options, which a list does not tell"),
        pytest.param(RoomRequest(game="bids", creates=True, count=1), 4, 1, id="a room of their own"),
    ],
)
async def test_bots_ignore_an_open_room_that_does_not_match(wanted: RoomRequest, seats: int, count: int) -> None:
    assert await find(wanted) == FoundRoom(NEW, "bids", seats, count, is_new=True)


@pytest.mark.parametrize(
    ("count", "fill_after_ms"),
    [
        pytest.param(1, FILL_AFTER_MS, id="seats are left for others"),
        pytest.param(4, None, id="the bots take all seats"),
        pytest.param(None, None, id="all is the default"),
    ],
)
async def test_bots_of_the_server_take_the_seats_that_are_left(count: int | None, fill_after_ms: int | None) -> None:
    created: list[wire.Create] = []
    async with scripted(lambda peer: serve(peer, created)) as url, Client(url) as client:
        await find_room(client, RoomRequest(game="bids", creates=True, count=count))
    assert [request.room_options.get("fill_after_ms") for request in created] == [fill_after_ms]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        pytest.param(
            RoomRequest(room="0000007", count=3), "room 0000007 has only 2 open seats, not 3", id="too few are open"
        ),
        pytest.param(RoomRequest(room="0000009"), "room 0000009 has only 0 open seats, not 1", id="it has begun"),
        pytest.param(RoomRequest(game="bids", seats=2, count=3), "3 bots do not fit into 2 seats", id="too many"),
    ],
)
async def test_too_many_bots_are_refused(wanted: RoomRequest, says: str) -> None:
    with pytest.raises(ClientError, match=says):
        await find(wanted)


async def test_when_a_listed_room_is_open_no_more_the_bots_go_on_looking() -> None:
    async with scripted(serve) as url, Client(url) as client:
        place, room = await take_first_seat(client, RoomRequest(game="bids"))
    assert (place, room.code) == (FoundRoom(NEW, "bids", 4, 4, is_new=True), NEW)


async def test_a_named_room_that_is_full_is_not_replaced() -> None:
    async with scripted(serve) as url, Client(url) as client:
        with pytest.raises(RejectedError, match="every seat is taken"):
            await take_first_seat(client, RoomRequest(room=OPEN.code))
