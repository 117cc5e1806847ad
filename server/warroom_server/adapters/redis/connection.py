"""One connection to a Redis server, driven directly: many commands, one round trip, every reply in its place."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol, TypeAlias, cast

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError, ResponseError

from warroom_server.adapters.redis.address import Place
from warroom_server.adapters.redis.checks import parse_info
from warroom_server.adapters.redis.errors import unavailable
from warroom_server.ports.store import StoreError, Trouble, UnavailableError, UnsuitableStoreError

Argument: TypeAlias = bytes | str | int
Command: TypeAlias = tuple[Argument, ...]
Reply: TypeAlias = "bytes | int | ResponseError | list[Reply] | None"
Tail: TypeAlias = Callable[[], Command | None]
Inspect: TypeAlias = Callable[[Mapping[str, str]], None]
"""Looks at what a server says of itself, and raises `UnsuitableStoreError` if it must not be used."""

CLOSE_WITHIN_S = 0.5
INSPECT_EVERY_S = 5.0
"""How often a server is looked at again whose connection stays open."""


def _packed(command: Command) -> bytes:
    return cast(bytes, hiredis.pack_command(command))  # type: ignore[arg-type]


def _with_tail(packed: list[bytes], tail: Tail) -> list[bytes]:
    last = tail()
    return packed if last is None else [*packed, _packed(last)]


_INFO = _packed(("INFO",))


class Endpoint(Protocol):
    """Where a connection leads to."""

    @property
    def name(self) -> str:
        """What to call it where a password must not show."""
        ...

    async def locate(self) -> Place:
        """Return the server to connect to now; raise `UnavailableError` if there is none."""
        ...


class Fixed:
    """A server that stays where it is."""

    def __init__(self, place: Place, name: str = "") -> None:
        self.name = name or f"the store at {place.name}"
        self._place = place

    async def locate(self) -> Place:
        """Return the server."""
        return self._place


class RedisConnection:
    """A connection that opens itself when it is needed and asks one group of commands at a time.

    Whatever is asked must be safe to ask twice: a connection that was open before and turns out to be cut is replaced
    and the group asked again, once. Whenever it is not certain that every reply was read, the connection is dropped, so
    that no reply can ever be taken for another's.

    *on_replaced* is called, with what tells it from others, when an inspected server turns out to be another process
    than before, or to have become a primary anew, and for the first connection to one that *is_successor* of another:
    it may lack what that had. Where a connection alone was cut nothing is lost, and nobody is called.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        timeout_s: float,
        inspect: Inspect | None = None,
        on_replaced: Callable[[str], None] = lambda _: None,
        is_successor: bool = False,
    ) -> None:
        self.info: Mapping[str, str] = {}
        """What the server said of itself the last time, if it is inspected."""
        self._endpoint = endpoint
        self._timeout_s = timeout_s
        self._inspect = inspect
        self._on_replaced = on_replaced
        self._connection: AbstractConnection | None = None
        self._openings = 0
        self._history: str | None = "another server's" if is_successor else None
        """What tells the server, with all that it has, from another; None before it was asked for the first time."""
        self._inspect_at_s = 0.0
        self._lock = asyncio.Lock()
        self._silences = 0
        """How often the server did not answer in time; whoever had waited behind that question need not ask as well."""

    @property
    def address(self) -> str:
        """What to call the server."""
        return self._endpoint.name

    async def ask(self, commands: Sequence[Command], tail: Tail = lambda: None) -> list[Reply]:
        """Return the replies in order, errors among them; raise `UnavailableError` if some reply is missing.

        *tail* is asked for one more command, or None, once the server is known that the others go to.
        """
        packed, silences = [_packed(command) for command in commands], self._silences
        try:
            async with self._lock:
                if self._silences > silences:
                    # Else each who asks a server that hangs would wait for it anew, behind all who did before.
                    raise self._silence()
                async with asyncio.timeout(self._timeout_s):
                    return await self._exchange_twice(packed, tail)
        except TimeoutError as error:
            self._silences += 1
            raise self._silence() from error
        except UnsuitableStoreError as error:
            raise UnavailableError(str(error), Trouble.UNFIT) from error
        except (RedisError, OSError) as error:
            raise unavailable(self.address, error) from error

    def _silence(self) -> UnavailableError:
        return UnavailableError(f"{self.address} did not answer within {self._timeout_s:g} s", Trouble.SLOW)

    async def close(self) -> None:
        """Disconnect; what is being asked finishes first."""
        async with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                # A server that reads nothing any more would keep us waiting for ever.
                with suppress(TimeoutError):
                    async with asyncio.timeout(CLOSE_WITHIN_S):
                        await connection.disconnect()

    async def _exchange_twice(self, packed: list[bytes], tail: Tail) -> list[Reply]:
        if self._connection is not None and self._connection.is_connected:
            is_due = self._inspect is not None and asyncio.get_running_loop().time() >= self._inspect_at_s
            try:
                group = _with_tail(packed, tail)
                if not is_due:
                    return await self._exchange(self._connection, group)
                *replies, info = await self._exchange(self._connection, [*group, _INFO])
            except (RedisError, OSError):
                pass  # an idle connection may have been cut long ago: only a fresh one tells that the store is away
            else:
                await self._look_at(info)
                return replies
        connection = await self._open()
        return await self._exchange(connection, _with_tail(packed, tail))

    async def _open(self) -> AbstractConnection:
        await self._drop()
        place = await self._endpoint.locate()
        connection = self._connection = place.connection()
        await connection.connect()  # type: ignore[no-untyped-call]
        self._openings += 1
        if self._inspect is not None:
            (info,) = await self._exchange(connection, [_INFO])
            await self._look_at(info)
        return connection

    async def _look_at(self, info: Reply) -> None:
        """Inspect the server, and drop the connection if it is no good."""
        if isinstance(info, ResponseError):
            await self._drop()
            raise info
        assert self._inspect is not None, "somebody asked for it"
        self._inspect_at_s = asyncio.get_running_loop().time() + INSPECT_EVERY_S
        self.info = parse_info(cast(bytes, info).decode())
        try:
            self._inspect(self.info)
        except StoreError:
            await self._drop()
            raise
        self._recognise()

    def _recognise(self) -> None:
        """Notice it if the server is not the one that it was."""
        # A server that does not tell who it is may be another one behind each connection.
        process = self.info.get("run_id") or f"unknown, connection {self._openings}"
        before, self._history = self._history, f"{process} {self.info.get('master_replid', '')}"
        if before not in (None, self._history):
            self._on_replaced(self._history)

    async def _exchange(self, connection: AbstractConnection, packed: list[bytes]) -> list[Reply]:
        is_whole = False
        try:
            await connection.send_packed_command(packed, check_health=False)
            replies = [await self._read(connection) for _ in packed]
            is_whole = True
            return replies
        finally:
            if not is_whole:
                await connection.disconnect(nowait=True)

    async def _read(self, connection: AbstractConnection) -> Reply:
        try:
            return cast(Reply, await connection.read_response())
        except ResponseError as error:
            return error

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)
