"""The limits on rooms per creator, per address and on this node."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from msgspec import Struct

from warroom_games.words import plural


class _Counted(Struct):
    """A counted room: its creator, the address of its request, and for how many reasons it counts."""

    player: str
    address: str = ""
    reasons: int = 0


class Quota:
    """Counts rooms by creator from the request on, so that no burst of requests exceeds a limit.

    A room may be counted for several reasons at once (it is being made, it is hosted) and is still one room. Players
    are free to invent, so rooms are also counted by the address of the request. A room that was taken over counts for
    no address, because no node knows it any more.
    """

    def __init__(self, *, in_all: int, per_player: int, per_address: int, is_over: Callable[[int], bool]) -> None:
        self._in_all = in_all
        self._per_player = per_player
        self._per_address = per_address
        self._is_over = is_over
        self._rooms: dict[int, _Counted] = {}
        self._by_origin: dict[str, set[int]] = {}
        """By player and by address, the rooms that count for it."""

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def origins(self) -> int:
        """How many players and addresses have a room that is counted."""
        return len(self._by_origin)

    def address_of(self, number: int) -> str:
        """Return the address that a room counts for; empty if there is none."""
        return self._rooms[number].address if number in self._rooms else ""

    def refusal(self, player: str, number: int, address: str) -> str | None:
        """Return why *player* may not have the room *number* as well, or None."""
        if number in self._rooms:
            return None
        if len(self._rooms) >= self._in_all:
            return f"this server holds at most {self._in_all} rooms"
        if self._are_too_many(self._by_origin.get(player, ()), self._per_player):
            return f"a player may have {plural(self._per_player, 'unfinished room')}"
        if self._are_too_many(self._by_origin.get(address, ()), self._per_address):
            return f"from one address there may be {plural(self._per_address, 'unfinished room')}"
        return None

    def _are_too_many(self, rooms: Collection[int], most: int) -> bool:
        return len(rooms) >= most and sum(not self._is_over(room) for room in rooms) >= most

    @contextmanager
    def reserve(self, player: str, number: int, address: str) -> Iterator[None]:
        """Count a room while it is being made."""
        self.add(player, number, address)
        try:
            yield
        finally:
            self.discard(number)

    def add(self, player: str, number: int, address: str = "") -> None:
        """Count a room, for one more reason if it is counted already."""
        room = self._rooms.setdefault(number, _Counted(player))
        room.reasons += 1
        room.address = room.address or address
        for origin in filter(None, (room.player, room.address)):
            self._by_origin.setdefault(origin, set()).add(number)

    def discard(self, number: int) -> None:
        """Remove one reason; without any the room is no longer counted."""
        room = self._rooms[number]
        room.reasons -= 1
        if room.reasons:
            return
        del self._rooms[number]
        for origin in filter(None, (room.player, room.address)):
            self._by_origin[origin].remove(number)
            if not self._by_origin[origin]:
                del self._by_origin[origin]
