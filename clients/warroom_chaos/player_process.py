"""Runs the players in their own process, so that busy players do not slow down the proxies between the nodes."""

import asyncio
import signal
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import monotonic
from types import TracebackType
from typing import Final, Self, TypeAlias

from msgspec import Struct

from warroom_chaos.event_loop import loop_factory
from warroom_chaos.match_notes import MatchNotes
from warroom_chaos.players import Stage, Table
from warroom_chaos.processes import ProcessError
from warroom_games.rng import KEY_BYTES, Rng

SEATING_S: Final = 120.0
"""Time limit for seating all players, before the first fault."""
SETTLE_S: Final = 120.0
"""Time limit for the last matches, after the last fault."""
TELL_EVERY_S: Final = 0.5
END_S: Final = 5.0
"""Time limit for the exit of the idle process."""


class PlayerSettings(Struct, frozen=True):
    """The players and their server; *began_s* is the start of the run on the monotonic clock."""

    url: str
    tables: int
    seed: int
    began_s: float


class PlayerProgress(Struct, frozen=True):
    """The progress of the players."""

    is_full: bool = False
    """Whether every table has started a match."""
    finished: int = 0
    accepted: int = 0


class _Done(Struct, frozen=True):
    matches: list[MatchNotes]


_News: TypeAlias = PlayerProgress | _Done


class PlayerProcess:
    """The handle of the player process; `async with` starts and stops it."""

    def __init__(self, settings: PlayerSettings) -> None:
        self.progress = PlayerProgress()
        context = get_context("spawn")
        self._line, self._far_end = context.Pipe()
        self._process = context.Process(target=_play, args=(self._far_end, settings), daemon=True)
        self._full = asyncio.Event()
        self._listening: asyncio.Task[list[MatchNotes]] | None = None

    async def __aenter__(self) -> Self:
        self._process.start()
        # Only the player process keeps this end open, so its exit closes the pipe.
        self._far_end.close()
        self._listening = asyncio.create_task(self._listen())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._line.send(None)
        if kind is not None:
            self._process.kill()
        await asyncio.to_thread(self._process.join, END_S)
        self._process.kill()
        assert self._listening is not None
        await asyncio.wait([self._listening])
        self._line.close()

    async def seated(self) -> None:
        """Wait until every table has started a match."""
        assert self._listening is not None
        waiting = asyncio.create_task(self._full.wait())
        try:
            await asyncio.wait([waiting, self._listening], timeout=SEATING_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if self._listening.done():
            self._listening.result()  # raises the reason of the early exit
        if not self._full.is_set():
            raise ProcessError(f"not everybody sat down within {SEATING_S:g} s: this machine is too busy")

    async def finish(self) -> list[MatchNotes]:
        """Start no more matches, wait for the running ones, and return the notes of all players."""
        assert self._listening is not None
        with suppress(OSError):  # the process is gone; its last message says why
            self._line.send(None)
        return await self._listening

    async def _listen(self) -> list[MatchNotes]:
        while True:
            try:
                news: _News = await asyncio.to_thread(self._line.recv)
            except (EOFError, OSError) as error:
                raise ProcessError("the players' process ended before its time") from error
            match news:
                case PlayerProgress():
                    self.progress = news
                    if news.is_full:
                        self._full.set()
                case _Done(matches):
                    return matches


def _play(line: Connection, settings: PlayerSettings) -> None:
    """Play until the other process says stop; the entry point of the player process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with asyncio.Runner(loop_factory=loop_factory()) as runner, suppress(BrokenPipeError):
        line.send(_Done(runner.run(_attend(line, settings))))


async def _attend(line: Connection, settings: PlayerSettings) -> list[MatchNotes]:
    stage = Stage(settings.url, lambda: monotonic() - settings.began_s, tables=settings.tables)
    closing = asyncio.create_task(_close(line, stage))
    teller = asyncio.create_task(_tell(line, stage))
    rng = Rng(settings.seed.to_bytes(KEY_BYTES, "big", signed=True))
    tables = []
    for number in range(settings.tables):
        own, rng = rng.spawn()
        tables.append(asyncio.create_task(Table(number, stage, own).play()))
    try:
        await closing
        await asyncio.wait(tables, timeout=SETTLE_S)
    finally:
        for task in (*tables, teller):
            task.cancel()
        await asyncio.wait([*tables, teller])
    for table in tables:
        if not table.cancelled():
            table.result()  # raises bugs of the kit itself
    return stage.matches


async def _close(line: Connection, stage: Stage) -> None:
    """Start no more matches once the other process says so or is gone."""
    with suppress(EOFError, OSError):
        await asyncio.to_thread(line.recv)
    stage.is_closing.set()


async def _tell(line: Connection, stage: Stage) -> None:
    while True:
        line.send(PlayerProgress(stage.is_full.is_set(), stage.finished, stage.accepted))
        await asyncio.sleep(TELL_EVERY_S)
