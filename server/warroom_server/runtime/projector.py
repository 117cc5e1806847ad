"""Makes views of finished matches by running them again, in the time that those who play leave."""

import asyncio
from collections.abc import Iterator

from warroom_games.log import LogError, Opened
from warroom_games.registry import Registry
from warroom_games.replay import entries
from warroom_protocol.view_replay import write_view
from warroom_server.ports import Clock
from warroom_server.rooms.viewing import Viewing
from warroom_server.runtime.shelf import Shelf

RUNS = 4
"""How many matches are run again at the same time."""
SLICE_MS = 2
"""How long a match runs before others have their turn; one entry is always run to its end."""
PAUSE_S = 0.002
"""How long nothing of this is done after each slice."""


class _Run:
    """A match that is being run, and how many wait for the view."""

    __slots__ = ("task", "waiting")

    def __init__(self, task: asyncio.Task[bytes]) -> None:
        self.task = task
        self.waiting = 0


class Projector:
    """Makes each view once for all who wait for it; nobody waits any more: it is given up."""

    def __init__(self, registry: Registry, clock: Clock) -> None:
        self._registry = registry
        self._clock = clock
        self._views: Shelf[tuple[int, str | None], bytes] = Shelf(clock)
        self._runs: dict[tuple[int, str | None], _Run] = {}
        self._turn = asyncio.Lock()

    def __len__(self) -> int:
        """How many matches are being run."""
        return len(self._runs)

    async def view(self, room: int, replay: bytes, player: str | None) -> bytes | None:
        """Return the file of what *player*, or (None) the public, saw of a match; None if too many are being made.

        Raises what reading and running a log raise, and `RegistryError` if the game is not there in that version.
        """
        key = (room, player)
        if (kept := self._views.get(key)) is not None:
            return kept
        run = self._runs.get(key)
        if run is None:
            if len(self._runs) >= RUNS:
                return None
            run = self._runs[key] = _Run(asyncio.get_running_loop().create_task(self._make(replay, player)))
        run.waiting += 1
        try:
            view = await asyncio.shield(run.task)
        finally:
            run.waiting -= 1
            if run.waiting == 0:
                run.task.cancel()
                del self._runs[key]
        self._views.put(key, view, len(view))
        return view

    async def _make(self, replay: bytes, player: str | None) -> bytes:
        async with self._turn:  # of all that are being run, one at a time
            viewing = self._begin(replay, player)
            await asyncio.sleep(PAUSE_S)
        steps = viewing.run()
        is_over = False
        while not is_over:
            async with self._turn:
                is_over = self._go_on(steps)
                await asyncio.sleep(PAUSE_S)
        return write_view(viewing.result())

    def _begin(self, replay: bytes, player: str | None) -> Viewing:
        log = entries(replay)
        opened = log[0] if log else None
        if not isinstance(opened, Opened):
            raise LogError("a log begins with the opening of its room")
        return Viewing(self._registry.get(opened.game, opened.rules_version), log, player)

    def _go_on(self, steps: Iterator[None]) -> bool:
        """Run a match for one slice; return whether it is over."""
        until = self._clock.now() + SLICE_MS
        return all(self._clock.now() < until for _ in steps)
