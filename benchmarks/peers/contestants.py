"""The servers that are compared: how each is started, and how a client enters one of its rooms."""

import itertools
import json
import os
import shutil
import socket
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from benchmarks.peers.tools import HERE, NODE, compiled
from benchmarks.peers.websocket import Seated, SetupSocket
from benchmarks.processes import Server, ServerError, output_of, running, running_server
from benchmarks.tiles49 import GAME, SEATS, TURN_MS
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import (
    ClientMessage,
    Create,
    Created,
    Error,
    Hello,
    Join,
    Joined,
    Prompt,
    ServerMessage,
    Snapshot,
    Watch,
    Welcome,
)
from warroom_protocol.versions import VERSION

ROOT = HERE.parent.parent
WITHOUT_C = (sys.executable, str(ROOT / "benchmarks" / "without_speedups.py"))
VIEWER = -1
_ALL_CORES = os.sched_getaffinity(0)
M = TypeVar("M", bound=ServerMessage)
_refs = itertools.count(1)


@dataclass(frozen=True)
class Contestant:
    """One server under test."""

    name: str
    protocol: str
    """How the load generator speaks to it."""
    serve: Callable[[], AbstractContextManager[Server]]
    seat: Callable[[int, int, int], list[Seated]]
    """Fill a room: the port, the room's number in this run, and how many viewers it has besides its five seats."""
    heard: Callable[[Seated, bytes], None] = lambda client, message: None
    """Read a message that arrived before the load starts."""


def server_core() -> int | None:
    """Return the core that servers have for themselves; None where there is only one."""
    usable = sorted(_ALL_CORES)
    return usable[0] if len(usable) > 1 else None


def pin_load() -> None:
    """Keep this process and what it starts, except servers, away from the servers' core."""
    core = server_core()
    if core is not None:
        os.sched_setaffinity(0, _ALL_CORES - {core})


def _pinned() -> list[str]:
    core, taskset = server_core(), shutil.which("taskset")
    return [] if core is None or taskset is None else [taskset, "-c", str(core)]


# --- Warroom ------------------------------------------------------------------------------------------------------


@contextmanager
def serve_warroom(*flags: str, prefix: Sequence[str] = ()) -> Iterator[Server]:
    """Start Warroom with the game and without bots on the servers' core; its store runs on the other ones."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    flags = ("--no-bots", "--game", "benchmarks.tiles49:GAME", *flags)
    with running_server(*flags, environment=environment, prefix=[*_pinned(), *prefix]) as server:
        store = server.store_pid()
        if store is not None:
            os.sched_setaffinity(store, os.sched_getaffinity(0))
        yield server


def seat_warroom(port: int, table: int, viewers: int) -> list[Seated]:
    """Create a room, take its seats and let the viewers watch."""
    people = [greet_warroom(port, f"player {table} {seat}") for seat in range(SEATS)]
    options = {"turn_ms": TURN_MS, "seating": "as_joined"}
    created = ask(people[0], Create(random_ref(), GAME.info.id, SEATS, {}, options), Created)
    seated = []
    for seat, person in enumerate(people):
        ask(person, Join(next(_refs), created.room), Joined)
        seated.append(Seated(person, created.room, seat, is_ready=False))
    for player in seated:
        while not player.is_ready:
            hear_warroom(player, player.socket.receive())
    for number in range(viewers):
        person = greet_warroom(port, f"viewer {number}")
        ask(person, Watch(next(_refs), created.room), Snapshot)
        seated.append(Seated(person, created.room, VIEWER))
    return seated


def greet_warroom(port: int, name: str) -> SetupSocket:
    """Connect and say hello."""
    person = SetupSocket(port, "/ws")
    ask(person, Hello(next(_refs), (VERSION,), name), Welcome)
    return person


def ask(person: SetupSocket, request: ClientMessage, reply: type[M]) -> M:
    """Send a request and return the first message of type *reply*."""
    person.send(encode(request))
    while True:
        message = decode_server(person.receive())
        if isinstance(message, reply):
            return message
        if isinstance(message, Error):
            raise ConnectionRefusedError(message.code)


def hear_warroom(client: Seated, message: bytes) -> None:
    """Note the turn token of the next action."""
    decoded = decode_server(message)
    if isinstance(decoded, Prompt):
        client.turn, client.is_ready = decoded.turn, True


def random_ref() -> int:
    """Return 53 random bits."""
    return int.from_bytes(os.urandom(7), "big") >> 3


# --- Colyseus -----------------------------------------------------------------------------------------------------

COLYSEUS_JOINED, COLYSEUS_STATE = 10, 14


def seat_colyseus(port: int, table: int, viewers: int) -> list[Seated]:
    """Reserve the seats of a room over HTTP and take them."""
    return [_join_colyseus(port, table, seat) for seat in (*range(SEATS), *[VIEWER] * viewers)]


def _join_colyseus(port: int, table: int, seat: int) -> Seated:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/matchmake/joinOrCreate/tiles49",
        json.dumps({"table": table, "seat": seat}).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        place = json.load(answer)
    room = place.get("room", place)
    person = SetupSocket(port, f"/{room['processId']}/{room['roomId']}?sessionId={place['sessionId']}")
    _receive_until(person, lambda message: message[0] == COLYSEUS_JOINED)
    person.send(bytes([COLYSEUS_JOINED]))
    _receive_until(person, lambda message: message[0] == COLYSEUS_STATE)
    return Seated(person, table, seat)


# --- boardgame.io -------------------------------------------------------------------------------------------------


def seat_boardgameio(port: int, table: int, viewers: int) -> list[Seated]:
    """Enter a match, which the first one creates."""
    return [_join_boardgameio(port, table, seat) for seat in (*range(SEATS), *[VIEWER] * viewers)]


def _join_boardgameio(port: int, table: int, seat: int) -> Seated:
    person = SetupSocket(port, "/socket.io/?EIO=4&transport=websocket")
    _receive_until(person, lambda message: message.startswith(b"0"))
    person.send("40/tiles49,")
    _receive_until(person, lambda message: message.startswith(b"40/tiles49,"))
    player = None if seat == VIEWER else str(seat)
    person.send("42/tiles49," + json.dumps(["sync", f"room{table}", player, None, SEATS]))
    _receive_until(person, lambda message: message.startswith(b'42/tiles49,["sync"'))
    return Seated(person, table, seat)


# --- the C limit --------------------------------------------------------------------------------------------------


def seat_limit(port: int, table: int, viewers: int) -> list[Seated]:
    """Connect; the path says where to."""
    seats = (*range(SEATS), *[VIEWER] * viewers)
    return [Seated(SetupSocket(port, f"/{table}/{seat}"), table, seat) for seat in seats]


# --- all of them --------------------------------------------------------------------------------------------------


def _receive_until(person: SetupSocket, is_wanted: Callable[[bytes], bool]) -> None:
    while not is_wanted(person.receive()):
        pass


@contextmanager
def serve_program(command: Sequence[str]) -> Iterator[Server]:
    """Start a server that takes its port as last argument and prints `ready`."""
    port = free_port()
    with running([*_pinned(), *command, str(port)], cwd=HERE) as process:
        for line in output_of(process):
            if line.strip() == "ready":
                break
        else:
            raise ServerError(f"{Path(command[-1]).name} ended with exit code {process.wait()}")
        yield Server(process.pid, port)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def warroom(name: str, *flags: str, prefix: Sequence[str] = ()) -> Contestant:
    """Return Warroom with its own flags; *prefix* comes before its command."""
    serve = partial(serve_warroom, *flags, prefix=prefix)
    return Contestant(name, "warroom", serve, seat_warroom, hear_warroom)


def node_peer(name: str, seat: Callable[[int, int, int], list[Seated]]) -> Contestant:
    """Return a peer that runs on Node."""
    return Contestant(name, name, partial(serve_program, [str(NODE), f"{name}_server.mjs"]), seat)


def all_contestants() -> dict[str, Contestant]:
    """Return the servers by name, in the order in which a round measures them."""
    limit = str(compiled("limit_server"))
    contestants = [
        warroom("warroom_memory", "--redis", "memory://"),
        node_peer("colyseus", seat_colyseus),
        warroom("warroom_embedded"),
        warroom("warroom_python", "--redis", "memory://", prefix=WITHOUT_C),
        node_peer("boardgameio", seat_boardgameio),
        Contestant("limit", "limit", partial(serve_program, [limit]), seat_limit),
    ]
    return {contestant.name: contestant for contestant in contestants}
