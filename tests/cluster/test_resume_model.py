"""Whatever becomes of links, leases and owners: each action has one verdict, nothing that was accepted is lost."""

import asyncio
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from linked_nodes import client, is_inside, let_pass, seat_two, talk
from manual_time import ManualTime
from memory_links import Network
from resuming_client import ResumingClient
from small_node import FickleStore, LittleNode

from warroom_games.log import Acted, decode_entry
from warroom_protocol.messages import Legal, LegalList, Watch
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.cluster.messages import Offer

NAMES = ("node-a", "node-b", "node-c")
STEPS = ("ada acts", "bob acts", "cut", "mend", "part", "take over", "give", "doubt", "sure", "pass", "settle")


class Cluster:
    """Three nodes, a match with a player on each of two, a spectator on the third."""

    def __init__(self) -> None:
        self.time = ManualTime()
        self.store = FickleStore(self.time)
        self.network = Network(self.time)
        self.nodes = [LittleNode(self.store, self.time, name=name, network=self.network) for name in NAMES]
        self.room = 0
        self.clients: dict[str, tuple[LittleNode, ResumingClient]] = {}
        self._id = 0

    async def start(self) -> None:
        """Start the match."""
        for node in self.nodes:
            await node.start()
        await self.meet()
        here, there, last = self.nodes
        self.room, ada, bob = await seat_two(here, there)
        eve = client(last, "Eve")
        last.say(eve, Watch(1, self.room))
        self.clients = {"ada": (here, ada), "bob": (there, bob), "eve": (last, eve)}
        await talk()

    async def meet(self) -> None:
        """Let nodes hold leases, and dial those that they cannot reach."""
        for node in self.nodes:
            await self.store.renew(node.name, node.name, lease_ms=10 * LEASE_MS)
        for node in self.nodes:
            node.leased_nodes.update(await self.store.nodes())
        await talk()

    async def do(self, step: str) -> None:
        """Let something happen."""
        owner = next((node for node in self.nodes if self.room in node.room_host), None)
        match step:
            case "ada acts" | "bob acts":
                await self._act(step.split()[0])
            case "cut":
                self.network.cut()
            case "mend":
                self.network.mend()
                await let_pass(self.time, 500)
                await self.meet()
            case "part":
                self.network.cut(NAMES[0], NAMES[2])
            case "take over" if owner is not None:
                await self._take_over(owner)
            case "give" if owner is not None and not owner.gate.is_shut:
                self._give(owner)
            case "doubt" if owner is not None:
                owner.gate.shut()
            case "sure":
                self._open_all()
            case "pass":
                await let_pass(self.time, 300)
            case _:
                await talk()

    async def _act(self, name: str) -> None:
        """Let a player act: legally if the room tells what is legal, else by guess."""
        node, player = self.clients[name]
        answers = len(player.of(LegalList))
        if player.unanswered:
            return
        node.say(player, Legal(5_000 + self._id, self.room))
        await talk()
        self._id += 1
        known = player.of(LegalList)[-1].actions if len(player.of(LegalList)) > answers else ()
        node.act(player, self.room, self._id, known[0] if known else {"type": "bid", "card": 1 + self._id % 8})

    async def _take_over(self, owner: LittleNode) -> None:
        """Let another node take the room, of which its owner learns late."""
        heir = self.nodes[(self.nodes.index(owner) + 1) % len(self.nodes)]
        (epoch,) = await self.store.claim([(self.room, owner.name, owner.hosted(self.room).epoch)], heir.name)
        if epoch is not None:
            heir.room_loader.offered([(self.room, heir.name, epoch)])
        await talk()
        await owner.reclaim.claim_again([self.room])

    def _give(self, owner: LittleNode) -> None:
        heir = self.nodes[(self.nodes.index(owner) + 2) % len(self.nodes)]
        epoch = owner.hosted(self.room).epoch
        owner.room_host.lose(owner.hosted(self.room))
        owner.peers.send(heir.name, Offer(self.room, epoch))

    def _open_all(self) -> None:
        for node in self.nodes:
            node.gate.extend(2**60)
            if node.gate.is_shut:
                node.gate.open()

    async def heal(self) -> None:
        """Let everything be well again, and everybody come back."""
        self.network.mend()
        self._open_all()
        for _ in range(30):
            await let_pass(self.time, 500)
            await self.meet()
            for node in self.nodes:
                await node.room_loader.adopt([])
            if all(self._is_well(*each) for each in self.clients.values()):
                return
        raise AssertionError("somebody is left behind")

    def _is_well(self, node: LittleNode, viewer: ResumingClient) -> bool:
        return is_inside(node, viewer, self.room) and not viewer.unanswered

    async def stop(self) -> None:
        """Stop all nodes."""
        for node in self.nodes:
            await node.stop()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(STEPS), max_size=14))
def test_each_action_has_one_verdict_and_every_copy_is_right(steps: Sequence[str]) -> None:
    asyncio.run(play_through(steps))


async def play_through(steps: Sequence[str]) -> None:
    """Let things happen to a match, and look at it when all is well again."""
    cluster = Cluster()
    await cluster.start()
    for step in steps:
        await cluster.do(step)
    await cluster.heal()
    owners = [node for node in cluster.nodes if cluster.room in node.room_host]
    assert len(owners) == 1
    logged = [decode_entry(entry.entry) for entry in await cluster.store.log(cluster.room)]
    counted = [entry.id for entry in logged if isinstance(entry, Acted)]
    verdicts = {**cluster.clients["ada"][1].verdicts, **cluster.clients["bob"][1].verdicts}
    assert len(counted) == len(set(counted))
    assert set(counted) == {number for number, verdict in verdicts.items() if verdict.code is None}
    for _, viewer in cluster.clients.values():
        position = viewer.position(cluster.room)
        assert position is not None
        assert position.p == last_step(owners[0], cluster.room)
    await cluster.stop()


def last_step(owner: LittleNode, room: int) -> int:
    """Return the number of the last public step of a room."""
    return owner.hosted(room).room._log.streams.numbers(None)[0]
