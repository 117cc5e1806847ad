"""A store of two primaries, one of which a test can take away."""

import asyncio
from collections.abc import Iterable, Sequence

from manual_time import ManualTime
from small_node import FickleStore

from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.ports.store import (
    Acknowledged,
    Append,
    AppendAnswer,
    Behind,
    Orphan,
    RoomRelease,
    StoredRoom,
    UnavailableError,
    Whereabouts,
)


class SplitStore(FickleStore):
    """A store whose second primary a test can take away, or let hang."""

    def __init__(self, time: ManualTime) -> None:
        super().__init__(time)
        self.second: set[int] = set()
        """The rooms that the second primary has."""
        self.is_second_away = False
        self.second_answers = asyncio.Event()
        """Not set while the second primary hangs."""
        self.second_answers.set()

    def primary_of(self, room: int) -> str:
        """Return which of the two has a room."""
        return "second" if room in self.second else "first"

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer | Behind]:
        """Append, if what has the rooms answers."""
        await self._require_for(request.room for request in batch)
        return await super().append(batch)

    async def claim(self, orphans: Sequence[Orphan], claimant: str) -> list[int | None]:
        """Claim, if what has the rooms answers."""
        await self._require_for(room for room, _, _ in orphans)
        return await super().claim(orphans, claimant)

    async def release_rooms(self, releases: Sequence[RoomRelease]) -> list[bool]:
        """Release rooms, if what has them answers."""
        await self._require_for(release.room for release in releases)
        return await super().release_rooms(releases)

    async def whereabouts(self, rooms: Sequence[int]) -> list[Whereabouts | None]:
        """Look owners up, if what has the rooms answers."""
        await self._require_for(rooms)
        return await super().whereabouts(rooms)

    async def dispute(self, entries: Sequence[Acknowledged]) -> list[bool]:
        """Compare logs, if what has the rooms answers."""
        await self._require_for(entry.room for entry in entries)
        return await super().dispute(entries)

    async def take_over_all_the_same(
        self, orphans: Sequence[Orphan], claimant: str
    ) -> list[tuple[int | None, StoredRoom | None]]:
        """Claim and load, as somebody does who is answered by both."""
        epochs = await MemoryStore.claim(self, orphans, claimant)
        return [(epoch, await self.load(room)) for epoch, (room, _, _) in zip(epochs, orphans, strict=True)]

    async def _require_for(self, rooms: Iterable[int]) -> None:
        if self.second.intersection(rooms):
            await self.second_answers.wait()
            if self.is_second_away:
                raise UnavailableError("the second primary was taken away by the test")

    def trouble(self, kind: str) -> None:
        """Let the second primary be away, or hang."""
        self.is_second_away = kind == "away"
        if kind == "hanging":
            self.second_answers.clear()

    def cure(self) -> None:
        """Let the second primary answer again."""
        self.is_second_away = False
        self.second_answers.set()
