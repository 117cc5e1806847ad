"""How long it takes until everyone is back whose connections all broke at once."""

import asyncio
import time

import uvloop
from msgspec import Struct

from benchmarks.peers.contestants import serve_warroom
from benchmarks.players import Player, new_ref, open_room
from benchmarks.processes import Server
from benchmarks.tiles49 import GAME, SEATS, TURN_MS
from warroom_protocol.messages import Join, Joined, Position, Resumed, ServerMessage, Snapshot

AT_ONCE = 50


class Resumes(Struct, frozen=True):
    """How a wave of reconnecting clients went."""

    clients: int
    all_back_s: float
    resumed: int
    """Those that got only what they had missed, and no snapshot."""
    server_cpu_s: float


class _Returner:
    """A player who remembers how far it came."""

    def __init__(self) -> None:
        self.player = Player(self._heard)
        self.room = 0
        self._position: Position | None = None

    async def come_back(self, port: int) -> bool:
        """Connect again and enter the room; return whether the server resumed."""
        await self.player.connect(port)
        request = Join(new_ref(), self.room, position=self._position)
        return isinstance(await self.player.ask(request, Joined, Resumed), Resumed)

    def _heard(self, player: Player, message: ServerMessage) -> None:
        if isinstance(message, Snapshot):
            self._position = Position(message.life, message.p, message.q)


async def _sit_down(port: int) -> list[_Returner]:
    people = [_Returner() for _ in range(SEATS)]
    for person in people:
        await person.player.connect(port)
    room = await open_room([person.player for person in people], GAME.info.id, turn_ms=TURN_MS, room_options={})
    for person in people:
        person.room = room
    return people


async def _measure(server: Server, clients: int) -> Resumes:
    people: list[_Returner] = []
    tables = clients // SEATS
    for first in range(0, tables, AT_ONCE):
        for table in await asyncio.gather(*(_sit_down(server.port) for _ in range(min(AT_ONCE, tables - first)))):
            people += table
    await asyncio.sleep(1)  # the last messages of the set-up
    for person in people:
        person.player.close()
    cpu_s, began_s = server.cost().cpu_s, time.monotonic()
    back = await asyncio.gather(*(person.come_back(server.port) for person in people))
    took_s = time.monotonic() - began_s
    cpu_s = server.cost().cpu_s - cpu_s
    for person in people:
        person.player.close()
    return Resumes(clients=len(people), all_back_s=took_s, resumed=sum(back), server_cpu_s=cpu_s)


def measure_resumes(clients: int) -> Resumes:
    """Cut the connections of full rooms at once, and let everyone come back at once."""
    with serve_warroom() as server:
        return uvloop.run(_measure(server, clients))
