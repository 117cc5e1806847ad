"""Commands for Redis servers, Lua scripts among them, what sends them, and strict readers of their replies.

Anything unexpected in a reply counts as an outage.
"""

from collections.abc import Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Final, Protocol, TypeAlias

from msgspec import Struct
from redis.exceptions import ResponseError

from warroom_server.adapters.redis.errors import trouble_of
from warroom_server.ports.store import UnavailableError

Argument: TypeAlias = bytes | str | int
Command: TypeAlias = tuple[Argument, ...]
Commands: TypeAlias = Sequence[Command]
Reply: TypeAlias = "bytes | int | ResponseError | list[Reply] | None"


_TEXTS: Final = {
    file.name.removesuffix(".lua"): file.read_text("utf-8")
    for file in files("warroom_server.adapters.redis.scripts").iterdir()
    if file.name.endswith(".lua")
}
_HASHES: Final = {name: sha1(text.encode(), usedforsecurity=False).hexdigest() for name, text in _TEXTS.items()}

SCRIPT_LOADS: Final[tuple[Command, ...]] = tuple(("SCRIPT", "LOAD", text) for text in _TEXTS.values())
"""The commands that teach a server every script; harmless to repeat."""


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

    async def ask(self, commands: Commands, *, before: Commands = (), is_durable: bool = False) -> list[Reply]:
        """Return the replies in order, errors among them; raise `UnavailableError` if some reply is missing.

        The commands for one server run in order, those for different servers at the same time; all of *before*, whose
        replies come first, runs before any other. A durable group of commands waits for replicas.
        """

    def primary_of(self, key: str) -> str:
        """Return the name of the server that has *key*, as far as it is known; empty if there is only one."""

    async def touch(self) -> None:
        """Open a connection to every server, so that each of them is inspected."""

    async def close(self) -> None:
        """Disconnect; the next question opens a new connection."""


def script(name: str, keys: Sequence[str], *arguments: Argument) -> Command:
    """Return the command that runs a script on a server that knows its text."""
    return ("EVALSHA", _HASHES[name], len(keys), *keys, *arguments)


async def ask(line: CommandSender, *commands: Command, before: Commands = (), is_durable: bool = False) -> list[Reply]:
    """Send commands and return their replies; an error among them is raised as `UnavailableError`."""
    if not commands:
        return []
    replies = await line.ask(commands, before=before, is_durable=is_durable)
    return [sound(reply) for reply in replies][len(before) :]


def sound(reply: Reply) -> Reply:
    """Return a reply that is not an error."""
    if isinstance(reply, ResponseError):
        raise UnavailableError(f"{type(reply).__name__}: {reply}", trouble_of(reply)) from reply
    return reply


def as_items(reply: Reply) -> list[Reply]:
    """Return a reply that is a list."""
    if not isinstance(reply, list):
        raise UnavailableError(f"expected a list from the store, got {reply!r}")
    return reply


def as_bytes(reply: Reply) -> bytes:
    """Return a reply that is text, as bytes."""
    if not isinstance(reply, bytes):
        raise UnavailableError(f"expected text from the store, got {reply!r}")
    return reply


def as_text(reply: Reply) -> str:
    """Return a reply that is text."""
    return as_bytes(reply).decode()


def as_number(reply: Reply) -> int:
    """Return a reply that is a number, written out or not."""
    return reply if isinstance(reply, int) else int(as_bytes(reply))
