"""The store on Redis or Valkey."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Final

from msgspec import MsgspecError, Struct
from msgspec.msgpack import Decoder, encode
from redis.exceptions import ResponseError

from warroom_server.adapters.redis.command_sender import (
    Argument,
    Command,
    Reply,
    Wait,
    as_bytes,
    as_items,
    as_number,
    as_text,
    ask,
    script,
)
from warroom_server.adapters.redis.connector import RedisBackend
from warroom_server.adapters.redis.keys import (
    GENERATIONS,
    NODES,
    PROBE,
    RELEASED,
    SECRET,
    SUSPECTED,
    lease_key,
    room_keys,
    rooms_key,
)
from warroom_server.adapters.redis.room_commands import (
    RoomCommand,
    answer_of,
    append_of,
    ask_each,
    entries_of,
    listing_of,
    past_of,
    stored_room,
    with_past,
)
from warroom_server.adapters.redis.rooms_by_owner import RoomsByOwner
from warroom_server.loop.tasks import end
from warroom_server.ports import store
from warroom_server.ports.listeners import Signal

logger = logging.getLogger(__name__)

LEASE_TIMEOUT_S: Final = 1.0
"""A node must learn well before its lease ends that it could not renew it."""


class LeaseValue(Struct, frozen=True):
    """The value of a lease: address and facts of a node; a newer version may have more fields."""

    address: str = ""
    facts: store.NodeFacts = store.NO_FACTS


_lease_values: Final = Decoder(LeaseValue)


class RedisStore(RoomsByOwner):
    """Keeps rooms in Redis: on one server, on the primary that Sentinels name, or in a cluster (see `address`).

    Appends, leases, rooms that change owners and everything else have a connection each: none waits for another.
    """

    def __init__(self, url: str, *, timeout_s: float = 2.0, wait: Wait | None = None) -> None:
        self.replaced: Signal[[]] = Signal()
        backend = RedisBackend(url, timeout_s=timeout_s, wait=wait)
        # An append, a renewal and a search for orphans notice a replaced server before they continue.
        self._appends = backend.line(on_replaced=self._server_replaced)
        self._leases = backend.line(timeout_s=min(timeout_s, LEASE_TIMEOUT_S), on_replaced=self._server_replaced)
        super().__init__(backend.line(on_replaced=self._server_replaced))
        self._others = backend.line()
        self._successors: set[str] = set()
        """The servers that replaced others, or were restarted; each is announced once."""
        self._secret: bytes | None = None
        self._tidying: asyncio.Task[None] | None = None
        self.address: str = backend.name

    async def start(self) -> None:
        """Connect and check that the store may be used; the error has `store.Trouble.UNFIT` if not."""
        try:
            await self._check()
        except BaseException:
            await self.close()
            raise

    async def _check(self) -> None:
        await self._others.touch()
        (probe,) = await self._others.ask([("SET", PROBE, "1", "PX", 1000)])
        if isinstance(probe, ResponseError):
            raise store.UnavailableError(
                f"{self.address} refuses to be written to: {probe}", store.Trouble.UNFIT
            ) from probe

    async def close(self) -> None:
        """Disconnect."""
        await end(self._tidying)
        for line in (self._appends, self._leases, self._moves, self._others):
            await line.close()

    def primary_of(self, room: int) -> str:
        """Return the name of the primary that has a room; appends to different primaries are independent."""
        return self._appends.primary_of(room_keys(room).log)

    # --- running rooms ----------------------------------------------------------------------------------------

    async def create(self, append: store.Append) -> bool:
        """Create a room with its first entry; False if another nonce has taken the number."""
        keys = room_keys(append.room)
        values = append.owner, append.epoch, append.nonce, append.entry, append.chain, append.rules
        create = script("create_room", (keys.record, keys.log, keys.replay), *values)
        (made,) = await ask(self._others, create, before=listing_of(append.owner, append.room), is_durable=True)
        return made == 1

    async def append(self, batch: Sequence[store.Append]) -> list[store.AppendAnswer | store.Behind]:
        """Append entries to many rooms, those of a room in order, as one round trip; answers in order."""
        if not batch:
            return []
        if repairs := [append for append in batch if append.before is not None]:
            await self._restore_lists(repairs)
        replies = await self._appends.ask([append_of(append) for append in batch], is_durable=True)
        return [answer_of(append, reply) for append, reply in zip(batch, replies, strict=True)]

    async def _restore_lists(self, repairs: Sequence[store.Append]) -> None:
        """Store the secret and list rooms whose logs are repaired: a room is listed before it is owned."""
        secret: list[Command] = [] if self._secret is None else [("SET", SECRET, self._secret, "NX")]
        listings = (listing_of(append.owner, append.room) for append in repairs)
        await ask(self._others, *secret, *chain.from_iterable(listings))

    async def save(self, room: int, owner: str, epoch: int, *, rev: int, snapshot: bytes) -> None:
        """Store a snapshot beside the log, unless the room has another owner by now."""
        keys = room_keys(room)
        slot = keys.snapshots[store.slot_of(rev)]
        await ask(self._others, script("save_snapshot", (keys.record, slot), owner, epoch, rev, snapshot))

    async def load(self, room: int) -> store.StoredRoom | None:
        """Return a running room, or None."""
        loaded = await ask_each(self._moves, [_of_room(room, "load_room")])
        return (await self._with_pasts([room], loaded))[0]

    async def log(self, room: int) -> tuple[store.LogEntry, ...]:
        """Return the whole log of a running room."""
        (reply,) = await ask(self._others, ("XRANGE", room_keys(room).log, "-", "+"))
        return entries_of(reply)

    async def dispute(self, entries: Sequence[store.Acknowledged]) -> list[bool]:
        """Make each running room whose log lacks an entry begin a new life; return which do, in order."""
        asked = [_of_room(each.room, "begin_new_life", each.life, each.rev, each.chain) for each in entries]
        return [reply == 1 for reply in await ask_each(self._moves, asked)]

    async def claim(self, orphans: Sequence[store.Orphan], claimant: str) -> list[int | None]:
        """Claim rooms, as one round trip; return the new epoch of each, or None if it is gone or another node's."""
        epochs, _ = await self._claim(orphans, claimant)
        return epochs

    async def take_over(
        self, orphans: Sequence[store.Orphan], claimant: str
    ) -> list[tuple[int | None, store.StoredRoom | None]]:
        """Claim and load rooms, in at most two round trips; return for each what `claim` and `load` would return."""
        rooms = [room for room, _, _ in orphans]
        epochs, loaded = await self._claim(orphans, claimant, [_of_room(room, "load_room") for room in rooms])
        return list(zip(epochs, await self._with_pasts(rooms, loaded), strict=True))

    async def release_rooms(self, releases: Sequence[store.RoomRelease]) -> list[bool]:
        """Release rooms, as one round trip; return for each whether it had this owner and epoch."""
        asked = [_of_room(each.room, "release_room", each.owner, each.epoch, each.handoff) for each in releases]
        return [reply == 1 for reply in await ask_each(self._moves, asked)]

    async def _with_pasts(self, numbers: Sequence[int], loaded: Sequence[Reply]) -> list[store.StoredRoom | None]:
        """Return loaded rooms with their entries before the snapshot, which never change; None for a damaged room.

        The script that loads a room leaves them out: it would block the server ten times as long.
        """
        rooms = [stored_room(room, reply) for room, reply in zip(numbers, loaded, strict=True)]
        long = [room for room in rooms if room is not None and room.snapshot is not None]
        replies = await ask_each(self._moves, [(room.room, past_of(room)) for room in long])
        pasts = {room.room: with_past(room, reply) for room, reply in zip(long, replies, strict=True)}
        return [None if room is None else pasts.get(room.room, room) for room in rooms]

    async def _claim(
        self, orphans: Sequence[store.Orphan], claimant: str, then: Sequence[RoomCommand] = ()
    ) -> tuple[list[int | None], list[Reply]]:
        """Claim rooms, then run *then*; return the new epochs, and the replies to *then*."""
        claims = [_of_room(room, "claim_room", owner, epoch, claimant, epoch + 1) for room, owner, epoch in orphans]
        listing = listing_of(claimant, *(room for room, _, _ in orphans))
        replies = await ask_each(self._moves, [*claims, *then], before=listing)
        epochs = [None if reply is None else as_number(reply) for reply in replies[: len(orphans)]]
        for (room, owner, _), epoch in zip(orphans, epochs, strict=True):
            if epoch is None:
                self._tidy_later(claimant, room)
            elif owner != claimant:
                self._tidy_later(owner, room)
        return epochs, replies[len(orphans) :]

    # --- finished matches -------------------------------------------------------------------------------------

    async def archive(self, room: int, owner: str, epoch: int, *, replay: bytes, ended_ms: int, keep_s: int) -> bool:
        """Store the replay for *keep_s* seconds and remove the running room; False if it has another owner or epoch."""
        keys = room_keys(room)
        all_keys = keys.record, keys.replay, keys.log, *keys.snapshots, keys.last_owner
        archive = script("archive_match", all_keys, owner, epoch, replay, keep_s, ended_ms, store.FINDABLE_S)
        (gone,) = await ask(self._others, archive, is_durable=True)
        if gone == 1:
            await ask(self._others, ("SREM", rooms_key(owner), keys.code))
        return gone == 1

    async def replay(self, room: int) -> store.KeptReplay | None:
        """Return the replay of a finished match."""
        (reply,) = await ask(self._others, ("HMGET", room_keys(room).replay, "replay", "ended_ms"))
        replay, ended_ms = as_items(reply)
        return None if replay is None else store.KeptReplay(as_bytes(replay), as_number(ended_ms))

    async def last_owner(self, room: int) -> store.Whereabouts | None:
        """Return the node that ended the match of a room within the last minute."""
        (reply,) = await ask(self._others, ("GET", room_keys(room).last_owner))
        if reply is None:
            return None
        epoch, owner = as_text(reply).split()
        return store.Whereabouts(owner, int(epoch))

    # --- nodes ------------------------------------------------------------------------------------------------

    async def renew(self, owner: str, address: str, facts: store.NodeFacts = store.NO_FACTS, *, lease_ms: int) -> int:
        """Take or renew the lease of a node; return a number that changes when others found it ended."""
        keys = NODES, RELEASED, SUSPECTED, lease_key(owner)
        value = encode(LeaseValue(address, facts))
        (suspicions,) = await ask(self._leases, script("renew_lease", keys, owner, value, lease_ms))
        # In a task, because a primary that hangs must not cost the lease that another one has.
        if self._tidying is None or self._tidying.done():
            self._tidying = asyncio.get_running_loop().create_task(self._tidy(), name="store")
        return as_number(suspicions)

    async def _tidy(self) -> None:
        """Notice servers that were replaced, and tidy up the lists of rooms."""
        with suppress(store.UnavailableError):
            await self._leases.touch()
        with suppress(store.UnavailableError):
            await self._tidy_lists()

    def _server_replaced(self, server: str) -> None:
        if server not in self._successors:
            self._successors.add(server)
            self.replaced()

    async def release(self, owner: str) -> None:
        """Give up the lease for good, so that others may claim the rooms of the node at once."""
        # In this order: a node leaves both sets together, and only if it is in the set of all.
        await ask(self._leases, ("SADD", RELEASED, owner), ("SADD", NODES, owner), ("DEL", lease_key(owner)))

    async def nodes(self) -> list[store.NodeLease]:
        """Return the nodes that hold a lease."""
        owners = await self.known_nodes()
        if not owners:
            return []
        keys = [lease_key(owner) for owner in owners]
        values, *lefts = await ask(self._moves, ("MGET", *keys), *(("PTTL", key) for key in keys))
        return [
            # A lease that ended between the two commands has a negative rest.
            node_lease(owner, as_bytes(value), max(as_number(left), 0))
            for owner, value, left in zip(owners, as_items(values), lefts, strict=True)
            if value is not None
        ]

    # --- players ----------------------------------------------------------------------------------------------

    async def generations(self, players: Sequence[str]) -> list[int]:
        """Return how often each player has invalidated all earlier tokens, in order."""
        if not players:
            return []
        (kept,) = await ask(self._others, ("HMGET", GENERATIONS, *players))
        return [0 if each is None else int(as_bytes(each).partition(b" ")[0]) for each in as_items(kept)]

    async def rotate(self, player: str, generation: int, nonce: int) -> bool:
        """Invalidate all earlier tokens of *player*; False if *generation* is not the latest one."""
        (done,) = await ask(
            self._others, script("void_tokens", (GENERATIONS,), player, generation, nonce), is_durable=True
        )
        return done == 1

    async def secret(self, candidate: bytes) -> bytes:
        """Return the signing secret of the cluster, which is *candidate* if there was none."""
        _, kept = await ask(self._others, ("SET", SECRET, candidate, "NX"), ("GET", SECRET))
        self._secret = as_bytes(kept)
        return self._secret


def _of_room(room: int, name: str, *arguments: Argument) -> RoomCommand:
    """Return the command that runs a script on the record, the log and the snapshots of a room."""
    keys = room_keys(room)
    return room, script(name, (keys.record, keys.log, *keys.snapshots), *arguments)


def node_lease(owner: str, value: bytes, left_ms: int) -> store.NodeLease:
    """Return a lease; the node holds it even if its value cannot be read."""
    try:
        told = _lease_values.decode(value)
    except MsgspecError as error:
        logger.warning("lease cannot be read owner=%s error=%r", owner, str(error))
        told = LeaseValue()
    return store.NodeLease(owner, told.address, left_ms, told.facts)
