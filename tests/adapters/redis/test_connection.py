"""One connection that many ask through: for how long they wait for each other, and what becomes of who gives up."""

import asyncio
from collections.abc import Iterator

import pytest
from redis_server import RedisServer, redis_server

from warroom_server.adapters.redis.address import Place, parse_address
from warroom_server.adapters.redis.command_sender import Command
from warroom_server.adapters.redis.connection import ServerConnection
from warroom_server.ports.store import Trouble, UnavailableError

BRIEF_S = 0.2
PATIENT_S = 30.0


class Threshold:
    """The way to a server, which a test opens."""

    def __init__(self, server: RedisServer) -> None:
        self.is_open = asyncio.Event()
        (self._place,) = parse_address(server.url).places

    async def locate(self) -> Place:
        """Return the server, once there is a way to it."""
        await self.is_open.wait()
        return self._place


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


def echo(word: str) -> list[Command]:
    return [("ECHO", word)]


async def test_who_waits_behind_others_gives_up_when_they_do(server: RedisServer) -> None:
    threshold = Threshold(server)
    connection, another = (ServerConnection("the server", threshold.locate, timeout_s=BRIEF_S) for _ in range(2))
    asked = [asyncio.create_task(connection.ask(echo("early"))) for _ in range(5)]
    await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    with pytest.raises(UnavailableError):
        await another.ask(echo("later than all of them"))
    assert all(task.done() for task in asked)
    failures = [task.exception() for task in asked]
    assert [failure.trouble for failure in failures if isinstance(failure, UnavailableError)] == [Trouble.SLOW] * 5


async def test_who_waits_behind_others_that_are_answered_waits_for_as_long_as_that_takes(server: RedisServer) -> None:
    threshold = Threshold(server)
    threshold.is_open.set()
    connection = ServerConnection("the server", threshold.locate, timeout_s=2.0)
    slow: list[Command] = [("BLPOP", "nothing", "0.3")]
    assert await asyncio.gather(*(connection.ask(slow) for _ in range(8))) == [[None]] * 8
    await connection.close()


async def test_who_gives_up_while_others_ask_leaves_the_connection_to_them(server: RedisServer) -> None:
    threshold = Threshold(server)
    connection = ServerConnection("the server", threshold.locate, timeout_s=PATIENT_S)
    first, second, third = (asyncio.create_task(connection.ask(echo(word))) for word in ("1", "2", "3"))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait([second])
    threshold.is_open.set()
    assert [await first, await third, await connection.ask(echo("4"))] == [[b"1"], [b"3"], [b"4"]]
    await connection.close()
