"""The limits on rooms per creator, per address and on this node."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from warroom_games.words import plural


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
        self._all: Counter[int] = Counter()
        self._by_player: dict[str, Counter[int]] = {}
        self._by_address: dict[str, set[int]] = {}
        self._addresses: dict[int, str] = {}
        """By room, the address of its request."""

    def __len__(self) -> int:
        return len(self._all)

    @property
    def players(self) -> int:
        """How many players have a room that is counted."""
        return len(self._by_player)

    def address_of(self, number: int) -> str:
        """Return the address that a room counts for; empty if there is none."""
        return self._addresses.get(number, "")

    def refusal(self, player: str, number: int, address: str) -> str | None:
        """Return why *player* may not have the room *number* as well, or None."""
        if number in self._all:
            return None
        if len(self._all) >= self._in_all:
            return f"this server holds at most {self._in_all} rooms"
        if self._are_too_many(self._by_player.get(player, ()), self._per_player):
            return f"a player may have {plural(self._per_player, 'unfinished room')}"
        if self._are_too_many(self._by_address.get(address, ()), self._per_address):
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
            self.discard(player, number)

    def add(self, player: str, number: int, address: str = "") -> None:
        """Count a room, for one more reason if it is counted already."""
        self._all[number] += 1
        self._by_player.setdefault(player, Counter())[number] += 1
        if address and number not in self._addresses:
            self._addresses[number] = address
            self._by_address.setdefault(address, set()).add(number)

    def discard(self, player: str, number: int) -> None:
        """Remove one reason; without any the room is no longer counted."""
        rooms = self._by_player[player]
        _take_back(rooms, number)
        _take_back(self._all, number)
        if not rooms:
            del self._by_player[player]
        if number not in self._all and (address := self._addresses.pop(number, "")):
            self._by_address[address].remove(number)
            if not self._by_address[address]:
                del self._by_address[address]


def _take_back(rooms: Counter[int], number: int) -> None:
    rooms[number] -= 1
    if not rooms[number]:
        del rooms[number]
