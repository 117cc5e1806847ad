"""Matches that cannot go on because the rules of their game changed under the same version.

With the rules of this node their logs do not fold to the recorded chains, so their state is unknown. They end without
a result, and players who come back are told why. A damaged log is a different case, as far as `rules_fit` can tell: it
stays as it is.
"""

import logging
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_games.log import Entry, Voided, encode_entry, is_outdated, link, opening_of
from warroom_games.replay import seal
from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.ports.records import MatchRecord
from warroom_server.ports.store import Append, Committed, Store, StoredRoom, UnavailableError
from warroom_server.ports.time import Clock
from warroom_server.restoring.rules_changed_notice import EndNotice
from warroom_server.restoring.rules_fit import fits, whole_log
from warroom_server.storage.background_saver import Archiver
from warroom_server.storage.match_records import record_without_result

logger = logging.getLogger(__name__)

NAMED: Final = 20
"""The limit of rooms that one log line names; the line has the number of all."""
REMEMBERED: Final = 4096
"""The limit of rooms whose end is remembered here; players learn of it from the replay as well."""


class _Room(Struct, frozen=True):
    """A room that ends: its last entry, and its record."""

    game: AnyGame
    end: Append
    record: MatchRecord
    end_notice: EndNotice


class ChangedRules:
    """Ends the rooms of this node whose rules changed; *gone* is called with each that has ended."""

    def __init__(self, store: Store, archiver: Archiver, *, clock: Clock, gone: Callable[[int], None]) -> None:
        self._store = store
        self._archiver = archiver
        self._clock = clock
        self._gone = gone
        self._rooms: dict[int, _Room] = {}
        self._new: list[_Room] = []
        """The rooms that were not logged yet."""
        self._ended: OrderedDict[int, EndNotice] = OrderedDict()

    def __contains__(self, number: int) -> bool:
        return number in self._rooms

    def end_notice(self, number: int) -> EndNotice | None:
        """Return the notice of a room that ends for this reason, or ended recently; None for any other room."""
        room = self._rooms.get(number)
        return self._ended.get(number) if room is None else room.end_notice

    def add(self, stored: StoredRoom, game: AnyGame) -> bool:
        """End a room whose log does not fold with the rules of this node; return False for any other room.

        Raise `LogError` if the log is damaged, and any exception of a buggy game.
        """
        if fits(stored, game):
            return False
        log = whole_log(stored)
        opened = opening_of(log)
        record = record_without_result(opened, log, ended_ms=self._clock.wall_ms(), detail=codes.RULES_CHANGED)
        end_notice = EndNotice(game.info.name, frozenset(record.players), is_public=not opened.room_options.private)
        room = self._rooms[stored.room] = _Room(game, _end(stored, log), record, end_notice)
        self._new.append(room)
        return True

    async def look(self) -> None:
        """End the rooms that wait; a room whose append the store does not answer keeps waiting."""
        self._tell_operator()
        for number, room in list(self._rooms.items()):
            try:
                (answer,) = await self._store.append([room.end])
            except UnavailableError as error:
                logger.warning("room not ended yet room=%s reason=%r", room_code(number), str(error))
                continue
            del self._rooms[number]
            if isinstance(answer, Committed):
                self._end(number, room)

    def _end(self, number: int, room: _Room) -> None:
        last = room.end.rev, room.end.chain
        self._ended[number] = room.end_notice
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
        self._archiver.archive(room.end.epoch, last, room.record, seal=seal, done=lambda: None)
        self._gone(number)

    def _tell_operator(self) -> None:
        """Log once for each game what changed, which matches end, and what prevents it."""
        by_game: defaultdict[AnyGame, list[str]] = defaultdict(list)
        for room in self._new:
            by_game[room.game].append(room_code(room.end.room))
        self._new.clear()
        for game, rooms in by_game.items():
            more = f",... ({len(rooms) - NAMED} more)" if len(rooms) > NAMED else ""
            logger.error(
                "rules of %s changed without a new version game=%s rules_version=%d matches=%d rooms=%s: these matches "
                "end without a result (rules.changed); raise rules_version when a change of the rules matters",
                game.info.name, game.info.id, game.info.rules_version, len(rooms), ",".join(rooms[:NAMED]) + more,
            )  # fmt: skip


def _end(stored: StoredRoom, log: Sequence[Entry]) -> Append:
    """Return the entry that ends a match whose state is unknown."""
    head = stored.entries[-1]
    if is_outdated(log[-1]):  # an earlier owner wrote it, and did not store the replay
        return Append(stored.room, head.rev, head.entry, head.chain, stored.owner, stored.epoch)
    at = max((getattr(entry, "at", 0) for entry in log), default=0)
    entry = encode_entry(Voided(at, codes.RULES_CHANGED))
    chain = link(head.chain, entry, b"")
    return Append(stored.room, head.rev + 1, entry, chain, stored.owner, stored.epoch)
