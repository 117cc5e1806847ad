"""Two nodes on a store of several servers, clients on one and rooms on the other: each match is played whole."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from redis.crc import key_slot
from redis_topologies import RedisCluster, Watched, redis_cluster, watched
from replay_log import assert_each_once, entries, time_outs
from sdk_bots import Table
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_bots.runner import Think
from warroom_client import Ended
from warroom_games.log import RolledBack
from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_server.adapters.redis.keys import room_keys

pytestmark = pytest.mark.long

SEATS = 3
LONG = {"rounds": 10, "cards": 20, "peeks": 5}
THINK = Think(50, 150)
TURN_MS = 60_000
PATIENCE_S = 90
LEAST_ROOMS = 6
MOST_ROOMS = 40


class Relayed:
    """Matches on the node *owner*, all of whose players are connected to the node *edge*."""

    def __init__(self, owner: ServerProcess, edge: ServerProcess) -> None:
        self.owner = owner
        self.edge = edge
        self.tables: list[Table] = []
        self._endings: list[asyncio.Task[Ended]] = []

    def table(self) -> Table:
        """Return a table whose bots do not sit yet."""
        urls = [self.edge.url, self.owner.url]
        return Table(urls, "sealed_bids", SEATS, turn_ms=TURN_MS, options=LONG, think=THINK, on=self.owner.url)

    async def begin(self, tables: list[Table]) -> None:
        """Let matches begin."""
        self.tables = tables
        self._endings = [asyncio.create_task(table.play()) for table in tables]
        await self.until_each_accepted(SEATS)
        assert set(self.owner.matches()) == {table.created.code for table in tables}
        assert self.edge.matches() == []

    @property
    def accepted(self) -> list[int]:
        """How many actions were accepted at each table so far."""
        return [len(table.accepted) for table in self.tables]

    async def until_each_accepted(self, more: int) -> None:
        """Wait until so many more actions were accepted at each table."""
        goals = [accepted + more for accepted in self.accepted]
        await until(
            lambda: all(accepted >= goal for accepted, goal in zip(self.accepted, goals, strict=True)),
            within_s=PATIENCE_S,
        )

    async def end(self) -> None:
        """Play on to the end, and check that nothing that was acknowledged is lost, doubled or decided by the clock."""
        assert not any(ending.done() for ending in self._endings), "the trouble came in the middle of each match"
        for table, ending in zip(self.tables, self._endings, strict=True):
            ended = await ending
            replay = await asyncio.to_thread(self.edge.await_replay, table.created.code)
            assert verify(replay, load_games(["sealed_bids:GAME"])).chain.hex() == ended.chain
            assert_each_once(replay, table.accepted)
            assert time_outs(replay) == []
            assert not any(isinstance(entry, RolledBack) for entry in entries(replay))
            assert [bot.breaks for bot in table.bots] == [0] * SEATS, "the node of the players never went away"


@asynccontextmanager
async def _relayed(new_server: Callable[..., ServerProcess], url: str) -> AsyncIterator[Relayed]:
    owner, edge = nodes = [new_server(*SEALED_BIDS, "--redis", url) for _ in range(2)]
    for node in nodes:
        await asyncio.to_thread(node.start)
    async with asyncio.timeout(PATIENCE_S):
        yield Relayed(owner, edge)


async def _seat_at_each_primary(relayed: Relayed, cluster: RedisCluster, seated: AsyncExitStack) -> list[Table]:
    """Fill tables until each primary has a room."""
    tables: list[Table] = []
    primaries: set[int] = set()
    while len(tables) < LEAST_ROOMS or len(primaries) < len(cluster.servers):
        assert len(tables) < MOST_ROOMS
        tables.append(await seated.enter_async_context(relayed.table()))
        slot = key_slot(room_keys(tables[-1].created.room).log.encode())
        primaries.add(cluster.owner_of(slot).port)
    return tables


async def test_rooms_at_all_primaries_of_a_cluster_go_on_at_the_node_of_their_players(
    new_server: Callable[..., ServerProcess],
) -> None:
    with redis_cluster() as cluster:
        async with AsyncExitStack() as seated, _relayed(new_server, cluster.url) as relayed:
            await relayed.begin(await _seat_at_each_primary(relayed, cluster, seated))
            await asyncio.to_thread(relayed.owner.kill)
            await relayed.until_each_accepted(SEATS)
            assert set(relayed.edge.matches()) == {table.created.code for table in relayed.tables}
            await relayed.end()


async def _forget_from_now_on(setup: Watched) -> None:
    """Let the replica get nothing of what the primary says yes to from now on."""
    setup.replica.signal(signal.SIGSTOP)
    await asyncio.to_thread(setup.primary.raw, "CLIENT", "KILL", "TYPE", "replica")


@pytest.mark.parametrize("is_behind", [False, True])
async def test_relayed_matches_survive_the_death_of_the_primary_and_lose_nothing(
    new_server: Callable[..., ServerProcess], is_behind: bool
) -> None:
    with watched() as setup:
        async with AsyncExitStack() as seated, _relayed(new_server, setup.url) as relayed:
            await relayed.begin([await seated.enter_async_context(relayed.table()) for _ in range(LEAST_ROOMS)])
            if is_behind:
                await _forget_from_now_on(setup)
                await relayed.until_each_accepted(1)
            setup.primary.kill()
            setup.replica.signal(signal.SIGCONT)
            await asyncio.to_thread(setup.until_promoted)
            await relayed.until_each_accepted(1)
            await relayed.end()
        if is_behind:
            assert "store behind" in relayed.owner.log, "the new primary lacked what the owner had to write again"
