"""The rooms that anybody may look for, listed at most once in a while however many ask."""

from collections.abc import Callable, Collection
from functools import cached_property
from typing import TypeAlias

import msgspec

from warroom_protocol.messages import RoomList, RoomListing
from warroom_server.ports import Clock

KEPT_MS = 500
"""How old a listing may be."""

Rooms: TypeAlias = tuple[RoomListing, ...]


class Listing:
    """The rooms at one moment; every form of them is made once, when it is first asked for."""

    def __init__(self, rooms: Rooms, made: int) -> None:
        self.rooms = rooms
        self.made = made

    @cached_property
    def json(self) -> bytes:
        """The rooms with the names of their fields, which the wire leaves out."""
        return msgspec.json.encode([msgspec.structs.asdict(room) for room in self.rooms]) + b"\n"

    def message(self, ref: int) -> bytes:
        """Return the encoded answer to the `rooms` request *ref*."""
        return msgspec.msgpack.encode((RoomList.__struct_config__.tag, ref, self._packed))

    @cached_property
    def _packed(self) -> msgspec.Raw:
        return msgspec.Raw(msgspec.msgpack.encode(self.rooms))


class Listings:
    """Asks *rooms* for those of one game (None: of all), and keeps what it says for a while.

    A game that is not among *games* has no rooms; so whoever makes names up costs no memory.
    """

    def __init__(self, rooms: Callable[[str | None], Rooms], *, games: Collection[str], clock: Clock) -> None:
        self._rooms = rooms
        self._games = frozenset(games)
        self._clock = clock
        self._kept: dict[str | None, Listing] = {}
        self._nothing = Listing((), 0)

    def get(self, game: str | None = None) -> Listing:
        """Return the rooms of *game*, or of all games, as they were at most half a second ago."""
        if game is not None and game not in self._games:
            return self._nothing
        now = self._clock.now()
        kept = self._kept.get(game)
        if kept is None or now - kept.made >= KEPT_MS:
            kept = self._kept[game] = Listing(self._rooms(game), now)
        return kept
