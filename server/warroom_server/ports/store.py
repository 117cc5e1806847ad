"""Where rooms live, and what may go wrong there."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

from warroom_server.ports.signal import Signal

SNAPSHOT_EVERY = 64
"""Entries between two snapshots of a room; a store keeps the last two."""

FINDABLE_S = 60
"""How long others find the node that ended a match, which has the room still: players come back there for a rematch."""


def slot_of(rev: int) -> int:
    """Return which of the two slots keeps the snapshot of revision *rev*: neighbours never share one."""
    return rev // SNAPSHOT_EVERY % 2


def older_snapshot(kept: Collection[tuple[int, bytes]]) -> tuple[int, bytes] | None:
    """Return the snapshot that a new owner starts from: the older of two, or None while there is only one.

    So the new owner has read the last entries of the log, and can append them again if the store loses them.
    """
    return min(kept) if len(kept) == 2 else None


class StoreError(Exception):
    """The base of what a store may raise."""


class Trouble(StrEnum):
    """What keeps a store from serving, as operators are told."""

    AWAY = "away"
    """It cannot be reached, or hung up."""
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
    """Some of a cluster has no primary, or moves."""
    UNFIT = "unfit"
    """It must not be used: too old, may evict keys, no primary."""


class UnavailableError(StoreError):
    """The store did not answer, or not in a way that tells what happened: ask again."""

    def __init__(self, reason: str, trouble: Trouble = Trouble.AWAY) -> None:
        super().__init__(reason)
        self.trouble = trouble


class UnsuitableStoreError(StoreError):
    """The store can be reached but must not be used (too old, may evict keys, read-only): says why."""


class Append(Struct, frozen=True):
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


class Committed(Struct, frozen=True):
    """The entry at revision *rev* is in the log."""

    rev: int


class Fenced(Struct, frozen=True):
    """The room is over, or has another owner under this epoch or a later one: stop."""


class Behind(Struct, frozen=True):
    """The store lacks entries before this one, and has *head* of them; it may lack the owner as well."""

    head: int


AppendAnswer: TypeAlias = Committed | Fenced
"""A store's answer to an append, which is a command of the room."""


class LogEntry(Struct, frozen=True):
    """One entry as stored."""

    rev: int
    entry: bytes
    chain: bytes


class StoredRoom(Struct, frozen=True):
    """What a new owner needs to go on with a room."""

    room: int
    owner: str
    epoch: int
    snapshot: tuple[int, bytes] | None
    """A snapshot and its revision, with `SNAPSHOT_EVERY` entries or more after it; None where that is the whole log."""
    entries: tuple[LogEntry, ...]
    """The log after the snapshot, or the whole log where there is none."""
    past: tuple[bytes, ...] = ()
    """The entries up to the snapshot."""
    rules: str = ""
    """The fingerprint of the rules that it was made under; empty if nobody knows."""
    handoff: bytes = b""
    """What the owner before left when it gave the room up; empty if it left nothing, or something happened since."""
    life: int = 0
    """The life that it has to begin, if it has not: an earlier owner acknowledged what the log lacks (`dispute`)."""

    @property
    def opening(self) -> bytes:
        """The first entry of the log, which says what room it is."""
        return self.past[0] if self.past else self.entries[0].entry


class RoomRelease(Struct, frozen=True):
    """A room that its owner gives up, and what the next owner has to know beside its log."""

    room: int
    owner: str
    epoch: int
    handoff: bytes


class KeptReplay(Struct, frozen=True):
    """The replay of a finished match, and when that ended, in milliseconds since 1970."""

    replay: bytes
    ended_ms: int


class Whereabouts(Struct, frozen=True):
    """Who owns a running room, and under which epoch."""

    owner: str
    epoch: int


class NodeFacts(Struct, frozen=True):
    """What a node says of itself with its lease."""

    rules: tuple[tuple[str, int], ...] = ()
    """The games that it has, each with a version of its rules."""
    bots: dict[str, tuple[str, ...]] = {}
    """The bots that its workers have, by game."""
    load: int = 0
    """How many rooms it has that are not over."""
    is_draining: bool = False
    """Whether it is about to stop, and takes no rooms."""
    version: str = ""
    """The version of the server."""


NO_FACTS = NodeFacts()


class Acknowledged(Struct, frozen=True):
    """The last entry of a room that an owner acknowledged, and the life of the room."""

    room: int
    life: int
    rev: int
    chain: bytes


class NodeLease(Struct, frozen=True):
    """A node that holds a lease, where others reach it (empty: nowhere), and how long that lasts if not renewed."""

    owner: str
    address: str
    left_ms: int
    facts: NodeFacts = NO_FACTS


Orphan: TypeAlias = tuple[int, str, int]
"""A room, the owner that does nothing more for it, and the epoch that it owned it under."""


class Store(Protocol):
    """Where rooms live. Everything that returns has happened; `UnavailableError` means that it is not known."""

    replaced: Signal[[]]
    """A server behind the store was restarted or replaced, so the last writes may be missing."""

    async def start(self) -> None:
        """Connect and check that the store may be used; raise `UnsuitableStoreError` if not."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...

    def primary_of(self, room: int) -> str:
        """Return the name of what holds a room: appends to different ones need not wait for each other."""
        ...

    async def create(self, append: Append) -> bool:
        """Create a room with its first entry; return False if another nonce has taken the number."""
        ...

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer | Behind]:
        """Append one entry each to many rooms, as one round trip; answers in order."""
        ...

    async def save(self, room: int, owner: str, epoch: int, *, rev: int, snapshot: bytes) -> None:
        """Keep a snapshot beside the log, unless the room has another owner by now."""
        ...

    async def load(self, room: int) -> StoredRoom | None:
        """Return a running room; None if there is none, or it cannot be read."""
        ...

    async def whereabouts(self, rooms: Sequence[int]) -> list[Whereabouts | None]:
        """Return who owns each running room, in order and as one round trip; None where there is none."""
        ...

    async def log(self, room: int) -> tuple[LogEntry, ...]:
        """Return the whole log of a running room."""
        ...

    async def dispute(self, entries: Sequence[Acknowledged]) -> list[bool]:
        """Let each running room whose log lacks an entry begin a new life; return where that was so, in order.

        It raises the epoch, so that the owner has to load the room again before its next entry.
        """
        ...

    async def claim(self, orphans: Sequence[Orphan], claimant: str) -> list[int | None]:
        """Take rooms over, as one round trip; for each the new epoch, or None if it is gone or somebody else's."""
        ...

    async def take_over(self, orphans: Sequence[Orphan], claimant: str) -> list[tuple[int | None, StoredRoom | None]]:
        """Claim and load rooms, in two round trips at most; for each what `claim` and `load` would answer.

        What was loaded may be older than the claim, as its owner and epoch tell. A room that cannot be read holds up
        no other.
        """
        ...

    async def release_rooms(self, releases: Sequence[RoomRelease]) -> list[bool]:
        """Give rooms up, as one round trip; for each whether it was its owner's under that epoch.

        What is handed over counts for the next claim alone, and only if nothing is appended before.
        """
        ...

    async def archive(self, room: int, owner: str, epoch: int, *, replay: bytes, ended_ms: int, keep_s: int) -> bool:
        """Keep the replay for *keep_s* seconds and let the running room go; False if it has another owner or epoch."""
        ...

    async def replay(self, room: int) -> KeptReplay | None:
        """Return the replay of a finished match."""
        ...

    async def last_owner(self, room: int) -> Whereabouts | None:
        """Return who ended the match of a room within the last `FINDABLE_S` seconds."""
        ...

    async def renew(self, owner: str, address: str, facts: NodeFacts = NO_FACTS, *, lease_ms: int) -> int:
        """Hold or renew the lease of a node under its incarnation id; return how often others found it ended.

        Others read its address and *facts* there.

        They did so by `orphans`, and may have claimed its rooms. The number stays, for a reply may be lost.
        """
        ...

    async def release(self, owner: str) -> None:
        """Give the lease up for good, so that others may claim its rooms at once."""
        ...

    async def nodes(self) -> list[NodeLease]:
        """Return the nodes that hold a lease."""
        ...

    async def rooms_of(self, owners: Sequence[str]) -> list[list[int]]:
        """Return the running rooms listed under each node; for a while there may be one too many, never one too few."""
        ...

    async def orphans(self, asker: str = "", *, only_released: bool = False) -> list[Orphan]:
        """Return the running rooms whose owner holds no lease, and those that *asker* may not know to be its own.

        Such a room was another's, and the store forgot it. With *only_released* there are none but those whose owner
        gave its lease up: of the others nobody can tell whether they live and are about to renew.
        """
        ...

    async def list_again(self, rooms: Sequence[Orphan]) -> None:
        """Let rooms be found as orphans, should the store have forgotten to list them, unless the owner has a lease."""
        ...

    async def generations(self, players: Sequence[str]) -> list[int]:
        """Return how often each of *players* has made all earlier tokens void, in order and as one round trip."""
        ...

    async def rotate(self, player: str, generation: int, nonce: int) -> bool:
        """Make all earlier tokens of *player* void; False if *generation* is not the latest one.

        Asked again with the same *nonce* it says the same, for the answer may have been lost on its way.
        """
        ...

    async def secret(self, candidate: bytes) -> bytes:
        """Return the cluster's signing secret, which is *candidate* if there was none yet."""
        ...
