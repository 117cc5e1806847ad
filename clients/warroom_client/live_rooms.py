"""The live list of rooms."""

import asyncio
from collections.abc import Callable, Iterable

from msgspec import Struct

from warroom_client.errors import ClientError
from warroom_protocol import messages as wire


class ListingChange(Struct, frozen=True):
    """Changes since the last read: new or changed rooms, and the numbers of removed ones."""

    rooms: tuple[wire.RoomListing, ...]
    gone: tuple[int, ...]


class LiveRooms:
    """The rooms that match a filter, kept current: `async for change in live`.

    The first change has all of them. A slow reader gets all later changes merged into one. A connection break is waited
    out. A client has one such list; requesting another ends it.
    """

    def __init__(self, request: wire.Rooms, end: Callable[["LiveRooms"], None]) -> None:
        self.request = request
        self._end = end
        self._rooms: dict[int, wire.RoomListing] = {}
        self._changed: dict[int, None] = {}
        self._news = asyncio.Event()
        self._is_first = True
        self._is_closed = False
        self._error: ClientError | None = None

    @property
    def rooms(self) -> tuple[wire.RoomListing, ...]:
        """The rooms that match now."""
        return tuple(self._rooms.values())

    def __aiter__(self) -> "LiveRooms":
        return self

    async def __anext__(self) -> ListingChange:
        while not (self._changed or self._is_first):
            if self._is_closed:
                raise self._error or StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        self._is_first = False
        changed, self._changed = self._changed, {}
        return ListingChange(
            tuple(self._rooms[number] for number in changed if number in self._rooms),
            tuple(number for number in changed if number not in self._rooms),
        )

    def stop(self) -> None:
        """Stop the updates."""
        self._end(self)
        self.close(None)

    # --- for the client ---------------------------------------------------------------------------------------------

    def receive(self, message: wire.RoomList | wire.Listed) -> None:
        """Handle a room list message; ignore answers to other requests."""
        if isinstance(message, wire.Listed):
            self._put(message.rooms, message.gone)
        elif message.ref == self.request.ref:
            here = {listing.room for listing in message.rooms}
            # The full list is sorted newest first, but changes come in the order in which rooms appear.
            self._put(reversed(message.rooms), [number for number in self._rooms if number not in here])

    def close(self, error: ClientError | None) -> None:
        """End the list after the queued changes, with *error* if given."""
        self._is_closed = True
        self._error = self._error or error
        self._news.set()

    def _put(self, rooms: Iterable[wire.RoomListing], gone: Iterable[int]) -> None:
        for listing in rooms:
            if self._rooms.get(listing.room) != listing:
                self._rooms[listing.room] = listing
                self._changed[listing.room] = None
        for number in gone:
            if self._rooms.pop(number, None) is not None:
                self._changed[number] = None
        if self._changed:
            self._news.set()
