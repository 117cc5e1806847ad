"""Ratings: each result that counts changes those of its players once, whichever node comes to it first."""

import asyncio
import logging
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from warroom_protocol.messages import Ranking, RankingList, Rated
from warroom_protocol.rooms import room_code
from warroom_server.ports import RatingChange, Records, Result, UnavailableError
from warroom_server.runtime.records import MatchResult, RatedSeat, read_result

logger = logging.getLogger(__name__)

POLL_S = 5.0
"""How often results are looked for that another node left, or that could not be counted before."""
AT_A_TIME = 64
SHOWN = 50
"""Players in one answer."""


class Rating(Struct, frozen=True, array_like=True):
    """What is known of a player's skill in one game: a mean, and how uncertain it is."""

    mean: float
    uncertainty: float
    matches: int
    name: str
    bot: str | None

    @property
    def score(self) -> int:
        """The skill that is all but certain (three uncertainties below the mean), in thousandths."""
        return round(1000 * (self.mean - 3 * self.uncertainty))


_encoder = msgspec.msgpack.Encoder()
_ratings = msgspec.msgpack.Decoder(Rating)


def updated(result: MatchResult, before: Mapping[str, Rating]) -> dict[str, Rating]:
    """Return the ratings after a match. Several seats of one bot change its rating by what they do on average."""
    model = PlackettLuce()
    teams = [[_skill(model, before.get(seat.rating_id))] for seat in result.seats]
    rated = model.rate(teams, ranks=[float(seat.rank) for seat in result.seats])
    after: dict[str, list[tuple[RatedSeat, PlackettLuceRating]]] = {}
    for seat, (skill,) in zip(result.seats, rated, strict=True):
        after.setdefault(seat.rating_id, []).append((seat, skill))
    return {
        rating_id: Rating(
            mean=sum(skill.mu for _, skill in seats) / len(seats),
            uncertainty=sum(skill.sigma for _, skill in seats) / len(seats),
            matches=(before[rating_id].matches if rating_id in before else 0) + 1,
            name=seats[0][0].name,
            bot=seats[0][0].bot,
        )
        for rating_id, seats in after.items()
    }


def _skill(model: PlackettLuce, rating: Rating | None) -> PlackettLuceRating:
    return model.rating() if rating is None else model.rating(mu=rating.mean, sigma=rating.uncertainty)


class Rater:
    """Counts results in one task; what cannot be counted now is tried again."""

    def __init__(self, records: Records, *, keep_s: int) -> None:
        self._records = records
        self._keep_s = keep_s
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Begin to count, and return the task, which ends only by `close` or by a bug."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="ratings")
        return self._task

    def wake(self) -> None:
        """Take note that there is a new result."""
        self._wake.set()

    async def close(self) -> None:
        """Count no more; what is left is counted by whoever comes next."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def count(self) -> None:
        """Count every result that is there."""
        while results := await self._records.results(AT_A_TIME):
            for result in results:
                await self._count(result)

    async def _run(self) -> None:
        while True:
            try:
                await self.count()
            except UnavailableError as error:
                logger.warning("results wait reason=%r", str(error))
            self._wake.clear()
            try:
                async with asyncio.timeout(POLL_S):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _count(self, result: Result) -> None:
        try:
            seats = read_result(result.result)
        except msgspec.MsgspecError:
            logger.exception("result not readable room=%s", room_code(result.room))
            await self._records.rate(result.room, result.game, (), keep_s=self._keep_s)
            return
        while not await self._rate(result, seats):
            pass  # another node changed a rating meanwhile

    async def _rate(self, result: Result, seats: MatchResult) -> bool:
        players = sorted({seat.rating_id for seat in seats.seats})
        stored = dict(zip(players, await self._records.ratings(result.game, players), strict=True))
        before = {player: _ratings.decode(data) for player, data in stored.items() if data is not None}
        changes = [
            RatingChange(player, stored[player], _encoder.encode(rating), rating.score)
            for player, rating in updated(seats, before).items()
        ]
        return await self._records.rate(result.room, result.game, changes, keep_s=self._keep_s)


async def ranking(records: Records, asked: Ranking) -> RankingList:
    """Return the best players of a game."""
    size, best = await records.ranking(asked.game, offset=asked.offset, limit=SHOWN)
    return RankingList(asked.ref, asked.game, size, tuple(_shown(best, asked.offset)))


def _shown(best: Sequence[tuple[str, bytes]], offset: int) -> list[Rated]:
    return [
        Rated(
            place=place,
            player=player,
            name=rating.name,
            bot=rating.bot,
            score=rating.score,
            skill=round(1000 * rating.mean),
            uncertainty=round(1000 * rating.uncertainty),
            matches=rating.matches,
        )
        for place, (player, rating) in enumerate(
            ((player, _ratings.decode(data)) for player, data in best), start=offset + 1
        )
    ]
