"""Lets rooms go that nobody needs any more: those that nobody follows are ended, those that are over forgotten."""

from warroom_games.match import Match
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.clock import Clock
from warroom_server.room import commands

DESERTED = "deserted"
"""Why a room that nobody followed was ended, as its log has it."""
UNUSED_MS = 60_000
"""How long nobody need follow a room in which nobody ever sat, before it is ended."""
VOIDED = 256
"""How many rooms are ended at a time; each of them is work for the store."""
LINGER_MS = 300_000
"""How long a finished room can still be looked at."""

_OPENED_REV = 1


class RoomExpiry:
    """Looks through the rooms of a node now and then; *idle_ms* is how long nobody need follow one that is played."""

    def __init__(self, room_host: RoomHost, clock: Clock, *, idle_ms: int) -> None:
        self._room_host = room_host
        self._clock = clock
        self._idle_ms = idle_ms

    def sweep(self) -> None:
        """End rooms that nobody has followed for long, and forget those that ended long ago."""
        now = self._clock.now()
        deserted: list[int] = []
        for hosted in self._room_host:
            if hosted.room.is_publicly_over:
                hosted.over_since = now if hosted.over_since is None else hosted.over_since
                linger_ms = 0 if _was_unused(hosted.room.match) else LINGER_MS
                if hosted.is_archived and now - hosted.over_since >= linger_ms:
                    self._room_host.remove(hosted)
            elif hosted.room.is_over or not hosted.room.is_deserted:
                hosted.empty_since = None
            elif hosted.empty_since is None:
                hosted.empty_since = now
            elif now - hosted.empty_since >= self._patience_ms(hosted.room.match):
                deserted.append(hosted.room.number)
        for number in deserted[:VOIDED]:
            self._room_host.tell(number, commands.Void(DESERTED))

    def _patience_ms(self, match: Match) -> int:
        """Return for how long nobody need follow a room; a lobby where nobody sits is soon of no use to anybody."""
        is_empty = match.phase == "lobby" and not any(match.seats)
        return min(self._idle_ms, UNUSED_MS) if is_empty else self._idle_ms


def _was_unused(match: Match) -> bool:
    """Whether nothing came between the opening of a room and its end, so that there is nothing to look at."""
    return match.rev == _OPENED_REV + 1
