"""Ratings: each result that counts changes the ratings of its players once, on whichever node is first."""

import asyncio
import logging
import math
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from warroom_protocol.messages import Ranking, RankingList, Rated
from warroom_protocol.rooms import room_code
from warroom_server.loop.tasks import end
from warroom_server.ports.listeners import Signal
from warroom_server.ports.records import RatingChange, Records, Result, ladder_name
from warroom_server.ports.store import UnavailableError
from warroom_server.storage.match_records import MatchResult, RatedSeat, read_result

logger = logging.getLogger(__name__)

POLL_S = 5.0
"""How often to look for results that another node left, or that could not be counted before."""
LONGEST_PAUSE_S = 600.0
"""Between two attempts to count the same result; each pause is twice the one before."""
ATTEMPTS = 16
"""How often one result is computed again because a rating changed meanwhile, before it has to wait."""
SHOWN = 50
"""Players in one answer."""


class Rating(Struct, frozen=True, array_like=True):
    """The estimated skill of a player in one game: its mean and its uncertainty."""

    mean: float
    uncertainty: float
    matches: int
    name: str
    bot: str | None

    @property
    def score(self) -> int:
        """A conservative estimate of the skill (three uncertainties below the mean), in thousandths."""
        return round(1000 * (self.mean - 3 * self.uncertainty))


_encoder = msgspec.msgpack.Encoder()
_ratings = msgspec.msgpack.Decoder(Rating)


def _read(data: bytes | None) -> Rating | None:
    """Return a stored rating; None if there is none that can be read."""
    try:
        rating = _ratings.decode(data or b"")
    except msgspec.MsgspecError:
        return None
    return rating if math.isfinite(rating.mean) and 0 < rating.uncertainty < math.inf else None


def updated(result: MatchResult, before: Mapping[str, Rating]) -> dict[str, Rating]:
    """Return the ratings after a match. Several seats of one bot change its rating by their average."""
    model = PlackettLuce()
    teams = [[_skill(model, before.get(seat.rating_id))] for seat in result.seats]
    rated = model.rate(teams, ranks=[float(seat.rank) for seat in result.seats])
    after: dict[str, list[tuple[RatedSeat, PlackettLuceRating]]] = {}
    for seat, (old,), (new,) in zip(result.seats, teams, rated, strict=True):
        gains = new.ordinal() > old.ordinal()  # even the last one may, because its uncertainty falls
        after.setdefault(seat.rating_id, []).append((seat, old if seat.has_left and gains else new))
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


class _Aside(Struct, frozen=True):
    """A result that could not be counted: when to try it again, and how long the pause is."""

    until_s: float
    pause_s: float


class Rater:
    """Counts results in one task. A result that cannot be counted is tried again later, without delaying others."""

    def __init__(self, records: Records, *, keep_s: int) -> None:
        self.rated: Signal[Result, MatchResult] = Signal()
        """A result was counted, here or elsewhere."""
        self._records = records
        self._keep_s = keep_s
        self._aside: dict[int, _Aside] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Begin to count, and return the task, which ends by `close`."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="ratings")
        return self._task

    def wake(self) -> None:
        """Note that there is a new result."""
        self._wake.set()

    async def close(self) -> None:
        """Stop; other nodes, or the next start, count the rest."""
        await end(self._task)

    async def count(self) -> None:
        """Count every result that does not wait for its next attempt."""
        now_s = asyncio.get_running_loop().time()
        seen: set[int] = set()
        async for result in self._records.results():
            seen.add(result.room)
            aside = self._aside.get(result.room)
            if aside is None or aside.until_s <= now_s:
                self._note(result, await _outcome(self._count(result)))
        self._aside = {room: aside for room, aside in self._aside.items() if room in seen}

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            failure = await _outcome(self.count())
            if isinstance(failure, UnavailableError):
                logger.warning("results wait reason=%r", str(failure))
            elif failure is not None:
                logger.error("results wait", exc_info=failure)
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._wake.wait()

    def _note(self, result: Result, failure: BaseException | None) -> None:
        """Let a result that could not be counted wait, longer each time; log only the first failure."""
        before = self._aside.pop(result.room, None)
        if failure is None:
            return
        pause_s = POLL_S if before is None else min(2 * before.pause_s, LONGEST_PAUSE_S)
        self._aside[result.room] = _Aside(asyncio.get_running_loop().time() + pause_s, pause_s)
        if before is None:
            logger.error("result set aside room=%s game=%s", room_code(result.room), result.game, exc_info=failure)

    async def _count(self, result: Result) -> None:
        try:
            seats = read_result(result.result)
        except msgspec.MsgspecError:
            logger.exception("result not readable room=%s", room_code(result.room))
            await self._records.rate(result.room, result.game, (), keep_s=self._keep_s)
            return
        for _ in range(ATTEMPTS):
            if await self._rate(result, seats):
                return
        raise UnavailableError("the ratings of its players change all the time")

    async def _rate(self, result: Result, seats: MatchResult) -> bool:
        ladder, players = ladder_name(result.game, bots=seats.is_among_bots), seats.players
        stored = dict(zip(players, await self._records.ratings(ladder, players), strict=True))
        before = {player: rating for player, data in stored.items() if (rating := _read(data)) is not None}
        changes = [
            RatingChange(player, stored[player], _encoder.encode(rating), rating.score)
            for player, rating in updated(seats, before).items()
        ]
        is_counted = await self._records.rate(result.room, ladder, changes, keep_s=self._keep_s)
        if is_counted:
            self.rated(result, seats)
        return is_counted


async def _outcome(work: Coroutine[None, None, None]) -> BaseException | None:
    """Do *work*, and return its exception: a bug must end neither other work nor the server."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        await asyncio.wait([task])
    finally:
        task.cancel()
    return task.exception()


async def ranking(records: Records, asked: Ranking) -> RankingList:
    """Return the best players or bots of a game."""
    size, best = await records.ranking(ladder_name(asked.game, bots=asked.bots), offset=asked.offset, limit=SHOWN)
    return RankingList(asked.ref, asked.game, size, tuple(_shown(best, asked.offset)), asked.bots)


async def skills(records: Records, game: str, players: Sequence[str]) -> dict[str, int]:
    """Return the mean skill of each player who has a rating among people, in thousandths."""
    stored = zip(players, await records.ratings(ladder_name(game, bots=False), players), strict=True)
    return {player: round(1000 * rating.mean) for player, data in stored if (rating := _read(data)) is not None}


async def standing(records: Records, game: str, result: MatchResult) -> list[Rated]:
    """Return the ratings that a result has changed as they are now; their places are no places."""
    ladder = ladder_name(game, bots=result.is_among_bots)
    return _shown(list(zip(result.players, await records.ratings(ladder, result.players), strict=True)), 0)


def _shown(best: Sequence[tuple[str, bytes | None]], offset: int) -> list[Rated]:
    return [
        Rated(
            place=offset + 1 + index,
            player=player.partition(":")[0],
            name=rating.name,
            bot=rating.bot,
            score=rating.score,
            skill=round(1000 * rating.mean),
            uncertainty=round(1000 * rating.uncertainty),
            matches=rating.matches,
        )
        for index, (player, data) in enumerate(best)
        if (rating := _read(data)) is not None
    ]
