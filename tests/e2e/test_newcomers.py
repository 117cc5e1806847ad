"""Newcomers to rooms whose node has lost its store: each is answered within seconds, and gets in when it is back."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest
from cutting_proxy import CuttingProxy, cutting_proxy
from independent_client import Message, Stranger
from msgspec import Struct
from redis_server import RedisServer
from server_process import ServerProcess
from wait_until import until

from warroom_protocol import codes

ANSWER_S = 5.0
SEATS = 4
PASSING = {codes.STORE_UNAVAILABLE, codes.ROOM_MOVING}


class Loss(Struct, frozen=True):
    """How a node loses its store, and how it finds it again."""

    lose: Callable[[RedisServer, CuttingProxy], None]
    find: Callable[[RedisServer, CuttingProxy], None]


OWNER_ALONE = "silent to the owner alone"
LOSSES = {
    "hung": Loss(lambda redis, _: redis.signal(signal.SIGSTOP), lambda redis, _: redis.signal(signal.SIGCONT)),
    "gone": Loss(lambda redis, _: redis.kill(), lambda redis, _: redis.start()),
    OWNER_ALONE: Loss(lambda _, proxy: proxy.hold_replies(), lambda _, proxy: proxy.release_replies()),
}


class Newcomer(Struct, frozen=True):
    """Somebody who is connected to a node and has not entered a room yet that has a free seat."""

    person: Stranger
    room: int

    def join(self) -> tuple[float, Message]:
        """Ask to enter; return how long the answer took, and the answer."""
        began_s = time.monotonic()
        answer = self.person.ask("join", self.room)
        return time.monotonic() - began_s, answer

    def get_in(self) -> None:
        """Ask to enter until that is granted, or refused for good."""
        deadline_s = time.monotonic() + 30
        while (answer := self.join()[1])[0] != "joined":
            assert answer[2] in PASSING, answer
            assert time.monotonic() < deadline_s, answer
            time.sleep(0.05)


@pytest.fixture
def come() -> Iterator[Callable[[ServerProcess, str], Stranger]]:
    """Return what connects people; all hang up after the test."""
    with ExitStack() as lines:
        yield lambda server, name: lines.enter_context(closing(Stranger(server.url, name)))


def _gather(
    owner: ServerProcess, edge: ServerProcess, come: Callable[[ServerProcess, str], Stranger]
) -> list[list[Newcomer]]:
    """Return twice one newcomer on each node, and one to a room that is known on the other node already."""
    ada, eve = come(owner, "Ada"), come(edge, "Eve")
    rooms = [ada.ask("create", "graph_battle", SEATS, {}, {})[2] for _ in range(3)]
    for room in rooms:
        assert ada.ask("join", room)[0] == "joined"
    assert eve.ask("watch", rooms[-1])[0] == "joined"
    return [
        [Newcomer(come(node, "New"), room) for node, room in zip((owner, edge, edge), rooms, strict=True)]
        for _ in range(2)
    ]


@pytest.mark.parametrize("loss", ["hung", pytest.param("gone", marks=pytest.mark.long), OWNER_ALONE])
async def test_newcomers_are_answered_while_the_store_is_away_and_get_in_when_it_is_back(
    new_server: Callable[..., ServerProcess],
    come: Callable[[ServerProcess, str], Stranger],
    redis: RedisServer,
    loss: str,
) -> None:
    async with cutting_proxy(redis.port) as (proxy, port):
        owner = new_server("--redis", f"redis://127.0.0.1:{port if loss == OWNER_ALONE else redis.port}")
        edge = new_server("--redis", redis.url)
        for node in (owner, edge):
            await asyncio.to_thread(node.start)
        early, late = await asyncio.to_thread(_gather, owner, edge, come)
        LOSSES[loss].lose(redis, proxy)
        joins = [asyncio.create_task(asyncio.to_thread(newcomer.join)) for newcomer in early]
        await until(lambda: "lease lost" in owner.log)
        joins += [asyncio.create_task(asyncio.to_thread(newcomer.join)) for newcomer in late]
        answers = await asyncio.gather(*joins)
        assert max(took_s for took_s, _ in answers) < ANSWER_S, answers
        assert all(answer[0] == "joined" or answer[2] in PASSING for _, answer in answers), answers
        LOSSES[loss].find(redis, proxy)
        await asyncio.gather(*(asyncio.to_thread(newcomer.get_in) for newcomer in (*early, *late)))
        owner.kill()
