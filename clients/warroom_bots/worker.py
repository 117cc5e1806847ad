"""A bot worker: offers its bots to a server and sends them to the seats that the server requests.

One connection carries the work; each seat has its own connection, like any player's.
"""

import asyncio
import logging
import secrets
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NoReturn

from warroom_bots.api import BotKind
from warroom_bots.bot_executor import BotExecutor
from warroom_bots.registry import best_first, bots_for
from warroom_bots.runner import Think
from warroom_bots.supervision import Failure, Supervisor
from warroom_client import Client, ClientError, Event, Noticed, RejectedError, Room, SeatsChanged
from warroom_client.backoff import backoff
from warroom_client.connection import Connection, is_final, open_connection
from warroom_client.session import STEADY_S
from warroom_games.rng import KEY_BYTES, Rng
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.versions import SUPPORTED

AGENT: Final = "warroom-worker"
SEAT_PATIENCE_S: Final = 20.0
"""How long a bot tries to return to its seat; after that the room has another one."""
MOST_BOTS: Final = 16
"""Maximum number of bots offered per game."""
DISMISSALS: Final = frozenset({codes.NOTICE_RELIEVED, codes.NOTICE_KICKED, codes.NOTICE_STOOD_IN})
"""Notices that end a bot's job in a room."""

logger = logging.getLogger(__name__)


class Worker:
    """Works for one server until cancelled, across reconnects."""

    def __init__(self, url: str, *, key: str, seats: int, executor: BotExecutor, think: Think | None = None) -> None:
        self._url = url
        self._key = key
        self._seats = seats
        self._executor = executor
        self._think = think or Think()
        self._token: str | None = None
        """Proof that this is the same worker after a reconnect, with its seats."""
        self._kinds: dict[tuple[str, str], BotKind] = {}
        """The offered bots, by game and name."""
        self._labels: dict[int, set[str]] = {}
        """The names of the bots in each room."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Run; raise `ClientError` only if reconnecting cannot help, for example with a wrong key."""
        loop = asyncio.get_running_loop()
        delays = backoff()
        try:
            while True:
                began_s = loop.time()
                lost = await self._work()
                if self._token is not None and isinstance(lost, RejectedError) and lost.code == codes.HELLO_TOKEN:
                    self._token = None  # another server, or one that lost its state; there it is a new worker
                elif is_final(lost):
                    raise lost
                if loop.time() - began_s > STEADY_S:
                    delays = backoff()
                logger.info("line lost reason=%s", lost)
                await asyncio.sleep(next(delays))
        finally:
            await self._leave_all()

    async def _work(self) -> ClientError:
        """Serve one connection until it breaks; return the cause."""
        try:
            link = await open_connection(self._url)
            try:
                await self._serve(link)
            finally:
                await link.close()
        except ClientError as lost:
            return lost

    async def _serve(self, link: Connection) -> NoReturn:
        versions = tuple(sorted(SUPPORTED))
        welcome = await link.greet(
            wire.Hello(_ref(), versions, "bot worker", self._token, agent=AGENT, bot="worker", key=self._key)
        )
        self._token = welcome.token
        await link.send(wire.Games(_ref()))
        while True:
            match await link.receive():
                case wire.GameList(games=games):
                    await link.send(wire.Work(_ref(), tuple(self._offer(games)), self._seats))
                case wire.Summon() as summon:
                    self._take(summon)
                case wire.Error(code=code, detail=detail):
                    logger.warning("server error code=%s detail=%s", code, detail)
                case _:
                    continue

    def _offer(self, games: tuple[wire.GameListing, ...]) -> Iterator[wire.Plays]:
        """Find the bots of each game, once, because it takes a while."""
        for listing in games:
            kinds = bots_for(listing.game)
            self._kinds |= {(listing.game, name): kind for name, kind in kinds.items()}
            if kinds:
                yield wire.Plays(listing.game, best_first(kinds)[:MOST_BOTS])

    # --- seats --------------------------------------------------------------------------------------------------

    def _take(self, summon: wire.Summon) -> None:
        if len(self._tasks) >= self._seats:
            return  # the server asks another worker then
        task = asyncio.get_running_loop().create_task(self._play(summon), name=f"seat in {summon.room}")
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (bug := task.exception()) is not None:
            logger.error("a bot failed", exc_info=bug)

    async def _leave_all(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _play(self, summon: wire.Summon) -> None:
        """Send one bot to its seat and let it play while it is needed."""
        kind = self._kinds.get((summon.game, summon.bot))
        if kind is None:
            logger.warning("summoned for what was never offered game=%s bot=%s", summon.game, summon.bot)
            return
        label = self._label(summon)
        try:
            await self._sit(summon, kind, label)
        except ClientError as error:
            logger.info("seat given up room=%d bot=%s reason=%s", summon.room, summon.bot, error)
        finally:
            self._forget(summon.room, label)

    async def _sit(self, summon: wire.Summon, kind: BotKind, label: str) -> None:
        client = Client(self._url, name=label, agent=AGENT, patience_s=SEAT_PATIENCE_S, bot=kind.name, key=self._key)
        async with client:
            room = await client.claim(summon.room, summon.ticket)
            supervisor = Supervisor(kind, self._executor, think=self._think, tell=_warn)
            rng = Rng(secrets.token_bytes(KEY_BYTES))
            with suppress(_DismissedError):
                await supervisor.play(room, rng, lambda event: _look(client.player, room, event))
            with suppress(ClientError):
                await room.leave()

    def _label(self, summon: wire.Summon) -> str:
        """Return a name that no other bot of this worker has in the room."""
        taken = self._labels.setdefault(summon.room, set())
        number = 1
        while (label := f"{summon.bot} {number}") in taken:
            number += 1
        taken.add(label)
        return label

    def _forget(self, room: int, label: str) -> None:
        self._labels[room].discard(label)
        if not self._labels[room]:
            del self._labels[room]


class _DismissedError(Exception):
    """The bot is no longer needed at its seat."""


def _look(player: str, room: Room, event: Event) -> None:
    """Check whether the bot is still needed."""
    match event:
        case Noticed(code=code) if code in DISMISSALS:
            raise _DismissedError(code)
        case SeatsChanged() if not _is_needed(player, room):
            raise _DismissedError("nothing to do here")
        case _:
            pass


def _is_needed(player: str, room: Room) -> bool:
    """Whether the bot sits in the room, or stands in at an active seat."""
    for state in room.seats:
        if state.player == player:
            return not (state.stood_in or state.out)
    return any(state.seat == room.seat and state.stood_in and not state.out for state in room.seats)


def _warn(failure: Failure) -> None:
    logger.warning("bot failed bot=%s room=%s reason=%r", failure.bot, failure.room, failure.reason)
    if failure.details:
        logger.info("%s", failure.details)


def _ref() -> int:
    return secrets.randbits(53)
