"""Rooms full of Graph Battle players on lean connections: one mirror per room, and as little else as possible."""

import asyncio
import itertools
import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from benchmarks.lean import LeanClient
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import (
    Act,
    Create,
    Created,
    Ended,
    Error,
    Hello,
    Join,
    Joined,
    Prompt,
    ServerMessage,
    Snapshot,
    Update,
    Verdict,
    Watch,
    Welcome,
)
from warroom_protocol.patches import apply
from warroom_protocol.versions import VERSION

UPDATE = b"\xa6update"
SEATS = 5
_refs = itertools.count(1)


class Tally:
    """What the crowd has seen so far."""

    def __init__(self) -> None:
        self.accepted = 0
        self.refused: Counter[str] = Counter()
        self.updates = 0
        self.update_bytes = 0
        self.ended = 0


class Person:
    """One connection: asks and waits while rooms are set up, then counts updates and hands the rest on."""

    def __init__(self, tally: Tally) -> None:
        self.client: LeanClient
        self.p = 0
        self.on_play: Callable[[ServerMessage], None] | None = None
        self.on_update: Callable[[bytes], None] | None = None
        self._tally = tally
        self._replies: asyncio.Queue[ServerMessage] = asyncio.Queue()

    async def arrive(self, port: int) -> None:
        """Connect and say hello."""
        self.client = await LeanClient.connect("127.0.0.1", port, self._heard)
        await self.ask(Hello(next(_refs), (VERSION,), "bench"), Welcome)

    async def ask(self, request: Any, reply: type) -> Any:
        """Send a request and return the first message of type *reply*."""
        self.client.send(encode(request))
        while True:
            message = await asyncio.wait_for(self._replies.get(), 60)
            if isinstance(message, reply):
                return message
            if isinstance(message, Error):
                raise ConnectionRefusedError(message.code)

    def _heard(self, client: LeanClient, payload: bytes) -> None:
        if payload[1:8] == UPDATE:
            self.p += 1
            self._tally.updates += 1
            self._tally.update_bytes += len(payload)
            if self.on_update is not None:
                self.on_update(payload)
            return
        message = decode_server(payload)
        if self.on_play is not None:
            self.on_play(message)
        else:
            self._replies.put_nowait(message)


class Table:
    """One room whose players attack where they are stronger, *think* seconds after they were asked."""

    def __init__(self, people: list[Person], tally: Tally, *, think_s: float) -> None:
        self.people = people
        self.room = 0
        self.is_playing = False
        self.view: Any = None
        self._tally = tally
        self._think_s = think_s
        self._asked: tuple[Person, Prompt] | None = None
        self._again: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Create the room and take every seat, which starts the match; whoever is asked waits for `play`."""
        leader = self.people[0]
        options = {"turn_ms": 600_000, "seating": "as_joined"}
        created: Created = await leader.ask(Create(_random(), "graph_battle", len(self.people), {}, options), Created)
        self.room = created.room
        leader.on_update = self._mirror
        for person in self.people[:-1]:
            await person.ask(Join(next(_refs), self.room), Joined)
            self._listen(person)
        last = self.people[-1]
        self._listen(last)
        last.client.send(encode(Join(next(_refs), self.room)))

    def play(self) -> None:
        """Answer prompts from now on, the one that waits first, and open the next room when a match is over."""
        self.is_playing = True
        self._consider()

    def stop(self) -> None:
        """Answer no further prompt, and open no further room."""
        self.is_playing = False
        if self._again is not None:
            self._again.cancel()

    def _listen(self, person: Person) -> None:
        person.on_play = lambda message: self._play(person, message)

    def _play(self, person: Person, message: ServerMessage) -> None:
        match message:
            case Prompt():
                self._asked = (person, message)
                self._consider()
            case Verdict(code=None):
                self._tally.accepted += 1
            case Verdict():
                self._tally.refused[str(message.code)] += 1
            case Ended():
                self._leave(person)
            case _:
                pass

    def _leave(self, person: Person) -> None:
        """Note that the match is over for one person, and begin another when it is for all."""
        person.on_play = None
        person.p = 0
        if self.is_playing and all(other.on_play is None for other in self.people):
            self._tally.ended += 1
            self.view = self._asked = None
            self._again = asyncio.get_running_loop().create_task(self.open())

    def _mirror(self, payload: bytes) -> None:
        update = decode_server(payload)
        if isinstance(update, Update):
            self.view = apply(self.view, update.patch)
            self._consider()

    def _consider(self) -> None:
        """Act once the mirror has come as far as the one who is asked."""
        if self._asked is None or not self.is_playing or self.people[0].p < self._asked[0].p:
            return
        person, prompt = self._asked
        self._asked = None
        if self._think_s:
            asyncio.get_running_loop().call_later(self._think_s, self._act, person, prompt)
        else:
            self._act(person, prompt)

    def _act(self, person: Person, prompt: Prompt) -> None:
        if self.is_playing:
            action = msgspec.Raw(msgspec.msgpack.encode(self._choose()))
            person.client.send(encode(Act(self.room, _random(), prompt.turn, action)))

    def _choose(self) -> dict[str, object]:
        nodes, neighbours = self.view["nodes"], self.view["board"]["neighbours"]
        color = self.view["colors"][self.view["seat"]]
        for source, node in enumerate(nodes):
            if node["color"] == color and node["strength"] >= 2:
                for target in neighbours[source]:
                    if nodes[target]["color"] != color and nodes[target]["strength"] < node["strength"]:
                        return {"type": "attack", "source": source, "target": target}
        return {"type": "end_turn"}


async def open_tables(port: int, count: int, tally: Tally, *, think_s: float) -> list[Table]:
    """Return *count* rooms of five players each, who begin to play once the last of them has sat down."""
    tables = [Table([Person(tally) for _ in range(SEATS)], tally, think_s=think_s) for _ in range(count)]
    for table in tables:
        await asyncio.gather(*(person.arrive(port) for person in table.people))
        await table.open()
    for table in tables:
        table.play()
    return tables


async def watch(port: int, room: int, count: int, tally: Tally) -> list[Person]:
    """Return *count* spectators of one room."""
    crowd = [Person(tally) for _ in range(count)]
    for person in crowd:
        await person.arrive(port)
        await person.ask(Watch(next(_refs), room), Snapshot)
    return crowd


def _random() -> int:
    return int.from_bytes(os.urandom(6), "big")
