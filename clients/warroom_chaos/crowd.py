"""The players in a process of their own: however busy they are, the lines between the nodes do not wait for them."""

import asyncio
import signal
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import monotonic
from types import TracebackType
from typing import Final, Self, TypeAlias

from msgspec import Struct

from warroom_chaos.loops import loop_factory
from warroom_chaos.notes import MatchNotes
from warroom_chaos.players import Stage, Table
from warroom_chaos.processes import ProcessError
from warroom_games.rng import KEY_BYTES, Rng

SEATING_S: Final = 120.0
"""How long it may take until everybody sits, before anything is broken."""
SETTLE_S: Final = 120.0
"""How long the last matches may take to end once nothing is broken any more."""
TELL_EVERY_S: Final = 0.5
END_S: Final = 5.0
"""How long the process may take to end when it has nothing to do any more."""


class Company(Struct, frozen=True):
    """Who plays, and where; *began_s* is the moment of the clock that times are counted from."""

    url: str
    tables: int
    seed: int
    began_s: float


class Standing(Struct, frozen=True):
    """How far the players are."""

    is_full: bool = False
    """Whether a match was begun at every table."""
    finished: int = 0
    accepted: int = 0


class _Done(Struct, frozen=True):
    matches: list[MatchNotes]


_News: TypeAlias = Standing | _Done


class Crowd:
    """The players as seen from the process that breaks things; `async with` lets them in."""

    def __init__(self, company: Company) -> None:
        self.standing = Standing()
        context = get_context("spawn")
        self._line, self._far_end = context.Pipe()
        self._process = context.Process(target=_play, args=(self._far_end, company), daemon=True)
        self._full = asyncio.Event()
        self._listening: asyncio.Task[list[MatchNotes]] | None = None

    async def __aenter__(self) -> Self:
        self._process.start()
        # Held by the players alone, so that its end tells of theirs.
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
        """Wait until a match was begun at every table."""
        assert self._listening is not None
        waiting = asyncio.create_task(self._full.wait())
        try:
            await asyncio.wait([waiting, self._listening], timeout=SEATING_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if self._listening.done():
            self._listening.result()  # tells why they left so early
        if not self._full.is_set():
            raise ProcessError(f"not everybody sat down within {SEATING_S:g} s: this machine is too busy")

    async def finish(self) -> list[MatchNotes]:
        """Let no match begin any more, and return what all players noted once the last ones are over."""
        assert self._listening is not None
        with suppress(OSError):  # if they are gone, what they said last tells why
            self._line.send(None)
        return await self._listening

    async def _listen(self) -> list[MatchNotes]:
        while True:
            try:
                news: _News = await asyncio.to_thread(self._line.recv)
            except (EOFError, OSError) as error:
                raise ProcessError("the players' process ended before its time") from error
            match news:
                case Standing():
                    self.standing = news
                    if news.is_full:
                        self._full.set()
                case _Done(matches):
                    return matches


def _play(line: Connection, company: Company) -> None:
    """Play until the other process says that it is enough; this is all that the players' process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with asyncio.Runner(loop_factory=loop_factory()) as runner, suppress(BrokenPipeError):
        line.send(_Done(runner.run(_attend(line, company))))


async def _attend(line: Connection, company: Company) -> list[MatchNotes]:
    stage = Stage(company.url, lambda: monotonic() - company.began_s, tables=company.tables)
    closing = asyncio.create_task(_close(line, stage))
    teller = asyncio.create_task(_tell(line, stage))
    rng = Rng(company.seed.to_bytes(KEY_BYTES, "big", signed=True))
    tables = []
    for number in range(company.tables):
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
            table.result()  # a bug in the kit itself shows here
    return stage.matches


async def _close(line: Connection, stage: Stage) -> None:
    """Let no match begin any more once the other process says so, or is gone."""
    with suppress(EOFError, OSError):
        await asyncio.to_thread(line.recv)
    stage.is_closing.set()


async def _tell(line: Connection, stage: Stage) -> None:
    while True:
        line.send(Standing(stage.is_full.is_set(), stage.finished, stage.accepted))
        await asyncio.sleep(TELL_EVERY_S)
