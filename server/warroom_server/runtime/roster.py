"""The bot workers that are connected: what they play, how busy they are, and which of them is asked for a bot."""

import logging
from collections.abc import Callable, Iterator

from msgspec import Struct

from warroom_protocol.codec import encode
from warroom_protocol.messages import Done, Summon, Work
from warroom_server.ports import Clock, Timer, Timers
from warroom_server.rooms.hiring import CLAIM_MS
from warroom_server.runtime.catalogue import Catalogue
from warroom_server.runtime.lines import Lines
from warroom_server.runtime.metrics import Counters

logger = logging.getLogger(__name__)

EXPECTED_MS = 15_000
"""How long seats wait for a worker that a server has started, before they are told that there are no bots."""

ASKED, CLAIMED, MISSED, UNPLACED = "asked", "claimed", "missed", "unplaced"
"""What can become of a search for a bot, as the metrics have it."""


class Vacancy(Struct, frozen=True):
    """A seat of a room that wants a bot (None: any); whoever comes shows *ticket* there."""

    room: int
    game: str
    ticket: int
    bot: str | None

    @property
    def key(self) -> tuple[int, int]:
        """What a claim names it by."""
        return self.room, self.ticket


class _Worker:
    """One worker: its control connection, and the seats that it was asked for or holds."""

    def __init__(self, connection: int, work: Work) -> None:
        self.connection = connection
        self.plays = {plays.game: plays.bots for plays in work.plays}
        self.seats = work.seats
        self.asked: set[tuple[int, int]] = set()
        self.held: set[int] = set()
        """The connections that came for seats."""
        self.missed = 0
        """How often in a row it was asked in vain."""

    @property
    def is_free(self) -> bool:
        return len(self.asked) + len(self.held) < self.seats

    @property
    def rank(self) -> tuple[int, float, int]:
        """The place in the order in which workers are asked: reliable ones first, then those with least to do."""
        return self.missed, (len(self.asked) + len(self.held)) / self.seats, self.connection

    def bot_for(self, vacancy: Vacancy) -> str | None:
        """Return the bot that it would bring; None if it has none such."""
        bots = self.plays.get(vacancy.game, ())
        return next((bot for bot in bots if vacancy.bot in (None, bot)), None)


class Roster:
    """Knows the workers of this node. It waits for none: who was asked in vain is asked last the next time."""

    def __init__(self, *, lines: Lines, catalogue: Catalogue, clock: Clock, timers: Timers, counters: Counters) -> None:
        self._lines = lines
        self._catalogue = catalogue
        self._clock = clock
        self._timers = timers
        self._counters = counters
        self._workers: dict[int, _Worker] = {}
        self._holders: dict[int, _Worker] = {}
        """By the connection of a seat, the worker that it belongs to."""
        self._expecting: Timer | None = None
        """What ends the time for which seats wait for a worker."""
        self._waiting: list[tuple[Vacancy, Callable[[bool], None]]] = []

    def __len__(self) -> int:
        return len(self._workers)

    @property
    def held_seats(self) -> int:
        """How many connections came for seats and are still here."""
        return len(self._holders)

    # --- workers ------------------------------------------------------------------------------------------------

    def expect(self) -> None:
        """Let seats wait for a worker for a while, because one is on its way."""
        if self._expecting is not None:
            self._expecting.cancel()
        self._expecting = self._timers.call_at(self._clock.now() + EXPECTED_MS, self._expect_no_longer)

    def employ(self, work: Work, connection: int) -> None:
        """Take a worker in, or note what it plays from now on."""
        known = self._workers.get(connection)
        worker = self._workers[connection] = _Worker(connection, work)
        if known is not None:
            worker.asked, worker.held = known.asked, known.held
            self._holders.update(dict.fromkeys(known.held, worker))
        logger.info("worker connection=%d games=%s seats=%d", connection, ",".join(worker.plays), work.seats)
        self._lines.answer(connection, encode(Done(work.ref)))
        self._list_bots()
        self._expect_no_longer()

    def gone(self, connection: int) -> None:
        """Note that a connection is closed: that of a worker, of a seat, or of somebody else."""
        holder = self._holders.pop(connection, None)
        if holder is not None:
            holder.held.discard(connection)
        if self._workers.pop(connection, None) is not None:
            logger.info("worker gone connection=%d", connection)
            self._list_bots()

    def _expect_no_longer(self) -> None:
        if self._expecting is not None:
            self._expecting.cancel()
            self._expecting = None
        waiting, self._waiting = self._waiting, []
        for vacancy, answer in waiting:
            self.summon(vacancy, answer)

    def _list_bots(self) -> None:
        bots: dict[str, dict[str, None]] = {}
        for worker in self._workers.values():
            for game, names in worker.plays.items():
                bots.setdefault(game, {}).update(dict.fromkeys(names))
        self._catalogue.list_bots({game: tuple(names) for game, names in bots.items()})

    # --- seats --------------------------------------------------------------------------------------------------

    def summon(self, vacancy: Vacancy, answer: Callable[[bool], None]) -> None:
        """Ask a worker to bring a bot; *answer* is told whether any worker has such a bot, be it busy or not."""
        able = sorted(self._able(vacancy), key=lambda worker: worker.rank)
        if not able and self._expecting is not None:
            self._waiting.append((vacancy, answer))
            return
        free = next((worker for worker in able if worker.is_free), None)
        if free is None:
            self._count(UNPLACED)
        else:
            self._ask(free, vacancy)
        answer(bool(able))

    def claimed(self, room: int, ticket: int, connection: int) -> None:
        """Note that a connection came for a seat, whatever the room says to it."""
        for worker in self._workers.values():
            if (room, ticket) in worker.asked:
                worker.asked.remove((room, ticket))
                worker.held.add(connection)
                worker.missed = 0
                self._holders[connection] = worker
                self._count(CLAIMED)
                return

    def _able(self, vacancy: Vacancy) -> Iterator[_Worker]:
        return (worker for worker in self._workers.values() if worker.bot_for(vacancy) is not None)

    def _ask(self, worker: _Worker, vacancy: Vacancy) -> None:
        bot = worker.bot_for(vacancy)
        assert bot is not None, "the worker is able"
        worker.asked.add(vacancy.key)
        self._timers.call_at(self._clock.now() + CLAIM_MS, lambda: self._miss(worker, vacancy))
        self._count(ASKED)
        self._lines.answer(worker.connection, encode(Summon(vacancy.room, vacancy.ticket, vacancy.game, bot)))

    def _miss(self, worker: _Worker, vacancy: Vacancy) -> None:
        """Note that a worker did not come in time, if it did not."""
        worker = self._workers.get(worker.connection, worker)
        if vacancy.key in worker.asked:
            worker.asked.remove(vacancy.key)
            worker.missed += 1
            self._count(MISSED)

    def _count(self, outcome: str) -> None:
        self._counters.summons[outcome] = self._counters.summons.get(outcome, 0) + 1
