"""The way of commands and replies on an open connection to a Redis server."""

import asyncio
from collections.abc import Sequence
from typing import Final, cast

import hiredis
from redis.asyncio.connection import AbstractConnection, DefaultParser
from redis.exceptions import ConnectionError as LostError
from redis.exceptions import InvalidResponse, RedisError

from warroom_server.adapters.redis.address import Place
from warroom_server.adapters.redis.command_sender import Reply

_INCOMPLETE: Final = object()


class Pipeline(asyncio.Protocol):
    """Writes one group of commands at a time, and gathers its replies as they arrive.

    redis-py opens the connection, with TLS, password and database. From then on its transport is used directly: to
    await each reply through redis-py would cost more than to prepare the entry that it confirms.
    """

    def __init__(self, connection: AbstractConnection) -> None:
        writer = connection._writer
        assert writer is not None, "the connection is open"
        self._connection = connection
        self._transport = cast(asyncio.Transport, writer.transport)
        self._reader = hiredis.Reader(
            protocolError=InvalidResponse, replyError=DefaultParser.parse_error, notEnoughData=_INCOMPLETE
        )
        self._replies: list[Reply] = []
        self._expected = 0
        self._answered: asyncio.Future[list[Reply]] | None = None
        self._transport.set_protocol(self)

    @property
    def is_open(self) -> bool:
        """Whether commands can be written."""
        return not self._transport.is_closing()

    async def ask(self, packed: Sequence[bytes]) -> list[Reply]:
        """Return the replies to a group of commands; if some are missing, raise why and close the connection."""
        answered: asyncio.Future[list[Reply]] = asyncio.get_running_loop().create_future()
        self._answered = answered
        self._replies, self._expected = [], len(packed)
        self._transport.write(b"".join(packed))
        try:
            return await answered
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Disconnect."""
        await self._connection.disconnect(nowait=True)

    def data_received(self, data: bytes) -> None:
        """Gather replies; the last one ends the wait for them."""
        answered = self._answered
        if answered is None or answered.done():
            return
        try:
            self._reader.feed(data)
            is_complete = self._take_replies()
        except (RedisError, MemoryError) as error:
            answered.set_exception(error)
        else:
            if is_complete:
                answered.set_result(self._replies)

    def _take_replies(self) -> bool:
        """Take what can be parsed; return whether every reply is there."""
        replies, read = self._replies, self._reader.gets
        while (reply := read()) is not _INCOMPLETE:
            if isinstance(reply, LostError):  # from a server that is loading, for example
                raise reply
            replies.append(reply)
        return len(replies) >= self._expected

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail what is being asked."""
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(exc or LostError("the server closed the connection"))


async def open_pipeline(place: Place) -> Pipeline:
    """Connect to a server."""
    connection = place.connection()
    try:
        await connection.connect()  # type: ignore[no-untyped-call]
    except BaseException:
        await connection.disconnect(nowait=True)
        raise
    return Pipeline(connection)
