"""Several little nodes that know each other, and people on them who play."""

import asyncio

from manual_time import ManualTime
from resuming_client import ResumingClient
from small_node import FickleStore, LittleNode, NotedConnection, verdict_of
from wait_until import until

from warroom_protocol.messages import Joined, Legal, LegalList, Prompt, Verdict, Welcome

STEP_MS = 100
_TURNS = 20


async def meet(nodes: list[LittleNode], store: FickleStore) -> None:
    """Let nodes link up."""
    for node in nodes:
        node.leased_nodes.update(await store.nodes())
    await until(lambda: all(len(node.peers.nodes()) == len(nodes) - 1 for node in nodes))


async def let_pass(time: ManualTime, delay_ms: int) -> None:
    """Let time pass in steps, in which nodes can talk to each other."""
    for _ in range(0, delay_ms, STEP_MS):
        time.advance(STEP_MS)
        await talk()


async def talk() -> None:
    """Let nodes say what they have to say just now."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)


def client(node: LittleNode, name: str = "Ada", token: str | None = None) -> ResumingClient:
    """Connect somebody whose client resumes by itself when a room moves."""
    found = node.greet(name, token, kind=lambda number: ResumingClient(number, node))
    assert isinstance(found, ResumingClient)
    return found


async def come_back(node: LittleNode, token: str) -> ResumingClient:
    """Connect a player who was here before."""
    player = client(node, "Back", token)
    await until(lambda: bool(player.of(Welcome)))
    return player


async def seat_two(here: LittleNode, there: LittleNode, **options: int) -> tuple[int, ResumingClient, ResumingClient]:
    """Return a running match on *here* with one player on each node."""
    ada, bob = client(here, "Ada"), client(there, "Bob")
    room = await here.create(ada, **options)
    for node, player in ((here, ada), (there, bob)):
        assert isinstance(await node.join(player, room), Joined)
    await until(lambda: bool(bob.of(Prompt)) and bool(ada.of(Prompt)))
    return room, ada, bob


def is_inside(node: LittleNode, player: NotedConnection, room: int) -> bool:
    """Whether a node knows that somebody is in a room, here or elsewhere."""
    found = node.connections.clients.get(player.id)
    return found is not None and room in found.session.inside


async def choose(node: LittleNode, player: NotedConnection, room: int) -> object:
    """Return the first legal action of a player, once its client is in the room."""
    await until(lambda: is_inside(node, player, room))
    answers = len(player.of(LegalList))
    node.say(player, Legal(5_000 + answers, room))
    await until(lambda: len(player.of(LegalList)) > answers)
    return player.legal()[0]


async def play(node: LittleNode, player: NotedConnection, room: int, action_id: int) -> Verdict:
    """Play the first legal action and return its verdict."""
    node.act(player, room, action_id, await choose(node, player, room))
    await until(lambda: any(verdict.id == action_id for verdict in player.of(Verdict)))
    return verdict_of(player, action_id)
