"""What the server needs from the world, as interfaces that the adapters fulfil."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

SNAPSHOT_EVERY = 64
"""Entries between two snapshots of a room; a store that keeps the last two knows its neighbours by it."""

NONCE_BYTES = 16
"""How much of the chain names an entry after its history: the same entry asked again is the same nonce."""


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


class AppendRequest(Struct, frozen=True):
    """One entry for one room's log; the same *nonce* asked twice is applied once."""

    room: int
    owner: str
    epoch: int
    rev: int
    nonce: bytes
    entry: bytes
    chain: bytes
    revives: bytes | None = None
    """The chain before it (empty: there is none), to take a room up again that the store has `Lost`."""


class Yes(Struct, frozen=True):
    """The entry is in the log."""


class Behind(Struct, frozen=True):
    """The log has only *head* entries: those after it are missing."""

    head: int


class Lost(Struct, frozen=True):
    """The store has gone back to before this owner had the room, and has only *head* entries of it, or none at all.

    The owner may take it up again with the entry that follows, if the history up to there is the one that it knows.
    """

    head: int


class Fenced(Struct, frozen=True):
    """The room has another owner, under this epoch or a later one, or is over."""


AppendAnswer: TypeAlias = Yes | Behind | Lost | Fenced


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
    first: bytes = b""
    """The first entry, where there is a snapshot."""

    @property
    def opening(self) -> bytes:
        """The first entry of the log, which says what room it is."""
        return self.entries[0].entry if self.snapshot is None else self.first


class KeptReplay(Struct, frozen=True):
    """The replay of a finished match, and when that ended, in milliseconds since 1970."""

    replay: bytes
    ended_ms: int


class Whereabouts(Struct, frozen=True):
    """Who owns a running room, and under which epoch."""

    owner: str
    epoch: int


class NodeLease(Struct, frozen=True):
    """A node that holds a lease, where others reach it (empty: nowhere), and how long that lasts if not renewed."""

    owner: str
    address: str
    left_ms: int


Orphan: TypeAlias = tuple[int, str, int]
"""A room, the owner that does nothing more for it, and the epoch that it owned it under."""


class Store(Protocol):
    """Where rooms live. Everything that returns has happened; `UnavailableError` means that it is not known."""

    on_doubt: Callable[[], None]
    """Called whenever it may have lost some of what it said it had: it was started anew, or others took its place."""

    async def start(self) -> None:
        """Connect and check that the store may be used; raise `UnsuitableStoreError` if not."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...

    def primary_of(self, room: int) -> str:
        """Return the name of what holds a room: appends to different ones need not wait for each other."""
        ...

    async def create(self, request: AppendRequest) -> bool:
        """Create a room with its first entry, at *request.epoch*; False if another nonce has taken the number."""
        ...

    async def append(self, batch: Sequence[AppendRequest]) -> list[AppendAnswer]:
        """Append one entry each to many rooms, as one round trip; answers in order."""
        ...

    async def save(self, room: int, owner: str, epoch: int, *, rev: int, snapshot: bytes) -> None:
        """Keep a snapshot beside the log, unless the room has another owner by now."""
        ...

    async def load(self, room: int) -> StoredRoom | None:
        """Return a running room, or None."""
        ...

    async def load_many(self, rooms: Sequence[int]) -> list[StoredRoom | None]:
        """Return what `load` would for each, in order and as one round trip; None also for what cannot be read."""
        ...

    async def whereabouts(self, rooms: Sequence[int]) -> list[Whereabouts | None]:
        """Return who owns each running room, in order and as one round trip; None where there is none."""
        ...

    async def log(self, room: int) -> tuple[LogEntry, ...]:
        """Return the whole log of a running room."""
        ...

    async def chains(self, entries: Sequence[tuple[int, int]]) -> list[bytes | None]:
        """Return the chain of each entry of a running room, by room and revision; None where there is no such entry."""
        ...

    async def claim(self, orphans: Sequence[Orphan], claimant: str) -> list[int | None]:
        """Take rooms over, as one round trip; for each the new epoch, or None if it is gone or somebody else's."""
        ...

    async def take_over(self, orphans: Sequence[Orphan], claimant: str) -> list[tuple[int | None, StoredRoom | None]]:
        """Claim and load rooms, as one round trip; for each what `claim` and `load` would answer.

        What was loaded may be older than the claim, as its owner and epoch tell.
        """
        ...

    async def archive(self, room: int, owner: str, epoch: int, *, replay: bytes, ended_ms: int, keep_s: int) -> bool:
        """Keep the replay for *keep_s* seconds and let the running room go; False if it has another owner or epoch."""
        ...

    async def replay(self, room: int) -> KeptReplay | None:
        """Return the replay of a finished match."""
        ...

    async def renew(self, owner: str, address: str, *, lease_ms: int) -> None:
        """Hold or renew the lease of a node under its incarnation id."""
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


class MatchRecord(Struct, frozen=True):
    """What is known of a finished match besides its replay."""

    room: int
    game: str
    players: tuple[str, ...]
    """Whose lists show it."""
    ended_ms: int
    summary: bytes
    """What lists show of it."""
    result: bytes | None
    """What ratings are worked out from; None: it does not count."""
    is_listed: bool


class Result(Struct, frozen=True):
    """A result that has not been counted."""

    room: int
    game: str
    result: bytes


class RatingChange(Struct, frozen=True):
    """The rating of one player before (None: there was none) and after a match, and the score to rank it by."""

    player: str
    before: bytes | None
    after: bytes
    score: int


class Records(Protocol):
    """Where finished matches are listed and ratings are kept; raises `UnavailableError` as a store does."""

    async def close(self) -> None:
        """Disconnect."""
        ...

    async def publish(self, record: MatchRecord, *, keep_s: int) -> None:
        """Note a finished match, once however often it is told."""
        ...

    async def matches(self, *, game: str | None, player: str | None, before: int | None, limit: int) -> list[bytes]:
        """Return the summaries of listed matches, the newest first, from the one after *before* on."""
        ...

    def results(self) -> AsyncIterator[Result]:
        """Go through the results that have not been counted, those that are there from beginning to end at least once.

        What is not to be read is passed over.
        """
        ...

    async def ratings(self, game: str, players: Sequence[str]) -> list[bytes | None]:
        """Return the rating of each player in a game, None for one who has none."""
        ...

    async def rate(self, room: int, game: str, changes: Sequence[RatingChange], *, keep_s: int) -> bool:
        """Change the ratings of a match's players, once; False if one is not what it was worked out from."""
        ...

    async def ranking(self, game: str, *, offset: int, limit: int) -> tuple[int, list[tuple[str, bytes]]]:
        """Return how many players have a rating, and some of them by score, the best first."""
        ...


class FeedError(Exception):
    """The broker cannot be reached, or did not take something in time; the line to it is of no use any more."""


class Publication(Struct, frozen=True):
    """Something to be published; without a payload it takes back what is *retained* under the topic."""

    topic: str
    payload: bytes = b""
    retained: bool = False
    qos: int = 0
    expires_s: int | None = None
    """For how long it is of use to anybody, for brokers that look at it."""


class Feed(Protocol):
    """A line to the broker through which the world is told. Only one call at a time; any may raise `FeedError`.

    After that error the line is closed and opened anew: whatever was not taken is gone.
    """

    async def open(self, will: Publication) -> None:
        """Open a line; should it break, the broker publishes *will*."""
        ...

    async def publish(self, publication: Publication) -> None:
        """Publish, and return once the broker has it (QoS 1) or the system has taken it (QoS 0)."""
        ...

    async def retained(self, filters: Sequence[str], marker: Publication) -> list[tuple[str, bytes]]:
        """Publish *marker*, which is under one of *filters*, and return what was retained under them before."""
        ...

    async def lost(self) -> None:
        """Return once the line is broken."""
        ...

    async def close(self) -> None:
        """Throw the line away, if there is one; this never fails, and takes no longer than a moment."""
        ...


class Entropy(Protocol):
    """Where secrets come from."""

    def bytes(self, count: int) -> bytes:
        """Return *count* unpredictable bytes."""
        ...


class Clock(Protocol):
    """Where time comes from."""

    def now(self) -> int:
        """Return milliseconds of play: monotonic, and standing still over stalls of the loop."""
        ...

    def wall_ms(self) -> int:
        """Return milliseconds since 1970, for people."""
        ...

    def steady_ms(self) -> int:
        """Return milliseconds that go on whatever happens to this process, for what others wait for."""
        ...


class Timer(Protocol):
    """Something that will be called unless it is cancelled first."""

    def cancel(self) -> None:
        """Never call it; harmless when it already was."""
        ...


class Timers(Protocol):
    """The node's one heap of moments."""

    def call_at(self, when: int, callback: Callable[[], None]) -> Timer:
        """Call *callback* once `Clock.now()` has reached *when*."""
        ...


class Connection(Protocol):
    """One open websocket, as the runtime sees it."""

    id: int
    peer: str

    @property
    def is_congested(self) -> bool:
        """Whether so much is unsent that nothing droppable should be added."""
        ...

    def send(self, frame: bytes) -> None:
        """Queue a frame from `build_frame` for the one write at the end of this turn of the loop."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then a close frame; cut the line if the peer does not answer it in time."""
        ...


class LinkLine(Protocol):
    """The line of one link to another node, open or about to be."""

    @property
    def unsent_bytes(self) -> int:
        """How much was given to it and is not with the system yet."""
        ...

    def send(self, payload: bytes) -> None:
        """Send one message."""
        ...

    def close(self, reason: str) -> None:
        """End the line; `LinkHandler.closed` follows."""
        ...


class LinkHandler(Protocol):
    """What a node does with the line of one link; called from the loop, one call at a time."""

    def opened(self, line: LinkLine) -> None:
        """The line is there."""
        ...

    def received(self, payload: bytes) -> None:
        """Take one whole message."""
        ...

    def drained(self) -> None:
        """What had not been sent, when there was much of it, is with the system."""
        ...

    def closed(self, reason: str) -> None:
        """The line is gone; called once for each `opened`, and instead of it if it never came to be."""
        ...


class HttpResponse(Struct, frozen=True):
    """The answer to a plain GET on the websocket's port."""

    status: int
    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    headers: Mapping[str, str] = {}
    compressed: bytes | None = None
    """The body in gzip, for whoever accepts that."""


class ConnectionHandler(Protocol):
    """What the runtime does with connections; the shell calls it from the loop, one call at a time."""

    def opened(self, connection: Connection) -> None:
        """The opening handshake is done."""
        ...

    def received(self, connection: Connection, message: bytes, arrived: int) -> int:
        """Take one whole binary message; return for how many milliseconds to read no further (0: go on)."""
        ...

    def drained(self, connection: Connection) -> None:
        """A connection that was congested can take frames again."""
        ...

    def measured(self, connection: Connection, rtt_ms: int) -> None:
        """The line of a connection was measured again: *rtt_ms* is the median of its last round trips."""
        ...

    def closed(self, connection: Connection) -> None:
        """The connection is gone; called once for each `opened`."""
        ...

    def http(self, path: str, query: str) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer a GET that is no websocket handshake, at once or after asking the store."""
        ...
