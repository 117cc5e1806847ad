"""The server kills itself at every named step of its write path; whoever plays loses nothing and repeats nothing."""

import asyncio
import os
import signal
from collections.abc import Callable

import pytest
from reconnecting_player import WirePlayer
from replay_log import assert_each_once, time_outs
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_protocol.messages import Created, Ended
from warroom_server.loop.crashpoints import POINTS

ONCE = {
    "before_create",
    "after_create",
    "before_save",
    "after_save",
    "before_archive",
    "after_publish",
    "after_archive",
}
"""Points that one match passes a single time; the others are passed with every entry."""
BETWEEN_NODES = {"during_takeover", "during_drain"}
"""Points that only a node passes that is not alone."""
WRITE_PATH = [point for point in POINTS if point not in BETWEEN_NODES]
MID_MATCH = 9
"""A pass in the middle of the match: four players sit down, the match starts, and some have acted."""
RESTING = 3
"""After so many actions one player waits for the crash: the others cannot end the match without it."""
LAST = 65
"""The pass of the action that ends the match."""
FEWEST_BATCHES = 20
"""Entries that wait go to the store together, but the fifteen actions of a player take as many batches."""
SEATS = 4
LONG = {"rounds": 10, "cards": 20, "peeks": 5}
"""Four players who peek whenever they may: more than 64 entries, so that a snapshot is stored."""
ALL_BUT_ONE = 14
"""The actions of a player in such a match without the last one."""
SHORT = {"rounds": 3, "cards": 20, "peeks": 1}
"""Enough entries for a crash in the middle."""
SAVING = {"before_save", "after_save"}
"""Points that are passed with a snapshot alone."""
PATIENT = {"turn_ms": 60_000}
PATIENCE_S = 60


def _pass_of(point: str) -> int:
    return 1 if point in ONCE else MID_MATCH


async def _survive(
    server: ServerProcess, crash_at: str, options: dict[str, int], rests_after: int | None = None
) -> None:
    """Play a whole match on a server that dies on the way and comes back, and check that everything holds."""
    server.start(crash_at=crash_at)
    players = [WirePlayer(server.url, "Player 0", rests_after=rests_after)]
    players += [WirePlayer(server.url, f"Player {number}") for number in range(1, SEATS)]
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
        group.create_task(_restart(server, players[0]))
        created = await players[0].create("sealed_bids", SEATS, options, PATIENT)
        matches = [group.create_task(player.play(created.room)) for player in players]
    _assert_whole(server, created, players, [match.result() for match in matches])


def _assert_whole(server: ServerProcess, created: Created, players: list[WirePlayer], endings: list[Ended]) -> None:
    """Check that everybody saw the same match, and that it is the one that was kept."""
    assert len(set(endings)) == 1
    replay = server.await_replay(created.code)
    verified = verify(replay, load_games(["sealed_bids:GAME"]))
    assert verified.chain.hex() == endings[0].chain
    assert_each_once(replay, [action for player in players for action in player.verdicts])
    assert time_outs(replay) == []
    server.await_no_rooms()


async def _restart(server: ServerProcess, resting: WirePlayer) -> None:
    assert await asyncio.to_thread(server.await_end) == -signal.SIGKILL
    resting.rested.set()
    await asyncio.to_thread(server.start)


@pytest.mark.parametrize("point", WRITE_PATH)
async def test_a_crash_at_any_step_loses_nothing_and_repeats_nothing(
    new_server: Callable[..., ServerProcess], point: str
) -> None:
    # No snapshot is stored once the match is over, so a player keeps it from ending.
    options, rests_after = (LONG, ALL_BUT_ONE) if point in SAVING else (SHORT, None)
    await _survive(new_server(*SEALED_BIDS), f"{point}:{_pass_of(point)}", options, rests_after)


@pytest.mark.parametrize("point", sorted(BETWEEN_NODES))
async def test_a_crash_while_rooms_change_hands_loses_nothing_and_repeats_nothing(
    new_cluster: Callable[..., list[ServerProcess]], point: str
) -> None:
    """The first node has the room; the second crashes while it takes over, or the first while it hands over."""
    is_drained = point == "during_drain"
    nodes = new_cluster(3, {0 if is_drained else 1: {"crash_at": point}})
    players = [WirePlayer(nodes[1].url, "Player 0", rests_after=RESTING)]
    players += [WirePlayer(nodes[1 + number % 2].url, f"Player {number}") for number in range(1, SEATS)]
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as group:
        created = await WirePlayer(nodes[0].url, "Creator").create("sealed_bids", SEATS, LONG, PATIENT)
        matches = [group.create_task(player.play(created.room)) for player in players]
        await until(lambda: sum(len(player.verdicts) for player in players) >= MID_MATCH)
        crashed = nodes[0] if is_drained else nodes[1]
        if is_drained:
            os.kill(nodes[0].pid, signal.SIGTERM)
        else:
            await asyncio.to_thread(_take_over_at, nodes)
        assert await asyncio.to_thread(crashed.await_end) == -signal.SIGKILL
        players[0].rested.set()
        await asyncio.to_thread(crashed.start)
    _assert_whole(nodes[2], created, players, [match.result() for match in matches])


def _take_over_at(nodes: list[ServerProcess]) -> None:
    """Let the second node be the one that takes the rooms of the first over."""
    os.kill(nodes[2].pid, signal.SIGSTOP)
    try:
        nodes[0].kill()
        nodes[1].await_end()
    finally:
        os.kill(nodes[2].pid, signal.SIGCONT)
    nodes[0].start()


@pytest.mark.long
@pytest.mark.parametrize("entry", [pytest.param(2, id="sitting down"), pytest.param(5, id="starting the match")])
async def test_a_crash_before_the_first_action_is_survived_as_well(
    new_server: Callable[..., ServerProcess], entry: int
) -> None:
    await _survive(new_server(*SEALED_BIDS), f"after_append:{entry}", SHORT)


@pytest.mark.long
@pytest.mark.parametrize(
    ("point", "entry"),
    [
        (point, entry)
        for point in WRITE_PATH
        for entry in (1, 3, 4, 5, 6, 7, 8, 12, FEWEST_BATCHES, 40, LAST)
        if point not in ONCE and (point != "batch_sent" or entry <= FEWEST_BATCHES)
    ],
)
async def test_a_crash_at_any_step_of_any_entry_loses_nothing_and_repeats_nothing(
    new_server: Callable[..., ServerProcess], store_flags: tuple[str, ...], point: str, entry: int
) -> None:
    await _survive(new_server(*SEALED_BIDS, *store_flags), f"{point}:{entry}", LONG)
