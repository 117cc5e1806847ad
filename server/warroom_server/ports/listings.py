"""The directory in which nodes publish rooms, for lists and for quick matches."""

from collections.abc import Collection, Sequence
from typing import Final, Literal, Protocol, TypeAlias

from msgspec import Struct

REMEMBERED: Final = 16_384
"""How many rooms that left the lists are remembered, so that the next page of a list can follow one of them."""


class QuickRules(Struct, frozen=True, kw_only=True):
    """How quick matches are made."""

    held_ms: int = 5_000
    """How long a seat is held for a player who was sent to a room."""
    rest_ms: int = 60_000
    """How long no seat is held for a player who did not take the last one: nobody can block a seat for ever."""
    making_ms: int = 3_000
    """How long others wait for a room that a player is making; then another player makes one."""
    lapsed_ms: int = 10_000
    """How long an open room of a node without a lease stays: its next owner has published it by then."""
    answered_ms: int = 600_000
    """How long a repeated request gets the same answer."""
    most_open: int = 256
    """The limit of open rooms of one kind: a request with this many takes the store about a millisecond."""
    window: int = 4_167
    """How far a player's skill may be from the mean of a room, in thousandths: the beta of the rating model.

    At this distance the stronger player wins about three matches of four.
    """
    widens_ms: int = 5_000
    """In this time the window grows by its initial width: within 10 s the weaker player hardly ever wins.

    The age of the room and the waiting time of the player both count.
    """
    patience_ms: int = 10_000
    """How long a player waits for a room within the window; after that any room will do."""


class ListedRoom(Struct, frozen=True):
    """A room as its owner publishes it under *epoch*; *lists* are the names of the lists that show it."""

    room: int
    epoch: int
    opened_ms: int
    lists: tuple[str, ...]
    listing: bytes
    """The encoded entry of a list."""


class OpenRoom(Struct, frozen=True):
    """A lobby that is open to quick matches, as its owner publishes it under *epoch*."""

    room: int
    epoch: int
    free: int
    players: tuple[str, ...] = ()
    kicked: tuple[str, ...] = ()
    skills: tuple[int, ...] = ()
    """The skills of the rated players, in thousandths."""


class QuickRequest(Struct, frozen=True, kw_only=True):
    """A player who wants a quick match, and the *room* that *owner* would make; the same *ref* is the same request."""

    player: str
    ref: int
    room: int
    owner: str
    seats: int
    skill: int | None = None
    """In thousandths; an unrated player fits into any room."""
    waited_ms: int = 0
    owners: Collection[str] = ()
    """The nodes whose rooms may be joined."""
    excluded: Collection[int] = ()
    missing: int | None = None
    """The room of the last answer, if it turned out not to exist."""


Verdict: TypeAlias = Literal["join", "make", "making", "wait"]


class QuickAnswer(Struct, frozen=True):
    """What the player does: join a room, make it, wait until another player has made it, or ask again later."""

    verdict: Verdict
    room: int = 0


class Listings(Protocol):
    """The rooms that all nodes publish; raises `UnavailableError` as a store does.

    It may lose rooms, or come back with an older state: nodes publish their rooms again then.
    """

    async def close(self) -> None:
        """Disconnect."""

    async def publish(self, owner: str, rooms: Sequence[ListedRoom], gone: Sequence[int]) -> None:
        """List *rooms* of a node as they are now, unless they are listed under a later epoch; unlist those *gone*.

        A room that is listed under another owner stays.
        """

    async def find(
        self, lists: Sequence[str], *, before: int | None, owners: Collection[str], limit: int
    ) -> list[bytes] | None:
        """Return the listings of the rooms of *owners* that are in each of one or two *lists*, the newest first.

        With *before*, return only rooms older than that one; None if it was never listed, or left too long ago.
        """

    async def owners(self) -> list[str]:
        """Return the nodes with listed rooms, whether they live or not."""

    async def rooms_of(self, owner: str) -> list[int]:
        """Return the rooms that are listed under a node."""

    async def publish_open(self, kind: str, owner: str, rooms: Sequence[OpenRoom], gone: Sequence[int]) -> None:
        """Open *rooms* of one kind to quick matches, as `publish` lists rooms; close those *gone*."""

    async def quick_match(self, kind: str, request: QuickRequest) -> QuickAnswer:
        """Find a room of a kind, the fullest first, and hold a seat there; otherwise let the player make one."""
