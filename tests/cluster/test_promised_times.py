"""How long players wait, at most, whose node dies or stops: in time that passes only where somebody waits for it."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

import pytest
from linked_nodes import is_inside, play, seat_two
from manual_loop import ManualLoop
from manual_time import ManualTime
from memory_links import Network
from small_node import FickleStore, LittleNode, NotedConnection
from wait_until import until

from warroom_protocol.messages import Paused
from warroom_server.cluster.lease import LOST_AFTER_S, RENEW_S

NewNode = Callable[..., Awaitable[LittleNode]]

TAKEN_OVER_MS = 3_000
HANDED_OVER_MS = 1_000
STORE_S = 0.02
"""How long the store takes for an answer: long, for one that is near."""
WAY_MS = 10
"""How long a message between nodes is on its way."""
LOOK_MS = 10
CUT_S = 0.3
"""How long a node is cut off, before links are made again."""
SETTLED_S = 5.0
"""By then the nodes know each other, and none is new."""


@pytest.fixture
async def time() -> ManualTime:
    """Return the clock of every node, which is that of the loop as well."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, ManualLoop)
    return loop.manual


@pytest.fixture
async def cluster(new_node: NewNode, network: Network, store: FickleStore) -> list[LittleNode]:
    """Return three nodes as they are in a cluster that runs: they hold leases and know each other."""
    store.answer_s, network.delay_ms = STORE_S, WAY_MS
    nodes = []
    for name in ("node-a", "node-b", "node-c"):
        node = await new_node(name=name, network=network, renew_s=RENEW_S, lost_after_s=LOST_AFTER_S)
        await node.lease.begin()
        nodes.append(node)
    await asyncio.sleep(SETTLED_S)
    assert all(len(node.peers.nodes()) == len(nodes) - 1 for node in nodes)
    return nodes


def _has_all(nodes: list[LittleNode], rooms: list[int]) -> bool:
    return all(any(room in node.room_host for node in nodes) for room in rooms)


@pytest.mark.parametrize("since_ms", range(0, 500, 50))
async def test_a_room_whose_node_died_has_another_owner_within_three_seconds(
    cluster: list[LittleNode], time: ManualTime, since_ms: int
) -> None:
    dying, *others = cluster
    room, _, bob = await seat_two(*cluster[:2])
    await asyncio.sleep(since_ms / 1000)  # whenever it renewed its lease for the last time, and whenever others look
    died_ms = time.now()
    await dying.lease.suspend()
    await dying.stop()
    assert not _has_all(others, [room])
    await until(lambda: _has_all(others, [room]))
    assert time.now() - died_ms <= TAKEN_OVER_MS
    assert (await play(others[0], bob, room, 1)).code is None


@pytest.mark.parametrize("matches", [1, 60])
async def test_matches_of_a_node_that_stops_stand_still_for_less_than_a_second_each(
    cluster: list[LittleNode], matches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.cluster.placement.LEAST", matches)  # so that all are made on one node
    leaving, *others = cluster
    tables = [await seat_two(*cluster[:2]) for _ in range(matches)]
    players = [player for _, *pair in tables for player in pair]
    paused_ms = await _pauses_ms(players, asyncio.create_task(leaving.hand_over()))
    assert _has_all(others, [room for room, _, _ in tables])
    assert set(paused_ms) == set(players)
    assert max(paused_ms.values()) < HANDED_OVER_MS
    for room, ada, bob in tables:
        assert (await play(leaving, ada, room, 1)).code is None
        assert (await play(others[0], bob, room, 1)).code is None


async def test_matches_stand_still_no_longer_if_their_offers_are_lost_with_the_links(
    cluster: list[LittleNode], network: Network
) -> None:
    leaving, *others = cluster
    room, ada, bob = await seat_two(*cluster[:2])
    handing_over = asyncio.create_task(leaving.hand_over())
    await until(lambda: room in leaving.handover)
    network.cut(leaving.name, others[0].name)
    network.cut(leaving.name, others[1].name)
    mending = asyncio.get_running_loop().call_later(CUT_S, network.mend)
    paused_ms = await _pauses_ms([ada, bob], handing_over)
    assert mending.cancelled() is False
    assert _has_all(others, [room])
    assert max(paused_ms.values()) < HANDED_OVER_MS


async def test_a_node_that_stops_closes_no_connection_before_its_client_has_resumed(
    cluster: list[LittleNode],
) -> None:
    leaving, heir, _ = cluster
    room, ada, _ = await seat_two(leaving, heir)
    await leaving.hand_over()
    assert is_inside(leaving, ada, room)
    assert not heir.hosted(room).holds


async def _pauses_ms(players: Sequence[NotedConnection], work: asyncio.Task[None]) -> Counter[NotedConnection]:
    """Return for how long each match stood still, for each player, until some work is done and all go on."""
    lasted_ms: Counter[NotedConnection] = Counter()
    while (paused := [player for player in players if _is_paused(player)]) or not work.done():
        lasted_ms.update(dict.fromkeys(paused, LOOK_MS))
        await asyncio.sleep(LOOK_MS / 1000)
    await work
    return lasted_ms


def _is_paused(player: NotedConnection) -> bool:
    pauses = player.of(Paused)
    return bool(pauses) and pauses[-1].reason is not None
