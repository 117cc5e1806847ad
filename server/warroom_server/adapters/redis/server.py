"""The ways to ask a store that is one server: through a connection of its own, with our scripts, with its replicas."""

import logging
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct
from redis.exceptions import AskError, NoScriptError, ResponseError, TryAgainError

from warroom_server.adapters.redis.checks import replicas_online
from warroom_server.adapters.redis.connection import Command, RedisConnection, Reply
from warroom_server.adapters.redis.errors import is_of_wrong_type
from warroom_server.adapters.redis.script import SCRIPT_LOADS
from warroom_server.ports.store import Trouble, UnavailableError

logger = logging.getLogger(__name__)


class Wait(Struct, frozen=True):
    """How many replicas have to have a write before it counts (None: one, where there is any), and how long to wait.

    A number is a demand: too few replicas are trouble like any other. None is a wish: what no replica has in time
    counts all the same, and they are not waited for again until the server is inspected the next time.
    """

    replicas: int | None = None
    timeout_ms: int = 500


class CommandSender(Protocol):
    """A way to ask a store."""

    @property
    def address(self) -> str:
        """What to call the store."""
        ...

    async def ask(
        self, commands: Sequence[Command], *, before: Sequence[Command] = (), is_durable: bool = False
    ) -> list[Reply]:
        """Return the replies in order, errors among them; raise `UnavailableError` if some reply is missing.

        The commands for one server are done in order, those for different ones at the same time; all of *before*, whose
        replies come first, is done before any other. What is *is_durable* waits for replicas.
        """
        ...

    def primary_of(self, key: str) -> str:
        """Return the name of the server that has *key*, as far as it is known; empty if there is but one."""
        ...

    async def touch(self) -> None:
        """Open a connection to every server, so that each of them is inspected."""
        ...

    async def close(self) -> None:
        """Disconnect; the next question opens a new connection."""
        ...


class ServerConnection:
    """Asks one server: teaches it our scripts when it does not know them, and waits for its replicas when told to."""

    def __init__(self, connection: RedisConnection, wait: Wait) -> None:
        self._connection = connection
        self._wait = wait
        self._counted: tuple[object, int] = (None, 0)
        """What the server said of itself, and for how many replicas to wait while it says no other thing."""

    @property
    def address(self) -> str:
        """What to call the server."""
        return self._connection.address

    async def ask(
        self, commands: Sequence[Command], *, before: Sequence[Command] = (), is_durable: bool = False
    ) -> list[Reply]:
        """Return the replies in order, errors among them; raise `UnavailableError` if too few replicas have it all."""
        if before:
            commands = [*before, *commands]
        tail = self._wait_command if is_durable else _nothing
        replies = await self._connection.ask(commands, tail)
        if any(isinstance(reply, NoScriptError) for reply in replies):
            replies = (await self._connection.ask([*SCRIPT_LOADS, *commands], tail))[len(SCRIPT_LOADS) :]
        if len(replies) > len(commands):
            self._count(replies.pop())
        if any(map(_is_refusal, replies)):
            # The next question opens a new connection: this one may lead to a server that is no longer the primary.
            await self.close()
        return replies

    def primary_of(self, key: str) -> str:
        """Return nothing: there is but one server."""
        return ""

    async def touch(self) -> None:
        """Ask the server whether it is there."""
        await self._connection.ask([("PING",)])

    async def close(self) -> None:
        """Disconnect."""
        await self._connection.close()

    def _wait_command(self) -> Command | None:
        """Return what waits for the replicas of the server that is connected now; None if it has none."""
        wanted = self._wanted()
        return ("WAIT", wanted, self._wait.timeout_ms) if wanted else None

    def _wanted(self) -> int:
        if self._wait.replicas is not None:
            return self._wait.replicas
        info = self._connection.info
        if info is not self._counted[0]:
            self._counted = (info, min(replicas_online(info), 1))
        return self._counted[1]

    def _count(self, reply: Reply) -> None:
        """Take note of how many replicas had everything in time."""
        wanted = self._wanted()
        if isinstance(reply, int) and reply >= wanted:
            return
        said = f"{reply!r} of {wanted} replicas had it within {self._wait.timeout_ms} ms"
        if self._wait.replicas is not None:
            raise UnavailableError(f"{self.address}: {said}", Trouble.REPLICAS)
        logger.warning("replicas late store=%r reason=%r", self.address, said)
        self._counted = (self._connection.info, 0)


def _is_refusal(reply: Reply) -> bool:
    """Whether a server cannot do what it was asked for; one that gave a key away can, or one whose key is spoilt."""
    is_well = isinstance(reply, AskError | TryAgainError) or is_of_wrong_type(reply)
    return isinstance(reply, ResponseError) and not is_well


def _nothing() -> None:
    """Wait for nobody."""
