"""Several bots at one table: find or create the room, seat them, and play the match."""

import asyncio
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import AsyncExitStack
from typing import Final, TypeAlias

from msgspec import Struct

from warroom_bots.api import BotKind
from warroom_bots.runner import Runner, Think
from warroom_client import Client, ClientError, Ended, Event, RejectedError, Room, RoomListing
from warroom_games.invocation import program
from warroom_games.rng import Rng
from warroom_protocol import codes
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.messages import GameListing
from warroom_protocol.rooms import parse_room_code

Watcher: TypeAlias = Callable[[Room, Event], None]

GONE: Final = frozenset({codes.ROOM_FULL, codes.ROOM_STARTED, codes.ROOM_ENDED, codes.ROOM_UNKNOWN})
"""Refusals that mean that a room is no longer open."""


class WishError(ClientError):
    """The request is impossible: unknown game, a room of another game, or more bots than seats."""


class Wish(Struct, frozen=True, kw_only=True):
    """The room to play in, and the number of bots (None: one, or all seats of a new room)."""

    game: str | None = None
    room: str | None = None
    creates: bool = False
    seats: int | None = None
    turn_ms: int | None = None
    count: int | None = None
    options: Mapping[str, object] = {}


class Place(Struct, frozen=True):
    """A room that was found or created, and the number of bots that join it."""

    code: str
    game: str
    seats: int
    count: int
    is_new: bool = False
    """Whether it was created for them."""


class Outcome(Struct, frozen=True):
    """How the match ended, and who sat where."""

    place: Place
    ended: Ended
    names: tuple[str, ...]
    turns: int
    commitment: str | None
    """The commitment that the first bot saw when it joined."""


async def sit_down(client: Client, wish: Wish) -> tuple[Place, Room]:
    """Find a place and take the first seat.

    A room list may be outdated, so a full room leads to the next one.
    """
    gone: set[str] = set()
    while True:
        place = await find_place(client, wish, but=gone)
        try:
            return place, await client.join(place.code)
        except RejectedError as refused:
            if wish.room is not None or refused.code not in GONE:
                raise
            gone.add(place.code)


async def find_place(client: Client, wish: Wish, *, but: Collection[str] = ()) -> Place:
    """Return the requested room: the named one, an open one that matches (*but* none of those), or a new one.

    Nobody sits there yet.
    """
    if wish.room is not None:
        return await _named(client, wish, wish.room)
    assert wish.game is not None
    # A listing does not contain the game's options, so a request with options gets a new room.
    rooms = () if wish.creates or wish.options else await client.rooms(wish.game)
    for listing in rooms:
        if listing.code not in but and _fits(listing, wish):
            return Place(listing.code, listing.game, listing.seats, wish.count or 1)
    return await _made(client, wish)


async def play_table(
    place: Place,
    kind: BotKind,
    rng: Rng,
    *,
    host: Client,
    think: Think,
    watch: Watcher,
    first: Room | None = None,
) -> Outcome:
    """Seat the bots, the *first* (who may sit already) on *host*, the others on their own connections, and play.

    *watch* gets the events of the first bot.
    """
    async with AsyncExitStack() as clients:
        first = first or await host.join(place.code)
        rooms = [first]
        for number in range(2, place.count + 1):
            client = await clients.enter_async_context(Client(host.url, name=f"{kind.name} {number}", bot=kind.name))
            rooms.append(await client.join(place.code))
        runners = []
        for room in rooms:
            own, rng = rng.spawn()
            pace, rng = rng.spawn()
            runners.append(Runner(room, kind.make(own), pace, think=think.at_least(kind.least_think_ms)))
        ended = await _play_all(runners, _watching(watch, first))
        names = tuple(first.name_of(seat) for seat in range(len(first.seats)))
        return Outcome(place, ended, names, first.turn, first.about.commitment if first.about else None)


async def _play_all(runners: list[Runner], watch: Callable[[Event], None]) -> Ended:
    try:
        async with asyncio.TaskGroup() as seats:
            first = seats.create_task(runners[0].play(watch))
            for runner in runners[1:]:
                seats.create_task(runner.play())
    except ExceptionGroup as failures:
        # Usually one cause fails them all; the first error is enough.
        for failure in failures.exceptions:
            if isinstance(failure, ClientError):
                raise failure from failures
        raise
    return first.result()


def _watching(watch: Watcher, room: Room) -> Callable[[Event], None]:
    return lambda event: watch(room, event)


async def _named(client: Client, wish: Wish, code: str) -> Place:
    count = wish.count or 1
    try:
        number = parse_room_code(code)
    except RoomCodeError as error:
        raise WishError(str(error)) from error
    for listing in await client.rooms():
        if listing.room == number:
            if wish.game not in (None, listing.game):
                raise WishError(f"room {listing.code} plays {listing.game}, not {wish.game}")
            if _open_seats(listing) < count:
                raise ClientError(f"room {listing.code} has only {_open_seats(listing)} open seats, not {count}")
            return Place(listing.code, listing.game, listing.seats, count)
    raise ClientError(f"no room {code} in the server's list; `{program(os.environ)} watch` shows the rooms")


async def _made(client: Client, wish: Wish) -> Place:
    assert wish.game is not None
    listing = await _hosted(client, wish.game)
    seats = wish.seats or max(listing.usual_seats, wish.count or 0)
    if wish.count is not None and wish.count > seats:
        raise WishError(f"{wish.count} bots do not fit into {seats} seats")
    room_options = {} if wish.turn_ms is None else {"turn_ms": wish.turn_ms}
    created = await client.create(wish.game, seats=seats, options=wish.options, room_options=room_options)
    return Place(created.code, wish.game, seats, wish.count or seats, is_new=True)


async def _hosted(client: Client, game: str) -> GameListing:
    games = (await client.games()).games
    for listing in games:
        if listing.game == game:
            return listing
    hosted = ", ".join(listing.game for listing in games)
    raise WishError(f"unknown game {game!r}; the server has: {hosted or 'none'}")


def _fits(listing: RoomListing, wish: Wish) -> bool:
    is_alike = wish.seats in (None, listing.seats) and wish.turn_ms in (None, listing.turn_ms)
    return is_alike and _open_seats(listing) >= (wish.count or 1)


def _open_seats(listing: RoomListing) -> int:
    return listing.seats - listing.taken if listing.phase == "lobby" else 0
