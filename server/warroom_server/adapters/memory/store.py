"""A store in the memory of this process: as strict as the real ones, gone when the process ends."""

import time
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from warroom_server.ports import store
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import Append, LogEntry, Orphan, StoredRoom, Whereabouts


class _Room(Struct):
    """One running room; entry n of the log is revision n."""

    owner: str
    epoch: int
    nonce: bytes
    """Identifies the request that created it."""
    rules: str
    log: list[LogEntry] = []
    snapshots: dict[int, tuple[int, bytes]] = {}
    life: int = 0
    released: tuple[int, int, bytes] = (0, 0, b"")
    """Under which epoch and with how many entries its owner released it, and the hand-over state."""

    @property
    def handoff(self) -> bytes:
        epoch, head, handoff = self.released
        return handoff if (epoch, head) == (self.epoch - 1, len(self.log)) else b""


class _Replay(Struct, frozen=True):
    """One finished match, and the nonce its room was created under."""

    body: store.KeptReplay
    nonce: bytes
    ended_s: float
    keep_s: int
    last_owner: Whereabouts


class MemoryStore:
    """Keeps rooms in dictionaries: for tests, and for servers whose matches need not outlive them."""

    def __init__(self, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self.replaced: Signal[[]] = Signal()
        self._now_s = now_s
        self._rooms: dict[int, _Room] = {}
        self._replays: dict[int, _Replay] = {}
        self._leases: dict[str, tuple[float, str, store.NodeFacts]] = {}
        self._released: set[str] = set()
        self._suspicions: Counter[str] = Counter()
        self._secret: bytes | None = None
        self._generations: dict[str, tuple[int, int]] = {}

    async def start(self) -> None:
        """Do nothing: memory is always available."""

    async def close(self) -> None:
        """Do nothing: what was stored stays readable."""

    def primary_of(self, room: int) -> str:
        """Return nothing: there is only one memory."""
        return ""

    async def create(self, append: Append) -> bool:
        """Create a room with its first entry; False if another nonce has taken the number."""
        if taken := self._rooms.get(append.room) or self._kept_replay(append.room):
            return taken.nonce == append.nonce
        self._add_room(append).log.append(LogEntry(append.rev, append.entry, append.chain))
        return True

    async def append(self, batch: Sequence[Append]) -> list[store.AppendAnswer | store.Behind]:
        """Append entries to many rooms, those of a room in order; answers in order."""
        return list(map(self._append, batch))

    def _append(self, append: Append) -> store.AppendAnswer | store.Behind:
        room = self._rooms.get(append.room)
        head = 0 if room is None else len(room.log)
        if room is None or room.owner != append.owner or room.epoch != append.epoch:
            if self._is_fenced(append, room):
                return store.Fenced()
            if append.before is None or head < append.rev - 1:
                return store.Behind(head)
            room = room or self._add_room(append)
            room.owner, room.epoch = append.owner, append.epoch
        if append.rev > head + 1:
            return store.Behind(head)
        if append.rev == head + 1:
            room.log.append(LogEntry(append.rev, append.entry, append.chain))
            return store.Committed(append.rev)
        is_same = room.log[append.rev - 1].chain == append.chain
        return store.Committed(append.rev) if is_same else store.Fenced()

    def _is_fenced(self, append: Append, room: _Room | None) -> bool:
        """Whether the sender, who is not the owner that is known here, must not become the owner."""
        if room is None:
            return self._kept_replay(append.room) is not None
        if room.epoch >= append.epoch:
            return True
        head, rev = len(room.log), append.rev
        if append.before is None or head < rev - 1:
            return False
        return head > rev or room.log[-1].chain != (append.chain if head == rev else append.before)

    def _add_room(self, append: Append) -> _Room:
        room = self._rooms[append.room] = _Room(append.owner, append.epoch, append.nonce, append.rules)
        return room

    def _owned(self, room: int, owner: str, epoch: int) -> _Room | None:
        stored = self._rooms.get(room)
        return stored if stored is not None and (stored.owner, stored.epoch) == (owner, epoch) else None

    async def save(self, room: int, owner: str, epoch: int, *, rev: int, snapshot: bytes) -> None:
        """Store a snapshot beside the log, unless the room has another owner by now."""
        stored = self._owned(room, owner, epoch)
        if stored is not None:
            slot = store.slot_of(rev)
            stored.snapshots[slot] = max(stored.snapshots.get(slot, (0, b"")), (rev, snapshot))

    async def load(self, room: int) -> StoredRoom | None:
        """Return a running room, or None."""
        stored = self._rooms.get(room)
        if stored is None:
            return None
        snapshot = store.older_snapshot(stored.snapshots.values())
        first = snapshot[0] if snapshot else 0
        return StoredRoom(
            room=room,
            owner=stored.owner,
            epoch=stored.epoch,
            snapshot=snapshot,
            entries=tuple(stored.log[first:]),
            past=tuple(logged.entry for logged in stored.log[:first]),
            rules=stored.rules,
            handoff=stored.handoff,
            life=stored.life,
        )

    async def whereabouts(self, rooms: Sequence[int]) -> list[Whereabouts | None]:
        """Return who owns each running room, in order; None where there is none."""
        found = (self._rooms.get(room) for room in rooms)
        return [None if room is None else Whereabouts(room.owner, room.epoch) for room in found]

    async def log(self, room: int) -> tuple[LogEntry, ...]:
        """Return the whole log of a running room."""
        stored = self._rooms.get(room)
        return tuple(stored.log) if stored else ()

    async def dispute(self, entries: Sequence[store.Acknowledged]) -> list[bool]:
        """Make each running room whose log lacks an entry begin a new life; return which do, in order."""
        return [self._dispute(entry) for entry in entries]

    def _dispute(self, entry: store.Acknowledged) -> bool:
        room = self._rooms.get(entry.room)
        if room is None or room.life > entry.life or entry.chain in (logged.chain for logged in room.log):
            return False
        room.epoch, room.life = room.epoch + 1, entry.life + 1
        return True

    async def claim(self, orphans: Sequence[Orphan], claimant: str) -> list[int | None]:
        """Claim rooms; return the new epoch of each, or None if it is gone or another node's."""
        return [self._claim(orphan, claimant) for orphan in orphans]

    async def take_over(self, orphans: Sequence[Orphan], claimant: str) -> list[tuple[int | None, StoredRoom | None]]:
        """Claim and load rooms; return for each what `claim` and `load` would return."""
        epochs = await self.claim(orphans, claimant)
        return [(epoch, await self.load(room)) for epoch, (room, _, _) in zip(epochs, orphans, strict=True)]

    def _claim(self, orphan: Orphan, claimant: str) -> int | None:
        room, owner, epoch = orphan
        if stored := self._owned(room, owner, epoch):
            stored.owner, stored.epoch = claimant, epoch + 1
            released, head, handoff = stored.released
            if owner == claimant and released == epoch - 1:  # it claims once more before the room continued
                stored.released = epoch, head, handoff
        return epoch + 1 if self._owned(room, claimant, epoch + 1) else None

    async def release_rooms(self, releases: Sequence[store.RoomRelease]) -> list[bool]:
        """Release rooms; return for each whether it had this owner and epoch."""
        return [self._release_room(release) for release in releases]

    def _release_room(self, release: store.RoomRelease) -> bool:
        stored = self._owned(release.room, release.owner, release.epoch)
        if stored is not None:
            stored.released = release.epoch, len(stored.log), release.handoff
        return stored is not None

    async def archive(self, room: int, owner: str, epoch: int, *, replay: bytes, ended_ms: int, keep_s: int) -> bool:
        """Store the replay for *keep_s* seconds and remove the running room; False if it has another owner or epoch."""
        if stored := self._owned(room, owner, epoch):
            body, last_owner = store.KeptReplay(replay, ended_ms), Whereabouts(owner, epoch)
            self._replays[room] = _Replay(body, stored.nonce, self._now_s(), keep_s, last_owner)
            del self._rooms[room]
        return room not in self._rooms

    async def replay(self, room: int) -> store.KeptReplay | None:
        """Return the replay of a finished match."""
        kept = self._kept_replay(room)
        return kept.body if kept else None

    async def last_owner(self, room: int) -> Whereabouts | None:
        """Return the node that ended the match of a room within the last minute."""
        kept = self._kept_replay(room)
        return kept.last_owner if kept and self._now_s() < kept.ended_s + store.FINDABLE_S else None

    def _kept_replay(self, room: int) -> _Replay | None:
        kept = self._replays.get(room)
        if kept and self._now_s() >= kept.ended_s + kept.keep_s:
            del self._replays[room]
            return None
        return kept

    async def renew(self, owner: str, address: str, facts: store.NodeFacts = store.NO_FACTS, *, lease_ms: int) -> int:
        """Take or renew the lease of a node; return a number that changes when others found it ended."""
        self._leases[owner] = (self._now_s() + lease_ms / 1000, address, facts)
        self._released.discard(owner)
        return self._suspicions[owner]

    async def release(self, owner: str) -> None:
        """Give up the lease for good, so that others may claim the rooms of the node at once."""
        self._leases.pop(owner, None)
        self._released.add(owner)

    async def nodes(self) -> list[store.NodeLease]:
        """Return the nodes that hold a lease."""
        now_s = self._now_s()
        return [
            store.NodeLease(owner, address, round((ends_s - now_s) * 1000), facts)
            for owner, (ends_s, address, facts) in self._leases.items()
            if ends_s > now_s
        ]

    async def rooms_of(self, owners: Sequence[str]) -> list[list[int]]:
        """Return the running rooms of each node."""
        return [sorted(number for number, room in self._rooms.items() if room.owner == owner) for owner in owners]

    async def orphans(self, asker: str = "", *, only_released: bool = False) -> list[Orphan]:
        """Return the running rooms whose owner holds no lease; memory loses nothing, so *asker* knows its own."""
        live = {node.owner for node in await self.nodes()}
        orphans = [
            (number, room.owner, room.epoch)
            for number, room in self._rooms.items()
            if (room.owner in self._released if only_released else room.owner not in live)
        ]
        self._suspicions.update({owner for _, owner, _ in orphans} - {asker})
        return orphans

    async def list_again(self, rooms: Sequence[Orphan]) -> None:
        """Do nothing: memory loses nothing, so all orphans are found."""

    async def generations(self, players: Sequence[str]) -> list[int]:
        """Return how often each player has invalidated all earlier tokens, in order."""
        return [self._generations.get(player, (0, 0))[0] for player in players]

    async def rotate(self, player: str, generation: int, nonce: int) -> bool:
        """Invalidate all earlier tokens of *player*; False if *generation* is not the latest one."""
        if await self.generations([player]) == [generation]:
            self._generations[player] = (generation + 1, nonce)
        return self._generations.get(player) == (generation + 1, nonce)

    async def secret(self, candidate: bytes) -> bytes:
        """Return the signing secret of the cluster, which is *candidate* if there was none."""
        if self._secret is None:
            self._secret = candidate
        return self._secret
