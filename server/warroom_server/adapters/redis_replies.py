"""What a Redis server answers, read strictly: anything unexpected means that the store cannot serve us now."""

from collections.abc import Sequence

from redis.exceptions import NoScriptError, ResponseError

from warroom_server.adapters.redis_connection import Command, RedisConnection, Reply
from warroom_server.adapters.redis_script import SCRIPT_LOADS
from warroom_server.ports import UnavailableError


async def ask(connection: RedisConnection, *commands: Command) -> list[Reply]:
    """Ask, and take any error among the replies for the store's being unable to serve us now.

    The next question opens a new connection: the old one may lead to a server that is no longer the primary.
    """
    replies = await ask_loosely(connection, commands)
    try:
        return [sound(reply) for reply in replies]
    except UnavailableError:
        await connection.close()
        raise


async def ask_loosely(connection: RedisConnection, commands: Sequence[Command]) -> list[Reply]:
    """Ask, and teach the server our scripts if it does not know them; errors stand among the replies."""
    replies = await connection.ask(commands)
    if any(isinstance(reply, NoScriptError) for reply in replies):
        replies = (await connection.ask([*SCRIPT_LOADS, *commands]))[len(SCRIPT_LOADS) :]
    return replies


def sound(reply: Reply) -> Reply:
    """Return a reply that is no error."""
    if isinstance(reply, ResponseError):
        raise UnavailableError(f"{type(reply).__name__}: {reply}") from reply
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
