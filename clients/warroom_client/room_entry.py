"""Entering rooms: for the first time, on a new connection, and after a room moved to another server."""

import asyncio
from contextlib import suppress
from typing import Final, Protocol

from warroom_client.backoff import backoff
from warroom_client.connection import is_final
from warroom_client.errors import DisconnectedError, RejectedError
from warroom_client.requests import new_ref
from warroom_client.room import Room
from warroom_protocol import codes
from warroom_protocol import messages as wire

ANSWER_S: Final = 10.0
"""How long an entry may stay unanswered before it is sent again: its answer is lost if the room's server died."""
LONGEST_S: Final = 1.0
"""The longest delay between two attempts."""
RETURNING: Final = 16
"""Rooms that are entered again at once: a server reads only so fast, and the program wants to ask things as well."""


class Asking(Protocol):
    """Sends a request and returns its reply."""

    async def __call__(
        self, message: wire.ClientMessage, *, survives: bool = False, is_repair: bool = False
    ) -> wire.ServerMessage:
        """Raise `RejectedError` if the request is refused, `DisconnectedError` if its reply is lost with the line."""
        ...


class RoomEntry:
    """Rooms on their way in, each with one attempt at a time. A refusal that passes is followed by another attempt."""

    def __init__(self, ask: Asking, *, patience_s: float) -> None:
        self._ask = ask
        self._patience_s = patience_s
        self._away: dict[Room, asyncio.Event] = {}
        """Rooms that have to be entered again; the event is set when such a room moves once more."""
        self._returning = asyncio.Semaphore(RETURNING)

    def is_away(self, room: Room | None) -> bool:
        """Return whether a room has to be entered again before anything else is sent there."""
        return room in self._away

    def lost(self, room: Room) -> None:
        """Note that the connection is not, or no longer, in the room."""
        self._away.setdefault(room, asyncio.Event()).set()

    def forget(self, room: Room) -> None:
        """Stop after the attempt that is under way."""
        self._away.pop(room, None)

    async def enter(self, room: Room, request: wire.Join | wire.Watch | wire.Claim) -> None:
        """Enter a room for the first time.

        A request without an answer, or refused because the room is moving, is sent again; the last refusal is raised
        when the patience ends, or `DisconnectedError` if there was no answer.
        """
        gives_up = self._gives_up()
        for delay in backoff(longest_s=LONGEST_S):
            try:
                async with asyncio.timeout(ANSWER_S):
                    await self._ask(request, survives=True)
                    return
            except TimeoutError:
                if _now() >= gives_up:
                    raise self._unanswered(room) from None
            except RejectedError as refused:
                if refused.code != codes.ROOM_MOVING or _now() + delay > gives_up:
                    raise
                await asyncio.sleep(delay)
            if room.about is not None:
                return  # the answer to an earlier attempt came late

    async def enter_again(self, room: Room) -> None:
        """Enter a room that `lost` named; raise the refusal that ends it.

        Each `lost` meanwhile makes one more attempt necessary, which begins at once.
        """
        moved, delays, gives_up = self._away[room], backoff(longest_s=LONGEST_S), self._gives_up()
        while room in self._away:
            moved.clear()
            try:
                await self._ask_back(room)
            except TimeoutError:
                if _now() >= gives_up:
                    raise self._unanswered(room) from None
            except RejectedError as refused:
                if is_final(refused):
                    raise
                gives_up = self._gives_up()  # the server is there, and says that this passes
            else:
                if not moved.is_set():
                    self._away.pop(room, None)
                    return
            with suppress(TimeoutError):
                async with asyncio.timeout(next(delays)):
                    await moved.wait()

    async def _ask_back(self, room: Room) -> None:
        async with self._returning, asyncio.timeout(ANSWER_S):
            await self._ask(room.way_back(new_ref()), is_repair=True)
            # The verdict of the last action comes with the resume. Only what is unanswered once the server has
            # written all of that goes out again, and a pong proves that it has.
            await self._ask(wire.Ping(new_ref()), is_repair=True)

    def _gives_up(self) -> float:
        return _now() + self._patience_s

    def _unanswered(self, room: Room) -> DisconnectedError:
        return DisconnectedError(f"room {room.code} gave no answer for {self._patience_s:g} s")


def _now() -> float:
    return asyncio.get_running_loop().time()
