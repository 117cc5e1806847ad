"""The roster of bot workers: who is asked, who is not asked again, and what rooms and listings learn from it."""

import pytest
from manual_time import ManualTime
from sealed_bids import GAME as SEALED_BIDS
from small_node import SECRET, LittleNode, NotedConnection, greet_as_bot, hire, send_to_each, token_of
from wait_until import until

from warroom_games.registry import Registry
from warroom_protocol import codes
from warroom_protocol.messages import (
    Claim,
    Done,
    Error,
    Fill,
    GameList,
    Games,
    Hello,
    Joined,
    Leave,
    Plays,
    Seats,
    Summon,
    Welcome,
    Work,
)
from warroom_server.counters import Counters
from warroom_server.hosting.connections import Client, Connections
from warroom_server.hosting.wanted_bot import BotRequest
from warroom_server.lobby.bot_workers import BACK_MS, EXPECTED_MS, LEAST_SHARE, BotWorkers
from warroom_server.lobby.catalog import Catalog
from warroom_server.room.bots.bot_tickets import CLAIM_MS
from warroom_server.session.limits import Limits
from warroom_server.session.session import Session
from warroom_server.session.signer import Identity, Signer

GAME = "sealed_bids"


class Bureau:
    """A roster, the workers that it knows, and what it answered."""

    def __init__(self, time: ManualTime) -> None:
        self.time = time
        self.counters = Counters()
        self.connections = Connections(broadcast=send_to_each, clock=time, timers=time, counters=self.counters)
        self.catalog = Catalog(Registry([SEALED_BIDS]))
        self.bot_workers = BotWorkers(self.connections, self.catalog, time, self.counters, lambda _, __: None)
        self.answers: list[bool] = []
        self._last = 0
        self._ticket = 0

    def worker(self, *bots: str, seats: int = 10, game: str = GAME, name: str = "") -> NotedConnection:
        """Employ a worker that has *bots*."""
        self._last += 1
        connection = NotedConnection(self._last)
        session = Session(self._last, signer=Signer(SECRET), entropy=_NoEntropy(), limits=Limits(), server="test")
        session.identity = Identity("worker")
        self.connections.add(Client(connection, session))
        player = name or f"worker {self._last}"
        self.bot_workers.employ(Work(7, (Plays(game, bots or ("greedy",)),), seats), player, self._last)
        return connection

    def summon(self, bot: str | None = None, game: str = GAME, creator: str = "ada") -> int:
        """Look for a bot, and return the ticket."""
        self._ticket += 1
        self.bot_workers.summon(BotRequest(1, game, self._ticket, bot, creator), self.answers.append)
        return self._ticket


class _NoEntropy:
    def bytes(self, count: int) -> bytes:
        """Return nothing that anybody needs to guess."""
        return bytes(count)


@pytest.fixture
def bureau(time: ManualTime) -> Bureau:
    """Return a roster without workers."""
    return Bureau(time)


def tickets(worker: NotedConnection) -> list[int]:
    return [summon.ticket for summon in worker.of(Summon)]


class TestAsking:
    def test_a_worker_is_asked_for_its_best_bot_or_the_one_that_is_named(self, bureau: Bureau) -> None:
        worker = bureau.worker("greedy", "random")
        bureau.summon()
        bureau.summon("random")
        assert worker.of(Summon) == [Summon(1, 1, GAME, "greedy"), Summon(1, 2, GAME, "random")]
        assert bureau.answers == [True, True]

    def test_what_no_worker_has_is_unknown(self, bureau: Bureau) -> None:
        bureau.summon()
        bureau.worker("greedy")
        bureau.summon("deep thought")
        bureau.summon(game="chess")
        assert bureau.answers == [False, False, False]
        assert bureau.counters.summons == {"unplaced": 3}

    def test_the_least_busy_worker_is_asked_first(self, bureau: Bureau) -> None:
        small, large = bureau.worker(seats=2), bureau.worker(seats=8)
        for _ in range(5):
            bureau.summon()
        assert (tickets(small), tickets(large)) == ([1], [2, 3, 4, 5])

    def test_nobody_is_asked_for_more_seats_than_it_offers_but_its_bots_stay_known(self, bureau: Bureau) -> None:
        worker = bureau.worker(seats=1)
        bureau.summon()
        bureau.summon()
        assert (tickets(worker), bureau.answers) == ([1], [True, True])
        assert bureau.counters.summons == {"asked": 1, "unplaced": 1}

    def test_a_seat_is_free_again_once_its_connection_is_gone(self, bureau: Bureau) -> None:
        worker = bureau.worker(seats=1)
        bureau.bot_workers.claimed(1, bureau.summon(), "bot", 50)
        bureau.time.advance(10 * CLAIM_MS)
        bureau.summon()
        assert (tickets(worker), bureau.bot_workers.held_seats) == ([1], 1)
        bureau.bot_workers.gone(50)
        bureau.summon()
        assert (tickets(worker), bureau.bot_workers.held_seats) == ([1, 3], 0)

    def test_a_worker_that_does_not_come_is_asked_last_from_then_on(self, bureau: Bureau) -> None:
        silent, willing = bureau.worker(), bureau.worker(seats=1)
        bureau.summon()
        bureau.time.advance(CLAIM_MS)
        bureau.bot_workers.claimed(1, bureau.summon(), "bot", 50)
        bureau.summon()
        assert (tickets(silent), tickets(willing)) == ([1, 3], [2])
        bureau.bot_workers.gone(50)
        bureau.summon()
        assert tickets(willing) == [2, 4]
        assert bureau.counters.summons == {"asked": 4, "claimed": 1, "missed": 1}

    def test_a_worker_that_comes_after_all_is_forgiven(self, bureau: Bureau) -> None:
        late, other = bureau.worker(), bureau.worker()
        bureau.summon()
        bureau.time.advance(CLAIM_MS)
        bureau.bot_workers.gone(other.id)
        bureau.bot_workers.claimed(1, bureau.summon(), "bot", 50)
        bureau.worker()
        bureau.bot_workers.gone(50)
        bureau.summon()
        assert tickets(late) == [1, 2, 3]

    def test_a_claim_that_nobody_was_asked_for_changes_nothing(self, bureau: Bureau) -> None:
        bureau.worker()
        bureau.bot_workers.claimed(1, 99, "bot", 50)
        assert bureau.bot_workers.held_seats == 0

    def test_a_worker_may_say_anew_what_it_plays(self, bureau: Bureau) -> None:
        worker = bureau.worker("greedy", seats=1)
        bureau.bot_workers.claimed(1, bureau.summon(), "bot", 50)
        bureau.bot_workers.employ(Work(8, (Plays(GAME, ("random",)),), 2), "worker 1", worker.id)
        bureau.summon("random")
        bureau.summon("random")
        bureau.summon("greedy")
        assert (tickets(worker), bureau.answers) == ([1, 2], [True, True, True, False])


class TestBreaks:
    def test_a_worker_that_comes_back_still_has_its_seats(self, bureau: Bureau) -> None:
        first = bureau.worker(seats=2, name="max")
        bureau.bot_workers.claimed(1, bureau.summon(), "bot", 50)
        bureau.bot_workers.gone(first.id)
        assert (len(bureau.bot_workers), bureau.bot_workers.held_seats) == (0, 1)
        back = bureau.worker(seats=2, name="max")
        bureau.summon()
        bureau.summon()
        assert (tickets(back), len(bureau.bot_workers)) == ([2], 1)
        bureau.bot_workers.gone(50)
        bureau.summon()
        assert tickets(back) == [2, 4]

    def test_a_worker_whose_old_line_is_still_there_is_asked_on_the_new_one(self, bureau: Bureau) -> None:
        old = bureau.worker(seats=1, name="max")
        new = bureau.worker(seats=1, name="max")
        bureau.summon()
        bureau.bot_workers.gone(old.id)
        bureau.summon()
        assert (tickets(old), tickets(new), len(bureau.bot_workers)) == ([], [1], 1)

    def test_a_bot_that_is_asked_for_before_a_break_may_come_after_it(self, bureau: Bureau) -> None:
        old = bureau.worker(seats=1, name="max")
        ticket = bureau.summon()
        bureau.bot_workers.gone(old.id)
        bureau.bot_workers.claimed(1, ticket, "bot", 50)
        assert bureau.bot_workers.held_seats == 1
        back = bureau.worker(seats=1, name="max")
        bureau.summon()
        assert tickets(back) == []

    def test_a_bot_that_comes_back_takes_up_a_seat_of_its_worker_again(self, bureau: Bureau) -> None:
        old = bureau.worker(seats=1, name="max")
        bureau.bot_workers.claimed(1, bureau.summon(), "bot", 50)
        for connection in (old.id, 50):  # the machine of the worker was cut off
            bureau.bot_workers.gone(connection)
        back = bureau.worker(seats=1, name="max")
        bureau.bot_workers.returned("bot", 51)
        bureau.summon()
        assert (tickets(back), bureau.bot_workers.held_seats) == ([], 1)
        bureau.bot_workers.gone(51)
        bureau.time.advance(BACK_MS)
        bureau.bot_workers.returned("bot", 52)
        assert bureau.bot_workers.held_seats == 0

    def test_a_connection_that_claims_twice_holds_one_seat(self, bureau: Bureau) -> None:
        worker = bureau.worker(seats=2)
        for _ in range(2):
            bureau.bot_workers.claimed(1, bureau.summon(), "bot", 50)
        bureau.bot_workers.gone(50)
        for _ in range(3):
            bureau.summon()
        assert (tickets(worker), bureau.bot_workers.held_seats) == ([1, 2, 3, 4], 0)


class TestShares:
    def test_the_rooms_of_one_player_cannot_have_all_bots(self, bureau: Bureau) -> None:
        worker = bureau.worker(seats=100)
        for _ in range(60):
            bureau.summon(creator="mallory")
        assert len(tickets(worker)) == 50
        bureau.summon(creator="ada")
        assert len(tickets(worker)) == 51
        assert set(bureau.answers) == {True}

    def test_but_as_many_as_a_few_rooms_need_where_there_are_few(self, bureau: Bureau) -> None:
        worker = bureau.worker(seats=LEAST_SHARE + 1)
        for _ in range(LEAST_SHARE + 1):
            bureau.summon()
        assert len(tickets(worker)) == LEAST_SHARE

    def test_what_was_given_up_does_not_count(self, bureau: Bureau) -> None:
        worker = bureau.worker(seats=LEAST_SHARE + 1)
        asked = [bureau.summon() for _ in range(LEAST_SHARE)]
        bureau.bot_workers.claimed(1, asked[0], "bot", 50)
        bureau.bot_workers.gone(50)
        bureau.summon()
        bureau.summon()
        assert len(tickets(worker)) == LEAST_SHARE + 1
        bureau.time.advance(CLAIM_MS)
        bureau.summon()
        assert len(tickets(worker)) == LEAST_SHARE + 2


class TestExpecting:
    def test_seats_wait_for_the_worker_that_is_being_started(self, bureau: Bureau) -> None:
        bureau.bot_workers.expect()
        ticket = bureau.summon()
        assert bureau.answers == []
        assert tickets(bureau.worker()) == [ticket]
        assert bureau.answers == [True]

    def test_but_not_for_ever(self, bureau: Bureau) -> None:
        bureau.bot_workers.expect()
        bureau.summon()
        bureau.time.advance(EXPECTED_MS - 1)
        assert bureau.answers == []
        bureau.time.advance(1)
        assert bureau.answers == [False]
        bureau.summon()
        assert bureau.answers == [False, False]

    def test_they_wait_again_when_it_is_started_again_and_for_the_whole_time(self, bureau: Bureau) -> None:
        bureau.bot_workers.expect()
        first = bureau.worker()
        bureau.bot_workers.gone(first.id)
        bureau.time.advance(EXPECTED_MS - 1)
        bureau.bot_workers.expect()
        bureau.time.advance(1)
        bureau.bot_workers.expect()
        ticket = bureau.summon()
        bureau.time.advance(EXPECTED_MS - 1)
        assert bureau.answers == []
        assert tickets(bureau.worker()) == [ticket]

    def test_a_worker_that_has_another_game_settles_it_as_well(self, bureau: Bureau) -> None:
        bureau.bot_workers.expect()
        bureau.summon()
        bureau.worker(game="chess")
        assert bureau.answers == [False]


def test_listings_tell_which_bots_there_are_now(bureau: Bureau) -> None:
    def bots() -> list[tuple[str, ...]]:
        return [game.bots for game in bureau.catalog.games]

    assert bots() == [()]
    first, second = bureau.worker("greedy", "random"), bureau.worker("warden", "random")
    assert bots() == [("greedy", "random", "warden")]
    assert b'"bots":["greedy","random","warden"]' in bureau.catalog.json
    bureau.bot_workers.gone(first.id)
    assert bots() == [("warden", "random")]
    bureau.bot_workers.gone(second.id)
    assert (bots(), len(bureau.bot_workers)) == ([()], 0)


class TestOnTheNode:
    async def test_a_summon_leads_to_a_claim_and_the_match_starts(self, node: LittleNode) -> None:
        worker, ada = hire(node), node.greet()
        room = await node.create(ada)
        await node.join(ada, room)
        node.say(ada, Fill(5, room))
        await until(lambda: bool(worker.of(Summon)))
        [summon] = worker.of(Summon)
        bot = greet_as_bot(node, "greedy")
        node.say(bot, Claim(6, room, summon.ticket))
        await until(lambda: bool(bot.of(Joined)))
        await node.settle()
        assert ada.of(Done) == [Done(5)]
        last = ada.of(Seats)[-1]
        assert (last.phase, last.seats[1].bot) == ("playing", "greedy")
        assert node.counters.summons == {"asked": 1, "claimed": 1}

    async def test_after_a_break_the_worker_and_its_bots_are_known_again(self, node: LittleNode) -> None:
        worker, ada = hire(node, seats=1), node.greet()
        room = await node.create(ada, seats=3)
        await node.join(ada, room)
        node.say(ada, Fill(5, room, 1))
        await until(lambda: bool(worker.of(Summon)))
        bot = greet_as_bot(node, "greedy")
        node.say(bot, Claim(6, room, worker.of(Summon)[0].ticket))
        await until(lambda: bool(bot.of(Joined)))
        for client in (worker, bot):
            node.dispatcher.closed(client)
        assert (len(node.bot_workers), node.bot_workers.held_seats) == (0, 0)
        back, again = [await self.come_back(node, client) for client in (worker, bot)]
        node.say(back, Work(1, (Plays(GAME, ("greedy",)),), 1))
        await node.join(again, room)
        assert (len(node.bot_workers), node.bot_workers.held_seats) == (1, 1)
        node.say(ada, Fill(7, room, 2))
        await until(lambda: Done(7) in ada.of(Done))
        assert back.of(Summon) == []

    async def come_back(self, node: LittleNode, lost: NotedConnection) -> NotedConnection:
        """Return a connection with the token of one that is gone, and the bot key."""
        connection = node.connect()
        node.say(connection, Hello(0, (1,), "greedy", token_of(lost), bot="greedy", key=Signer(SECRET).bot_key()))
        await until(lambda: bool(connection.of(Welcome)))
        return connection

    async def test_without_workers_there_are_no_bots(self, node: LittleNode) -> None:
        ada = node.greet()
        room = await node.create(ada)
        await node.join(ada, room)
        node.say(ada, Fill(5, room))
        await until(lambda: bool(ada.of(Error)))
        assert [(error.ref, error.code) for error in ada.of(Error)] == [(5, codes.BOT_UNKNOWN)]

    async def test_whoever_has_no_key_may_neither_work_nor_claim(self, node: LittleNode) -> None:
        ada = node.greet()
        node.say(ada, Work(1, (), 1))
        node.say(ada, Claim(2, 77, 1))
        assert [(error.ref, error.code) for error in ada.of(Error)] == [
            (1, codes.CLAIM_WORKERS),
            (2, codes.CLAIM_WORKERS),
        ]

    def test_a_wrong_key_is_refused(self, node: LittleNode) -> None:
        mallory = node.connect()
        node.say(mallory, Hello(0, (1,), "Mallory", bot="greedy", key="guessed"))
        assert [error.code for error in mallory.of(Error)] == [codes.HELLO_KEY]
        assert mallory.closed == codes.CLOSE_HELLO

    async def test_a_worker_that_hangs_up_is_off_the_list(self, node: LittleNode) -> None:
        worker, ada = hire(node), node.greet()
        node.say(ada, Games(1))
        node.dispatcher.closed(worker)
        node.say(ada, Games(2))
        assert [[game.bots for game in games.games if game.game == GAME] for games in ada.of(GameList)] == [
            [("greedy",)],
            [()],
        ]

    async def test_a_room_with_none_but_bots_is_ended_when_its_time_is_over(self, node: LittleNode) -> None:
        worker, ada = hire(node), node.greet()
        room = await node.create(ada)
        await node.join(ada, room)
        node.say(ada, Fill(5, room))
        await until(lambda: bool(worker.of(Summon)))
        bot = greet_as_bot(node, "greedy")
        node.say(bot, Claim(6, room, worker.of(Summon)[0].ticket))
        await node.settle()
        node.say(ada, Leave(7, room))
        node.expiry.sweep()
        node.time.advance(60_000)
        node.expiry.sweep()
        await node.settle()
        hosted = node.hosted(room)
        assert hosted.room.is_over
