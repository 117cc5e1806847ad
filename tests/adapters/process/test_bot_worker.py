"""The bot worker that a server keeps beside itself: started again whatever becomes of it, and ended with the server."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from processes import await_end
from wait_until import until

from warroom_server.adapters.process import bot_worker, kept_child
from warroom_server.adapters.process.bot_worker import EXPECTED_AFTER, BotWorker

PATIENCE_S = 30.0
NOWHERE = "ws://127.0.0.1:1/ws"


class Expectation:
    """Counts how often a worker was said to be on its way."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> None:
        self.count += 1


@asynccontextmanager
async def kept(program: str, *, url: str = NOWHERE, expect: Callable[[], None] | None = None) -> AsyncIterator[None]:
    """Keep a worker running for the length of a block."""
    worker = BotWorker(urls=[url], key="the key", think="0", expect=expect or Expectation(), program=program)
    worker.start()
    try:
        yield
    finally:
        async with asyncio.timeout(PATIENCE_S):
            await worker.stop()


def script(path: Path, body: str) -> str:
    """Make a program of a few lines of shell."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def lives(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what became of each worker, as the log tells it."""
    return [line.partition(" next_in_s")[0] for line in caplog.messages if line.startswith("bot worker")]


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_child, "PAUSES_S", (0.01,))


async def test_a_program_that_cannot_be_started_is_tried_again_until_it_can(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    program, started = tmp_path / "program", tmp_path / "started"
    async with kept(str(program)):
        await until(lambda: len(lives(caplog)) > 1)
        assert set(lives(caplog)) == {"bot worker cannot start reason=No such file or directory"}
        script(tmp_path / "new", f"touch {started}; read line")
        (tmp_path / "new").rename(program)
        await until(started.exists, within_s=PATIENCE_S)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_machine_without_processes_left_only_costs_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def none_left(*arguments: object, **more: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", none_left)
    async with kept(sys.executable):
        await until(lambda: len(lives(caplog)) > 2)
    assert set(lives(caplog)) == {"bot worker cannot start reason=Resource temporarily unavailable"}


async def test_a_bug_in_keeping_it_is_logged_and_harms_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def stumble(*arguments: object, **more: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", stumble)
    async with kept(sys.executable):
        await until(lambda: bool(caplog.messages))
    assert caplog.messages == ["bot worker is not kept running any more"]


async def test_a_worker_that_ends_is_started_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with kept(script(tmp_path / "program", "exit 3")):
        await until(lambda: len(lives(caplog)) > 2, within_s=PATIENCE_S)
    assert set(lives(caplog)) == {"bot worker ended code=3"}


async def test_it_is_expected_at_its_start_and_again_but_not_when_it_keeps_dying(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    expectation = Expectation()
    async with kept(script(tmp_path / "program", "exit 3"), expect=expectation):
        assert expectation.count == 1
        await until(lambda: len(lives(caplog)) > EXPECTED_AFTER + 2, within_s=PATIENCE_S)
    assert expectation.count == 1 + EXPECTED_AFTER


async def test_a_worker_that_does_not_end_by_itself_is_made_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_worker, "END_S", 0.05)
    noted = tmp_path / "noted"
    async with kept(script(tmp_path / "program", f"echo $$ > {noted}.new; mv {noted}.new {noted}; exec sleep 600")):
        await until(noted.exists, within_s=PATIENCE_S)
    await_end(int(noted.read_text()))
    assert noted.exists()


async def test_a_worker_that_ends_just_before_it_is_killed_is_gone_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Fading:
        """A process that is gone by the time that it is killed."""

        stdin = None

        def __init__(self) -> None:
            self.ended = asyncio.Event()

        async def wait(self) -> int:
            await self.ended.wait()
            return 0

        def kill(self) -> None:
            self.ended.set()
            raise ProcessLookupError

    fading = Fading()
    spawned = asyncio.Event()

    async def spawn(*arguments: object, **more: object) -> Fading:
        spawned.set()
        return fading

    monkeypatch.setattr(asyncio, "create_subprocess_exec", spawn)
    monkeypatch.setattr(bot_worker, "END_S", 0.01)
    async with kept(sys.executable):
        await spawned.wait()
    assert fading.ended.is_set()


async def test_what_lies_in_the_working_directory_is_not_taken_for_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "trap"
    (tmp_path / "warroom_server.py").write_text(f"open({str(trap)!r}, 'w').close()")
    monkeypatch.chdir(tmp_path)
    called = asyncio.Event()

    def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.set()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, kept(sys.executable, url=f"ws://127.0.0.1:{port}/ws"):
        await until(lambda: called.is_set() or trap.exists(), within_s=PATIENCE_S)
    assert not trap.exists()
