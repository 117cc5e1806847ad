"""Warroom's players for the loads that need more than one action after the other: many rooms on few connections."""

import asyncio
import itertools
import os
from collections.abc import Callable
from typing import TypeVar

from benchmarks.lean import LeanClient
from warroom_protocol import codes
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import (
    ClientMessage,
    Create,
    Created,
    Error,
    Hello,
    Join,
    Joined,
    ServerMessage,
    Welcome,
)
from warroom_protocol.versions import VERSION

UPDATE = b"\xa6update"
TIMEOUT_S = 60
TRIES, RETRY_S = 20, 0.5
PASSING = frozenset({codes.STORE_UNAVAILABLE, codes.ROOM_BUSY, codes.ROOM_MOVING})
ROOMS_PER_CONNECTION = 250
AT_ONCE = 20
_refs = itertools.count(1)
M = TypeVar("M", bound=ServerMessage)


def new_ref() -> int:
    """Return a number for a request."""
    return next(_refs)


def random_bits() -> int:
    """Return 53 random bits, as ids of actions and rooms have."""
    return int.from_bytes(os.urandom(7), "big") >> 3


class Player:
    """One connection that asks and waits for answers; *heard* gets every other message except updates."""

    def __init__(self, heard: Callable[["Player", ServerMessage], None] = lambda player, message: None) -> None:
        self.updates = 0
        self.token = ""
        self._heard = heard
        self._client: LeanClient
        self._waiting: dict[int | None, asyncio.Future[ServerMessage]] = {}

    async def connect(self, port: int) -> None:
        """Connect and say hello; a second time as the same player."""
        self._client = await LeanClient.connect("127.0.0.1", port, self._received)
        welcome = await self.ask(Hello(new_ref(), (VERSION,), "bench", self.token or None), Welcome)
        self.token = welcome.token

    async def ask(self, request: "ClientMessage", *replies: type[M]) -> M:
        """Send a request that has a ref and return its answer; raise `ConnectionRefusedError` for another one.

        A busy store refuses for a moment. The same request then follows again, as clients do it.
        """
        for _ in range(TRIES):
            message = await self._ask_once(request)
            if isinstance(message, replies):
                return message
            if not isinstance(message, Error) or message.code not in PASSING:
                break
            await asyncio.sleep(RETRY_S)
        raise ConnectionRefusedError(message.code if isinstance(message, Error) else repr(message))

    async def _ask_once(self, request: "ClientMessage") -> ServerMessage:
        answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._waiting[_ref_of(request)] = answer
        self.send(request)
        return await asyncio.wait_for(answer, TIMEOUT_S)

    def send(self, message: "ClientMessage") -> None:
        """Send a message."""
        self._client.send(encode(message))

    def close(self) -> None:
        """Cut the connection."""
        self._client.close()

    def _received(self, client: LeanClient, payload: bytes) -> None:
        if payload[1:8] == UPDATE:
            self.updates += 1
            return
        message = decode_server(payload)
        answer = self._waiting.pop(_ref_of(message), None)
        if answer is not None and not answer.done():
            answer.set_result(message)
        self._heard(self, message)


def _ref_of(message: object) -> int | None:
    """Return the number of the request that a message is or answers."""
    ref: int | None = getattr(message, "ref", None)
    return ref


async def open_room(people: list[Player], game: str, *, turn_ms: int, room_options: dict[str, object]) -> int:
    """Create a room and seat everyone in it, which starts the match; return its number."""
    options = {"turn_ms": turn_ms, "seating": "as_joined", **room_options}
    created = await people[0].ask(Create(random_bits(), game, len(people), {}, options), Created)
    for person in people:
        await person.ask(Join(new_ref(), created.room), Joined)
    return created.room


async def fill_rooms(
    port: int,
    count: int,
    game: str,
    *,
    turn_ms: int,
    seats: int,
    heard: Callable[[Player, ServerMessage], None] = lambda player, message: None,
) -> list[Player]:
    """Open *count* rooms whose players do nothing; each connection sits in many of them."""

    async def fill(rooms: int) -> list[Player]:
        people = [Player(heard) for _ in range(seats)]
        for person in people:
            await person.connect(port)
        for _ in range(rooms):
            await open_room(people, game, turn_ms=turn_ms, room_options={"timeouts": 0})
        return people

    groups = max(1, min(AT_ONCE, count // 10), -(-count // ROOMS_PER_CONNECTION))
    sizes = [count // groups + (number < count % groups) for number in range(groups)]
    people: list[Player] = []
    for first in range(0, groups, AT_ONCE):
        for filled in await asyncio.gather(*map(fill, sizes[first : first + AT_ONCE])):
            people += filled
    return people
