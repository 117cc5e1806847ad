"""Stores snapshots of hosted rooms, and the replays and results of finished matches."""

import logging
from collections.abc import Sequence

from warroom_games.replay import seal
from warroom_protocol.rooms import room_code
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.store import LogEntry
from warroom_server.ports.time import Clock
from warroom_server.room import effects
from warroom_server.storage.archiver import Archiver
from warroom_server.storage.match_records import record_of

logger = logging.getLogger(__name__)


class RoomArchiver:
    """Hands what rooms want to keep to the archiver, which waits for the store."""

    def __init__(self, archiver: Archiver, room_host: RoomHost, events: RoomEvents, clock: Clock) -> None:
        self._archiver = archiver
        self._room_host = room_host
        self._clock = clock
        events.snapshot_made.append(self._save)
        events.ended.append(self._archive)

    def _save(self, hosted: HostedRoom, save: effects.Save) -> None:
        self._archiver.save(hosted.room.number, hosted.epoch, rev=save.rev, snapshot=save.snapshot)

    def _archive(self, hosted: HostedRoom) -> None:
        match, number = hosted.room.match, hosted.room.number
        reason, ranks = ("", ()) if match.result is None else (match.result.reason, match.result.ranks)
        logger.info("match over room=%s reason=%s ranks=%s", room_code(number), reason, ",".join(map(str, ranks)))

        def make(log: Sequence[LogEntry]) -> bytes | None:
            replays: list[bytes] = []
            self._room_host.attempt(number, lambda: replays.append(seal(log)))
            return replays[0] if replays else None

        def done() -> None:
            hosted.is_archived = True

        record = record_of(match, ended_ms=self._clock.wall_ms())
        self._archiver.archive(hosted.epoch, (match.rev, match.chain), record, seal=make, done=done)
