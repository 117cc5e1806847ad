"""The bot workers that are connected: what they play, how busy they are, and which of them is asked for a bot."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from warroom_protocol.codec import encode
from warroom_protocol.messages import Done, Summon, Work
from warroom_server.counters import Counters
from warroom_server.hosting.bot_request import BotRequest
from warroom_server.hosting.connections import Connections
from warroom_server.lobby.catalog import Catalog
from warroom_server.ports.clock import Clock, Timer, Timers
from warroom_server.ports.signal import Signal
from warroom_server.room.bots.bot_tickets import CLAIM_MS

logger = logging.getLogger(__name__)

EXPECTED_MS = 15_000
"""How long seats wait for a worker that a server has started, before they are told that there are no bots."""

BACK_MS = 20_000
"""How long a bot whose line broke may take to come back and still be known as its worker's."""
LEAST_SHARE = 32
"""Bots that all rooms of one player may have together in any case; beyond, half of what there is is for others."""

ASKED, CLAIMED, MISSED, UNPLACED = "asked", "claimed", "missed", "unplaced"
"""What can become of a search for a bot, as the metrics have it."""


class _Bot(Struct, frozen=True):
    """A bot that a worker brought, and whose room it came to."""

    player: str
    creator: str


class _Worker:
    """One worker, over all breaks of its line: what it offers, and the seats that it was asked for or holds."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.connection: int | None = None
        """Its own line; None while that is gone and bots of it are still here."""
        self.plays: dict[str, tuple[str, ...]] = {}
        self.seats = 0
        self.asked: dict[tuple[int, int], str] = {}
        """By room and ticket, whose room it is."""
        self.held: dict[int, _Bot] = {}
        """By the connection that came for a seat, the bot there."""
        self.away: dict[str, _Bot] = {}
        """By player, bots whose line was lost just now: they may be back soon."""
        self.missed = 0
        """How often in a row it was asked in vain."""

    def offer(self, work: Work, connection: int) -> None:
        """Note what it plays from now on, and where it is told about seats."""
        self.connection = connection
        self.plays = {plays.game: plays.bots for plays in work.plays}
        self.seats = work.seats
        self.missed = 0

    @property
    def is_forgettable(self) -> bool:
        return self.connection is None and not (self.asked or self.held or self.away)

    @property
    def is_free(self) -> bool:
        return len(self.asked) + len(self.held) < self.seats

    @property
    def rank(self) -> tuple[int, float, int]:
        """The place in the order in which workers are asked: reliable ones first, then those with least to do."""
        return self.missed, (len(self.asked) + len(self.held)) / self.seats, self.connection or 0

    def bot_for(self, vacancy: BotRequest) -> str | None:
        """Return the bot that it would bring; None if it has none such."""
        return _bot_among(self.plays, vacancy)


class BotWorkers:
    """Knows the workers of this node. It waits for none: who was asked in vain is asked last the next time.

    *lend* asks another node for a bot.
    """

    def __init__(
        self,
        *,
        connections: Connections,
        catalog: Catalog,
        clock: Clock,
        timers: Timers,
        counters: Counters,
        lend: Callable[[str, BotRequest], object],
    ) -> None:
        self.seat_claimed: Signal[int, int] = Signal()
        """A worker claims the ticket of a room."""
        self._connections = connections
        self._catalog = catalog
        self._clock = clock
        self._timers = timers
        self._counters = counters
        self._lend = lend
        self._workers: dict[str, _Worker] = {}
        """By player, every worker that is here or has bots here."""
        self._present: dict[int, _Worker] = {}
        """By its own connection, every worker that can be asked."""
        self._holders: dict[int, _Worker] = {}
        """By the connection of a seat, the worker that it belongs to."""
        self._uses: Counter[str] = Counter()
        """By player, the seats in rooms of that player that workers were asked for or hold."""
        self._expecting: Timer | None = None
        """What ends the time for which seats wait for a worker."""
        self._waiting: list[tuple[BotRequest, Callable[[bool], None]]] = []
        self._far: dict[str, dict[str, tuple[str, ...]]] = {}
        """By other node, the bots of its workers by game."""

    def __len__(self) -> int:
        return len(self._present)

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

    def employ(self, work: Work, player: str, connection: int) -> None:
        """Take a worker in, or note what it plays from now on; one that comes back still has its seats."""
        worker = self._workers.setdefault(player, _Worker(player))
        if worker.connection is not None:
            del self._present[worker.connection]
        worker.offer(work, connection)
        self._present[connection] = worker
        logger.info("worker connection=%d games=%s seats=%d", connection, ",".join(worker.plays), work.seats)
        self._connections.answer(connection, encode(Done(work.ref)))
        self._list_bots()
        self._expect_no_longer()

    def gone(self, connection: int) -> None:
        """Note that a connection is closed: that of a worker, of a seat, or of somebody else."""
        holder = self._holders.pop(connection, None)
        if holder is not None:
            self._part(holder, connection)
        worker = self._present.pop(connection, None)
        if worker is not None:
            worker.connection = None
            self._forget_idle(worker)
            logger.info("worker gone connection=%d", connection)
            self._list_bots()

    def _part(self, worker: _Worker, connection: int) -> None:
        """Free a seat, and remember its bot for a while: perhaps only the line broke."""
        bot = worker.held.pop(connection)
        worker.away[bot.player] = bot
        self._use_less(bot.creator)

        def forget() -> None:
            # It may have come back and broken off again, which has a time of its own.
            if worker.away.get(bot.player) is bot:
                del worker.away[bot.player]
                self._forget_idle(worker)

        self._timers.call_at(self._clock.now() + BACK_MS, forget)

    def _forget_idle(self, worker: _Worker) -> None:
        if worker.is_forgettable:
            self._workers.pop(worker.player, None)

    def _expect_no_longer(self) -> None:
        if self._expecting is not None:
            self._expecting.cancel()
            self._expecting = None
        waiting, self._waiting = self._waiting, []
        for vacancy, answer in waiting:
            self.summon(vacancy, answer)

    @property
    def bots(self) -> dict[str, tuple[str, ...]]:
        """The bots that the workers of this node have, by game."""
        return _united(worker.plays for worker in self._present.values())

    def know_far(self, bots: Mapping[str, dict[str, tuple[str, ...]]]) -> None:
        """Take note of the bots that the workers of each other node have."""
        if {peer: plays for peer, plays in bots.items() if plays} != self._far:
            # In the order in which they are asked: who is new comes last.
            self._far = {peer: bots[peer] for peer in dict.fromkeys([*self._far, *bots]) if bots.get(peer)}
            self._list_bots()

    def _list_bots(self) -> None:
        self._catalog.list_bots(_united([self.bots, *self._far.values()]))

    # --- seats --------------------------------------------------------------------------------------------------

    def summon(self, vacancy: BotRequest, answer: Callable[[bool], None]) -> None:
        """Ask a worker to bring a bot; *answer* is told whether any worker has such a bot, be it busy or not.

        Where no worker of this node is free, another node is asked, and the next time another one.
        """
        has_able = any(True for _ in self._able(vacancy))
        far = next((peer for peer, bots in self._far.items() if _bot_among(bots, vacancy) is not None), None)
        if not has_able and far is None and self._expecting is not None:
            self._waiting.append((vacancy, answer))
            return
        if far is None:
            self.summon_here(vacancy)
        elif not self._ask_free(vacancy):
            self._far[far] = self._far.pop(far)
            self._lend(far, vacancy)
        answer(has_able or far is not None)

    def summon_here(self, vacancy: BotRequest) -> None:
        """Ask a worker of this node, if one is free; whoever has the seat asks again if none comes."""
        if not self._ask_free(vacancy):
            self._count(UNPLACED)

    def _ask_free(self, vacancy: BotRequest) -> bool:
        free = [worker for worker in self._able(vacancy) if worker.is_free]
        if not free or self._has_its_share(vacancy.creator):
            return False
        self._ask(min(free, key=lambda worker: worker.rank), vacancy)
        return True

    def claimed(self, room: int, ticket: int, player: str, connection: int) -> None:
        """Note that a connection came for a seat, whatever the room says to it."""
        self.seat_claimed(room, ticket)
        for worker in self._workers.values():
            creator = worker.asked.pop((room, ticket), None)
            if creator is not None:
                worker.missed = 0
                self._hold(worker, _Bot(player, creator), connection)
                self._count(CLAIMED)
                return

    def returned(self, player: str, connection: int) -> None:
        """Note that a bot, if it is one that was brought here, came back to its seat over a new line."""
        for worker in self._workers.values():
            bot = worker.away.pop(player, None)
            if bot is not None:
                self._uses[bot.creator] += 1
                self._hold(worker, _Bot(player, bot.creator), connection)
                return

    def _hold(self, worker: _Worker, bot: _Bot, connection: int) -> None:
        if connection in self._holders:  # a bot with two seats on one line, which only another program has
            self._part(self._holders[connection], connection)
        worker.held[connection] = bot
        self._holders[connection] = worker

    def _use_less(self, creator: str) -> None:
        self._uses[creator] -= 1
        if not self._uses[creator]:
            del self._uses[creator]

    def _has_its_share(self, creator: str) -> bool:
        """Whether the rooms of one player have so many bots that no more may be for them."""
        offered = sum(worker.seats for worker in self._present.values())
        return self._uses[creator] >= max(LEAST_SHARE, offered // 2)

    def _able(self, vacancy: BotRequest) -> Iterator[_Worker]:
        return (worker for worker in self._present.values() if worker.bot_for(vacancy) is not None)

    def _ask(self, worker: _Worker, vacancy: BotRequest) -> None:
        bot = worker.bot_for(vacancy)
        assert bot is not None, "the worker is able"
        assert worker.connection is not None, "the worker is here"
        worker.asked[vacancy.key] = vacancy.creator
        self._uses[vacancy.creator] += 1
        self._timers.call_at(self._clock.now() + CLAIM_MS, lambda: self._miss(worker, vacancy))
        self._count(ASKED)
        self._connections.answer(worker.connection, encode(Summon(vacancy.room, vacancy.ticket, vacancy.game, bot)))

    def _miss(self, worker: _Worker, vacancy: BotRequest) -> None:
        """Note that a worker did not come in time, if it did not."""
        if worker.asked.pop(vacancy.key, None) is not None:
            self._use_less(vacancy.creator)
            worker.missed += 1
            self._count(MISSED)
            self._forget_idle(worker)

    def _count(self, outcome: str) -> None:
        self._counters.summons[outcome] = self._counters.summons.get(outcome, 0) + 1


def _bot_among(bots: Mapping[str, tuple[str, ...]], vacancy: BotRequest) -> str | None:
    """Return the first bot that a seat may have; None if there is none such."""
    return next((bot for bot in bots.get(vacancy.game, ()) if vacancy.bot in (None, bot)), None)


def _united(offers: Iterable[Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """Return all bots of several offers by game, each once."""
    bots: dict[str, dict[str, None]] = {}
    for offer in offers:
        for game, names in offer.items():
            bots.setdefault(game, {}).update(dict.fromkeys(names))
    return {game: tuple(names) for game, names in bots.items()}
