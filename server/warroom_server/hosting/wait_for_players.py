"""Holds the clock of a room while players come back who lost their connections through no fault of their own."""

from typing import Final

from warroom_server.hosting.hosted_room import AWAITING, Hold, HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.time import Clock, Timers

RETURN_MS: Final = 10_000
"""How long a room waits at most."""


class ReturningPlayers:
    """Holds rooms until their players are back, or until they took too long."""

    def __init__(self, room_host: RoomHost, events: RoomEvents, clock: Clock, timers: Timers) -> None:
        self._room_host = room_host
        self._clock = clock
        self._timers = timers
        events.changed.append(self.look)
        events.sure.append(self._look_at_all)

    def wait(self, hosted: HostedRoom, why: Hold, missing: frozenset[int] = frozenset()) -> None:
        """Stop the clock until all players are back, except those whose seats were *missing* before."""
        hosted.missing = missing
        until = hosted.awaits_until = self._clock.now() + RETURN_MS
        self._room_host.hold(hosted, why)
        self._timers.call_at(until, lambda: self._give_up(hosted, until))

    def look(self, hosted: HostedRoom) -> None:
        """Restart the clock of a room if all awaited players were back once.

        A player who is back and leaves again, as when a node that hands over its rooms closes its connections, is not
        awaited a second time.
        """
        if hosted.is_awaiting:
            hosted.missing |= set(range(len(hosted.room.match.seats))) - hosted.absent
            if hosted.absent <= hosted.missing:
                self._go_on(hosted)

    def _look_at_all(self) -> None:
        """Restart the clocks of all rooms whose awaited players are back."""
        for hosted in self._room_host:
            self.look(hosted)

    def _give_up(self, hosted: HostedRoom, until: int) -> None:
        if hosted.awaits_until == until:  # else players were lost again since, and have more time
            self._go_on(hosted)

    def _go_on(self, hosted: HostedRoom) -> None:
        for why in AWAITING:
            self._room_host.release(hosted, why)
