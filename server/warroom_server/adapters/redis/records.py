"""Finished matches and ratings in Redis, all under one hash tag for the scripts."""

import logging
from collections.abc import AsyncIterator, Sequence

from warroom_protocol.errors import RoomCodeError
from warroom_protocol.rooms import parse_room_code, room_code
from warroom_server.adapters.redis.command_sender import Wait, as_bytes, as_items, as_number, as_text, ask, script
from warroom_server.adapters.redis.connector import RedisBackend
from warroom_server.ports.records import MatchRecord, RatingChange, Result, list_name

logger = logging.getLogger(__name__)

_TAG = "warroom:{records}"
_OUTBOX = f"{_TAG}:outbox"
"""A hash: for each match whose result is not counted yet, its game and the result."""
_PAGE = 64
"""Results that are read at once."""


class RedisRecords:
    """Keeps records on a Redis server; the connection opens itself when it is needed."""

    def __init__(self, url: str, *, timeout_s: float = 2.0, wait: Wait | None = None) -> None:
        self._line = RedisBackend(url, timeout_s=timeout_s, wait=wait).line()
        self._unreadable: set[bytes] = set()
        """Fields of the outbox without a readable result, so that each is logged once."""

    async def close(self) -> None:
        """Disconnect."""
        await self._line.close()

    async def publish(self, record: MatchRecord, *, keep_s: int) -> None:
        """Record a finished match; recording it again changes nothing."""
        code, result = room_code(record.room), record.result or b""
        lists = (_key("list", name) for name in record.lists)
        keys = (_key("match", code), _key("rated", code), _OUTBOX, *lists)
        values = code, record.ended_ms, record.summary, keep_s, record.game, result
        await ask(self._line, script("record_match", keys, *values), is_durable=True)

    async def matches(self, *, game: str | None, player: str | None, before: int | None, limit: int) -> list[bytes]:
        """Return the summaries of listed matches, the newest first, from the one after *before* on."""
        key = _key("list", list_name(game, player))
        first = 0
        if before is not None:
            (rank,) = await ask(self._line, ("ZREVRANK", key, room_code(before)))
            if rank is None:
                return []
            first = as_number(rank) + 1
        (codes,) = await ask(self._line, ("ZREVRANGE", key, first, first + limit - 1))
        keys = [_key("match", as_text(code)) for code in as_items(codes)]
        if not keys:
            return []
        (summaries,) = await ask(self._line, ("MGET", *keys))
        return [as_bytes(summary) for summary in as_items(summaries) if summary is not None]

    async def results(self) -> AsyncIterator[Result]:
        """Iterate over the results that are not counted yet, page by page; unreadable ones are skipped."""
        cursor = 0
        while True:
            (reply,) = await ask(self._line, ("HSCAN", _OUTBOX, cursor, "COUNT", _PAGE))
            after, page = as_items(reply)
            pairs = as_items(page)
            for code, kept in zip(pairs[::2], pairs[1::2], strict=True):
                if (result := self._result(as_bytes(code), as_bytes(kept))) is not None:
                    yield result
            cursor = as_number(after)
            if cursor == 0:
                return

    async def ratings(self, ladder: str, players: Sequence[str]) -> list[bytes | None]:
        """Return the rating of each player on a ladder, None for an unrated player."""
        if not players:
            return []
        (reply,) = await ask(self._line, ("HMGET", _key("ratings", ladder), *players))
        return [None if rating is None else as_bytes(rating) for rating in as_items(reply)]

    async def rate(self, room: int, ladder: str, changes: Sequence[RatingChange], *, keep_s: int) -> bool:
        """Change the ratings of a match's players, once; False if a rating is no longer the one before the change."""
        keys = (_key("rated", room_code(room)), _OUTBOX, _key("ratings", ladder), _key("board", ladder))
        arguments = [
            part for change in changes for part in (change.player, change.before or b"", change.after, change.score)
        ]
        (done,) = await ask(
            self._line, script("rate_match", keys, room_code(room), keep_s, *arguments), is_durable=True
        )
        return done == 1

    async def ranking(self, ladder: str, *, offset: int, limit: int) -> tuple[int, list[tuple[str, bytes]]]:
        """Return the number of rated players, and some of them by score, the best first."""
        board = _key("board", ladder)
        size, best = await ask(self._line, ("ZCARD", board), ("ZREVRANGE", board, offset, offset + limit - 1))
        players = [as_text(player) for player in as_items(best)]
        ratings = await self.ratings(ladder, players)
        found = [(player, rating) for player, rating in zip(players, ratings, strict=True) if rating is not None]
        return as_number(size), found

    def _result(self, code: bytes, kept: bytes) -> Result | None:
        game, _, result = kept.partition(b" ")
        try:
            return Result(parse_room_code(code.decode()), game.decode(), result)
        except (RoomCodeError, UnicodeDecodeError) as error:
            if code not in self._unreadable:
                self._unreadable.add(code)
                logger.warning("result skipped key=%s field=%r reason=%r", _OUTBOX, code, str(error))
            return None


def _key(kind: str, name: str) -> str:
    """Return the key of a match, of the mark of a rated match, of a list, or of the ratings or board of a ladder."""
    return f"{_TAG}:{kind}:{name}"
