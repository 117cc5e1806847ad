"""Guests that left their room, and whose last actions its owner has yet to judge: each still gets its verdict."""

from typing import Final, Protocol

from warroom_server.cluster import frame_heads as peek
from warroom_server.cluster.messages import Away, Frame
from warroom_server.cluster.remote_viewer import Guest

MOST: Final = 256
"""For the verdicts of so many it is waited; for one more the longest gone waits no longer, and has to ask again."""


class Farewell(Protocol):
    """What the edge does for those who are parting."""

    def answer(self, guest: Guest, payload: bytes) -> None:
        """Send a client a verdict."""
        ...

    def tell_moved(self, guest: Guest) -> None:
        """Send a client to enter its room again."""
        ...

    def returned(self, guest: Guest) -> Guest | None:
        """Return as whom a connection is in its room again that had left it."""
        ...

    def part(self, guest: Guest) -> None:
        """Let the owner of a room forget a guest."""
        ...


class Parting:
    """Those who are in no room any more as far as anybody else knows; nothing but verdicts is for them."""

    def __init__(self, farewell: Farewell) -> None:
        self._farewell = farewell
        self._guests: dict[int, Guest] = {}
        """By the number that each has on its link."""

    def __len__(self) -> int:
        return len(self._guests)

    def __contains__(self, number: int) -> bool:
        return number in self._guests

    def add(self, guest: Guest) -> None:
        """Wait for the verdicts of somebody who left."""
        while len(self._guests) >= MOST:
            oldest = next(iter(self._guests.values()))
            self._farewell.tell_moved(oldest)
            self._end(oldest)
        self._guests[guest.number] = guest

    def received(self, message: Frame | Away) -> None:
        """Pass verdicts on; if the room is away, the client has to ask again."""
        for guest in [guest for number in message.guests if (guest := self._guests.get(number)) is not None]:
            if isinstance(message, Away):
                self._give_up(guest)
            elif isinstance(head := peek.peek(message.payload), peek.Verdict):
                self._judge(guest, head.id, message.payload)

    def lost(self, peer: str) -> None:
        """Take note that a node cannot be reached any more."""
        for guest in [guest for guest in self._guests.values() if guest.owner == peer]:
            self._give_up(guest)

    def _judge(self, guest: Guest, action: int, verdict: bytes) -> None:
        if guest.judged(action):
            self._farewell.answer(guest, verdict)
        if (again := self._farewell.returned(guest)) is not None:
            again.judged(action)  # it is back already, and may have sent the action once more
        if not guest.has_acted:
            self._end(guest)

    def _give_up(self, guest: Guest) -> None:
        self._farewell.tell_moved(guest)
        del self._guests[guest.number]

    def _end(self, guest: Guest) -> None:
        del self._guests[guest.number]
        self._farewell.part(guest)
