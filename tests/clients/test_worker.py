"""A bot worker against a scripted server, connection by connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from scripted_server import ABOUT, Peer, scripted, snapshot
from wait_until import until

from warroom_bots.bot_executor import BotExecutor
from warroom_bots.registry import best_first, bots_for, find_bot
from warroom_bots.worker import Worker
from warroom_client import RejectedError
from warroom_protocol import codes
from warroom_protocol import messages as wire

ROOM = 7
GAME = "graph_battle"
LISTING = wire.GameListing(GAME, "Graph Battle", "", 2, 2, 6, 4, 30_000, True, {}, {})
END = wire.Ended(ROOM, (1, 2), "victory", "00", "11")
PASS = {"type": "pass"}
BOTS = best_first(bots_for(GAME))


@asynccontextmanager
async def working(url: str, *, seats: int = 4) -> AsyncIterator[asyncio.Task[None]]:
    """Run a worker for the length of a block."""
    task = asyncio.create_task(Worker(url, key="key", seats=seats, executor=BotExecutor(1)).run())
    yield task
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def employ(peer: Peer, tokens: list[str | None] | None = None) -> wire.Work:
    """Take a worker in, note its token, and return what it offers."""
    hello = await peer.welcome()
    assert hello.key == "key"
    if tokens is not None:
        tokens.append(hello.token)
    games = await peer.expect(wire.Games)
    await peer.send(wire.GameList(games.ref, (LISTING,), {}))
    work = await peer.expect(wire.Work)
    await peer.send(wire.Done(work.ref))
    return work


async def seat(peer: Peer) -> wire.Hello:
    """Let a bot have the seat that it claims, and return its hello."""
    hello = await peer.welcome()
    claim = await peer.expect(wire.Claim)
    joined = wire.Joined(claim.ref, claim.room, "0000007", 1, 0, "seat", ABOUT)
    await peer.send(joined, snapshot(claim.room, {"n": 0}, 1), seats("ada"))
    return hello


def seats(player: str | None, **state: bool) -> wire.Seats:
    """Return who sits in the room."""
    shown = wire.SeatState(
        0, player, "", connected=True, out=state.get("out", False), stood_in=state.get("stood_in", False)
    )
    return wire.Seats(ROOM, "playing", None, (shown,), 0)


class Office:
    """The server: the first connection is the worker's, each later one is a seat's."""

    def __init__(self, *dismissal: wire.ServerMessage) -> None:
        self.dismissal = dismissal
        self.work: wire.Work | None = None
        self.bots: list[str] = []
        self.acts: list[wire.Act] = []
        self.left = asyncio.Event()
        self.summons = [wire.Summon(ROOM, 1, GAME, "greedy")]

    async def script(self, peer: Peer) -> None:
        """Serve one connection."""
        if self.work is None:
            self.work = await employ(peer)
            await peer.send(*self.summons)
        else:
            hello = await seat(peer)
            self.bots.append(f"{hello.bot} as {hello.name}, {hello.key}")
            await self.play(peer)
        await peer.until_closed()

    async def play(self, peer: Peer) -> None:
        """Dismiss the bot, and note that it leaves."""
        await peer.send(*self.dismissal)
        leave = await peer.expect(wire.Leave)
        await peer.send(wire.Done(leave.ref))
        self.left.set()


@pytest.mark.parametrize(
    "dismissal",
    [
        pytest.param(END, id="the match is over"),
        pytest.param(wire.Notice(ROOM, codes.NOTICE_RELIEVED, ""), id="the owner is back"),
        pytest.param(wire.Notice(ROOM, codes.NOTICE_KICKED, ""), id="the host sent it away"),
        pytest.param(seats(None), id="its place was freed"),
        pytest.param(seats("ada", stood_in=True), id="another bot plays for it"),
        pytest.param(seats("ada", out=True), id="its seat is out of the match"),
    ],
)
async def test_a_bot_comes_to_its_seat_and_leaves_when_it_is_not_needed(dismissal: wire.ServerMessage) -> None:
    office = Office(dismissal)
    async with scripted(office.script, office.script) as url, working(url), asyncio.timeout(10):
        await office.left.wait()
    assert office.bots == ["greedy as greedy 1, key"]


async def test_a_worker_may_offer_chosen_bots_alone() -> None:
    office = Office(END)
    chosen = find_bot(GAME, "warroom_bots.games.graph_battle_greedy:GreedyBot")
    async with scripted(office.script, office.script) as url, asyncio.timeout(10):
        worker = Worker(url, key="key", seats=1, executor=BotExecutor(1), offers=lambda game: {"mine": chosen})
        working = asyncio.create_task(worker.run())
        await until(lambda: office.work is not None)
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working
    assert office.work is not None
    assert office.work.plays == (wire.Plays(GAME, ("mine",)),)


async def test_a_worker_offers_the_bots_of_every_game_the_best_first() -> None:
    office = Office(END)
    async with scripted(office.script, office.script) as url, working(url, seats=9), asyncio.timeout(10):
        await office.left.wait()
    assert office.work is not None
    assert (office.work.plays, office.work.seats) == ((wire.Plays(GAME, BOTS),), 9)
    assert (BOTS[0], BOTS[-1]) == ("greedy", "random")
    assert best_first(("random", "search", "greedy", "level:1", "warden", "level:5")) == (
        *("warden", "greedy", "search", "level:5", "level:1", "random"),
    )
    assert best_first(bots_for("a game of somebody else")) == ("random",)


async def test_a_bot_that_stands_in_plays_until_it_is_relieved() -> None:
    class Match(Office):
        async def play(self, peer: Peer) -> None:
            await peer.send(seats("somebody", stood_in=True), wire.Prompt(ROOM, 0, 3, 0, 30_000))
            legal = await peer.expect(wire.Legal)
            await peer.send(wire.LegalList(legal.ref, ROOM, 3, True, (PASS,)))
            act = await peer.expect(wire.Act)
            self.acts.append(act)
            await peer.send(wire.Verdict(ROOM, act.id, None, None, 1, 0, None))
            await super().play(peer)

    office = Match(wire.Notice(ROOM, codes.NOTICE_RELIEVED, ""))
    office.summons = [wire.Summon(ROOM, 1, GAME, "random")]
    async with scripted(office.script, office.script) as url, working(url), asyncio.timeout(10):
        await office.left.wait()
    assert [act.turn for act in office.acts] == [3]


async def test_a_worker_comes_back_after_a_break_as_the_same_one() -> None:
    offers: list[wire.Work] = []
    tokens: list[str | None] = []
    back = asyncio.Event()

    async def script(peer: Peer) -> None:
        offers.append(await employ(peer, tokens))
        if len(offers) == 1:
            await peer.socket.close(codes.CLOSE_GOING_AWAY)
        else:
            back.set()
            await peer.until_closed()

    async with scripted(script, script) as url, working(url), asyncio.timeout(10):
        await back.wait()
    assert offers[0].plays == offers[1].plays
    assert tokens == [None, "token-of-ada"]


async def test_a_worker_whose_token_is_not_known_any_more_comes_as_a_new_one() -> None:
    tokens: list[str | None] = []
    back = asyncio.Event()

    async def forget(peer: Peer) -> None:
        hello = await peer.expect(wire.Hello)
        tokens.append(hello.token)
        await peer.send(wire.Error(hello.ref, codes.HELLO_TOKEN, "no"))
        await peer.socket.close(codes.CLOSE_HELLO)

    async def script(peer: Peer) -> None:
        await employ(peer, tokens)
        if len(tokens) == 1:
            await peer.socket.close(codes.CLOSE_GOING_AWAY)
        else:
            back.set()
            await peer.until_closed()

    async with scripted(script, forget, script) as url, working(url), asyncio.timeout(10):
        await back.wait()
    assert tokens == [None, "token-of-ada", None]


async def test_a_worker_with_a_wrong_key_does_not_try_again() -> None:
    async def script(peer: Peer) -> None:
        hello = await peer.expect(wire.Hello)
        await peer.send(wire.Error(hello.ref, codes.HELLO_KEY, "no"))
        await peer.socket.close(codes.CLOSE_HELLO)

    async with scripted(script) as url, asyncio.timeout(10):
        with pytest.raises(RejectedError, match=codes.HELLO_KEY):
            await Worker(url, key="key", seats=1, executor=BotExecutor(1)).run()


async def test_a_taken_seat_and_an_unknown_bot_do_no_harm() -> None:
    class Crowded(Office):
        async def script(self, peer: Peer) -> None:
            if self.work is not None and not self.bots:
                await peer.welcome()
                claim = await peer.expect(wire.Claim)
                self.bots.append("too late")
                await peer.send(wire.Error(claim.ref, codes.CLAIM_GONE, "too late"))
                await peer.until_closed()
                self.left.set()
            else:
                await super().script(peer)

    office = Crowded()
    office.summons = [wire.Summon(ROOM, 1, GAME, "deep thought"), wire.Summon(ROOM, 2, GAME, "greedy")]
    async with scripted(office.script, office.script) as url, working(url) as task, asyncio.timeout(10):
        await office.left.wait()
        assert not task.done()
    assert office.bots == ["too late"]
