"""What an action costs in each game as it is: random players who ask what is legal, as the clients do, and act."""

import asyncio
from collections.abc import Iterator
from itertools import count

import msgspec
import uvloop
from msgspec import Struct

from benchmarks.peers.contestants import serve_warroom
from benchmarks.players import Player, new_ref, open_room, random_bits
from benchmarks.processes import Server
from warroom_games.registry import load_games
from warroom_protocol.messages import Act, Ended, Legal, LegalList, Prompt, ServerMessage, Verdict

TURN_MS = 600_000
WARM_UP_S = 1.0


class Played(Struct, frozen=True):
    """One game under load."""

    game: str
    seats: int
    us_per_action: float
    """The server's CPU time, the request for the legal actions included."""
    store_us_per_action: float
    actions_per_s: float
    refused: int


class _Counts:
    def __init__(self) -> None:
        self.accepted = 0
        self.refused = 0


class _Table:
    """One room of random players; a new room follows when a match has ended."""

    def __init__(self, game: str, seats: int, counts: _Counts, numbers: Iterator[int]) -> None:
        self.people = [Player(self._heard) for _ in range(seats)]
        self._game = game
        self._counts = counts
        self._numbers = numbers
        self._ended = 0
        self._again: asyncio.Task[int] | None = None

    async def sit_down(self, port: int) -> None:
        """Connect everyone and start a match."""
        for person in self.people:
            await person.connect(port)
        await self._open()

    def leave(self) -> None:
        """Cut all connections."""
        if self._again is not None:
            self._again.cancel()
        for person in self.people:
            person.close()

    async def _open(self) -> int:
        self._ended = 0
        return await open_room(self.people, self._game, turn_ms=TURN_MS, room_options={})

    def _heard(self, player: Player, message: ServerMessage) -> None:
        match message:
            case Prompt(room=room):
                player.send(Legal(new_ref(), room))
            case LegalList(room=room, turn=turn, actions=actions) if actions:
                action = msgspec.Raw(msgspec.msgpack.encode(actions[next(self._numbers) % len(actions)]))
                player.send(Act(room, random_bits(), turn, action))
            case Verdict(code=None):
                self._counts.accepted += 1
            case Verdict():
                self._counts.refused += 1
            case Ended():
                self._ended += 1
                if self._ended == len(self.people):
                    self._again = asyncio.get_running_loop().create_task(self._open())
            case _:
                pass


async def _measure(server: Server, game: str, seats: int, rooms: int, seconds: float) -> Played:
    counts, numbers = _Counts(), (number * 2654435761 >> 7 for number in count(1))
    tables = [_Table(game, seats, counts, numbers) for _ in range(rooms)]
    for table in tables:
        await table.sit_down(server.port)
    await asyncio.sleep(WARM_UP_S)
    loop = asyncio.get_running_loop()
    accepted, cpu_s, store_s, began_s = counts.accepted, server.cost().cpu_s, server.store_cost().cpu_s, loop.time()
    await asyncio.sleep(seconds)
    accepted, cpu_s, took_s = counts.accepted - accepted, server.cost().cpu_s - cpu_s, loop.time() - began_s
    store_s = server.store_cost().cpu_s - store_s
    for table in tables:
        table.leave()
    return Played(game, seats, cpu_s * 1e6 / accepted, store_s * 1e6 / accepted, accepted / took_s, counts.refused)


def measure_games(rooms: int, seconds: float) -> Iterator[Played]:
    """Measure the server with every registered game, one after the other, on the embedded store."""
    for game in load_games().newest():
        with serve_warroom() as server:
            yield uvloop.run(_measure(server, game.info.id, game.info.usual_seats, rooms, seconds))
