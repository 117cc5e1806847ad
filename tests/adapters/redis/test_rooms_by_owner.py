"""The lists by which rooms are found: whatever a fail-over forgets, a room whose owner is gone is found."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias

import pytest
from appends import request
from hypothesis import given
from hypothesis import strategies as st
from redis_server import RedisServer, redis_server

from warroom_server.adapters.redis.command_sender import Command, CommandSender, Reply
from warroom_server.adapters.redis.connector import RedisBackend
from warroom_server.adapters.redis.keys import NODES as ALL_NODES
from warroom_server.adapters.redis.keys import lease_key, room_keys, rooms_key
from warroom_server.adapters.redis.rooms_by_owner import RoomsByOwner
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.store import Committed, Orphan, Whereabouts

ROOM = 7
NODES = A, B = "node-a", "node-b"
SURVIVOR = "node-z"
NEVER = 1_000
"""An epoch that no history comes to."""

Deed: TypeAlias = tuple[str, str]

DEEDS = st.lists(
    st.tuples(st.sampled_from(["claim", "claim in vain", "tidy", "leave"]), st.sampled_from(NODES))
    | st.sampled_from([("forget", "1 claim"), ("forget", "2 claims"), ("look", SURVIVOR)]),
    max_size=12,
)


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


class History:
    """One room that changes hands, on a store that may forget to whom; each node has its own connections."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._stores = {name: RedisStore(server.url) for name in (*NODES, SURVIVOR)}
        self._records: list[Whereabouts] = []
        self._alive: set[str] = set()

    async def begin(self) -> None:
        for name in (NODES[0], SURVIVOR):
            await self._tidy(name)
        assert await self._stores[NODES[0]].create(request(ROOM, 1, owner=NODES[0]))
        self._records = [Whereabouts(NODES[0], 1)]

    async def close(self) -> None:
        for store in self._stores.values():
            await store.close()

    async def do(self, deed: Deed) -> None:
        match deed:
            case ("claim", name):
                await self._tidy(name)
                await self._claim(name)
            case ("claim in vain", name):
                assert await self._stores[name].claim([(ROOM, SURVIVOR, NEVER)], name) == [None]
            case ("tidy", name):
                await self._tidy(name)
            case ("leave", name):
                self._alive.discard(name)
                await self._stores[name].release(name)
            case ("look", name):
                await self.look(name)
            case (_, count):
                self._forget(int(count[0]))

    async def look(self, name: str, *, only_released: bool = False) -> list[Orphan]:
        """Look for orphans: none has an owner that lives, but for one that this node is to take in again itself."""
        found = await self._stores[name].orphans(name, only_released=only_released)
        assert all(owner == name or owner not in self._alive for _, owner, _ in found)
        return found

    async def relist(self, name: str) -> None:
        asked = request(ROOM, 1, owner=name, epoch=self._records[-1].epoch, before=b"")
        assert await self._stores[name].append([asked]) == [Committed(1)]

    async def list_again(self) -> None:
        await self._stores[SURVIVOR].list_again([self.record])

    async def end(self) -> list[Orphan]:
        """Let everybody go but for one, who looks for the room."""
        for name in NODES:
            await self.do(("leave", name))
        await self.look(SURVIVOR)
        return await self.look(SURVIVOR)

    @property
    def record(self) -> Orphan:
        return (ROOM, self._records[-1].owner, self._records[-1].epoch)

    async def _claim(self, name: str) -> None:
        (epoch,) = await self._stores[name].claim([self.record], name)
        assert epoch == self._records[-1].epoch + 1
        self._records.append(Whereabouts(name, epoch))

    def _forget(self, claims: int) -> None:
        """Go back to before the last *claims*, as a replica does that never heard of them."""
        del self._records[max(1, len(self._records) - claims) :]
        last = self._records[-1]
        self._server.raw("HSET", room_keys(ROOM).record, "owner", last.owner, "epoch", str(last.epoch))

    async def _tidy(self, name: str) -> None:
        """Renew a lease, and see what is done beside that to its end."""
        self._alive.add(name)
        await self._stores[name].renew(name, "", lease_ms=60_000)
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "store"))


@asynccontextmanager
async def history(server: RedisServer) -> AsyncIterator[History]:
    server.raw("FLUSHALL")
    room = History(server)
    try:
        await room.begin()
        yield room
    finally:
        await room.close()


async def _found_after(server: RedisServer, deeds: list[Deed]) -> tuple[list[Orphan], Orphan]:
    """Return what is found in the end, and what is to be found."""
    async with history(server) as room:
        for deed in deeds:
            await room.do(deed)
        return await room.end(), room.record


async def _found_once_asked_for(server: RedisServer, deeds: list[Deed]) -> tuple[list[Orphan], Orphan]:
    """Return the same after somebody asked for the room, as the locator does for a client."""
    async with history(server) as room:
        for deed in deeds:
            await room.do(deed)
        await room.end()
        await room.list_again()
        return await room.look(SURVIVOR), room.record


@pytest.mark.long
@given(deeds=DEEDS)
def test_a_room_whose_owner_is_gone_is_found_once_asked_for_whatever_was_forgotten(
    server: RedisServer, deeds: list[Deed]
) -> None:
    found, record = asyncio.run(_found_once_asked_for(server, deeds))
    assert found == [record]


@pytest.mark.parametrize(
    "deeds",
    [
        pytest.param([("claim", B), ("forget", "1 claim")], id="before the claimant has tidied up"),
        pytest.param([("claim", B), ("tidy", B), ("forget", "1 claim"), ("leave", B)], id="after it has"),
        pytest.param(
            [("claim", B), ("tidy", B), ("forget", "1 claim"), ("leave", B), ("look", SURVIVOR)],
            id="looked for while the one who had it before is about to leave",
        ),
    ],
)
async def test_so_is_one_whose_claim_was_forgotten_during_a_drain(server: RedisServer, deeds: list[Deed]) -> None:
    assert await _found_after(server, deeds) == ([(ROOM, A, 1)], (ROOM, A, 1))


async def test_so_is_one_that_came_back_before_the_claimant_between_had_tidied_up(server: RedisServer) -> None:
    deeds = [("claim", B), ("claim", A), ("tidy", A), ("tidy", B)]
    assert await _found_after(server, deeds) == ([(ROOM, A, 3)], (ROOM, A, 3))


async def test_whoever_had_a_room_before_its_claim_was_forgotten_is_told_that_it_has_it_again(
    server: RedisServer,
) -> None:
    async with history(server) as room:
        for deed in [("claim", B), ("tidy", B), ("forget", "1 claim"), ("look", A)]:
            await room.do(deed)
        await room.do(("leave", B))
        assert await room.look(SURVIVOR) == []
        for _ in range(2):
            assert await room.look(A) == [(ROOM, A, 1)]
        await room.do(("claim", A))
        assert await room.look(A) == []


@pytest.mark.parametrize("is_tidy", [False, True])
@pytest.mark.parametrize("leaver", NODES)
async def test_so_is_one_whose_claim_was_forgotten_but_not_before_its_time_if_one_of_both_may_live(
    server: RedisServer, leaver: str, is_tidy: bool
) -> None:
    async with history(server) as room:
        for deed in [("claim", B), *[("tidy", B)] * is_tidy, ("forget", "1 claim")]:
            await room.do(deed)
        server.raw("DEL", *map(lease_key, NODES))
        await room.do(("leave", leaver))
        assert await room.look(SURVIVOR, only_released=True) == []
        assert await room.end() == [room.record]


class Interrupted:
    """A line on which something happens right after the leases were looked at for the first time."""

    def __init__(self, line: CommandSender, happens: Callable[[], Awaitable[None]]) -> None:
        self.primary_of = line.primary_of
        self.touch, self.close = line.touch, line.close
        self.address = line.address
        self._line = line
        self._happens: Callable[[], Awaitable[None]] | None = happens

    async def ask(
        self, commands: Sequence[Command], *, before: Sequence[Command] = (), is_durable: bool = False
    ) -> list[Reply]:
        """Ask; then, after the first look at leases, let it happen."""
        replies = await self._line.ask(commands, before=before, is_durable=is_durable)
        if self._happens is not None and commands[0][0] == "EXISTS":
            happens, self._happens = self._happens, None
            await happens()
        return replies


async def test_who_holds_its_lease_again_and_has_claimed_its_rooms_anew_keeps_them(server: RedisServer) -> None:
    async with history(server) as room:
        line = RedisBackend(server.url, timeout_s=30).line()
        lists = RoomsByOwner(Interrupted(line, lambda: room.do(("claim", A))))
        server.raw("DEL", lease_key(A))
        assert await lists.orphans(SURVIVOR, only_released=False) == []
        server.raw("DEL", lease_key(A))
        assert await lists.orphans(SURVIVOR, only_released=False) == [(ROOM, A, 2)]
        await line.close()


async def test_so_is_one_whose_listing_was_forgotten_once_it_is_listed_again_after_its_owner_is_gone(
    server: RedisServer,
) -> None:
    async with history(server) as room:
        server.raw("SREM", rooms_key(A), room_keys(ROOM).code)
        await room.list_again()
        assert server.raw("EXISTS", rooms_key(A)) == b":0\r\n", "it is for a living owner to list its rooms"
        assert await room.end() == []
        await room.list_again()
        assert await room.end() == [room.record]


async def test_a_list_that_could_not_be_tidied_up_is_tidied_up_with_a_later_renewal(server: RedisServer) -> None:
    async with history(server) as room:
        await room.do(("claim", B))
        server.raw("SET", rooms_key(A), "not a list")
        await room.do(("tidy", B))
        server.raw("DEL", rooms_key(A))
        server.raw("SADD", rooms_key(A), room_keys(ROOM).code)
        await room.do(("tidy", B))
        assert server.raw("EXISTS", rooms_key(A)) == b":0\r\n"


async def test_who_claimed_a_room_in_vain_is_listed_with_it_as_long_as_nobody_else_is_who_lives(
    server: RedisServer,
) -> None:
    """It may be the store that was wrong: then nobody finds the room but by this list."""
    async with history(server) as room:
        for deed in [("claim", B), ("tidy", B), ("forget", "1 claim"), ("leave", A), ("claim in vain", B), ("tidy", B)]:
            await room.do(deed)
        assert is_listed(server, B)
        await room.do(("claim", A))
        await room.do(("tidy", B))
        assert (is_listed(server, A), is_listed(server, B)) == (True, False)


async def test_a_node_that_is_gone_is_forgotten_although_a_room_was_listed_under_it_that_never_was(
    server: RedisServer,
) -> None:
    async with history(server) as room:
        server.raw("SADD", rooms_key(B), room_keys(ROOM + 1).code)
        server.raw("SADD", ALL_NODES, B)
        assert await room.look(SURVIVOR) == []
        assert server.raw("SISMEMBER", ALL_NODES, B) == b":0\r\n"
        assert await room.end() == [room.record]


def is_listed(server: RedisServer, name: str) -> bool:
    return server.raw("SISMEMBER", rooms_key(name), room_keys(ROOM).code) == b":1\r\n"


async def test_a_room_that_was_taken_off_the_list_while_it_was_claimed_can_be_listed_again(server: RedisServer) -> None:
    async with history(server) as room:
        server.raw("SREM", rooms_key(A), room_keys(ROOM).code)
        await room.relist(A)
        assert await room.end() == [room.record]
