"""Finished matches for those who may see them: all of a match, or only what the public or one's own seat saw."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct

from warroom_games.api import RulesError
from warroom_games.log import Entry, LogError, Opened, Sat, Started
from warroom_games.registry import Registry, RegistryError
from warroom_games.replay import ReplayError, entries
from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Matches, MatchList, Ranking, RankingList, ReplayPart, ReplayView
from warroom_protocol.view_replay import write_view
from warroom_server.ports import Clock, KeptReplay, Records, Store, UnavailableError
from warroom_server.rooms.viewing import Viewing
from warroom_server.runtime.chores import Chores
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.lines import Lines
from warroom_server.runtime.making import WISHES
from warroom_server.runtime.ratings import ranking
from warroom_server.runtime.records import read_summary
from warroom_server.session.effects import FetchReplay, ListMatches, ShowRanking, ref_of
from warroom_server.session.proposals import Declined
from warroom_server.session.refusals import error

PART_BYTES = 64 * 1024
"""How much of a replay one message carries."""
MATCHES = 50
"""Matches in one answer."""
WAIT_S = 2.0
"""How long somebody waits for the replay of a match that has just ended."""
AT_A_TIME = 16
"""Entries of a log that are run again in one turn of the loop."""
KEPT = 16
"""Files that are kept in memory, because they are asked for part by part."""
KEPT_BYTES = 16 * 1024 * 1024


class Reader(Struct, frozen=True):
    """Who wants to see a match (None: nobody we know), and whether the key of its room was shown."""

    player: str | None = None
    has_key: bool = False


class Library:
    """Answers questions about finished matches; *archived* waits until nothing of a room is left to be put away."""

    def __init__(
        self,
        *,
        store: Store,
        records: Records,
        registry: Registry,
        driver: Driver,
        lines: Lines,
        clock: Clock,
        archived: Callable[[int], Awaitable[None]],
    ) -> None:
        self.chores = Chores()
        self._store = store
        self._records = records
        self._registry = registry
        self._driver = driver
        self._lines = lines
        self._clock = clock
        self._archived = archived
        self._kept: OrderedDict[tuple[int, str, str | None], bytes] = OrderedDict()
        self._running = asyncio.Lock()

    # --- over the wire ------------------------------------------------------------------------------------------

    def ask(self, errand: ListMatches | FetchReplay | ShowRanking, connection: int) -> None:
        """Answer a question, once."""
        ref = ref_of(errand)
        if len(self.chores) >= WISHES:
            self._lines.answer(connection, error(ref, codes.STORE_UNAVAILABLE))
            return
        self.chores.begin(
            self._answer(errand, connection),
            on_bug=lambda: self._lines.answer(connection, error(ref, codes.INTERNAL)),
        )

    async def _answer(self, errand: ListMatches | FetchReplay | ShowRanking, connection: int) -> None:
        try:
            match errand:
                case ListMatches(wanted=wanted):
                    answer = encode(await self.matches(wanted))
                case ShowRanking(wanted=asked):
                    answer = encode(await self.ranking(asked))
                case FetchReplay():
                    answer = await self._part(errand)
        except UnavailableError:
            answer = error(ref_of(errand), codes.STORE_UNAVAILABLE)
        self._lines.answer(connection, answer)

    async def _part(self, errand: FetchReplay) -> bytes:
        wanted = errand.wanted
        found = await self.replay(wanted.room, wanted.view, Reader(errand.player, errand.has_key))
        if isinstance(found, Declined):
            return error(wanted.ref, found.code, found.detail)
        part = found[wanted.offset : wanted.offset + PART_BYTES]
        return encode(ReplayPart(wanted.ref, wanted.room, wanted.offset, len(found), part))

    # --- what is kept -------------------------------------------------------------------------------------------

    async def matches(self, wanted: Matches) -> MatchList:
        """Return finished matches, the newest first."""
        found = await self._records.matches(game=wanted.game, player=wanted.player, before=wanted.before, limit=MATCHES)
        return MatchList(wanted.ref, tuple(read_summary(summary) for summary in found))

    async def ranking(self, asked: Ranking) -> RankingList:
        """Return the best players of a game."""
        return await ranking(self._records, asked)

    async def replay(self, number: int, view: ReplayView, reader: Reader) -> bytes | Declined:
        """Return the file of a finished match, as much of it as *reader* may see."""
        try:
            async with asyncio.timeout(WAIT_S):
                await self._archived(number)
        except TimeoutError:
            return Declined(codes.STORE_UNAVAILABLE, "the replay is being stored; try again in a moment")
        kept = await self._store.replay(number)
        if kept is None:
            return self._missing(number, reader)
        try:
            log = entries(kept.replay)
            return self._objection(log, kept, view, reader) or await self._file(number, kept, log, view, reader)
        except (ReplayError, LogError, RulesError, RegistryError) as problem:
            return Declined(codes.REPLAY_UNKNOWN, f"the replay cannot be read: {problem}")

    def _missing(self, number: int, reader: Reader) -> Declined:
        hosted = self._driver.get(number)
        if hosted is None or hosted.room.is_publicly_over:
            return _declined(codes.REPLAY_UNKNOWN)
        match = hosted.room.match
        is_inside = reader.player is not None and match.seat_of(reader.player) is not None
        is_hidden = match.opened.room_options.private and not (reader.has_key or is_inside)
        return _declined(codes.REPLAY_UNKNOWN if is_hidden else codes.REPLAY_RUNNING)

    def _objection(self, log: Sequence[Entry], kept: KeptReplay, view: ReplayView, reader: Reader) -> Declined | None:
        """Return why somebody may not see a match so."""
        opened = log[0]
        assert isinstance(opened, Opened), "a log begins with the opening of its room"
        is_player = reader.player is not None and reader.player in _players(log)
        if opened.room_options.private and not (reader.has_key or is_player):
            return _declined(codes.REPLAY_UNKNOWN)
        if view == "own" and not is_player:
            return Declined(codes.SEAT_NONE, "only who played has a view of its own; ask for the public one")
        if view == "all" and self._clock.wall_ms() < kept.ended_ms + opened.room_options.reveal_s * 1000:
            return _declined(codes.REPLAY_SEALED)
        return None

    async def _file(
        self, number: int, kept: KeptReplay, log: Sequence[Entry], view: ReplayView, reader: Reader
    ) -> bytes:
        if view == "all":
            return kept.replay
        player = reader.player if view == "own" else None
        key = (number, view, player)
        async with self._running:  # one at a time: to run a match again is work
            if key not in self._kept:
                self._kept[key] = await self._view(log, player)
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT or (len(self._kept) > 1 and sum(map(len, self._kept.values())) > KEPT_BYTES):
                self._kept.popitem(last=False)
            return self._kept[key]

    async def _view(self, log: Sequence[Entry], player: str | None) -> bytes:
        opened = log[0]
        assert isinstance(opened, Opened), "a log begins with the opening of its room"
        viewing = Viewing(self._registry.get(opened.game, opened.rules_version), log, player)
        for _ in viewing.run(AT_A_TIME):
            await asyncio.sleep(0)  # those who play meanwhile must not wait for it
        return write_view(viewing.result())


def _players(log: Sequence[Entry]) -> set[str]:
    """Return who sat when the match started, or ever if it did not."""
    players: set[str] = set()
    for entry in log:
        if isinstance(entry, Sat):
            players.add(entry.player)
        elif isinstance(entry, Started):
            break
    return players


def _declined(code: str) -> Declined:
    return Declined(code, codes.REFUSALS[code])
