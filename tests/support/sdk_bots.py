"""Bots on the SDK that record their verdicts, for tests that compare them with the log."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack

from warroom_bots.registry import find_bot
from warroom_bots.runner import Runner, Think
from warroom_client import Client, Created, Disconnected, Ended, Event, Judged, Paused, TimedOut
from warroom_games.rng import Rng


class NotingBot:
    """One bot of a table, and what it saw."""

    def __init__(self) -> None:
        self.accepted: list[int] = []
        self.breaks = 0
        self.pauses: list[str] = []
        self.expired = 0

    def note(self, event: Event) -> None:
        """Handle an event."""
        match event:
            case Judged(verdict=verdict):
                assert verdict.code is None, verdict
                self.accepted.append(verdict.id)
            case Disconnected():
                self.breaks += 1
            case Paused(reason=reason):
                self.pauses.append(reason)
            case TimedOut():
                self.expired += 1
            case _:
                pass


class Table:
    """A room and the bots that play in it; `async with` seats them, `play` plays the match to the end.

    With several servers each bot is on another one and knows them all, and the first bot makes the room. With *on* the
    room is made there, and all bots are at the first of *urls*.
    """

    def __init__(
        self,
        urls: str | Sequence[str],
        game: str,
        seats: int,
        *,
        turn_ms: int,
        options: Mapping[str, object] | None = None,
        think: Think | None = None,
        on: str | None = None,
    ) -> None:
        self.bots = [NotingBot() for _ in range(seats)]
        self.created: Created
        self._urls = [urls] if isinstance(urls, str) else list(urls)
        self._game = game
        self._turn_ms = turn_ms
        self._options = options
        self._think = think or Think()
        self._on = on
        self._connections = AsyncExitStack()
        self._runners: list[Runner] = []

    @property
    def accepted(self) -> list[int]:
        """The ids of all actions that any bot saw accepted."""
        return [action for bot in self.bots for action in bot.accepted]

    async def __aenter__(self) -> "Table":
        try:
            await self._sit_down()
        except BaseException:
            await self._connections.aclose()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._connections.aclose()

    async def play(self) -> Ended:
        """Play to the end and return the result, on which all bots agree."""
        async with asyncio.TaskGroup() as seats:
            pairs = zip(self._runners, self.bots, strict=True)
            matches = [seats.create_task(runner.play(bot.note)) for runner, bot in pairs]
        (ended,) = {match.result() for match in matches}
        return ended

    async def _sit_down(self) -> None:
        if self._on is not None:
            async with Client(self._on, name="Host") as host:
                self.created = await self._create(host)
        kind, rng = find_bot(self._game), Rng(b"sixteen bytes!!!")
        for number in range(len(self.bots)):
            near = number % len(self._urls) if self._on is None else 0
            urls = [*self._urls[near:], *self._urls[:near]]
            client = await self._connections.enter_async_context(Client(urls, name=f"Bot {number}"))
            if number == 0 and self._on is None:
                self.created = await self._create(client)
            room = await client.join(self.created.room)
            own, rng = rng.spawn()
            pace, rng = rng.spawn()
            self._runners.append(Runner(room, kind.make(own), pace, think=self._think))

    async def _create(self, client: Client) -> Created:
        turns = {"turn_ms": self._turn_ms}
        return await client.create(self._game, seats=len(self.bots), options=self._options, room_options=turns)
