"""The news of a node on the feed: results, ratings, seats that want a bot, and notices."""

import logging
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from warroom_protocol import codes
from warroom_protocol.messages import Ranking
from warroom_protocol.rooms import room_code
from warroom_server.archive.ratings import Rater, ranking, standing
from warroom_server.feed import payloads
from warroom_server.feed.publisher import Publisher
from warroom_server.feed.room_source import FeedSource
from warroom_server.hosting.wanted_bot import BotRequest
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.records import MatchRecord, Records, Result
from warroom_server.ports.store import UnavailableError
from warroom_server.room.bots.bot_tickets import CLAIM_MS
from warroom_server.session.replies import notice
from warroom_server.storage.archiver import Archiver
from warroom_server.storage.match_records import MatchResult, read_summary

logger = logging.getLogger(__name__)

_NO_REF: Final = 0


@dataclass(eq=False)
class FeedNews:
    """Queues news for the publisher. Nothing here waits for the broker."""

    publisher: Publisher
    _source: FeedSource
    _records: Records
    _archiver: Archiver
    _rater: Rater
    _games: Sequence[str]

    def __post_init__(self) -> None:
        self._queue = self.publisher.queue
        self._tasks = Tasks()
        self.publisher.opened.append(self._publish_rankings)
        self._archiver.published.append(self._archived)
        self._rater.rated.append(self._rated)

    async def close(self, *, drain_s: float) -> None:
        """Cancel what waits for the store, and close the publisher."""
        await self._tasks.close()
        await self.publisher.close(drain_s=drain_s)

    def announce(self, vacancy: BotRequest) -> bool:
        """Announce a seat that wants a bot, if everybody may know of it; return whether it was announced."""
        room, game = vacancy.room, vacancy.game
        if not self._queue.counters.is_open or not self._source.shows_seats(room):
            return False
        seat = payloads.Wanted(room, room_code(room), game, vacancy.ticket, vacancy.bot, CLAIM_MS)
        payload = payloads.signed(self._queue.node, seat)
        self.publisher.publish(self._queue.topics.wanted(game), payload, expires_s=CLAIM_MS // 1000)
        return True

    def drain(self) -> None:
        """Announce that this node is about to stop."""
        said = notice(None, codes.NOTICE_DRAINING)
        self.publisher.publish(self._queue.topics.notice, payloads.notice(said, self._queue.node))

    def _archived(self, record: MatchRecord) -> None:
        """Publish a match that is over for everybody and archived."""
        if record.is_listed:
            payload = payloads.signed(self._queue.node, read_summary(record.summary))
            self.publisher.publish(self._queue.topics.match(record.game, "ended"), payload)

    def _rated(self, result: Result, seats: MatchResult) -> None:
        self._tasks.begin(self._read_and_publish([self._publish_ratings(result, seats)]))

    def _publish_rankings(self) -> None:
        """Publish both rankings of each game: the broker may have lost them."""
        rankings = (Ranking(_NO_REF, game, bots=bots) for game in self._games for bots in (False, True))
        self._tasks.begin(self._read_and_publish(map(self._publish_ranking, rankings)))

    async def _publish_ratings(self, result: Result, seats: MatchResult) -> None:
        game, bots = result.game, seats.is_among_bots
        players = await standing(self._records, game, seats)
        rated = payloads.rated(result.room, game, players, self._queue.node, bots=bots)
        self.publisher.publish(self._queue.topics.match(game, "rated"), rated)
        await self._publish_ranking(Ranking(_NO_REF, game, bots=bots))

    async def _publish_ranking(self, asked: Ranking) -> None:
        best = await ranking(self._records, asked)
        if best.size:
            topic = self._queue.topics.ranking(asked.game, bots=asked.bots)
            self.publisher.publish(topic, payloads.ranking(best, self._queue.node), retained=True)

    async def _read_and_publish(self, steps: Iterable[Awaitable[None]]) -> None:
        """Read from the store and publish; if it is away, the next change is published."""
        try:
            for step in steps:
                await step
        except UnavailableError as error:
            logger.warning("ratings not published reason=%r", str(error))
