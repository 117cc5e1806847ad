"""One connection to a Redis server, driven directly: many commands, one round trip, every reply in its place."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, cast

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AskError, NoScriptError, RedisError, ResponseError, TryAgainError

from warroom_server.adapters.redis.address import Place
from warroom_server.adapters.redis.checks import parse_info, replicas_online
from warroom_server.adapters.redis.command_sender import SCRIPT_LOADS, Command, Commands, Reply, Wait
from warroom_server.adapters.redis.errors import is_of_wrong_type, unavailable
from warroom_server.ports.store import Trouble, UnavailableError

logger = logging.getLogger(__name__)

OnReplaced: TypeAlias = Callable[[str], None]
"""Is given what identifies the new server."""
Locate: TypeAlias = Callable[[], Awaitable[Place]]
"""Returns the server to connect to now, or raises `UnavailableError` if there is none."""
Inspect: TypeAlias = Callable[[Mapping[str, str], str], None]
"""Checks what the server of this name says of itself; raises `UnavailableError` if it must not be used, or not yet."""

INSPECT_EVERY_S = 5.0
"""How often a server is inspected again whose connection stays open."""


_packed: Callable[[Command], bytes] = hiredis.pack_command  # type: ignore[assignment]
"""Return the bytes of a command."""
_INFO = _packed(("INFO",))


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
        address: str,
        locate: Locate,
        *,
        timeout_s: float,
        inspect: Inspect | None = None,
        on_replaced: OnReplaced = lambda _: None,
        is_successor: bool = False,
        wait: Wait | None = None,
    ) -> None:
        self.address = address
        """What to call the server where a password must not show."""
        self._locate = locate
        self._timeout_s = timeout_s
        self._inspect = inspect
        self._on_replaced = on_replaced
        self._wait = wait or Wait()
        self._replicas = self._wait.replicas or 0
        """How many replicas to wait for."""
        self._connection: AbstractConnection | None = None
        self._openings = 0
        self._history: str | None = "another server's" if is_successor else None
        """What tells the server, with all that it has, from another; None before the first inspection."""
        self._inspect_at_s = 0.0
        self._lock = asyncio.Lock()
        self._silences = 0
        """How often the server did not answer in time; questions that waited for that answer fail with it."""

    async def ask(self, commands: Commands, *, before: Commands = (), is_durable: bool = False) -> list[Reply]:
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
        except (RedisError, OSError) as error:
            raise unavailable(self.address, error) from error

    def _silence(self) -> UnavailableError:
        return UnavailableError(f"{self.address} did not answer within {self._timeout_s:g} s", Trouble.SLOW)

    async def close(self) -> None:
        """Disconnect; what is being asked finishes first."""
        async with self._lock:
            await self._drop()

    async def _exchange_twice(self, packed: list[bytes], *, is_durable: bool) -> list[Reply]:
        if self._connection is not None and self._connection.is_connected:
            is_due = self._inspect is not None and asyncio.get_running_loop().time() >= self._inspect_at_s
            group = [*packed, *self._wait_command(is_durable=is_durable), *([_INFO] if is_due else [])]
            try:
                replies = await self._exchange(self._connection, group)
            except (RedisError, OSError):
                pass  # an idle connection may have been cut long ago: only a fresh one tells that the store is away
            else:
                if is_due:
                    await self._look_at(replies.pop())
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
        connection = self._connection = (await self._locate()).connection()
        await connection.connect()  # type: ignore[no-untyped-call]
        self._openings += 1
        if self._inspect is not None:
            (info,) = await self._exchange(connection, [_INFO])
            await self._look_at(info)
        return connection

    async def _look_at(self, reply: Reply) -> None:
        """Inspect the server, and drop the connection if it is no good."""
        if isinstance(reply, ResponseError):
            await self._drop()
            raise reply
        assert self._inspect is not None, "somebody asked for it"
        self._inspect_at_s = asyncio.get_running_loop().time() + INSPECT_EVERY_S
        info = parse_info(cast(bytes, reply).decode())
        try:
            self._inspect(info, self.address)
        except UnavailableError:
            await self._drop()
            raise
        if self._wait.replicas is None:
            self._replicas = min(replicas_online(info), 1)
        self._recognise(info)

    def _recognise(self, info: Mapping[str, str]) -> None:
        """Notice it if the server is not the one that it was."""
        # A server that does not tell who it is may be another one behind each connection.
        process = info.get("run_id") or f"unknown, connection {self._openings}"
        before, self._history = self._history, f"{process} {info.get('master_replid', '')}"
        if before not in (None, self._history):
            self._on_replaced(self._history)

    async def _exchange(self, connection: AbstractConnection, packed: list[bytes]) -> list[Reply]:
        try:
            await connection.send_packed_command(packed, check_health=False)
            return [await self._read(connection) for _ in packed]
        except BaseException:
            await connection.disconnect(nowait=True)
            raise

    async def _read(self, connection: AbstractConnection) -> Reply:
        try:
            reply: Reply = await connection.read_response()
        except ResponseError as error:
            return error
        return reply

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.disconnect(nowait=True)


def _is_refusal(reply: Reply) -> bool:
    """Whether the server cannot run a command; it is fine if it gave the key away, or the key was overwritten."""
    is_well = isinstance(reply, AskError | TryAgainError) or is_of_wrong_type(reply)
    return isinstance(reply, ResponseError) and not is_well
