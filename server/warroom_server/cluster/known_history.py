"""What this node knows of the history of rooms that it had to let go.

A store that goes back may forget who owned a room, and so let another node go on from less than players were told of.
Whoever had the room is the only one who knows: it compares what it knows with the log, and tells the owner, so that the
room begins another life, which is announced.
"""

import logging
from collections.abc import Callable, Sequence
from itertools import islice

from msgspec import Struct

from warroom_games.match import Match
from warroom_protocol.rooms import room_code
from warroom_server.cluster.messages import Cut
from warroom_server.ports.store import Store, StoredRoom, UnavailableError, Whereabouts

logger = logging.getLogger(__name__)

TELLINGS = 10
"""How often an owner is told: a link may break, and the owner need not answer. What it knows already it passes over."""
AT_ONCE = 256
"""Rooms that are looked for in one round trip."""


class _Testimony(Struct):
    """How far a room had come when it was let go: its life, its last entry, and how often an owner was told."""

    life: int
    rev: int
    chain: bytes
    told: int = 0


class Testimonies:
    """Looks after rooms that are another's: does their log still have what was acknowledged here?

    *is_ours* says whether a room is here, or about to be; *tell* sends something to a node, if it can be reached.
    """

    def __init__(self, store: Store, *, is_ours: Callable[[int], bool]) -> None:
        self.tell: Callable[[str, Cut], bool] = lambda _, __: False
        self._store = store
        self._is_ours = is_ours
        self._known: dict[int, _Testimony] = {}
        self._is_looking = False

    def __len__(self) -> int:
        return len(self._known)

    def add(self, match: Match) -> None:
        """Remember how far a room had come."""
        self._known[match.opened.room] = _Testimony(match.life, match.rev, match.chain)

    def forget(self, room: int) -> None:
        """Note that a room goes on here."""
        self._known.pop(room, None)

    async def next_life(self, stored: StoredRoom) -> int | None:
        """Return the life that a room must begin because its log lacks what was acknowledged here; None: none."""
        known = self._known.get(stored.room)
        if known is None:
            return None
        return None if await self._chain_of(stored, known.rev) == known.chain else known.life + 1

    async def _chain_of(self, stored: StoredRoom, rev: int) -> bytes | None:
        """Return the chain of an entry, which is nearly always among those that were loaded; None if there is none."""
        if stored.entries and rev >= (first := stored.entries[0].rev):
            return stored.entries[rev - first].chain if rev - first < len(stored.entries) else None
        (chain,) = await self._store.chains([(stored.room, rev)])
        return chain

    async def look(self) -> None:
        """Tell the owners of rooms whose log lacks something; forget rooms that lack nothing, or are over.

        If that is being done already, it goes on with the rooms that have come since.
        """
        if self._is_looking:
            return
        self._is_looking = True
        try:
            await self._look_at_all()
        except UnavailableError as error:
            logger.warning("histories not compared yet reason=%r", str(error))
        finally:
            self._is_looking = False

    async def _look_at_all(self) -> None:
        seen: set[int] = set()
        while part := self._next_part(seen):
            seen.update(room for room, _ in part)
            await self._look_at(part)

    def _next_part(self, seen: set[int]) -> list[tuple[int, _Testimony]]:
        left = (each for each in self._known.items() if each[0] not in seen and not self._is_ours(each[0]))
        return list(islice(left, AT_ONCE))

    async def _look_at(self, known: Sequence[tuple[int, _Testimony]]) -> None:
        chains = await self._store.chains([(room, testimony.rev) for room, testimony in known])
        found = await self._store.whereabouts([room for room, _ in known])
        for (room, testimony), chain, whereabouts in zip(known, chains, found, strict=True):
            if self._known.get(room) is not testimony:
                continue  # the room was here again meanwhile: what is known of it now is another matter
            if whereabouts is None or chain == testimony.chain or self._is_told(room, testimony, whereabouts):
                self.forget(room)

    def _is_told(self, room: int, testimony: _Testimony, owner: Whereabouts) -> bool:
        """Tell the owner of a room, and return whether that was often enough."""
        cut = Cut(room, owner.epoch, testimony.life, testimony.rev, testimony.chain)
        if self.tell(owner.owner, cut):
            testimony.told += 1
            if testimony.told == 1:
                logger.error(
                    "history cut room=%s rev=%d life=%d owner=%s",
                    room_code(room), testimony.rev, testimony.life, owner.owner,
                )  # fmt: skip
        return testimony.told >= TELLINGS
