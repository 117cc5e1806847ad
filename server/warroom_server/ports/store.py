"""The store of rooms, leases and signing secrets, and its errors."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

from warroom_server.ports.listeners import Signal

SNAPSHOT_EVERY = 64
"""Entries between two snapshots of a room; a store keeps the last two."""

FINDABLE_S = 60
"""How long other nodes find the node that ended a match: it still hosts the room, and players come for a rematch."""


def slot_of(rev: int) -> int:
    """Return which of the two slots keeps the snapshot of revision *rev*: neighbours never share one."""
    return rev // SNAPSHOT_EVERY % 2


def older_snapshot(kept: Collection[tuple[int, bytes]]) -> tuple[int, bytes] | None:
    """Return the snapshot that a new owner starts from: the older of two, or None while there is only one.

    So the new owner has read the last entries of the log, and can append them again if the store loses them.
    """
    return min(kept) if len(kept) == 2 else None


class Trouble(StrEnum):
    """Why a store cannot serve, as shown to operators."""

    AWAY = "away"
    """It cannot be reached, or closed the connection."""
    SLOW = "slow"
    """It did not answer in time."""
    FULL = "full"
    """It has no memory left."""
    DISK = "disk"
    """It cannot write its files."""
    READ_ONLY = "read_only"
    """It is a replica."""
    PASSWORD = "password"
    """It refuses the name or password, or what they may do."""
    LOADING = "loading"
    """It is still reading its data."""
    REPLICAS = "replicas"
    """Too few replicas have what was written."""
    CLUSTER = "cluster"
    """A part of a cluster has no primary, or is being moved."""
    UNFIT = "unfit"
    """It must not be used: it is too old, may evict keys, is no primary, or belongs to another process."""


class UnavailableError(Exception):
    """The store did not answer, or its answer does not tell what happened: ask again, if *trouble* may end."""

    def __init__(self, reason: str, trouble: Trouble = Trouble.AWAY) -> None:
        super().__init__(reason)
        self.trouble = trouble


class Append(Struct, frozen=True, gc=False):
    """One entry for a room's log, on its way from the room to the store.

    The room leaves *owner* and *epoch* empty, its writer adds them. The same append sent twice is applied once.
    """

    room: int
    rev: int
    entry: bytes
    chain: bytes
    """SHA-256 over the chain so far, this entry, and the state after it. It identifies the entry and its history."""
    owner: str = ""
    epoch: int = 0
    nonce: bytes = b""
    """Only of the first entry: identifies the request that created the room."""
    rules: str = ""
    """Only of the first entry: the fingerprint of the rules that the room is created under."""
    before: bytes | None = None
    """Only of an entry that repairs a log: the chain of the entry before it, empty if there is none.

    With it the store accepts an owner that it forgot.
    """


class Committed(Struct, frozen=True, gc=False):
    """The entry at revision *rev* is in the log."""

    rev: int


class Fenced(Struct, frozen=True, gc=False):
    """The room is over, or has another owner under this epoch or a later one: stop."""


class Behind(Struct, frozen=True, gc=False):
    """The store lacks entries before this one, and has *head* of them; it may lack the owner as well."""

    head: int


AppendAnswer: TypeAlias = Committed | Fenced
"""A store's answer to an append, which is a command of the room."""


class LogEntry(Struct, frozen=True, gc=False):
    """One entry as stored."""

    rev: int
    entry: bytes
    chain: bytes


class StoredRoom(Struct, frozen=True):
    """What a new owner needs to continue a room."""

    room: int
    owner: str
    epoch: int
    snapshot: tuple[int, bytes] | None
    """A snapshot and its revision, with at least `SNAPSHOT_EVERY` entries after it; None if the whole log follows."""
    entries: tuple[LogEntry, ...]
    """The log after the snapshot, or the whole log if there is none."""
    past: tuple[bytes, ...] = ()
    """The entries up to the snapshot."""
    rules: str = ""
    """The fingerprint of the rules that it was created under; empty if unknown."""
    handoff: bytes = b""
    """The hand-over state that the last owner left with its release; empty if there is none, or entries followed."""
    life: int = 0
    """The life that the room must have begun before it continues (see `dispute`)."""

    @property
    def opening(self) -> bytes:
        """The first entry of the log, which opens the room."""
        return self.past[0] if self.past else self.entries[0].entry


class RoomRelease(Struct, frozen=True):
    """A room that its owner releases, and the hand-over state for the next owner."""

    room: int
    owner: str
    epoch: int
    handoff: bytes


class KeptReplay(Struct, frozen=True):
    """The replay of a finished match, and when it ended, in milliseconds since 1970."""

    replay: bytes
    ended_ms: int


class Whereabouts(Struct, frozen=True):
    """The owner of a running room, and its epoch."""

    owner: str
    epoch: int


class NodeFacts(Struct, frozen=True):
    """What a node tells the others with its lease."""

    rules: tuple[tuple[str, int], ...] = ()
    """Its games, each with a version of the rules."""
    bots: dict[str, tuple[str, ...]] = {}
    """The bots of its workers, by game."""
    load: int = 0
    """The number of its rooms that are not over."""
    is_draining: bool = False
    """Whether it is about to stop and takes no rooms."""
    version: str = ""
    """The version of the server."""


NO_FACTS = NodeFacts()


class Acknowledged(Struct, frozen=True):
    """The last entry of a room that a node acknowledged, and the life of the room."""

    room: int
    life: int
    rev: int
    chain: bytes


class NodeLease(Struct, frozen=True):
    """A node that holds a lease, its address (empty: not reachable), and how long the lease lasts unless renewed."""

    owner: str
    address: str
    left_ms: int
    facts: NodeFacts = NO_FACTS


Orphan: TypeAlias = tuple[int, str, int]
"""A room without a living owner: its number, its last owner, and the epoch of that."""


class Store(Protocol):
    """The store. A call that returns has happened; after `UnavailableError` that is unknown."""

    replaced: Signal[[]]
    """A server behind the store was restarted or replaced, so the last writes may be missing."""

    async def start(self) -> None:
        """Connect and check that the store may be used; the error has `Trouble.UNFIT` if not."""

    async def close(self) -> None:
        """Disconnect."""

    def primary_of(self, room: int) -> str:
        """Return the name of the primary that has a room; appends to different primaries are independent."""

    async def create(self, append: Append) -> bool:
        """Create a room with its first entry; return False if another nonce has taken the number."""

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer | Behind]:
        """Append entries to many rooms, those of a room in order, as one round trip; answers in order."""

    async def save(self, room: int, owner: str, epoch: int, *, rev: int, snapshot: bytes) -> None:
        """Store a snapshot beside the log, unless the room has another owner by now."""

    async def load(self, room: int) -> StoredRoom | None:
        """Return a running room; None if there is none, or it cannot be read."""

    async def whereabouts(self, rooms: Sequence[int]) -> list[Whereabouts | None]:
        """Return who owns each running room, in order and as one round trip; None where there is none."""

    async def log(self, room: int) -> tuple[LogEntry, ...]:
        """Return the whole log of a running room."""

    async def dispute(self, entries: Sequence[Acknowledged]) -> list[bool]:
        """Make each running room whose log lacks an entry begin a new life; return which do, in order.

        It raises the epoch, so that the owner must load the room again before its next entry.
        """

    async def claim(self, orphans: Sequence[Orphan], claimant: str) -> list[int | None]:
        """Claim rooms, as one round trip; return the new epoch of each, or None if it is gone or another node's."""

    async def take_over(self, orphans: Sequence[Orphan], claimant: str) -> list[tuple[int | None, StoredRoom | None]]:
        """Claim and load rooms, in at most two round trips; return for each what `claim` and `load` would return.

        A room may have been loaded before it was claimed, as its owner and epoch tell. A room that cannot be read
        blocks no other.
        """

    async def release_rooms(self, releases: Sequence[RoomRelease]) -> list[bool]:
        """Release rooms, as one round trip; return for each whether it had this owner and epoch.

        The hand-over state is for the next claim only, and only if no entry is appended before.
        """

    async def archive(self, room: int, owner: str, epoch: int, *, replay: bytes, ended_ms: int, keep_s: int) -> bool:
        """Store the replay for *keep_s* seconds and remove the running room; False if it has another owner or epoch."""

    async def replay(self, room: int) -> KeptReplay | None:
        """Return the replay of a finished match."""

    async def last_owner(self, room: int) -> Whereabouts | None:
        """Return the node that ended the match of a room within the last `FINDABLE_S` seconds."""

    async def renew(self, owner: str, address: str, facts: NodeFacts = NO_FACTS, *, lease_ms: int) -> int:
        """Take or renew the lease of a node; return a number that changes when other nodes found the lease ended.

        They did so by `orphans`, and may have claimed rooms of this node. The number stays changed, since a reply may
        be lost. Other nodes read *address* and *facts*.
        """

    async def release(self, owner: str) -> None:
        """Give up the lease for good, so that others may claim the rooms of the node at once."""

    async def nodes(self) -> list[NodeLease]:
        """Return the nodes that hold a lease."""

    async def rooms_of(self, owners: Sequence[str]) -> list[list[int]]:
        """Return the running rooms of each node; for a while there may be one too many, never one too few."""

    async def orphans(self, asker: str = "", *, only_released: bool = False) -> list[Orphan]:
        """Return the running rooms whose owner holds no lease, and those of *asker* that it may not know of.

        Another node claimed such a room, and the store lost the claim. With *only_released*, return only rooms whose
        owner gave up its lease: other owners may be alive and about to renew.
        """

    async def list_again(self, rooms: Sequence[Orphan]) -> None:
        """Make sure that rooms are found as orphans, unless their owners hold leases: their listing may be lost."""

    async def generations(self, players: Sequence[str]) -> list[int]:
        """Return how often each player has invalidated all earlier tokens, in order and as one round trip."""

    async def rotate(self, player: str, generation: int, nonce: int) -> bool:
        """Invalidate all earlier tokens of *player*; False if *generation* is not the latest one.

        The same *nonce* gets the same answer again, since an answer may be lost.
        """

    async def secret(self, candidate: bytes) -> bytes:
        """Return the signing secret of the cluster, which is *candidate* if there was none."""
