"""Finished matches in memory, because they are asked for part by part."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from warroom_games.log import Entry, Kicked, Left, Sat, Started, is_outdated, opening_of
from warroom_games.replay import entries
from warroom_server.ports.clock import Clock
from warroom_server.ports.store import KeptReplay

KEPT = 64
"""Things on one shelf."""
KEPT_BYTES = 32 * 1024 * 1024
"""How much they may weigh together; the latest stays whatever it weighs."""
KEPT_MS = 60_000
"""How long a thing stays: what the store has let go must be gone here soon after."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class FinishedMatch(Struct, frozen=True):
    """A replay, and all that decides who may see how much of it."""

    replay: bytes
    game: str
    rules_version: int
    creator: str
    players: frozenset[str]
    """Who sat when the match started, or at the end if it did not."""
    is_private: bool
    revealed_ms: int
    """From when on everybody may see all of it, in milliseconds since 1970."""
    is_outdated: bool = False
    """Whether it ended because the rules of its game changed."""


def finished_match(kept: KeptReplay) -> FinishedMatch:
    """Read a replay; raise `ReplayError` or `LogError` if that cannot be done."""
    log = entries(kept.replay)
    opened = opening_of(log)
    room_options = opened.room_options
    # What is not sealed at all can be read at once, also from a node whose clock is behind that of the match's.
    revealed_ms = kept.ended_ms + room_options.reveal_s * 1000 if room_options.reveal_s else 0
    return FinishedMatch(
        kept.replay,
        opened.game,
        opened.rules_version,
        opened.creator,
        _players(log),
        room_options.private,
        revealed_ms,
        is_outdated(log[-1]),
    )


def _players(log: Sequence[Entry]) -> frozenset[str]:
    places: dict[int, str] = {}
    for entry in log:
        match entry:
            case Sat(place=place, player=player):
                places[place] = player
            case Left(place=place) | Kicked(place=place):
                del places[place]
            case Started():
                break
            case _:
                pass
    return frozenset(places.values())


class _Item(Struct, Generic[V], frozen=True):
    value: V
    size: int
    until: int


class ReplayCache(Generic[K, V]):
    """Keeps what was used last, for a while."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._items: OrderedDict[K, _Item[V]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: K) -> V | None:
        """Return what was put there, if it still is."""
        item = self._items.get(key)
        if item is None:
            return None
        if item.until <= self._clock.now():
            self._drop(key)
            return None
        self._items.move_to_end(key)
        return item.value

    def put(self, key: K, value: V, size: int) -> None:
        """Keep something of *size* bytes, and let go what was not used for longest."""
        if key in self._items:
            self._drop(key)
        self._items[key] = _Item(value, size, self._clock.now() + KEPT_MS)
        self._bytes += size
        while len(self._items) > KEPT or (len(self._items) > 1 and self._bytes > KEPT_BYTES):
            self._drop(next(iter(self._items)))

    def _drop(self, key: K) -> None:
        self._bytes -= self._items.pop(key).size
