"""Finished matches and ratings in this process alone, for tests and for `memory://`."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import dropwhile

from warroom_server.ports.records import MatchRecord, RatingChange, Result, list_name


class MemoryRecords:
    """Keeps records in dictionaries, each for a limited time."""

    def __init__(self, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._matches: dict[int, tuple[float, MatchRecord]] = {}
        self._outbox: dict[int, Result] = {}
        self._rated: dict[int, float] = {}
        self._ratings: dict[str, dict[str, tuple[bytes, int]]] = {}

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    async def publish(self, record: MatchRecord, *, keep_s: int) -> None:
        """Record a finished match; recording it again changes nothing."""
        self._forget()
        if record.is_listed:
            self._matches.setdefault(record.room, (self._now_s() + keep_s, record))
        if record.result is not None and record.room not in self._rated:
            self._outbox.setdefault(record.room, Result(record.room, record.game, record.result))

    async def matches(self, *, game: str | None, player: str | None, before: int | None, limit: int) -> list[bytes]:
        """Return the summaries of listed matches, the newest first, from the one after *before* on."""
        self._forget()
        wanted = list_name(game, player)
        found = [record for _, record in self._matches.values() if wanted in record.lists]
        found.sort(key=lambda record: (record.ended_ms, record.room), reverse=True)
        if before is not None:
            found = list(dropwhile(lambda record: record.room != before, found))[1:]
        return [record.summary for record in found[:limit]]

    async def results(self) -> AsyncIterator[Result]:
        """Iterate over the results that are not counted yet."""
        for result in list(self._outbox.values()):
            yield result

    async def ratings(self, ladder: str, players: Sequence[str]) -> list[bytes | None]:
        """Return the rating of each player on a ladder, None for an unrated player."""
        ratings = self._ratings.get(ladder, {})
        return [ratings[player][0] if player in ratings else None for player in players]

    async def rate(self, room: int, ladder: str, changes: Sequence[RatingChange], *, keep_s: int) -> bool:
        """Change the ratings of a match's players, once; False if a rating is no longer the one before the change."""
        self._forget()
        if room in self._rated:
            self._outbox.pop(room, None)
            return True
        ratings = self._ratings.setdefault(ladder, {})
        if any(ratings.get(change.player, (None, 0))[0] != change.before for change in changes):
            return False
        for change in changes:
            ratings[change.player] = (change.after, change.score)
        self._rated[room] = self._now_s() + keep_s
        self._outbox.pop(room, None)
        return True

    async def ranking(self, ladder: str, *, offset: int, limit: int) -> tuple[int, list[tuple[str, bytes]]]:
        """Return the number of rated players, and some of them by score, the best first."""
        ratings = self._ratings.get(ladder, {})
        best = sorted(ratings.items(), key=lambda item: (item[1][1], item[0]), reverse=True)
        return len(best), [(player, rating) for player, (rating, _) in best[offset : offset + limit]]

    def _forget(self) -> None:
        now_s = self._now_s()
        self._matches = {room: kept for room, kept in self._matches.items() if kept[0] > now_s}
        self._rated = {room: until for room, until in self._rated.items() if until > now_s}
