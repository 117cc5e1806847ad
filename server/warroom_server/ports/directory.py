"""Where nodes publish the rooms that anybody may look for, and ask for those of all nodes."""

from collections.abc import Collection, Sequence
from typing import Final, Protocol

from msgspec import Struct

REMEMBERED: Final = 16_384
"""Of how many rooms that left the lists the place is known, so that a list goes on after one of them."""


class ListedRoom(Struct, frozen=True):
    """A room as its owner publishes it under *epoch*; *lists* are the names of the lists that show it."""

    room: int
    epoch: int
    opened_ms: int
    lists: tuple[str, ...]
    listing: bytes
    """What lists show of it."""


class Directory(Protocol):
    """The rooms that all nodes publish; raises `UnavailableError` as a store does.

    It may lose what it was told and come back without it, or with what was true before: nodes publish again then.
    """

    async def close(self) -> None:
        """Disconnect."""
        ...

    async def publish(self, owner: str, rooms: Sequence[ListedRoom], gone: Sequence[int]) -> None:
        """List *rooms* of a node as they are now, unless they are listed under a later epoch; unlist those *gone*.

        A room that is listed under another owner stays.
        """
        ...

    async def find(
        self, lists: Sequence[str], *, before: int | None, owners: Collection[str], limit: int
    ) -> list[bytes] | None:
        """Return the listings of the rooms of *owners* that are in each of one or two *lists*, the newest first.

        With *before*, only those that are older than that room; None if it never was in a list, or left too long ago.
        """
        ...

    async def owners(self) -> list[str]:
        """Return the nodes with listed rooms, whether they live or not."""
        ...

    async def rooms_of(self, owner: str) -> list[int]:
        """Return the rooms that are listed under a node."""
        ...
