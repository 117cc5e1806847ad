"""The connected bot workers: what they play, how busy they are, and which of them is asked for a bot."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from msgspec import Struct

from warroom_protocol.codec import encode
from warroom_protocol.messages import Done, Summon, Work
from warroom_server.counters import Counters
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.wanted_bot import BotRequest
from warroom_server.lobby.catalog import Catalog
from warroom_server.ports.listeners import Signal
from warroom_server.ports.time import Timer, Timers
from warroom_server.room.bots.bot_tickets import CLAIM_MS

logger = logging.getLogger(__name__)

EXPECTED_MS = 15_000
"""How long seats wait for a worker that the server has started, before they learn that there are no bots."""
BACK_MS = 20_000
"""How long a disconnected bot may take to come back and still count as its worker's."""
LEAST_SHARE = 32
"""Bots that all rooms of one player may always have together; beyond that, half of all bots is for others."""

ASKED, CLAIMED, MISSED, UNPLACED = "asked", "claimed", "missed", "unplaced"
"""The outcomes of a search for a bot, as labels of a metric."""


class _Bot(Struct, frozen=True):
    """A bot that a worker brought, and the creator of its room."""

    player: str
    creator: str


class _Worker:
    """One worker, also over reconnects: its bots, and the seats that it was asked for or holds."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.connection: int | None = None
        """Its own connection; None while that is closed and some of its bots are still here."""
        self.plays: dict[str, tuple[str, ...]] = {}
        self.seats = 0
        self.asked: dict[tuple[int, int], str] = {}
        """By room and ticket, the creator of the room."""
        self.held: dict[int, _Bot] = {}
        """By connection of a bot, the bot."""
        self.away: dict[str, _Bot] = {}
        """By player, the bots that lost their connections just now and may come back."""
        self.missed = 0
        """How often in a row it did not come."""

    @property
    def busy(self) -> int:
        """How many seats it was asked for or holds."""
        return len(self.asked) + len(self.held)

    @property
    def rank(self) -> tuple[int, float, int]:
        """The place in the order in which workers are asked: reliable ones first, then the least busy."""
        return self.missed, self.busy / self.seats, self.connection or 0

    def uses(self, creator: str) -> int:
        """Return how many of these seats are in rooms of one creator."""
        return [*self.asked.values(), *(bot.creator for bot in self.held.values())].count(creator)


@dataclass(eq=False)
class BotWorkers:
    """Asks the workers of this node for bots, and waits for none: a worker that did not come is asked last next time.

    *lend* asks another node for a bot.
    """

    _connections: Connections
    _catalog: Catalog
    _timers: Timers
    _counters: Counters
    _lend: Callable[[str, BotRequest], object]

    def __post_init__(self) -> None:
        self.seat_claimed: Signal[int, int] = Signal()
        """A worker claims the ticket of a room."""
        self._workers: dict[str, _Worker] = {}
        """By player, every worker that is connected or has bots here."""
        self._expecting: Timer | None = None
        """Ends the time for which seats wait for a worker."""
        self._waiting: list[tuple[BotRequest, Callable[[bool], None]]] = []
        self._far: dict[str, dict[str, tuple[str, ...]]] = {}
        """By other node, the bots of its workers by game."""

    def __len__(self) -> int:
        return len(self._connected)

    @property
    def _connected(self) -> list[_Worker]:
        return [worker for worker in self._workers.values() if worker.connection is not None]

    @property
    def held_seats(self) -> int:
        """How many bots are connected."""
        return sum(len(worker.held) for worker in self._workers.values())

    # --- workers ------------------------------------------------------------------------------------------------

    def expect(self) -> None:
        """Let seats wait a while for a worker that is starting."""
        if self._expecting is not None:
            self._expecting.cancel()
        self._expecting = self._timers.call_after(EXPECTED_MS, self._expect_no_longer)

    def employ(self, work: Work, player: str, connection: int) -> None:
        """Add a worker, or note its new bots; a worker that comes back still has its seats."""
        worker = self._workers.setdefault(player, _Worker(player))
        worker.connection = connection
        worker.plays = {plays.game: plays.bots for plays in work.plays}
        worker.seats = work.seats
        worker.missed = 0
        logger.info("worker connection=%d games=%s seats=%d", connection, ",".join(worker.plays), work.seats)
        self._connections.answer(connection, encode(Done(work.ref)))
        self._list_bots()
        self._expect_no_longer()

    def gone(self, connection: int) -> None:
        """Note that a connection is closed: that of a worker, of a bot, or of somebody else."""
        self._part(connection)
        for worker in self._connected:
            if worker.connection == connection:
                worker.connection = None
                self._forget_idle(worker)
                logger.info("worker gone connection=%d", connection)
                self._list_bots()

    def _part(self, connection: int) -> None:
        """Free the seat of a connection, if it has one, and remember its bot for a while: it may come back."""
        worker = next((worker for worker in self._workers.values() if connection in worker.held), None)
        if worker is None:
            return
        bot = worker.held.pop(connection)
        worker.away[bot.player] = bot

        def forget() -> None:
            # After a second disconnect the bot has another time to come back.
            if worker.away.get(bot.player) is bot:
                del worker.away[bot.player]
                self._forget_idle(worker)

        self._timers.call_after(BACK_MS, forget)

    def _forget_idle(self, worker: _Worker) -> None:
        if worker.connection is None and not (worker.asked or worker.held or worker.away):
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
        return _united(worker.plays for worker in self._connected)

    def know_far(self, bots: Mapping[str, dict[str, tuple[str, ...]]]) -> None:
        """Note the bots that the workers of each other node have."""
        if {peer: plays for peer, plays in bots.items() if plays} != self._far:
            # In the order in which nodes are asked: new ones come last.
            self._far = {peer: bots[peer] for peer in dict.fromkeys([*self._far, *bots]) if bots.get(peer)}
            self._list_bots()

    def _list_bots(self) -> None:
        self._catalog.list_bots(_united([self.bots, *self._far.values()]))

    # --- seats --------------------------------------------------------------------------------------------------

    def summon(self, vacancy: BotRequest, answer: Callable[[bool], None]) -> None:
        """Ask a worker to bring a bot; *answer* is called with whether any worker has such a bot, busy or not.

        If no worker of this node is free, another node is asked, and the next time yet another one.
        """
        has_able = bool(self._able(vacancy))
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
        """Ask a worker of this node, if one is free; the room asks again if no bot comes."""
        if not self._ask_free(vacancy):
            self._count(UNPLACED)

    def _ask_free(self, vacancy: BotRequest) -> bool:
        free = [worker for worker in self._able(vacancy) if worker.busy < worker.seats]
        if not free or self._has_its_share(vacancy.creator):
            return False
        self._ask(min(free, key=lambda worker: worker.rank), vacancy)
        return True

    def claimed(self, room: int, ticket: int, player: str, connection: int) -> None:
        """Note that a connection claims a seat, whatever the room answers."""
        self.seat_claimed(room, ticket)
        for worker in self._workers.values():
            creator = worker.asked.pop((room, ticket), None)
            if creator is not None:
                worker.missed = 0
                self._hold(worker, _Bot(player, creator), connection)
                self._count(CLAIMED)
                return

    def returned(self, player: str, connection: int) -> None:
        """Note that a player joined over a new connection, perhaps a bot that comes back to its seat."""
        for worker in self._workers.values():
            bot = worker.away.pop(player, None)
            if bot is not None:
                self._hold(worker, _Bot(player, bot.creator), connection)
                return

    def _hold(self, worker: _Worker, bot: _Bot, connection: int) -> None:
        self._part(connection)  # our workers use one connection per bot, other programs may not
        worker.held[connection] = bot

    def _has_its_share(self, creator: str) -> bool:
        """Whether the rooms of one creator have as many bots as they may."""
        offered = sum(worker.seats for worker in self._connected)
        used = sum(worker.uses(creator) for worker in self._workers.values())
        return used >= max(LEAST_SHARE, offered // 2)

    def _able(self, vacancy: BotRequest) -> list[_Worker]:
        return [worker for worker in self._connected if _bot_among(worker.plays, vacancy) is not None]

    def _ask(self, worker: _Worker, vacancy: BotRequest) -> None:
        bot = _bot_among(worker.plays, vacancy)
        assert bot is not None, "the worker is able"
        assert worker.connection is not None, "the worker is here"
        worker.asked[vacancy.key] = vacancy.creator
        self._timers.call_after(CLAIM_MS, lambda: self._miss(worker, vacancy))
        self._count(ASKED)
        self._connections.answer(worker.connection, encode(Summon(vacancy.room, vacancy.ticket, vacancy.game, bot)))

    def _miss(self, worker: _Worker, vacancy: BotRequest) -> None:
        """Note that a worker did not come in time, unless it came."""
        if worker.asked.pop(vacancy.key, None) is not None:
            worker.missed += 1
            self._count(MISSED)
            self._forget_idle(worker)

    def _count(self, outcome: str) -> None:
        self._counters.summons[outcome] = self._counters.summons.get(outcome, 0) + 1


class BotRequests:
    """Asks connected workers, and calls *announce* to publish the request.

    Nobody knows who reads the feed. So if no connected worker has such a bot, the room learns that there is none only
    after nobody came in time.
    """

    def __init__(self, bot_workers: BotWorkers, announce: Callable[[BotRequest], bool], timers: Timers) -> None:
        self._bot_workers = bot_workers
        self._announce = announce
        self._timers = timers
        self._unanswered: dict[tuple[int, int], Callable[[bool], None]] = {}
        bot_workers.seat_claimed.append(lambda room, ticket: self._settle((room, ticket), is_known=True))

    def summon(self, vacancy: BotRequest, answer: Callable[[bool], None]) -> None:
        """Ask for a bot; *answer* is called with whether there are such bots."""
        is_announced = self._announce(vacancy)

        def judge(is_known: bool) -> None:
            if is_known or not is_announced:
                answer(is_known)
            else:
                self._unanswered[vacancy.key] = answer
                self._timers.call_after(CLAIM_MS, lambda: self._settle(vacancy.key, is_known=False))

        self._bot_workers.summon(vacancy, judge)

    def _settle(self, key: tuple[int, int], *, is_known: bool) -> None:
        answer = self._unanswered.pop(key, None)
        if answer is not None:
            answer(is_known)


def _bot_among(bots: Mapping[str, tuple[str, ...]], vacancy: BotRequest) -> str | None:
    """Return the first bot that fits a seat, or None."""
    return next((bot for bot in bots.get(vacancy.game, ()) if vacancy.bot in (None, bot)), None)


def _united(offers: Iterable[Mapping[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """Return all bots of several offers by game, each once."""
    bots: dict[str, dict[str, None]] = {}
    for offer in offers:
        for game, names in offer.items():
            bots.setdefault(game, {}).update(dict.fromkeys(names))
    return {game: tuple(names) for game, names in bots.items()}
