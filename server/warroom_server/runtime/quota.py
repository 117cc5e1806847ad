"""How many rooms there may be: of one creator, and on this node."""

from collections import Counter
from collections.abc import Callable


class Quota:
    """Counts rooms by creator from the moment they are wished for, so that no burst of wishes gets past a limit.

    A room may be counted for several reasons at once (it is being made, it is hosted) and is one room all the same.
    """

    def __init__(self, *, in_all: int, per_player: int, is_over: Callable[[int], bool]) -> None:
        self._in_all = in_all
        self._per_player = per_player
        self._is_over = is_over
        self._all: Counter[int] = Counter()
        self._by_player: dict[str, Counter[int]] = {}

    def __len__(self) -> int:
        return len(self._all)

    @property
    def players(self) -> int:
        """How many players have a room that is counted."""
        return len(self._by_player)

    def refusal(self, player: str, number: int) -> str | None:
        """Return why *player* may not have the room *number* as well; None if nothing speaks against it."""
        if number in self._all:
            return None
        if len(self._all) >= self._in_all:
            return f"this server holds at most {self._in_all} rooms"
        rooms = self._by_player.get(player, Counter())
        if sum(not self._is_over(room) for room in rooms) >= self._per_player:
            return f"a player may have {self._per_player} unfinished rooms"
        return None

    def add(self, player: str, number: int) -> None:
        """Count a room, for one more reason if it is counted already."""
        self._all[number] += 1
        self._by_player.setdefault(player, Counter())[number] += 1

    def discard(self, player: str, number: int) -> None:
        """Take one reason back; with the last one the room is counted no more."""
        rooms = self._by_player[player]
        _take_back(rooms, number)
        _take_back(self._all, number)
        if not rooms:
            del self._by_player[player]


def _take_back(rooms: Counter[int], number: int) -> None:
    rooms[number] -= 1
    if not rooms[number]:
        del rooms[number]
