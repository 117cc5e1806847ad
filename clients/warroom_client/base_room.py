"""What client rooms and broker rooms have in common: seat names and the event iterator."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Self

from warroom_client import events
from warroom_client.event_queue import EventQueue
from warroom_protocol import messages as wire


class BaseRoom(ABC):
    """`async for event in room` yields events in order and ends with the match."""

    def __init__(self) -> None:
        self._queue = EventQueue()
        self._has_ended = False

    @property
    @abstractmethod
    def seats(self) -> tuple[wire.SeatState, ...]:
        """Who sits where."""

    def name_of(self, seat: int) -> str:
        """Return the name of the player at a seat, or its number."""
        names = [state.name for state in self.seats if state.seat == seat]
        return names[0] if names and names[0] else f"seat {seat}"

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> events.Event:
        if self._has_ended:
            raise StopAsyncIteration
        event = await self._queue.get()
        self._has_ended = isinstance(event, events.Ended)
        return event

    async def afterwards(self) -> AsyncIterator[events.Event]:
        """Yield events after the match: chat, offers, and finally `Moved` if there is a rematch."""
        while True:
            try:
                event = await self._queue.get()
            except StopAsyncIteration:
                return
            yield event
