"""Finished matches for readers who may see them: a whole match, or what the public or one seat saw."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import Struct

from warroom_games.api import RulesError
from warroom_games.log import LogError
from warroom_games.registry import Registry, RegistryError
from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Matches, MatchList, Ranking, RankingList, Replay, ReplayPart, ReplayView
from warroom_server.archive.ratings import ranking
from warroom_server.archive.replay_cache import FinishedMatch, ReplayCache, load_match
from warroom_server.archive.replay_runner import ReplayViews
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.room_host import RoomHost
from warroom_server.hosting.store_requests import RequestTasks
from warroom_server.loop.tasks import undisturbed
from warroom_server.ports.records import Records
from warroom_server.ports.store import Store
from warroom_server.ports.time import Clock
from warroom_server.session.replies import error
from warroom_server.session.room_proposal import Declined
from warroom_server.storage.match_records import read_summary

PART_BYTES = 64 * 1024
"""The size of the part of a replay in one message."""
REQUESTS = 256
"""How many requests may wait for the store at a time."""
MATCHES = 50
"""Matches in one answer."""
WAIT_S = 2.0
"""How long a request waits for the replay of a match that has just ended."""
READERS = 32
"""How many replays may be fetched at the same time; a connection fetches one at a time."""


class Reader(Struct, frozen=True):
    """Who wants to see a match (None: an unknown player), and whether the key of its room was given."""

    player: str | None = None
    has_key: bool = False


Maker: TypeAlias = Callable[[FinishedMatch], Awaitable[bytes | Declined]]


@dataclass(eq=False)
class MatchArchive:
    """Answers questions about finished matches; *archived* waits until the replay of a room is stored."""

    _store: Store
    _records: Records
    _registry: Registry
    _room_host: RoomHost
    _connections: Connections
    _clock: Clock
    _archived: Callable[[int], Awaitable[None]]

    def __post_init__(self) -> None:
        self._requests = RequestTasks(self._connections, REQUESTS)
        self._replay_cache: ReplayCache[int, FinishedMatch] = ReplayCache(self._clock)
        self._replay_views = ReplayViews(self._registry, self._clock)
        self._fetching: dict[int, asyncio.Task[None]] = {}
        """By connection, the task that fetches a part of a replay."""
        self._readers = asyncio.Semaphore(READERS)

    # --- over the wire ------------------------------------------------------------------------------------------

    async def close(self) -> None:
        """Cancel what waits for the store."""
        await self._requests.close()

    def ask(self, request: Matches | Replay | Ranking, reader: Reader, connection: int) -> None:
        """Answer a request exactly once."""
        if not isinstance(request, Replay):
            self._requests.begin(connection, request.ref, lambda: self._list(request))
        elif connection in self._fetching:
            busy = error(request.ref, codes.ROOM_BUSY, "a connection fetches one replay at a time")
            self._connections.answer(connection, busy)
        else:
            task = self._requests.begin(connection, request.ref, lambda: self._part(request, reader, connection))
            if task is not None:
                self._fetching[connection] = task

    def gone(self, connection: int) -> None:
        """Cancel what a closed connection was waiting for."""
        if (task := self._fetching.pop(connection, None)) is not None:
            task.cancel()

    async def _list(self, request: Matches | Ranking) -> bytes:
        return encode(await (self.matches(request) if isinstance(request, Matches) else self.ranking(request)))

    async def _part(self, wanted: Replay, reader: Reader, connection: int) -> bytes:
        try:
            found = await self.replay(wanted.room, wanted.view, reader)
        finally:
            self._fetching.pop(connection, None)
        if isinstance(found, Declined):
            return error(wanted.ref, found.code, found.detail)
        part = found[wanted.offset : wanted.offset + PART_BYTES]
        return encode(ReplayPart(wanted.ref, wanted.room, wanted.offset, len(found), part))

    # --- what is kept -------------------------------------------------------------------------------------------

    async def matches(self, wanted: Matches) -> MatchList:
        """Return finished matches, the newest first."""
        found = await undisturbed(
            self._records.matches(game=wanted.game, player=wanted.player, before=wanted.before, limit=MATCHES)
        )
        return MatchList(wanted.ref, tuple(read_summary(summary) for summary in found))

    async def ranking(self, asked: Ranking) -> RankingList:
        """Return the best players of a game."""
        return await undisturbed(ranking(self._records, asked))

    async def replay(self, number: int, view: ReplayView, reader: Reader) -> bytes | Declined:
        """Return the file of a finished match, as much of it as *reader* may see."""
        return await self._made(number, view, reader, lambda found: self._file(number, found, view, reader))

    async def verdict(self, number: int, reader: Reader) -> bytes | Declined:
        """Return in JSON what running a finished match again shows, if *reader* may see all of it."""
        return await self._made(number, "all", reader, lambda found: self._check(number, found))

    async def _made(self, number: int, view: ReplayView, reader: Reader, make: Maker) -> bytes | Declined:
        """Find a match and return what *make* makes of it."""
        if self._readers.locked():
            return Declined(codes.ROOM_BUSY, "too many replays are being fetched; ask again in a moment")
        async with self._readers:
            found = await self._found(number, view, reader)
            return found if isinstance(found, Declined) else await make(found)

    async def _found(self, number: int, view: ReplayView, reader: Reader) -> FinishedMatch | Declined:
        is_hidden = self._is_hidden(number, reader)
        if not is_hidden and not await self._is_put_away(number):
            return Declined(codes.STORE_UNAVAILABLE, "the replay is being stored; try again in a moment")
        found = self._replay_cache.get(number)
        if found is None or _is_closed(found, reader):  # an excluded reader must wait as for an unknown match
            found = await self._load(number)
        if found is None:
            is_running = not is_hidden and self._is_running(number)
            return Declined(codes.REPLAY_RUNNING if is_running else codes.REPLAY_UNKNOWN)
        return self._objection(found, view, reader) or found

    def _is_hidden(self, number: int, reader: Reader) -> bool:
        """Whether *reader* must not notice that the room is here: the answer takes as long as for an unknown room."""
        hosted = self._room_host.get(number)
        if hosted is None or reader.has_key or not hosted.room.match.opened.room_options.private:
            return False
        return reader.player is None or hosted.room.match.seat_of(reader.player) is None

    def _is_running(self, number: int) -> bool:
        hosted = self._room_host.get(number)
        return hosted is not None and not hosted.room.is_publicly_over

    async def _is_put_away(self, number: int) -> bool:
        """Wait a moment for the replay of a match that has just ended here."""
        try:
            async with asyncio.timeout(WAIT_S):
                await self._archived(number)
        except TimeoutError:
            return False
        return True

    async def _load(self, number: int) -> FinishedMatch | None:
        found = await undisturbed(load_match(self._store, number))
        if found is not None:
            self._replay_cache.put(number, found, len(found.replay))
        return found

    def _objection(self, found: FinishedMatch, view: ReplayView, reader: Reader) -> Declined | None:
        """Return why a reader may not have this view of a match."""
        if _is_closed(found, reader):
            return Declined(codes.REPLAY_UNKNOWN)
        if view == "own" and reader.player not in found.players:
            return Declined(codes.SEAT_NONE, "only who played has a view of its own; ask for the public one")
        if view == "all" and self._clock.wall_ms() < found.revealed_ms:
            return Declined(codes.REPLAY_SEALED)
        return None

    async def _file(self, number: int, found: FinishedMatch, view: ReplayView, reader: Reader) -> bytes | Declined:
        if view == "all":
            return found.replay
        try:
            made = await self._replay_views.view(number, found.replay, reader.player if view == "own" else None)
        except RegistryError as problem:
            return Declined(codes.GAME_UNKNOWN, f"the view cannot be made here: {problem}")
        except (LogError, RulesError) as problem:
            return Declined(codes.REPLAY_UNKNOWN, f"the match cannot be run again: {problem}")
        return made or Declined(codes.ROOM_BUSY, "too many views are being made; ask again in a moment")

    async def _check(self, number: int, found: FinishedMatch) -> bytes | Declined:
        made = await self._replay_views.verdict(number, found.replay)
        return made or Declined(codes.ROOM_BUSY, "too many matches are being checked; ask again in a moment")


def _is_closed(found: FinishedMatch, reader: Reader) -> bool:
    return found.is_private and not reader.has_key and reader.player not in found.players
