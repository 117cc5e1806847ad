"""Makes views of finished matches, and checks them, by running them again while the node is idle enough."""

import asyncio
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import TypeAlias

import msgspec
from msgspec import Struct

from warroom_games.log import opening_of
from warroom_games.registry import Registry
from warroom_games.replay import ReplayError, Rerun, entries, finding
from warroom_protocol.view_replay import write_view
from warroom_server.archive.replay_cache import ReplayCache
from warroom_server.ports.clock import Clock
from warroom_server.room.replay_view import ReplayView

RUNS = 4
"""The limit of matches that run at the same time."""
SLICE_MS = 2
"""How long a match runs before the next one has its turn; an entry is never interrupted."""
PAUSE_S = 0.002
"""The pause after each slice."""


Key: TypeAlias = tuple[int, str, str | None]
"""A room, what is made of its match, and for which player."""
Work: TypeAlias = tuple[Iterator[None], Callable[[], bytes]]
"""Runs a match step by step, and returns the result afterwards."""


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
        return await self._once((room, "view", player), lambda: self._view(replay, player))

    async def verdict(self, room: int, replay: bytes) -> bytes | None:
        """Return in JSON what running a whole match again has shown; None if too many matches run."""
        return await self._once((room, "verdict", None), lambda: self._check(replay))

    async def _once(self, key: Key, begin: Callable[[], Work]) -> bytes | None:
        if (kept := self._made.get(key)) is not None:
            return kept
        run = self._runs.get(key)
        if run is None:
            if len(self._runs) >= RUNS:
                return None
            run = self._runs[key] = _Run(asyncio.get_running_loop().create_task(self._make(begin)))
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

    async def _make(self, begin: Callable[[], Work]) -> bytes:
        async with self._turn:  # one match at a time
            steps, result = begin()
            await asyncio.sleep(PAUSE_S)
        is_over = False
        while not is_over:
            async with self._turn:
                is_over = self._go_on(steps)
                await asyncio.sleep(PAUSE_S)
        return result()

    def _view(self, replay: bytes, player: str | None) -> Work:
        log = entries(replay)
        opened = opening_of(log)
        replay_view = ReplayView(self._registry.get(opened.game, opened.rules_version), log, player)
        return replay_view.run(), lambda: write_view(replay_view.result())

    def _check(self, replay: bytes) -> Work:
        check = _Check(replay, self._registry)
        return check.run(), check.result

    def _go_on(self, steps: Iterator[None]) -> bool:
        """Run a match for one slice; return whether it has ended."""
        until = self._clock.now() + SLICE_MS
        return all(self._clock.now() < until for _ in steps)


class _Check:
    """Runs a whole match again, so that a reader of the file can compute the chain without the rules."""

    def __init__(self, replay: bytes, registry: Registry) -> None:
        self._replay = replay
        self._registry = registry
        self._states: list[str] = []
        self._finding: dict[str, object] = {}

    def run(self) -> Iterator[None]:
        """Run the log, and pause after every entry."""
        try:
            rerun = Rerun(self._replay, self._registry)
            for _ in rerun.run():
                assert rerun.match is not None, "an entry was run"
                self._states.append(sha256(rerun.match.linked_state).hexdigest())
                yield
            self._finding = {**finding(rerun.result()), "states": self._states}
        except ReplayError as error:
            self._finding = {"accepted": False, "why": str(error)}

    def result(self) -> bytes:
        """Return the finding, with *states*: the SHA-256 of the state after each entry, as in the chain."""
        return msgspec.json.encode(self._finding) + b"\n"
