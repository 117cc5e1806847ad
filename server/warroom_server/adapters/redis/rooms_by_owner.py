"""The set of rooms of each node, by which the rooms of a dead node are found.

In a cluster a set and its rooms are on different primaries: no command sees or changes both, and a fail-over may lose
one and not the other. So a set may name a room too many, and must never name one too few: a room is listed before it
is created or claimed, and unlisted only when somebody else has it or it is over.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, islice
from typing import Final, TypeVar

from warroom_protocol.rooms import parse_room_code
from warroom_server.adapters.redis.command_sender import Command, CommandSender, as_items, as_text, ask, script
from warroom_server.adapters.redis.keys import NODES, RELEASED, SUSPECTED, lease_key, room_keys, rooms_key
from warroom_server.adapters.redis.room_commands import RoomCommand, ask_each, listing_of, whereabouts_of
from warroom_server.ports.store import Orphan, UnavailableError, Whereabouts

T = TypeVar("T")

logger = logging.getLogger(__name__)

LOOK_UP_AT_ONCE: Final = 500
"""Rooms looked up in one round trip, when they may be many."""


class RoomsByOwner:
    """The part of a store that finds rooms by these sets, and tidies the sets up; all over one *line*."""

    def __init__(self, line: CommandSender) -> None:
        self._moves = line
        self._untidy: dict[tuple[str, int], None] = {}
        """Nodes, each with a room that it lost, or claimed in vain, and is listed with all the same."""

    async def known_nodes(self) -> list[str]:
        """Return every node that has or had rooms here."""
        return sorted(await self._members(NODES))

    async def rooms_of(self, owners: Sequence[str]) -> list[list[int]]:
        """Return the running rooms of each node; there may be one too many, never one too few."""
        lists = await ask(self._moves, *(("SMEMBERS", rooms_key(owner)) for owner in owners))
        return [sorted(parse_room_code(as_text(code)) for code in as_items(listed)) for listed in lists]

    async def whereabouts(self, rooms: Sequence[int]) -> list[Whereabouts | None]:
        """Return who owns each running room, in order and as one round trip; None where there is none."""
        asked: list[RoomCommand] = [(room, ("HMGET", room_keys(room).record, "owner", "epoch")) for room in rooms]
        return [None if reply is None else whereabouts_of(reply) for reply in await ask_each(self._moves, asked)]

    async def list_again(self, rooms: Sequence[Orphan]) -> None:
        """List rooms under their owners, except for owners that hold a lease and list their rooms themselves."""
        leased = await self._leased({owner for _, owner, _ in rooms})
        await self._list((owner, room) for room, owner, _ in rooms if owner not in leased)

    # --- tidying up -----------------------------------------------------------------------------------------------

    def _tidy_later(self, owner: str, room: int) -> None:
        """Let the next `_tidy_lists` look whether a room is still to be listed under a node."""
        self._untidy[owner, room] = None

    async def _tidy_lists(self) -> None:
        """Take rooms off the sets of nodes that lost them, or claimed them in vain.

        A room stays listed as long as its owner is gone, or not listed with it: then the store may be wrong about the
        owner.
        """
        listed = list(islice(self._untidy, LOOK_UP_AT_ONCE))
        found = await self.whereabouts([room for _, room in listed])
        records = dict(zip(listed, found, strict=True))
        lost = {each: found for each, found in records.items() if found is not None and found.owner != each[0]}
        alive = await self._leased({found.owner for found in lost.values()})
        held = [(room, found.owner) for (_, room), found in lost.items() if found.owner in alive]
        gone = [room for (_, room), found in records.items() if found is None]
        over = await self._affirmed(gone, (("EXISTS", room_keys(room).replay) for room in gone))
        settled = over | await self._listed(held)
        await self._unlist([each for each in listed if each[1] in settled])
        for each in listed:
            if each not in lost or each[1] in settled:
                del self._untidy[each]

    async def _unlist(self, listed: Sequence[tuple[str, int]]) -> None:
        """Take rooms off the sets of nodes that do not own them.

        A node is listed with a room before it claims it, so the owners are looked up once more afterwards.
        """
        gone = await self._without_owned(listed)
        await ask(self._moves, *(("SREM", rooms_key(owner), room_keys(room).code) for owner, room in gone))
        still_gone = await self._without_owned(gone)
        await self._list(each for each in gone if each not in still_gone)

    async def _list(self, rooms: Iterable[tuple[str, int]]) -> None:
        await ask(self._moves, *chain.from_iterable(listing_of(owner, room) for owner, room in rooms))

    # --- rooms without an owner -----------------------------------------------------------------------------------

    async def orphans(self, asker: str = "", *, only_released: bool = False) -> list[Orphan]:
        """Return the rooms whose owner holds no lease, and those of *asker* that are listed under others alone.

        With *only_released*, return only rooms that were given up and that no node claimed since which may be alive.
        Rooms on a primary that is away are left out: their owners are unknown.
        """
        owners = await self.known_nodes()
        gone = sorted(set(owners) - await self._leased(owners))
        unleased = dict(zip(gone, await self.rooms_of(gone), strict=True))
        found: list[Orphan] = []
        away: set[str] = set()
        for owner, rooms in unleased.items():
            found += await self._look_for(owner, rooms, asker, away)
            keys = NODES, RELEASED, SUSPECTED, lease_key(owner), rooms_key(owner)
            await ask(self._moves, script("forget_node", keys, owner))
        orphans = list(dict.fromkeys(found))
        if only_released:
            released = await self._members(RELEASED)
            # Another node may have claimed a room, and the store lost the claim: it is listed under that one, too.
            awaited = {room for owner, rooms in unleased.items() if owner not in released for room in rooms}
            orphans = [orphan for orphan in orphans if orphan[1] in released and orphan[0] not in awaited]
        return await self._suspected(orphans, asker)

    async def _suspected(self, orphans: Sequence[Orphan], asker: str) -> list[Orphan]:
        """Return those whose owner still holds no lease, and let it know that it may have lost its rooms."""
        owners = sorted({owner for _, owner, _ in orphans} - {asker})
        asked = (script("suspect_node", (SUSPECTED, lease_key(owner)), owner) for owner in owners)
        gone = await self._affirmed(owners, asked) | {asker}
        return [orphan for orphan in orphans if orphan[1] in gone]

    async def _look_for(self, gone: str, rooms: Sequence[int], asker: str, away: set[str]) -> list[Orphan]:
        """Return the orphans among the rooms of a dead node; add primaries that do not answer to *away*."""
        by_primary: defaultdict[str, list[int]] = defaultdict(list)
        for room in rooms:
            by_primary[self._moves.primary_of(room_keys(room).record)].append(room)
        found: list[Orphan] = []
        for primary in by_primary.keys() - away:
            there = by_primary[primary]
            try:
                for first in range(0, len(there), LOOK_UP_AT_ONCE):
                    found += await self._orphans_of(gone, there[first : first + LOOK_UP_AT_ONCE], asker)
            except UnavailableError as error:
                logger.warning("orphans not looked for primary=%s reason=%r", primary, str(error))
                away.add(primary)
        return found

    async def _orphans_of(self, gone: str, rooms: Sequence[int], asker: str) -> list[Orphan]:
        """Return those *rooms*, listed under a dead node, that have no living owner; unlist the others.

        Rooms without a record are unlisted, too: who creates a room, or repairs its log, lists it first. A room whose
        record lost a claim may be listed under its last claimant alone. It stays there until its owner is listed with
        it again, or is dead as well.
        """
        found = await self.whereabouts(rooms)
        owned = [(room, each.owner, each.epoch) for room, each in zip(rooms, found, strict=True) if each is not None]
        # After the records: a node that came back before they were read has claimed these rooms anew, and keeps them.
        alive = await self._leased({owner for _, owner, _ in owned})
        held = [(room, owner) for room, owner, _ in owned if owner in alive and owner != gone]
        listed = await self._listed(held)
        none = set(rooms) - {room for room, _, _ in owned}
        await self._unlist([(gone, room) for room in rooms if room in none | listed])
        unaware = {room for room, owner in held if owner == asker} - listed
        return [orphan for orphan in owned if orphan[1] not in alive or orphan[0] in unaware]

    # --- looking --------------------------------------------------------------------------------------------------

    async def _without_owned(self, listed: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return the nodes that do not own the room beside them."""
        found = await self.whereabouts([room for _, room in listed])
        return [each for each, record in zip(listed, found, strict=True) if record is None or record.owner != each[0]]

    async def _listed(self, owned: Sequence[tuple[int, str]]) -> set[int]:
        """Return the rooms that are listed under their owner."""
        asked = (("SISMEMBER", rooms_key(owner), room_keys(room).code) for room, owner in owned)
        return await self._affirmed([room for room, _ in owned], asked)

    async def _leased(self, owners: Collection[str]) -> set[str]:
        """Return the nodes that hold a lease."""
        return await self._affirmed(owners, (("EXISTS", lease_key(owner)) for owner in owners))

    async def _affirmed(self, items: Iterable[T], asked: Iterable[Command]) -> set[T]:
        """Return the items for which the answer to the command *asked* is 1."""
        answers = await ask(self._moves, *asked)
        return {item for item, answer in zip(items, answers, strict=True) if answer == 1}

    async def _members(self, key: str) -> set[str]:
        (members,) = await ask(self._moves, ("SMEMBERS", key))
        return {as_text(member) for member in as_items(members)}
