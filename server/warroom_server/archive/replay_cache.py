"""Finished matches in memory, because clients fetch them part by part."""

import logging
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from msgspec import Struct

from warroom_games.log import LogError, is_outdated, opening_of
from warroom_games.replay import ReplayError, entries
from warroom_protocol.rooms import room_code
from warroom_server.ports.store import KeptReplay, Store
from warroom_server.ports.time import Clock
from warroom_server.storage.match_records import seated

logger = logging.getLogger(__name__)

KEPT = 64
"""Items in one cache."""
KEPT_BYTES = 32 * 1024 * 1024
"""How large they may be together; the latest stays whatever its size."""
KEPT_MS = 60_000
"""How long an item stays: a replay that the store has removed must be gone here soon after."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class FinishedMatch(Struct, frozen=True):
    """A replay, and everything that decides who may see how much of it."""

    replay: bytes
    game: str
    rules_version: int
    creator: str
    players: frozenset[str]
    """Who sat when the match started, or at the end if it did not."""
    is_private: bool
    revealed_ms: int
    """When everybody may see all of it, in milliseconds since 1970."""
    is_outdated: bool = False
    """Whether it ended because the rules of its game changed."""


def finished_match(kept: KeptReplay) -> FinishedMatch:
    """Read a replay; raise `ReplayError` or `LogError` if that cannot be done."""
    log = entries(kept.replay)
    opened = opening_of(log)
    room_options = opened.room_options
    # A replay that is not sealed can be read at once, also on a node whose clock is behind.
    revealed_ms = kept.ended_ms + room_options.reveal_s * 1000 if room_options.reveal_s else 0
    return FinishedMatch(
        kept.replay,
        opened.game,
        opened.rules_version,
        opened.creator,
        frozenset(sat.player for sat in seated(log)),
        room_options.private,
        revealed_ms,
        is_outdated(log[-1]),
    )


async def load_match(store: Store, room: int) -> FinishedMatch | None:
    """Return the finished match of a room from its replay; None if there is none, or it cannot be read."""
    kept = await store.replay(room)
    try:
        return None if kept is None else finished_match(kept)
    except (ReplayError, LogError):
        logger.exception("replay not readable room=%s", room_code(room))
        return None


class _Item(Struct, Generic[V], frozen=True):
    value: V
    size: int
    until: int


class ReplayCache(Generic[K, V]):
    """Keeps the items that were used last, for a while."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._items: OrderedDict[K, _Item[V]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: K) -> V | None:
        """Return an item, if it is still there."""
        item = self._items.get(key)
        if item is None:
            return None
        if item.until <= self._clock.now():
            self._drop(key)
            return None
        self._items.move_to_end(key)
        return item.value

    def put(self, key: K, value: V, size: int) -> None:
        """Keep an item of *size* bytes, and drop those that were not used for longest."""
        if key in self._items:
            self._drop(key)
        self._items[key] = _Item(value, size, self._clock.now() + KEPT_MS)
        self._bytes += size
        while len(self._items) > KEPT or (len(self._items) > 1 and self._bytes > KEPT_BYTES):
            self._drop(next(iter(self._items)))

    def _drop(self, key: K) -> None:
        self._bytes -= self._items.pop(key).size
