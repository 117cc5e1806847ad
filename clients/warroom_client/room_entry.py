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
"""Timeout before a join or watch is sent again; the answer is lost if the room's server dies."""
LONGEST_S: Final = 1.0
"""The longest delay between two attempts."""
RETURNING: Final = 16
"""Number of rooms entered again at the same time; the server limits the request rate, and the program needs a share."""


class Asking(Protocol):
    """Sends a request and returns its reply."""

    async def __call__(
        self, message: wire.ClientMessage, *, survives: bool = False, is_repair: bool = False
    ) -> wire.ServerMessage:
        """Raise `RejectedError` if the request is refused, `DisconnectedError` if the connection breaks first."""
        ...


class RoomEntry:
    """Enters rooms, with one attempt per room at a time; retries temporary refusals."""

    def __init__(self, ask: Asking, *, patience_s: float) -> None:
        self._ask = ask
        self._patience_s = patience_s
        self._away: dict[Room, asyncio.Event] = {}
        """Rooms that must be entered again; the event is set when the room moves once more."""
        self._returning = asyncio.Semaphore(RETURNING)

    def is_away(self, room: Room | None) -> bool:
        """Whether a room must be entered again before anything else is sent to it."""
        return room in self._away

    def lost(self, room: Room) -> None:
        """Note that the connection is not in the room, or no longer."""
        self._away.setdefault(room, asyncio.Event()).set()

    def forget(self, room: Room) -> None:
        """Stop after the current attempt."""
        self._away.pop(room, None)

    async def enter(self, room: Room, request: wire.Join | wire.Watch | wire.Claim) -> None:
        """Enter a room for the first time.

        Send the request again if it is unanswered, or refused because the room is moving. After the time limit, raise
        the last refusal, or `DisconnectedError` if there was no answer.
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
                return  # an earlier attempt was answered late

    async def enter_again(self, room: Room) -> None:
        """Enter a room again after `lost`; raise a permanent refusal.

        Another `lost` in the meantime starts one more attempt at once.
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
                gives_up = self._gives_up()  # the server is alive, and the refusal is temporary
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
            # The resume includes the verdict of the last action. The pong proves that everything of the resume has
            # arrived; only actions that are still unanswered then are sent again.
            await self._ask(wire.Ping(new_ref()), is_repair=True)

    def _gives_up(self) -> float:
        return _now() + self._patience_s

    def _unanswered(self, room: Room) -> DisconnectedError:
        return DisconnectedError(f"room {room.code} gave no answer for {self._patience_s:g} s")


def _now() -> float:
    return asyncio.get_running_loop().time()
