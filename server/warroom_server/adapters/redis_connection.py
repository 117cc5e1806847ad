"""One connection to a Redis server, driven directly: many commands, one round trip, every reply in its place."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

import hiredis
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError, ResponseError

from warroom_server.ports import UnavailableError

Argument: TypeAlias = bytes | str | int
Command: TypeAlias = tuple[Argument, ...]
Reply: TypeAlias = "bytes | int | ResponseError | list[Reply] | None"

_URL_SETTINGS = {
    "connection_class", "db", "host", "password", "path", "port", "ssl_ca_certs", "ssl_cert_reqs", "ssl_certfile",
    "ssl_check_hostname", "ssl_keyfile", "ssl_password", "username",
}  # fmt: skip


class RedisConnection:
    """A connection that opens itself when it is needed and asks one group of commands at a time.

    Whatever is asked must be safe to ask twice: a connection that was open before and turns out to be cut is replaced
    and the group asked again, once. Whenever it is not certain that every reply was read, the connection is dropped, so
    that no reply can ever be taken for another's.
    """

    def __init__(self, url: str, *, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._connection, self.address = _from_url(url)
        self._lock = asyncio.Lock()

    async def ask(self, commands: Sequence[Command]) -> list[Reply]:
        """Return the replies in order, errors among them; raise `UnavailableError` if some reply is missing."""
        packed = [cast(bytes, hiredis.pack_command(command)) for command in commands]  # type: ignore[arg-type]
        async with self._lock:
            try:
                async with asyncio.timeout(self._timeout_s):
                    return await self._exchange_twice(packed)
            except TimeoutError as error:
                raise UnavailableError(f"{self.address} did not answer within {self._timeout_s:g} s") from error
            except (RedisError, OSError) as error:
                raise UnavailableError(f"{self.address}: {error}") from error

    async def close(self) -> None:
        """Disconnect; what is being asked finishes first."""
        async with self._lock:
            await self._connection.disconnect()

    async def _exchange_twice(self, packed: list[bytes]) -> list[Reply]:
        if self._connection.is_connected:
            try:
                return await self._exchange(packed)
            except (RedisError, ConnectionError):
                pass  # an idle connection may have been cut long ago: only a fresh one tells that the store is away
        await self._connection.connect()  # type: ignore[no-untyped-call]
        return await self._exchange(packed)

    async def _exchange(self, packed: list[bytes]) -> list[Reply]:
        is_whole = False
        try:
            await self._connection.send_packed_command(packed, check_health=False)
            replies = [await self._read() for _ in packed]
            is_whole = True
            return replies
        finally:
            if not is_whole:
                await self._connection.disconnect(nowait=True)

    async def _read(self) -> Reply:
        try:
            return cast(Reply, await self._connection.read_response())
        except ResponseError as error:
            return error


def _from_url(url: str) -> tuple[AbstractConnection, str]:
    """Return a connection for *url* and what to call it where a password must not show."""
    settings = dict(parse_url(url))
    if unknown := sorted(settings.keys() - _URL_SETTINGS):
        raise ValueError(f"{', '.join(unknown)} cannot be set in the URL of a store")
    build = cast(Callable[..., AbstractConnection], settings.pop("connection_class", Connection))
    # Retries stay off, since a retry of redis-py is one we would not know of; the time limit is ours, for the group.
    connection = build(**settings, protocol=2, socket_timeout=None, socket_connect_timeout=None, driver_info=None)
    if path := settings.get("path"):
        return connection, f"the store at {path}"
    return connection, f"the store at {settings.get('host', 'localhost')}:{settings.get('port', 6379)}"
