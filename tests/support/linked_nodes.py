"""Several little nodes that know each other, and people on them who play."""

import asyncio

from manual_time import ManualTime
from small_node import FickleStore, LittleNode, NotedConnection, verdict_of
from wait_until import until

from warroom_protocol.messages import Joined, Legal, LegalList, Prompt, Verdict, Welcome

STEP_MS = 100
_TURNS = 20


async def meet(nodes: list[LittleNode], store: FickleStore) -> None:
    """Let nodes link up."""
    for node in nodes:
        node.neighbourhood.know(await store.nodes())
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


async def come_back(node: LittleNode, token: str) -> NotedConnection:
    """Connect a player who was here before."""
    player = node.greet("Back", token)
    await until(lambda: bool(player.of(Welcome)))
    return player


async def seat_two(here: LittleNode, there: LittleNode, **options: int) -> tuple[int, NotedConnection, NotedConnection]:
    """Return a running match on *here* with one player on each node."""
    ada, bob = here.greet("Ada"), there.greet("Bob")
    room = await here.create(ada, **options)
    for node, player in ((here, ada), (there, bob)):
        assert isinstance(await node.join(player, room), Joined)
    await until(lambda: bool(bob.of(Prompt)) and bool(ada.of(Prompt)))
    return room, ada, bob


async def choose(node: LittleNode, player: NotedConnection, room: int) -> object:
    """Return the first legal action of a player."""
    answers = len(player.of(LegalList))
    node.say(player, Legal(5_000 + answers, room))
    await until(lambda: len(player.of(LegalList)) > answers)
    return player.of(LegalList)[-1].actions[0]


async def play(node: LittleNode, player: NotedConnection, room: int, action_id: int) -> Verdict:
    """Play the first legal action and return its verdict."""
    node.act(player, room, action_id, await choose(node, player, room))
    await until(lambda: any(verdict.id == action_id for verdict in player.of(Verdict)))
    return verdict_of(player, action_id)
