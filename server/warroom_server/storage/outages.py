"""Which primaries of the store do not answer, and which rooms stand still for it."""

from collections.abc import Callable, Iterable

from warroom_server.counters import Counters


class Outages:
    """Holds the rooms of a primary from the moment it fails until it, or whoever took its place, answers again."""

    def __init__(
        self,
        primary_of: Callable[[int], str],
        counters: Counters,
        *,
        rooms: Callable[[], Iterable[int]],
        hold: Callable[[int], None],
        release: Callable[[int], None],
    ) -> None:
        self._primary_of = primary_of
        self._counters = counters
        self._rooms = rooms
        self._hold = hold
        self._release = release
        self._held: dict[str, set[int]] = {}
        """By primary that is away, the rooms that it had when it went, or got since: slots may move meanwhile."""

    def began(self, primary: str) -> None:
        """Hold the rooms of a primary that does not answer."""
        self._held[primary] = set()
        self._counters.primaries_away = len(self._held)
        for room in self._rooms():
            self.arrived(room)

    def arrived(self, room: int) -> None:
        """Hold a room if what has it is away."""
        held = self._held.get(self._primary_of(room))
        if held is not None and room not in held:
            held.add(room)
            self._hold(room)

    def ended(self, primary: str) -> None:
        """Let the rooms of a primary go on that answers again."""
        held = self._held.pop(primary)
        self._counters.primaries_away = len(self._held)
        for room in held:
            if not any(room in others for others in self._held.values()):
                self._release(room)
