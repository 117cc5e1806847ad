"""What a store must not forget and this process still knows: tells it again to one that may have forgotten."""

from collections.abc import Iterable

from warroom_server.adapters.redis_connection import Command
from warroom_server.adapters.redis_keys import NODES, SECRET, room_keys, rooms_key


class Witness:
    """Remembers the signing secret and the rooms that were listed here; too many rooms do no harm."""

    def __init__(self) -> None:
        self.is_needed = False
        """Whether the store may have forgotten something since it was told."""
        self.secret: bytes | None = None
        self._codes: set[str] = set()

    def saw(self, rooms: Iterable[int]) -> None:
        """Remember rooms that were listed under this node."""
        self._codes.update(room_keys(room).code for room in rooms)

    def forget(self, room: int) -> None:
        """Forget a room that is over."""
        self._codes.discard(room_keys(room).code)

    def testimony(self, owner: str) -> list[Command]:
        """Return the commands that tell the store what it may have forgotten, and change nothing otherwise."""
        told: list[Command] = [("SET", SECRET, self.secret, "NX")] if self.secret is not None else []
        if self._codes:
            told += [("SADD", rooms_key(owner), *sorted(self._codes)), ("SADD", NODES, owner)]
        return told
