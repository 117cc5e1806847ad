"""Ends rooms without viewers, and removes finished ones."""

from warroom_games.match import Match
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.time import Clock, Timers
from warroom_server.room import commands

DESERTED = "deserted"
"""The reason in the log of a room that was ended without viewers."""
UNUSED_MS = 60_000
"""How long a lobby without players may be without viewers before it is ended."""
VOIDED = 256
"""How many rooms are ended at a time; each is work for the store."""
LINGER_MS = 300_000
"""How long a finished room stays."""
AT_ONCE = 300
"""How many rooms are checked in one turn of the loop, which takes about a millisecond."""
PAUSE_MS = 10
"""The pause before the next ones are."""

_OPENED_REV = 1


class RoomExpiry:
    """Checks the rooms of a node periodically; *idle_ms* is how long a match may be without viewers."""

    def __init__(self, room_host: RoomHost, clock: Clock, timers: Timers, *, idle_ms: int) -> None:
        self._room_host = room_host
        self._clock = clock
        self._timers = timers
        self._idle_ms = idle_ms

    def sweep(self) -> None:
        """End rooms without viewers for long, and remove those that ended long ago; many rooms take several turns."""
        self._check(list(self._room_host), VOIDED)

    def _check(self, rooms: list[HostedRoom], may_void: int) -> None:
        now = self._clock.now()
        for hosted in rooms[:AT_ONCE]:
            if self._room_host.get(hosted.room.number) is not hosted:
                continue  # it was removed since the sweep began
            if hosted.room.is_publicly_over:
                hosted.over_since = now if hosted.over_since is None else hosted.over_since
                # If nothing happened before it ended, there is nothing to watch.
                linger_ms = 0 if hosted.room.match.rev == _OPENED_REV + 1 else LINGER_MS
                if hosted.is_archived and now - hosted.over_since >= linger_ms:
                    self._room_host.remove(hosted)
            elif hosted.room.is_over or not hosted.room.is_deserted:
                hosted.empty_since = None
            elif hosted.empty_since is None:
                hosted.empty_since = now
            elif now - hosted.empty_since >= self._patience_ms(hosted.room.match) and may_void:
                may_void -= 1
                self._room_host.tell(hosted.room.number, commands.Void(DESERTED))
        if len(rooms) > AT_ONCE:
            self._timers.call_after(PAUSE_MS, lambda: self._check(rooms[AT_ONCE:], may_void))

    def _patience_ms(self, match: Match) -> int:
        """Return how long a room may be without viewers; a lobby without players is soon useless."""
        is_empty = match.phase == "lobby" and not any(match.seats)
        return min(self._idle_ms, UNUSED_MS) if is_empty else self._idle_ms
