"""One connection to a Redis server, driven directly: many commands, one round trip, every reply in its place."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol, TypeAlias, cast

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AskError, NoScriptError, RedisError, ResponseError, TryAgainError

from warroom_server.adapters.redis.address import Place
from warroom_server.adapters.redis.checks import parse_info, replicas_online
from warroom_server.adapters.redis.command_sender import Command, Reply, Wait
from warroom_server.adapters.redis.errors import is_of_wrong_type, unavailable
from warroom_server.adapters.redis.script import SCRIPT_LOADS
from warroom_server.ports.store import StoreError, Trouble, UnavailableError, UnsuitableStoreError

logger = logging.getLogger(__name__)

Inspect: TypeAlias = Callable[[Mapping[str, str]], None]
"""Checks what a server says of itself, and raises `UnsuitableStoreError` if it must not be used."""

CLOSE_WITHIN_S = 0.5
INSPECT_EVERY_S = 5.0
"""How often a server is inspected again whose connection stays open."""


def _packed(command: Command) -> bytes:
    return cast(bytes, hiredis.pack_command(command))  # type: ignore[arg-type]


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


class ServerConnection:
    """A connection to one server that opens itself when it is needed and asks one group of commands at a time.

    It loads our scripts into a server that does not know them. Every command must be safe to send twice: a connection
    that turns out to be cut is replaced and the group sent again, once. If it is not certain that every reply was read,
    the connection is dropped, so that no reply can be taken for that of another command.

    *on_replaced* is called, with what identifies the server, when an inspected server turns out to be another process
    than before, or to have become a primary anew, and for the first connection to one that *is_successor* of another:
    it may lack writes. A connection that was cut alone loses nothing, and is not reported.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        timeout_s: float,
        inspect: Inspect | None = None,
        on_replaced: Callable[[str], None] = lambda _: None,
        is_successor: bool = False,
        wait: Wait | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._timeout_s = timeout_s
        self._inspect = inspect
        self._on_replaced = on_replaced
        self._wait = wait or Wait()
        self._replicas = self._wait.replicas or 0
        """How many replicas to wait for."""
        self._info: Mapping[str, str] = {}
        """What the server said of itself the last time, if it is inspected."""
        self._connection: AbstractConnection | None = None
        self._openings = 0
        self._history: str | None = "another server's" if is_successor else None
        """What tells the server, with all that it has, from another; None before the first inspection."""
        self._inspect_at_s = 0.0
        self._lock = asyncio.Lock()
        self._silences = 0
        """How often the server did not answer in time; questions that waited for that answer fail with it."""

    @property
    def address(self) -> str:
        """What to call the server."""
        return self._endpoint.name

    async def ask(
        self, commands: Sequence[Command], *, before: Sequence[Command] = (), is_durable: bool = False
    ) -> list[Reply]:
        """Return the replies in order, errors among them; raise `UnavailableError` if some reply is missing.

        A durable group of commands waits for replicas; if too few have it all, that is such an error.
        """
        packed = [_packed(command) for command in (*before, *commands)]
        replies = await self._ask(packed, is_durable=is_durable)
        if any(isinstance(reply, NoScriptError) for reply in replies):
            loads = [_packed(command) for command in SCRIPT_LOADS]
            replies = (await self._ask([*loads, *packed], is_durable=is_durable))[len(loads) :]
        if len(replies) > len(packed):
            self._count_replicas(replies.pop())
        if any(map(_is_refusal, replies)):
            # The next question opens a new connection: this one may lead to a server that is no longer the primary.
            await self.close()
        return replies

    def primary_of(self, key: str) -> str:
        """Return nothing: there is only one server."""
        return ""

    async def touch(self) -> None:
        """Ask the server whether it is there."""
        await self._ask([_packed(("PING",))], is_durable=False)

    async def _ask(self, packed: list[bytes], *, is_durable: bool) -> list[Reply]:
        silences = self._silences
        try:
            async with self._lock:
                if self._silences > silences:
                    # Otherwise all who wait for a server that hangs would wait for the time limit one after another.
                    raise self._silence()
                async with asyncio.timeout(self._timeout_s):
                    return await self._exchange_twice(packed, is_durable=is_durable)
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

    async def _exchange_twice(self, packed: list[bytes], *, is_durable: bool) -> list[Reply]:
        if self._connection is not None and self._connection.is_connected:
            is_due = self._inspect is not None and asyncio.get_running_loop().time() >= self._inspect_at_s
            group = [*packed, *self._wait_command(is_durable=is_durable)]
            try:
                if not is_due:
                    return await self._exchange(self._connection, group)
                *replies, info = await self._exchange(self._connection, [*group, _INFO])
            except (RedisError, OSError):
                pass  # an idle connection may have been cut long ago: only a fresh one tells that the store is away
            else:
                await self._look_at(info)
                return replies
        connection = await self._open()
        # Only now it is known which server this is, and whether it has replicas.
        return await self._exchange(connection, [*packed, *self._wait_command(is_durable=is_durable)])

    def _wait_command(self, *, is_durable: bool) -> list[bytes]:
        is_needed = is_durable and self._replicas > 0
        return [_packed(("WAIT", self._replicas, self._wait.timeout_ms))] if is_needed else []

    def _count_replicas(self, reply: Reply) -> None:
        """Check how many replicas had everything in time."""
        if isinstance(reply, int) and reply >= self._replicas:
            return
        said = f"{reply!r} of {self._replicas} replicas had it within {self._wait.timeout_ms} ms"
        if self._wait.replicas is not None:
            raise UnavailableError(f"{self.address}: {said}", Trouble.REPLICAS)
        logger.warning("replicas late store=%r reason=%r", self.address, said)
        self._replicas = 0

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
        self._info = parse_info(cast(bytes, info).decode())
        try:
            self._inspect(self._info)
        except StoreError:
            await self._drop()
            raise
        if self._wait.replicas is None:
            self._replicas = min(replicas_online(self._info), 1)
        self._recognise()

    def _recognise(self) -> None:
        """Notice it if the server is not the one that it was."""
        # A server that does not tell who it is may be another one behind each connection.
        process = self._info.get("run_id") or f"unknown, connection {self._openings}"
        before, self._history = self._history, f"{process} {self._info.get('master_replid', '')}"
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


def _is_refusal(reply: Reply) -> bool:
    """Whether the server cannot run a command; it is fine if it gave the key away, or the key was overwritten."""
    is_well = isinstance(reply, AskError | TryAgainError) or is_of_wrong_type(reply)
    return isinstance(reply, ResponseError) and not is_well
