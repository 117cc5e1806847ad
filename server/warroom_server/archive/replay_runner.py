"""Makes views of finished matches, and checks them, by running them again while the node is idle enough."""

import asyncio
from collections.abc import Generator
from typing import TypeAlias, cast

import msgspec
from msgspec import Struct

from warroom_games.log import opening_of
from warroom_games.registry import Registry
from warroom_games.replay import ReplayError, Rerun, entries, finding
from warroom_protocol.view_replay import write_view
from warroom_server.archive.replay_cache import ReplayCache
from warroom_server.ports.time import Clock
from warroom_server.room.replay_view import ReplayView

RUNS = 4
"""The limit of matches that run at the same time."""
SLICE_MS = 2
"""How long a match runs before the next one has its turn; an entry is never interrupted."""
PAUSE_S = 0.002
"""The pause after each slice."""


Key: TypeAlias = tuple[int, str, str | None]
"""A room, what is made of its match, and for which player."""
Work: TypeAlias = Generator[None, None, bytes]
"""Runs a match step by step, and returns the result at the end."""


class _Run(Struct):
    """A running match, and how many requests wait for it."""

    task: asyncio.Task[bytes]
    waiting: int = 0


class ReplayViews:
    """Makes each result once for all requests that wait for it, and stops when none waits any more."""

    def __init__(self, registry: Registry, clock: Clock) -> None:
        self._registry = registry
        self._clock = clock
        self._made: ReplayCache[Key, bytes] = ReplayCache(clock)
        self._runs: dict[Key, _Run] = {}
        self._turn = asyncio.Lock()

    def __len__(self) -> int:
        """How many matches are being run."""
        return len(self._runs)

    async def view(self, room: int, replay: bytes, player: str | None) -> bytes | None:
        """Return the file of what *player*, or (None) the public, saw of a match; None if too many are being made.

        Raise what reading and running a log raise, and `RegistryError` if the version of the game is missing.
        """
        return await self._once((room, "view", player), self._view(replay, player))

    async def verdict(self, room: int, replay: bytes) -> bytes | None:
        """Return in JSON what running a whole match again has shown; None if too many matches run."""
        return await self._once((room, "verdict", None), self._check(replay))

    async def _once(self, key: Key, work: Work) -> bytes | None:
        if (kept := self._made.get(key)) is not None:
            return kept
        run = self._runs.get(key)
        if run is None:
            if len(self._runs) >= RUNS:
                return None
            run = self._runs[key] = _Run(asyncio.get_running_loop().create_task(self._make(work)))
        run.waiting += 1
        try:
            made = await asyncio.shield(run.task)
        finally:
            run.waiting -= 1
            if run.waiting == 0:
                run.task.cancel()
                del self._runs[key]
        self._made.put(key, made, len(made))
        return made

    async def _make(self, work: Work) -> bytes:
        while True:
            async with self._turn:  # one match at a time
                made = self._go_on(work)
                await asyncio.sleep(PAUSE_S)
            if made is not None:
                return made

    def _go_on(self, work: Work) -> bytes | None:
        """Run a match for one slice; return the result once it has ended."""
        until = self._clock.now() + SLICE_MS
        try:
            while self._clock.now() < until:
                next(work)
        except StopIteration as ended:
            return cast(bytes, ended.value)
        return None

    def _view(self, replay: bytes, player: str | None) -> Work:
        log = entries(replay)
        opened = opening_of(log)
        replay_view = ReplayView(self._registry.get(opened.game, opened.rules_version), log, player)
        yield from replay_view.run()
        return write_view(replay_view.result())

    def _check(self, replay: bytes) -> Work:
        """Run a whole match; *states* has for each entry the SHA-256 of the state where the chain covers it.

        With them a reader of the file can compute the chain without the rules.
        """
        states: list[str] = []
        try:
            rerun = Rerun(replay, self._registry)
            for _ in rerun.run():
                states.append(rerun.state_hash.hex())
                yield
            found = {**finding(rerun.result()), "states": states}
        except ReplayError as error:
            found = {"accepted": False, "why": str(error)}
        return msgspec.json.encode(found) + b"\n"
