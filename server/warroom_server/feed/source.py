"""Brings the rooms of this node to the feed, which is a spectator of each of them, and the news of the node besides.

Rooms pass the same gate as for anybody who looks on: what a room does not show, or shows later, the feed never has.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_protocol import codes
from warroom_protocol.messages import Ranking, RoomListing
from warroom_protocol.rooms import room_code
from warroom_protocol.topics import Topics
from warroom_server.archive.ratings import ranking, standing
from warroom_server.feed import payloads
from warroom_server.feed.queue import FeedCounters, FeedQueue
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.hosting.vacancy import BotRequest
from warroom_server.lobby.room_index import RoomIndex
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock
from warroom_server.ports.feed import Publication
from warroom_server.ports.records import MatchRecord, Records, Result
from warroom_server.ports.store import UnavailableError
from warroom_server.room.bots.bot_tickets import CLAIM_MS
from warroom_server.room.commands import Refresh, Watch
from warroom_server.room.viewers import FEED
from warroom_server.session.notices import notice
from warroom_server.storage.match_records import read_summary

logger = logging.getLogger(__name__)

_NO_REF: Final = 0


class _Seen(Struct):
    """What was last known of a room: enough to notice that its listing changed."""

    phase: str
    seats: tuple[Sitter | None, ...]


class FeedSource:
    """Tells the board of rooms as they come, change and go; shows the board rooms when it asks."""

    def __init__(
        self,
        topics: Topics,
        node: str,
        *,
        games: Sequence[str],
        room_host: RoomHost,
        events: RoomEvents,
        room_index: RoomIndex,
        records: Records,
        clock: Clock,
    ) -> None:
        self.queue = FeedQueue(topics, node, rooms=self, counters=FeedCounters(), wall_ms=clock.wall_ms)
        self.wake: Callable[[], None] = lambda: None
        """Called when there may be something to publish."""
        self.doubt: Callable[[], None] = lambda: None
        """Called when a room went of which only the store knows whether it goes on anywhere."""
        self._node = node
        self._games = games
        self._room_host = room_host
        self._room_index = room_index
        self._records = records
        self._clock = clock
        self._tasks = Tasks()
        self._seen: dict[int, _Seen] = {}
        self._untold: set[int] = set()
        """Rooms of which nobody may hear yet: rematches that would tell an end."""
        events.changed.append(self._changed)
        events.removed.append(self._removed)
        events.fed.append(self._fed)

    async def close(self) -> None:
        """Stop whatever waits for the store."""
        await self._tasks.close()

    # --- what the board asks for ------------------------------------------------------------------------------------

    def look(self, room: int) -> None:
        """Look at a room as a spectator."""
        self._room_host.tell(room, Watch(FEED, _NO_REF, None))

    def refresh(self, room: int) -> None:
        """Ask a room for a snapshot."""
        self._room_host.tell(room, Refresh(FEED))

    def listing(self, room: int) -> RoomListing | None:
        """Return how a room is listed; None if it is over for everybody."""
        hosted = self._room_host.get(room)
        return None if hosted is None or hosted.room.public_match.is_over else hosted.room.listing()

    def is_in_doubt(self, room: int) -> bool:
        """Whether a room may be another node's by now."""
        return self._room_host.is_in_doubt(room)

    # --- rooms ------------------------------------------------------------------------------------------------------

    def sure(self) -> None:
        """Go on to tell of rooms of which it is known by now that they are still this node's."""
        self.queue.sure()
        self.wake()

    def _fed(self, room: int, payload: bytes) -> None:
        self.queue.fed(room, payload, self._clock.now())
        self.wake()

    def _changed(self, hosted: HostedRoom) -> None:
        """Note what everybody may know of a room; called with its every step."""
        match = hosted.room.public_match
        seen = self._seen.get(match.opened.room)
        if seen is None:
            self._enter(hosted, match)
        elif seen.phase != match.phase or seen.seats is not match.seats:
            if (seen.phase, match.phase) == ("lobby", "playing"):
                self._tell(match, "started", payloads.listing(hosted.room.listing(), self._node))
            seen.phase, seen.seats = match.phase, match.seats
            self.queue.relist(match.opened.room)
            self.wake()
        if self._untold:
            self._enter_untold()

    def _enter(self, hosted: HostedRoom, match: Match) -> None:
        opened = match.opened
        if opened.room_options.private:
            return
        if not self._room_index.is_for_all(hosted):
            self._untold.add(opened.room)
            return
        self._seen[opened.room] = _Seen(match.phase, match.seats)
        self.queue.enter(opened.room, opened.game, is_shown=opened.room_options.watch != "nobody")
        self.wake()

    def _enter_untold(self) -> None:
        untold, self._untold = self._untold, set()
        for number in untold:
            hosted = self._room_host.get(number)
            if hosted is not None:
                self._enter(hosted, hosted.room.public_match)

    def _removed(self, hosted: HostedRoom) -> None:
        number = hosted.room.number
        self._untold.discard(number)
        if self._seen.pop(number, None) is not None:
            # Where this node could not go on and others may, they tell what becomes of the room.
            is_over = hosted.is_archived or hosted.has_failed
            self.queue.leave(number, is_over=is_over)
            if is_over:
                self.wake()
            else:
                self.doubt()
        if self._untold:
            self._enter_untold()

    # --- news -------------------------------------------------------------------------------------------------------

    def archived(self, record: MatchRecord) -> None:
        """Tell that a match is over for everybody, and its replay kept."""
        if record.is_listed:
            payload = payloads.ended(read_summary(record.summary), self._node)
            self._publish(self.queue.topics.match(record.game, "ended"), payload)

    def rated(self, result: Result, players: Sequence[str]) -> None:
        """Tell that a match was counted, and who is best now."""
        self._tasks.begin(self._patiently([self._tell_ratings(result, players)]))

    def opened(self) -> None:
        """Tell what is retained of no room: who is best in each game."""
        self._tasks.begin(self._patiently(self._tell_ranking(game) for game in self._games))

    def announce(self, vacancy: BotRequest) -> bool:
        """Tell that a seat wants a bot, if everybody may know; return whether it was told."""
        hosted = self._room_host.get(vacancy.room)
        if hosted is None or not self.queue.counters.is_open or not self._is_open_secret(hosted):
            return False
        room, game = vacancy.room, vacancy.game
        seat = payloads.Wanted(room, room_code(room), game, vacancy.ticket, vacancy.bot, CLAIM_MS)
        self._publish(self.queue.topics.wanted(game), payloads.wanted(seat, self._node), expires_s=CLAIM_MS // 1000)
        return True

    def _is_open_secret(self, hosted: HostedRoom) -> bool:
        """Whether a spectator sees at this moment who sits in a room, and who is away."""
        options = hosted.room.match.opened.room_options
        is_behind = bool(options.delay) and hosted.room.match.phase != "lobby"
        return hosted.room.number in self._seen and options.watch != "nobody" and not is_behind

    def drain(self) -> None:
        """Tell that this node is about to stop."""
        said = notice(None, codes.NOTICE_DRAINING)
        self._publish(self.queue.topics.notice, payloads.notice(said, self._node))

    async def _tell_ratings(self, result: Result, players: Sequence[str]) -> None:
        game, topics = result.game, self.queue.topics
        rated = payloads.rated(result.room, game, await standing(self._records, game, players), self._node)
        self._publish(topics.match(game, "rated"), rated)
        await self._tell_ranking(game)

    async def _tell_ranking(self, game: str) -> None:
        best = await ranking(self._records, Ranking(_NO_REF, game))
        if best.size:
            payload = payloads.ranking(game, best.size, best.players, self._node)
            self._publish(self.queue.topics.ranking(game), payload, retained=True)

    async def _patiently(self, telling: Iterable[Awaitable[None]]) -> None:
        """Tell what the store knows; what it does not say now is told when there is news of it."""
        try:
            for each in telling:
                await each
        except UnavailableError as error:
            logger.warning("ratings not told reason=%r", str(error))

    def _tell(self, match: Match, what: str, payload: bytes) -> None:
        self._publish(self.queue.topics.match(match.opened.game, what), payload)

    def _publish(self, topic: str, payload: bytes, *, retained: bool = False, expires_s: int | None = None) -> None:
        self.queue.tell(Publication(topic, payload, retained=retained, qos=1, expires_s=expires_s))
        self.wake()
