"""Reads the replies of Redis servers strictly: anything unexpected counts as an outage."""

from collections.abc import Sequence

from redis.exceptions import ResponseError

from warroom_server.adapters.redis.commands import Command, CommandSender, Reply
from warroom_server.adapters.redis.errors import trouble_of
from warroom_server.ports.store import UnavailableError


async def ask(
    line: CommandSender, *commands: Command, before: Sequence[Command] = (), is_durable: bool = False
) -> list[Reply]:
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
