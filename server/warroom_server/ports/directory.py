"""Where nodes publish the rooms that anybody may look for or be sent to, and ask for those of all nodes."""

from collections.abc import Collection, Sequence
from typing import Final, Literal, Protocol, TypeAlias

from msgspec import Struct

REMEMBERED: Final = 16_384
"""Of how many rooms that left the lists the place is known, so that a list goes on after one of them."""


class QuickRules(Struct, frozen=True, kw_only=True):
    """How quick matches are made."""

    held_ms: int = 5_000
    """How long a seat is held for a player who was sent to a room."""
    rest_ms: int = 60_000
    """How long no seat is held for a player who did not take one: nobody keeps a seat from others for ever."""
    making_ms: int = 3_000
    """How long others wait for a room that somebody is to make; then somebody else makes one."""
    lapsed_ms: int = 10_000
    """How long an open room of a node without a lease is kept: who took it over has published it by then."""
    answered_ms: int = 600_000
    """How long a request that is sent again gets the same answer."""
    most_open: int = 256
    """Open rooms of one kind that are looked through: one question takes the store about a millisecond."""
    window: int = 4_167
    """How far a player's skill may be from the mean of a room, in thousandths: the beta of the rating model.

    At this distance the stronger player wins about three matches of four.
    """
    widens_ms: int = 5_000
    """In this time the window grows by its first width: in 10 s to where the weaker player hardly ever wins.

    The age of the room and the waiting of the player both count.
    """
    patience_ms: int = 10_000
    """How long a player waits for a room within the window; then any room will do."""


class ListedRoom(Struct, frozen=True):
    """A room as its owner publishes it under *epoch*; *lists* are the names of the lists that show it."""

    room: int
    epoch: int
    opened_ms: int
    lists: tuple[str, ...]
    listing: bytes
    """What lists show of it."""


class OpenRoom(Struct, frozen=True):
    """A room of quick matches that has not begun, as its owner publishes it under *epoch*."""

    room: int
    epoch: int
    free: int
    players: tuple[str, ...] = ()
    kicked: tuple[str, ...] = ()
    skills: tuple[int, ...] = ()
    """What is known of the players' skills, in thousandths."""


class QuickRequest(Struct, frozen=True, kw_only=True):
    """A player who wants a quick match, and the *room* that *owner* would make; the same *ref* is the same request."""

    player: str
    ref: int
    room: int
    owner: str
    seats: int
    skill: int | None = None
    """In thousandths; a player without one fits anywhere."""
    waited_ms: int = 0
    owners: Collection[str] = ()
    """The nodes whose rooms are open to the player."""
    excluded: Collection[int] = ()
    missing: int | None = None
    """The room of the last answer, which is not there."""


Verdict: TypeAlias = Literal["join", "make", "making", "wait"]


class QuickAnswer(Struct, frozen=True):
    """Where to go: to a room, to one that is to be made, or being made by another, or nowhere yet."""

    verdict: Verdict
    room: int = 0


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

    async def publish_open(self, kind: str, owner: str, rooms: Sequence[OpenRoom], gone: Sequence[int]) -> None:
        """Open *rooms* of one kind to quick matches, as `publish` lists them; close those *gone*."""
        ...

    async def quick_match(self, kind: str, request: QuickRequest) -> QuickAnswer:
        """Find a room of a kind, the fullest first, and hold a seat there; or let the player make one."""
        ...
