"""Commands for Redis servers, and what sends them."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct
from redis.exceptions import ResponseError

Argument: TypeAlias = bytes | str | int
Command: TypeAlias = tuple[Argument, ...]
Reply: TypeAlias = "bytes | int | ResponseError | list[Reply] | None"


class Wait(Struct, frozen=True):
    """How many replicas must have a write before it counts (None: one, if there is any), and how long to wait.

    A number is a demand: too few replicas are an outage. None is a wish: a write that no replica has in time counts all
    the same, and replicas are not waited for again until the server is inspected the next time.
    """

    replicas: int | None = None
    timeout_ms: int = 500


class CommandSender(Protocol):
    """Sends commands to a store, which is one server or a cluster."""

    @property
    def address(self) -> str:
        """What to call the store."""
        ...

    async def ask(
        self, commands: Sequence[Command], *, before: Sequence[Command] = (), is_durable: bool = False
    ) -> list[Reply]:
        """Return the replies in order, errors among them; raise `UnavailableError` if some reply is missing.

        The commands for one server run in order, those for different servers at the same time; all of *before*, whose
        replies come first, runs before any other. A durable group of commands waits for replicas.
        """
        ...

    def primary_of(self, key: str) -> str:
        """Return the name of the server that has *key*, as far as it is known; empty if there is only one."""
        ...

    async def touch(self) -> None:
        """Open a connection to every server, so that each of them is inspected."""
        ...

    async def close(self) -> None:
        """Disconnect; the next question opens a new connection."""
        ...
