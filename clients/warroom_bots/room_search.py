"""Rooms for bots: a matching open one, or a new one."""

import os
from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct

from warroom_client import Client, ClientError, RejectedError, Room, RoomListing
from warroom_games.invocation import program
from warroom_protocol import codes
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.messages import GameListing
from warroom_protocol.rooms import parse_room_code

GONE: Final = frozenset({codes.ROOM_FULL, codes.ROOM_STARTED, codes.ROOM_ENDED, codes.ROOM_UNKNOWN})
"""Refusals that mean that a room is no longer open."""


FILL_AFTER_MS: Final = 10_000
"""Time until bots of the server take the seats of a new room that are left for others."""


class RoomRequestError(ClientError):
    """The request is impossible: unknown game, a room of another game, or more bots than seats."""


class RoomRequest(Struct, frozen=True, kw_only=True):
    """The room to play in, and the number of bots (None: one, or all seats of a new room)."""

    game: str | None = None
    room: str | None = None
    creates: bool = False
    seats: int | None = None
    turn_ms: int | None = None
    count: int | None = None
    options: Mapping[str, object] = {}


class FoundRoom(Struct, frozen=True):
    """A room that was found or created, and the number of bots that join it."""

    code: str
    game: str
    seats: int
    count: int
    is_new: bool = False
    """Whether it was created for them."""


async def take_first_seat(client: Client, request: RoomRequest, *, but: Collection[str] = ()) -> tuple[FoundRoom, Room]:
    """Find a place, in a room that is none of *but*, and take the first seat.

    A room list may be outdated, so a full room leads to the next one.
    """
    gone = set(but)
    while True:
        place = await find_room(client, request, but=gone)
        try:
            return place, await client.join(place.code)
        except RejectedError as refused:
            if request.room is not None or refused.code not in GONE:
                raise
            gone.add(place.code)


async def find_room(client: Client, request: RoomRequest, *, but: Collection[str] = ()) -> FoundRoom:
    """Return the requested room: the named one, an open one that matches (*but* none of those), or a new one.

    Nobody sits there yet.
    """
    if request.room is not None:
        return await _named(client, request, request.room)
    assert request.game is not None
    # A listing does not contain the game's options, so a request with options gets a new room.
    rooms = () if request.creates or request.options else await client.rooms(request.game)
    for listing in rooms:
        if listing.code not in but and _fits(listing, request):
            return FoundRoom(listing.code, listing.game, listing.seats, request.count or 1)
    return await _made(client, request)


async def _named(client: Client, request: RoomRequest, code: str) -> FoundRoom:
    count = request.count or 1
    try:
        number = parse_room_code(code)
    except RoomCodeError as error:
        raise RoomRequestError(str(error)) from error
    for listing in await client.rooms():
        if listing.room == number:
            if request.game not in (None, listing.game):
                raise RoomRequestError(f"room {listing.code} plays {listing.game}, not {request.game}")
            if _open_seats(listing) < count:
                raise ClientError(f"room {listing.code} has only {_open_seats(listing)} open seats, not {count}")
            return FoundRoom(listing.code, listing.game, listing.seats, count)
    raise ClientError(f"no room {code} in the server's list; `{program(os.environ)} watch` shows the rooms")


async def _made(client: Client, request: RoomRequest) -> FoundRoom:
    assert request.game is not None
    listing = await _hosted(client, request.game)
    seats = request.seats or max(listing.usual_seats, request.count or 0)
    if request.count is not None and request.count > seats:
        raise RoomRequestError(f"{request.count} bots do not fit into {seats} seats")
    room_options = {} if request.turn_ms is None else {"turn_ms": request.turn_ms}
    if request.count is not None and request.count < seats:
        room_options["fill_after_ms"] = FILL_AFTER_MS
    created = await client.create(request.game, seats=seats, options=request.options, room_options=room_options)
    return FoundRoom(created.code, request.game, seats, request.count or seats, is_new=True)


async def _hosted(client: Client, game: str) -> GameListing:
    games = (await client.games()).games
    for listing in games:
        if listing.game == game:
            return listing
    hosted = ", ".join(listing.game for listing in games)
    raise RoomRequestError(f"unknown game {game!r}; the server has: {hosted or 'none'}")


def _fits(listing: RoomListing, request: RoomRequest) -> bool:
    is_alike = request.seats in (None, listing.seats) and request.turn_ms in (None, listing.turn_ms)
    return is_alike and _open_seats(listing) >= (request.count or 1)


def _open_seats(listing: RoomListing) -> int:
    return listing.seats - listing.taken if listing.phase == "lobby" else 0
