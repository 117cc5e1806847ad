"""Several bots in one room: they sit down, play a match to the end, and leave."""

import asyncio
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct

from warroom_bots.crew import Crew
from warroom_bots.room_search import GONE, FoundRoom, RoomRequest, take_first_seat
from warroom_bots.supervision import Supervisor
from warroom_client import ClientError, Ended, Event, RejectedError, Room
from warroom_games.rng import Rng

LEAVING_S: Final = 2.0
"""Time to leave a room; a server that does not answer finds out by itself."""

Watcher: TypeAlias = Callable[[Room, Event], None]


class Outcome(Struct, frozen=True):
    """How the match ended, and who sat where."""

    place: FoundRoom
    ended: Ended
    names: tuple[str, ...]
    seats: tuple[int, ...]
    """The seats of the bots."""
    turns: int
    commitment: str | None
    """The commitment that the first bot saw when it joined."""


class BotGroup(Struct, frozen=True):
    """A room with the bots that sit there."""

    place: FoundRoom
    rooms: tuple[Room, ...]
    """The room as each bot has it."""


async def sit_down(crew: Crew, request: RoomRequest, *, but: Collection[str] = ()) -> BotGroup:
    """Find a room and seat the bots; others may take seats meanwhile, so there may be fewer than were asked for."""
    (host,) = await crew.players(1)
    place, first = await take_first_seat(host, request, but=but)
    rooms = [first]
    try:
        for player in (await crew.players(place.count))[1:]:
            rooms.append(await player.join(place.code))  # noqa: PERF401 - an error keeps those before it
    except BaseException as error:
        # Nobody plays for those who already sit there.
        if not isinstance(error, RejectedError) or error.code not in GONE:
            await _leave(rooms)
            raise
    return BotGroup(place, tuple(rooms))


async def play_match(
    group: BotGroup, supervisor: Supervisor, rng: Rng, *, watch: Watcher = lambda room, event: None
) -> Outcome:
    """Play the match that the bots sit down for, and leave the room; *watch* gets the events of the first bot."""
    first = group.rooms[0]
    try:
        ended = await _play_all(group, supervisor, rng, watch)
        names = tuple(first.name_of(seat) for seat in range(len(first.seats)))
        seats = tuple(room.seat for room in group.rooms if room.seat is not None)
        return Outcome(group.place, ended, names, seats, first.turn, first.about.commitment if first.about else None)
    finally:
        await _leave(group.rooms)


async def _leave(rooms: Iterable[Room]) -> None:
    for room in rooms:
        with suppress(ClientError, TimeoutError):
            async with asyncio.timeout(LEAVING_S):
                await room.leave()


async def _play_all(group: BotGroup, supervisor: Supervisor, rng: Rng, watch: Watcher) -> Ended:
    first, *others = group.rooms
    try:
        async with asyncio.TaskGroup() as seats:
            own, rng = rng.spawn()
            playing = seats.create_task(supervisor.play(first, own, lambda event: watch(first, event)))
            for room in others:
                own, rng = rng.spawn()
                seats.create_task(supervisor.play(room, own))
    except ExceptionGroup as failures:
        # Usually one cause fails them all; the first error is enough.
        for failure in failures.exceptions:
            if isinstance(failure, ClientError):
                raise failure from failures
        raise
    return playing.result()
