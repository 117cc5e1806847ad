"""The inspector's connections: threads of its own answer, within limits, and the loop goes on."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from manual_time import ManualTime
from sealed_bids import Options, SealedBids, State
from small_node import NotedConnection
from wait_until import until

from warroom_games.registry import Registry
from warroom_games.rng import Rng
from warroom_protocol.codes import CLOSE_INTERNAL
from warroom_server.web.inspector import LIMIT_MS, MOST_HELD, MOST_OVERDUE, THREADS, Inspector


class Gated(SealedBids):
    """Begins a match when a test wants it."""

    def __init__(self) -> None:
        self.gate = Event()
        self.begun: list[int] = []
        """The seats of the matches."""

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Wait for the gate; then begin, or end the thread."""
        self.begun.append(seats)
        assert self.gate.wait(20)
        if seats == 4:
            raise SystemExit
        return super().setup(seats, options, rng)


class Bench:
    """An inspector of such a game, in time that a test advances."""

    def __init__(self, game: Gated) -> None:
        self.game = game
        self.time = ManualTime()
        self.inspector = Inspector(Registry([game]), self.time)
        self._count = 0

    def connect(self) -> NotedConnection:
        """Open a connection."""
        self._count += 1
        connection = NotedConnection(self._count)
        self.inspector.opened(connection)
        return connection

    def ask(self, connection: NotedConnection, ref: int, *, seats: int = 2) -> None:
        """Ask for the first step of a match, for which the game's gate must be open."""
        asked = {"type": "show", "ref": ref, "match": {"game": "sealed_bids", "seats": seats}, "first": 0, "last": 0}
        assert self.inspector.received(connection, json.dumps(asked).encode(), 0, 0) > 0

    async def begun(self, number: int) -> None:
        """Wait until the rules were asked so often."""
        await until(lambda: len(self.game.begun) == number)

    async def overrun(self) -> None:
        """Ask a question that exceeds the limit in time."""
        connection, before = self.connect(), len(self.game.begun)
        self.ask(connection, 1)
        await self.begun(before + 1)
        self.time.advance(LIMIT_MS)
        assert connection.closed == CLOSE_INTERNAL


@pytest.fixture
def bench() -> Iterator[Bench]:
    game = Gated()
    yield Bench(game)
    game.gate.set()


def heard(connection: NotedConnection) -> list[Any]:
    return [json.loads(frame) for frame in connection.frames]


def refs(connection: NotedConnection) -> list[int]:
    return [answer["ref"] for answer in heard(connection)]


async def test_slow_rules_keep_nobody_else_waiting(bench: Bench) -> None:
    ada, bob = bench.connect(), bench.connect()
    bench.ask(ada, 5)
    bench.inspector.received(bob, b"?", 0, 0)
    await until(lambda: len(bob.frames) == 1)
    assert heard(bob)[0]["code"] == "message.malformed"
    assert ada.frames == []
    bench.game.gate.set()
    await until(lambda: len(ada.frames) == 1)
    assert heard(ada)[0]["ref"] == 5


async def test_one_question_of_a_connection_is_asked_at_a_time_and_all_get_their_answer(bench: Bench) -> None:
    ada, bob = bench.connect(), bench.connect()
    for ref in range(MOST_HELD + 1):
        bench.ask(ada, ref)
    await bench.begun(1)
    bench.inspector.received(bob, b"?", 0, 0)
    await until(lambda: len(bob.frames) == 1)
    assert len(bench.game.begun) == 1
    bench.game.gate.set()
    await until(lambda: len(ada.frames) == MOST_HELD + 1)
    assert refs(ada) == list(range(MOST_HELD + 1))
    assert ada.closed is None


async def test_too_many_waiting_questions_close_the_connection_with_a_clear_error(bench: Bench) -> None:
    ada = bench.connect()
    for ref in range(MOST_HELD + 2):
        bench.ask(ada, ref)
    text = "more than 16 questions of this connection wait"
    assert heard(ada) == [{"type": "refused", "ref": None, "code": "inspector.busy", "text": text}]
    assert ada.closed == CLOSE_INTERNAL


async def test_connections_take_turns(bench: Bench) -> None:
    lines = [bench.connect() for _ in range(THREADS + 1)]
    for ref in range(3):
        for line in lines[:-1]:
            bench.ask(line, ref)
    bench.ask(lines[-1], 7, seats=3)
    await bench.begun(THREADS)
    bench.game.gate.set()
    await until(lambda: refs(lines[-1]) == [7])
    assert 3 in bench.game.begun[: THREADS + 2]


async def test_questions_of_a_closed_connection_are_dropped(bench: Bench) -> None:
    ada, bob = bench.connect(), bench.connect()
    for ref in range(3):
        bench.ask(ada, ref)
    await bench.begun(1)
    bench.inspector.closed(ada)
    bench.game.gate.set()
    bench.ask(bob, 1)
    await until(lambda: refs(bob) == [1])
    assert len(bench.game.begun) == 2


async def test_rules_that_take_too_long_cost_the_connection_but_not_the_thread(bench: Bench) -> None:
    for _ in range(THREADS):
        await bench.overrun()
    bob = bench.connect()
    bench.inspector.received(bob, b"?", 0, 0)
    await until(lambda: len(bob.frames) == 1)
    ada = bench.connect()
    bench.ask(ada, 1)
    bench.time.advance(LIMIT_MS - 1)
    assert ada.closed is None
    bench.time.advance(1)
    assert heard(ada)[0]["text"] == "the rules took more than 30 s for this question"
    assert heard(ada)[0]["ref"] is None


async def test_a_closed_connection_frees_no_thread_before_its_rules_come_back(bench: Bench) -> None:
    for _ in range(THREADS):
        line = bench.connect()
        bench.ask(line, 1)
        bench.inspector.closed(line)
    await bench.begun(THREADS)
    bob = bench.connect()
    bench.ask(bob, 1)
    assert len(bench.game.begun) == THREADS
    bench.time.advance(LIMIT_MS)
    await bench.begun(THREADS + 1)
    assert bob.closed is None


async def test_after_a_few_such_questions_more_are_refused_until_one_comes_back(bench: Bench) -> None:
    for _ in range(MOST_OVERDUE):
        await bench.overrun()
    ada = bench.connect()
    bench.ask(ada, 1)
    assert heard(ada)[0]["text"] == "4 earlier questions still keep the rules busy; restart the server"
    assert ada.closed == CLOSE_INTERNAL
    assert len(bench.game.begun) == MOST_OVERDUE
    bench.game.gate.set()
    await until(lambda: bench.inspector._overdue == 0)
    bob = bench.connect()
    bench.ask(bob, 2)
    await until(lambda: refs(bob) == [2])


async def test_an_answer_in_time_stops_the_clock(bench: Bench) -> None:
    bench.game.gate.set()
    ada = bench.connect()
    bench.ask(ada, 1)
    await until(lambda: refs(ada) == [1])
    bench.time.advance(LIMIT_MS)
    bench.ask(ada, 2)
    await until(lambda: refs(ada) == [1, 2])
    assert ada.closed is None


async def test_rules_that_end_their_thread_are_an_error_like_others(bench: Bench) -> None:
    bench.game.gate.set()
    ada = bench.connect()
    bench.ask(ada, 1, seats=4)
    await until(lambda: len(ada.frames) == 1)
    assert heard(ada)[0]["code"] == "rules.failed"
    bench.ask(ada, 2)
    await until(lambda: refs(ada) == [None, 2])


async def test_the_loops_own_threads_stay_free(bench: Bench) -> None:
    with ThreadPoolExecutor(1) as pool:
        asyncio.get_running_loop().set_default_executor(pool)
        for _ in range(THREADS):
            bench.ask(bench.connect(), 1)
        await bench.begun(THREADS)
        assert await asyncio.wait_for(asyncio.to_thread(lambda: 7), 20) == 7
