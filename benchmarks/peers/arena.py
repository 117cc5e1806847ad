"""One server with all its connections, ready to be measured again and again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.peers.contestants import Contestant
from benchmarks.peers.generator import Generator, LoadError, Window, generating
from benchmarks.peers.websocket import Seated, settle, settle_ready
from benchmarks.processes import Server
from benchmarks.tiles49 import SEATS

ROOMS_BETWEEN_PINGS = 8
FIRST_ROOMS = 20
"""Memory is counted from here on: the first rooms also pay for code and caches that all share."""
Load = Callable[["Arena", float], Window]


@dataclass(frozen=True)
class Size:
    """How many rooms play, how many of their seats, and how many viewers the room of the fan-out has."""

    rooms: int = 200
    senders: int = SEATS
    viewers: int = 1000


@dataclass(frozen=True)
class Arena:
    """A server whose rooms are full: the playing ones first, then the one with viewers."""

    contestant: Contestant
    server: Server
    generator: Generator
    size: Size
    kb_per_connection: float

    def rooms(self, seconds: float) -> Window:
        """All rooms at once, each seat as fast as it is answered."""
        return self.generator.closed(seconds, 0, self.size.rooms * SEATS, self.size.senders)

    def single(self, seconds: float) -> Window:
        """One action at a time, in one room of five."""
        return self.generator.lockstep(seconds, 0, SEATS)

    def fanout(self, seconds: float) -> Window:
        """One action at a time, in the room with viewers."""
        return self.generator.lockstep(seconds, self.size.rooms * SEATS, SEATS + self.size.viewers)


LOADS: dict[str, Load] = {"rooms": Arena.rooms, "single": Arena.single, "fanout": Arena.fanout}


@contextmanager
def open_arena(contestant: Contestant, size: Size) -> Iterator[Arena]:
    """Start a server and fill its rooms."""
    with contestant.serve() as server:
        clients = _fill(contestant, server, range(min(FIRST_ROOMS, size.rooms)))
        first, memory = len(clients), server.cost().memory_bytes
        clients += _fill(contestant, server, range(FIRST_ROOMS, size.rooms))
        kb = (server.cost().memory_bytes - memory) / 1024 / max(1, len(clients) - first)
        if size.viewers:
            clients += contestant.seat(server.port, size.rooms, size.viewers)
        if not settle_ready(clients, contestant.heard):
            raise LoadError(f"{contestant.name}: not every player was asked to act")
        with generating(contestant.name, contestant.protocol, server, clients) as generator:
            yield Arena(contestant, server, generator, size, kb)


def _fill(contestant: Contestant, server: Server, tables: range) -> list[Seated]:
    clients: list[Seated] = []
    for table in tables:
        clients += contestant.seat(server.port, table, 0)
        if table % ROOMS_BETWEEN_PINGS == 0:
            settle(clients, contestant.heard, 0)
    settle(clients, contestant.heard)
    return clients
