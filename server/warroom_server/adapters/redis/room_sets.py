"""The lists of rooms under their nodes, by which the rooms of a node are found that is gone.

In a cluster a list and the rooms on it are on different primaries: no step sees or changes both, and a fail-over may
forget the one and not the other. So a list may name a room too many, and must never name one too few.
"""

import logging
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Final

from warroom_protocol.rooms import parse_room_code
from warroom_server.adapters.redis.connection import Command
from warroom_server.adapters.redis.keys import NODES, RELEASED, SUSPECTED, lease_key, room_keys, rooms_key
from warroom_server.adapters.redis.replies import as_items, as_text, ask
from warroom_server.adapters.redis.room_commands import ask_each, listing_of, whereabouts_of
from warroom_server.adapters.redis.script import FORGET, SUSPECT
from warroom_server.adapters.redis.server import CommandSender
from warroom_server.ports.store import Orphan, UnavailableError, Whereabouts

logger = logging.getLogger(__name__)

LOOK_UP_AT_ONCE: Final = 500
"""Rooms looked up in one round trip, when they may be many."""


class RoomSets:
    """Finds rooms by the lists, and tidies these up; all over one *line*."""

    def __init__(self, line: CommandSender) -> None:
        self._line = line

    async def nodes(self) -> list[str]:
        """Return every node that has or had rooms here."""
        (members,) = await ask(self._line, ("SMEMBERS", NODES))
        return sorted(as_text(member) for member in as_items(members))

    async def rooms_of(self, owners: Sequence[str]) -> list[list[int]]:
        """Return the rooms listed under each node."""
        if not owners:
            return []
        lists = await ask(self._line, *(("SMEMBERS", rooms_key(owner)) for owner in owners))
        return [sorted(parse_room_code(as_text(code)) for code in as_items(listed)) for listed in lists]

    async def unlist(self, listed: Sequence[tuple[str, int]]) -> None:
        """Take rooms off the lists of nodes that had them, but for those that have them again.

        It is looked once more afterwards, since a node that claims a room has been listed with it before.
        """
        gone = [each for each, is_owner in zip(listed, await self._own(listed), strict=True) if not is_owner]
        if gone:
            await ask(self._line, *(("SREM", rooms_key(owner), room_keys(room).code) for owner, room in gone))
            for (owner, room), is_owner in zip(gone, await self._own(gone), strict=True):
                if is_owner:
                    await ask(self._line, *listing_of(owner, room))

    async def unlist_lost(self, claimed: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """Take rooms off the lists of nodes that claimed them in vain, and return those to be looked at again.

        These have an owner that is gone, or is not listed with them: it may be the store that forgot whose they are.
        """
        records = list(zip(claimed, await self._records([room for _, room in claimed]), strict=True))
        over = set(await self._over([room for (_, room), found in records if found is None]))
        lost = [(each, found) for each, found in records if found is not None and found.owner != each[0]]
        alive = await self._leased({found.owner for _, found in lost})
        held = [(room, found.owner, found.epoch) for (_, room), found in lost if found.owner in alive]
        settled = over | await self._listed(held)
        await self.unlist([each for each in claimed if each[1] in settled])
        return [each for each, _ in lost if each[1] not in settled]

    async def list_again(self, rooms: Sequence[Orphan]) -> None:
        """List rooms under their owners, but for those whose owner holds a lease and sees to it itself."""
        leased = await self._leased({owner for _, owner, _ in rooms})
        listings = [listing_of(owner, room) for room, owner, _ in rooms if owner not in leased]
        if listings:
            await ask(self._line, *chain.from_iterable(listings))

    async def orphans(self, asker: str, *, only_released: bool) -> list[Orphan]:
        """Return the rooms whose owner holds no lease, and those of *asker* that are listed under others alone.

        With *only_released* there are none but those that were given up, and that nobody had since who may live. Those
        that a primary has which is away are left out: nobody can tell whose they are.
        """
        found: list[Orphan] = []
        unleased = await self._unleased()
        away: set[str] = set()
        for owner, rooms in unleased:
            found += await self._look_for(owner, rooms, asker, away)
            await ask(self._line, FORGET.call((NODES, RELEASED, SUSPECTED, lease_key(owner), rooms_key(owner)), owner))
        orphans = list(dict.fromkeys(found))
        if only_released:
            orphans = await self._released(orphans, unleased)
        return await self._suspected(orphans, asker)

    async def _suspected(self, orphans: Sequence[Orphan], asker: str) -> list[Orphan]:
        """Return those whose owner still holds no lease, and let it know that it may have lost its rooms."""
        owners = sorted({owner for _, owner, _ in orphans} - {asker})
        asked = [SUSPECT.call((SUSPECTED, lease_key(owner)), owner) for owner in owners]
        answers = await ask(self._line, *asked) if asked else []
        gone = {owner for owner, is_gone in zip(owners, answers, strict=True) if is_gone == 1} | {asker}
        return [orphan for orphan in orphans if orphan[1] in gone]

    async def _look_for(self, gone: str, rooms: Sequence[int], asker: str, away: set[str]) -> list[Orphan]:
        """Return the orphans among the rooms of a node that is gone; primaries that do not answer are *away* then."""
        by_primary: dict[str, list[int]] = {}
        for room in rooms:
            by_primary.setdefault(self._line.primary_of(room_keys(room).record), []).append(room)
        found: list[Orphan] = []
        for primary in by_primary.keys() - away:
            try:
                for some in _batches(by_primary[primary]):
                    found += await self._orphans_of(gone, some, asker)
            except UnavailableError as error:
                logger.warning("orphans not looked for primary=%s reason=%r", primary, str(error))
                away.add(primary)
        return found

    async def _released(self, orphans: Sequence[Orphan], unleased: Sequence[tuple[str, list[int]]]) -> list[Orphan]:
        """Return those whose owner gave its lease up, but for those listed under a node, too, that may renew its own.

        That one may have claimed them, and the store forgot it.
        """
        (members,) = await ask(self._line, ("SMEMBERS", RELEASED))
        released = {as_text(member) for member in as_items(members)}
        awaited = {room for owner, rooms in unleased if owner not in released for room in rooms}
        return [orphan for orphan in orphans if orphan[1] in released and orphan[0] not in awaited]

    async def _unleased(self) -> list[tuple[str, list[int]]]:
        """Return the nodes without a lease, and the rooms listed under each."""
        owners = await self.nodes()
        leased = await self._leased(owners)
        gone = [owner for owner in owners if owner not in leased]
        return list(zip(gone, await self.rooms_of(gone), strict=True))

    async def _orphans_of(self, gone: str, rooms: Sequence[int], asker: str) -> list[Orphan]:
        """Return those *rooms*, listed under a node that is gone, that nobody has; unlist those that somebody has.

        So are those that are nowhere, be it that they are over: whoever makes one, or writes it again, lists it first.
        A room that forgot that it was claimed may be listed under its last claimant alone. It stays there until whoever
        had it before has it again, or is gone as well.
        """
        records = dict(zip(rooms, await self._records(rooms), strict=True))
        owned = [(room, found.owner, found.epoch) for room, found in records.items() if found is not None]
        none = [room for room, found in records.items() if found is None]
        # After the records: who came back before they were read has claimed these rooms anew, and must keep them.
        alive = await self._leased({owner for _, owner, _ in owned})
        held = [orphan for orphan in owned if orphan[1] in alive and orphan[1] != gone]
        listed = await self._listed(held)
        await self.unlist([(gone, room) for room in [*none, *listed]])
        unaware = [(room, owner, epoch) for room, owner, epoch in held if owner == asker and room not in listed]
        return [orphan for orphan in owned if orphan[1] not in alive] + unaware

    # --- looking --------------------------------------------------------------------------------------------------

    async def _own(self, listed: Sequence[tuple[str, int]]) -> list[bool]:
        """Return of each node whether it owns the room beside it."""
        found = await self._records([room for _, room in listed])
        return [each is not None and each.owner == owner for (owner, _), each in zip(listed, found, strict=True)]

    async def _records(self, rooms: Sequence[int]) -> list[Whereabouts | None]:
        asked: list[Command] = [("HMGET", room_keys(room).record, "owner", "epoch") for room in rooms]
        replies = await ask_each(self._line, rooms, asked)
        return [None if reply is None else whereabouts_of(reply) for reply in replies]

    async def _over(self, rooms: Sequence[int]) -> list[int]:
        """Return those rooms that became a replay."""
        asked: list[Command] = [("EXISTS", room_keys(room).replay) for room in rooms]
        replays = await ask(self._line, *asked) if asked else []
        return [room for room, replay in zip(rooms, replays, strict=True) if replay == 1]

    async def _listed(self, owned: Sequence[Orphan]) -> set[int]:
        """Return those rooms that are listed under their owner."""
        asked: list[Command] = [("SISMEMBER", rooms_key(owner), room_keys(room).code) for room, owner, _ in owned]
        answers = await ask(self._line, *asked) if asked else []
        return {room for (room, _, _), is_listed in zip(owned, answers, strict=True) if is_listed == 1}

    async def _leased(self, owners: Collection[str]) -> set[str]:
        """Return those nodes that hold a lease."""
        asked = sorted(owners)
        leases = await ask(self._line, *(("EXISTS", lease_key(owner)) for owner in asked)) if asked else []
        return {owner for owner, lease in zip(asked, leases, strict=True) if lease == 1}


def _batches(rooms: Sequence[int]) -> Iterator[Sequence[int]]:
    return (rooms[first : first + LOOK_UP_AT_ONCE] for first in range(0, len(rooms), LOOK_UP_AT_ONCE))
