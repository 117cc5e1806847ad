"""Bots that workers bring, over real sockets and with real processes that are killed."""

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from processes import await_end, commands_below, worker_of
from server_process import SEALED_BIDS, WARROOM, ServerProcess
from wait_until import until

from warroom_client import Client, ClientError, Ended, Prompted, RejectedError, Room
from warroom_client.connection import Connection, open_connection
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.versions import VERSION
from warroom_server.cli import main

KEY = "a key of the operator's own"
PATIENCE_S = 30.0


@pytest.fixture
def bot_server(new_server: Callable[..., ServerProcess]) -> ServerProcess:
    """Return a running server that has started a worker."""
    running = new_server(*SEALED_BIDS, bots=True)
    running.start()
    return running


@pytest.fixture
def keyed_server(new_server: Callable[..., ServerProcess]) -> ServerProcess:
    """Return a running server without a worker, whose key is known."""
    running = new_server(*SEALED_BIDS, redis="memory://", bot_key=KEY)
    running.start()
    return running


async def fill(client: Client, room: Room, bot: str | None = None) -> None:
    await client.ask(wire.Fill(1, room.number, None, bot), survives=False)


async def enter(client: Client, game: str, seats: int, options: dict[str, Any] | None = None, **policies: Any) -> Room:
    """Make a room and sit down in it."""
    created = await client.create(game, seats=seats, options=options, room_options=policies)
    return await client.join(created.room)


async def play(room: Room) -> Ended:
    """Play the first legal action each time, until the match is over."""
    async for event in room:
        # What happened before a break is told as well, but only the latest decision can be open.
        if isinstance(event, Prompted) and room.prompt is not None and room.prompt.turn == event.turn:
            await act(room)
        elif isinstance(event, Ended):
            return event
    raise AssertionError("the events of a room end with the match")


async def act(room: Room) -> None:
    await until(lambda: room.prompt is not None)
    legal = await room.legal()
    await room.act(legal.actions[0], turn=legal.turn)


def metric(server: ServerProcess, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (.+)$", server.metrics(), re.MULTILINE)
    return 0.0 if found is None else float(found[1])


async def test_a_person_fills_up_with_bots_from_nothing_and_finishes_a_match(bot_server: ServerProcess) -> None:
    async with Client(bot_server.url, name="Ada") as ada:
        room = await enter(ada, "graph_battle", 4, turn_ms=10_000)
        await fill(ada, room)
        async with asyncio.timeout(PATIENCE_S):
            ended = await play(room)
        assert ended.reason in ("victory", "cap")
        bots = {state.name for state in room.seats if state.bot == "greedy"}
        assert bots == {"greedy 1", "greedy 2", "greedy 3"}
        listed = {game.game: game.bots for game in (await ada.games()).games}
        assert listed["graph_battle"][0] == "greedy"
        assert listed["sealed_bids"] == ("random",)
        with pytest.raises(RejectedError, match=codes.BOT_UNKNOWN):
            await fill(ada, await enter(ada, "graph_battle", 4), "deep thought")
    await until(lambda: metric(bot_server, "warroom_bots") == 0)
    assert metric(bot_server, "warroom_expired_turns_total") == 0


async def test_the_bots_of_a_match_play_on_after_the_server_was_killed_with_its_worker(
    bot_server: ServerProcess,
) -> None:
    async with asyncio.timeout(2 * PATIENCE_S), Client(bot_server.url, name="Ada") as ada:
        room = await enter(ada, "sealed_bids", 3, {"rounds": 8, "cards": 16}, turn_ms=60_000, seating="as_joined")
        await fill(ada, room)
        await act(room)
        await asyncio.to_thread(bot_server.kill)
        await asyncio.to_thread(bot_server.start)
        ended = await play(room)
    assert (ended.reason, ended.left) == ("victory", ())
    assert [(state.name, state.bot) for state in room.seats] == [
        ("Ada", None),
        ("random 1", "random"),
        ("random 2", "random"),
    ]
    assert metric(bot_server, "warroom_expired_turns_total") == 0


async def test_a_room_chooses_the_level_of_its_bots(bot_server: ServerProcess) -> None:
    async with Client(bot_server.url, name="Ada") as ada:
        room = await enter(ada, "strata", 2, {"max_turns": 4}, turn_ms=60_000, bot="level:4")
        await fill(ada, room)
        async with asyncio.timeout(PATIENCE_S):
            ended = await play(room)
        assert ended.reason == "cap"
        assert {state.bot for state in room.seats} == {None, "level:4"}
        listed = {game.game: game.bots for game in (await ada.games()).games}
        assert {f"level:{level}" for level in range(1, 6)} <= {*listed["strata"]}


async def test_a_bot_sits_in_for_a_lost_line_until_the_owner_is_back(bot_server: ServerProcess) -> None:
    async with Client(bot_server.url, name="Bob") as bob:
        async with Client(bot_server.url, name="Ada") as ada:
            hers = await enter(ada, "sealed_bids", 2, turn_ms=60_000, grace_ms=1_000, seating="as_joined")
            his = await bob.join(hers.number)
        async with asyncio.timeout(PATIENCE_S):
            await until(lambda: his.seats[0].grace is not None)
            await until(lambda: his.seats[0].stood_in)
            assert (his.seats[0].bot, his.seats[0].connected) == ("random", False)
            async with Client(bot_server.url, name="Ada", token=ada.token) as back:
                hers = await back.join(hers.number)
                await back.ask(wire.Reclaim(1, hers.number), survives=False)
                await act(his)  # the bot has made its bid, or will; then the next round is the owner's
                await until(lambda: not his.seats[0].stood_in)
                await act(hers)
    assert metric(bot_server, "warroom_expired_turns_total") == 0


async def left_to_a_bot(url: str) -> wire.MatchSummary:
    """Play a match that Ada leaves after one move; return it as it is listed once it was rated."""
    async with Client(url, name="Bob") as bob:
        async with Client(url, name="Ada") as ada:
            hers = await enter(ada, "sealed_bids", 2, {"rounds": 2}, grace_ms=1_000, seating="as_joined")
            his = await bob.join(hers.number)
            await act(hers)
        async with asyncio.timeout(PATIENCE_S):
            await until(lambda: his.seats[0].stood_in)
            ended = await play(his)
        assert (ended.left, ended.rated) == ((0,), True)

        async def is_rated() -> bool:
            return len((await bob.ranking("sealed_bids")).players) == 2

        await until(is_rated)
        assert [rated.name for rated in (await bob.ranking("sealed_bids")).players] == ["Bob", "Ada"]
        [match] = await bob.matches()
        assert (match.left, match.ranks) == ((0,), ended.ranks)
        return match


def test_who_leaves_a_match_to_a_bot_is_last_in_the_ranking_and_everybody_sees_why(
    bot_server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    match = asyncio.run(left_to_a_bot(bot_server.url))
    bot_server.await_replay(match.code)
    for words in (["matches"], ["fetch", match.code], ["replay", match.code], ["verify", match.code]):
        games = SEALED_BIDS if words[0] in ("replay", "verify") else ()
        assert main([*words, *games, "--url", bot_server.url]) == 0
        text = capsys.readouterr().out
        assert re.search(r"[12]\. Bob.*[12]\. Ada( \(seat 0\))? \(left\)", text, re.DOTALL), text


async def test_a_worker_that_is_killed_is_replaced_and_the_match_goes_on(bot_server: ServerProcess) -> None:
    async with Client(bot_server.url, name="Ada") as ada:
        room = await enter(ada, "sealed_bids", 3, {"rounds": 8}, turn_ms=30_000)
        await fill(ada, room)
        for _ in range(3):
            await act(room)
        worker = worker_of(bot_server.pid)
        os.kill(worker, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE_S):
            ended = await play(room)
        assert ended.reason == "victory"
        assert worker_of(bot_server.pid, but=worker)
        assert [state.stood_in for state in room.seats].count(True) == 2
    assert metric(bot_server, "warroom_expired_turns_total") == 0
    assert "bot worker ended code=-9" in bot_server.log


async def test_whoever_fills_up_while_the_worker_is_being_replaced_waits_for_the_new_one(
    bot_server: ServerProcess,
) -> None:
    async with Client(bot_server.url, name="Ada") as ada:
        await until(lambda: metric(bot_server, "warroom_workers") == 1, within_s=PATIENCE_S)
        room = await enter(ada, "sealed_bids", 2)
        os.kill(worker_of(bot_server.pid), signal.SIGKILL)
        await until(lambda: "bot worker ended code=-9" in bot_server.log, within_s=PATIENCE_S)
        async with asyncio.timeout(PATIENCE_S):
            await fill(ada, room)
            await until(lambda: room.prompt is not None, within_s=PATIENCE_S)
        assert {state.bot for state in room.seats} == {None, "random"}


async def test_bots_come_back_to_a_match_whose_server_was_killed(bot_server: ServerProcess) -> None:
    async with Client(bot_server.url, name="Ada") as ada:
        room = await enter(ada, "sealed_bids", 3, {"rounds": 6}, turn_ms=60_000)
        await fill(ada, room)
        await act(room)
        worker = worker_of(bot_server.pid)
        bot_server.kill()
        await_end(worker)
        bot_server.start()
        async with asyncio.timeout(PATIENCE_S):
            assert (await play(room)).reason == "victory"
    assert metric(bot_server, "warroom_expired_turns_total") == 0


def test_a_worker_ends_with_its_server_and_nobody_can_read_its_key(
    new_server: Callable[..., ServerProcess],
) -> None:
    server = new_server(bots=True, redis="memory://", bot_key=KEY)
    server.start()
    worker = worker_of(server.pid)
    assert not any(KEY in argument for command in commands_below(server.pid).values() for argument in command)
    assert server.stop() == 0
    await_end(worker)
    assert "level=ERROR" not in server.log


async def test_a_worker_that_claims_nothing_costs_nobody_time(keyed_server: ServerProcess) -> None:
    silent = await _worker(keyed_server.url)
    async with Client(keyed_server.url, name="Ada") as ada, Client(keyed_server.url, name="Bob") as bob:
        hers = await enter(ada, "sealed_bids", 3, {"rounds": 2}, turn_ms=1_500, grace_ms=1_000)
        await bob.join(hers.number)
        await fill(ada, hers)
        assert isinstance(await _next(silent), wire.Summon)
        await hers.start()
        await bob.close()
        async with asyncio.timeout(PATIENCE_S):
            ended = await play(hers)
        assert ended.reason == "victory"
        assert isinstance(await _next(silent), wire.Summon)
    await silent.close()
    assert metric(keyed_server, 'warroom_summons_total{outcome="claimed"}') == 0


async def test_only_whoever_has_the_key_may_claim_and_only_with_a_ticket_that_holds(
    keyed_server: ServerProcess,
) -> None:
    async with Client(keyed_server.url, name="Ada") as ada:
        room = await enter(ada, "sealed_bids", 2)
        async with Client(keyed_server.url, name="Mallory", bot="greedy") as mallory:
            with pytest.raises(RejectedError, match=codes.CLAIM_WORKERS):
                await mallory.claim(room.number, 1)
        with pytest.raises(RejectedError, match=codes.HELLO_KEY):
            await _worker(keyed_server.url, "guessed")
        async with Client(keyed_server.url, name="greedy 1", bot="greedy", key=KEY) as bot:
            with pytest.raises(RejectedError, match=codes.CLAIM_GONE):
                await bot.claim(room.number, 1)


def test_a_worker_with_a_wrong_key_gives_up_in_one_line(keyed_server: ServerProcess) -> None:
    command = [str(WARROOM), "worker", "--url", keyed_server.url]
    environment = {**os.environ, "WARROOM_BOT_KEY": "guessed"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert run.returncode == 1
    (line,) = run.stderr.splitlines()
    assert line.startswith("warroom worker: ")
    assert codes.HELLO_KEY in line


async def _worker(url: str, key: str = KEY) -> Connection:
    """Return the line of a worker that was accepted, and does nothing by itself."""
    link = await open_connection(url)
    try:
        await link.greet(wire.Hello(0, (1,), "worker", bot="worker", key=key))
    except RejectedError:
        await link.close()
        raise
    await link.send(wire.Work(1, (wire.Plays("sealed_bids", ("random",)),), 10))
    assert await _next(link) == wire.Done(1)
    return link


async def _next(link: Connection) -> wire.ServerMessage:
    async with asyncio.timeout(PATIENCE_S):
        return await link.receive()


async def test_a_program_works_with_the_sdk_alone_and_goes_on_after_a_restart(
    new_server: Callable[..., ServerProcess],
) -> None:
    server = new_server(*SEALED_BIDS, bot_key=KEY)
    server.start()
    async with (
        asyncio.timeout(PATIENCE_S),
        Client(server.url, name="Ada") as ada,
        Client(server.url, name="worker", bot="worker", key=KEY) as worker,
    ):
        assert (ada.protocol, ada.server) == (VERSION, worker.server)
        assert ada.server.startswith("warroom/")
        earlier = await worker.work({"graph_battle": ["other"]}, seats=1)
        summons = await worker.work({"sealed_bids": ["first", "second"]}, seats=2)
        assert [summon async for summon in earlier] == []  # a later offer ends it
        room = await enter(ada, "sealed_bids", 3)
        await fill(ada, room)
        one, other = await anext(summons), await anext(summons)
        assert (one.room, one.game, one.bot) == (room.number, "sealed_bids", "first")
        server.stop()
        server.start()
        await until(lambda: worker.is_connected and ada.is_connected)
        again = await anext(summons)
        async with Client(server.url, name="first", bot="first", key=KEY) as bot:
            seat = await bot.claim(again.room, again.ticket)
            assert seat.number == one.room == other.room
        summons.stop()
        assert all([summon.room == room.number async for summon in summons])
    with pytest.raises(ClientError, match="the client was closed"):
        worker.notices()


async def test_an_offer_that_is_refused_leaves_none(keyed_server: ServerProcess) -> None:
    async with asyncio.timeout(PATIENCE_S), Client(keyed_server.url) as client:
        with pytest.raises(RejectedError) as refused:
            await client.work({"sealed_bids": ["first"]}, seats=1)
        assert refused.value.code == codes.CLAIM_WORKERS


async def test_a_program_without_rooms_hears_that_it_sends_too_fast(keyed_server: ServerProcess) -> None:
    async with asyncio.timeout(PATIENCE_S), Client(keyed_server.url) as client:
        notices = client.notices()
        for _ in range(6):
            await asyncio.gather(*(client.ping() for _ in range(50)))  # more than a burst
        assert (await anext(notices)).code == codes.NOTICE_RATE
