"""Thousands of players in one process: lean connections that bid, and resume as the protocol asks."""

import asyncio
import time
from collections.abc import Sequence
from itertools import count

import msgspec
from benchmarks.lean import LeanClient
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.messages import (
    Act,
    Error,
    Hello,
    Join,
    Joined,
    Notice,
    Position,
    Private,
    Prompt,
    Resumed,
    ServerMessage,
    Snapshot,
    Update,
    Verdict,
    Welcome,
)
from warroom_protocol.versions import VERSION

GAME = "sealed_bids"
SEATS = 4
OPTIONS = {"rounds": 10, "cards": 10, "peeks": 0}
"""Everybody has every card, so that a player knows without looking what may be bid."""
CARDS = range(1, OPTIONS["cards"] + 1)
AT_ONCE = 100
"""Players that come at the same time."""
RETRY_S = 0.1
PASSING = frozenset({codes.ROOM_MOVING, codes.STORE_UNAVAILABLE, codes.ROOM_BUSY})
_refs = count(1)


class LightPlayer:
    """One player in one room, who bids when told to and sends a bid again that has no verdict after a resume."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.turn = 0
        """The turn in which the player may bid."""
        self.unanswered: Act | None = None
        self.verdicts: list[Verdict] = []
        self.judged_s = 0.0
        """When the last verdict came."""
        self.resumes = 0
        """How often the room had to be entered again."""
        self.refusals: list[str] = []
        self._client: LeanClient
        self._is_inside = False
        self._position: Position | None = None
        self._joint_q: int | None = None

    async def come(self, port: int) -> None:
        """Connect, say hello and take a seat."""
        self._client = await LeanClient.connect("127.0.0.1", port, self._heard)
        self._client.send(encode(Hello(next(_refs), (VERSION,), "Light")))
        await until(lambda: self._is_inside)

    def bid(self) -> None:
        """Bid the next card; it counts once it has a verdict."""
        assert self.unanswered is None
        action = {"type": "bid", "card": CARDS[len(self.verdicts)]}
        self.unanswered = Act(self.room, next(_refs), self.turn, msgspec.Raw(msgspec.msgpack.encode(action)))
        self._client.send(encode(self.unanswered))

    def leave(self) -> None:
        """Hang up."""
        self._client.close()

    def _enter(self) -> None:
        self._client.send(encode(Join(next(_refs), self.room, position=self._position)))

    def _heard(self, client: LeanClient, payload: bytes) -> None:
        message = decode_server(payload)
        match message:
            case Welcome():
                self._enter()
            case Joined() | Resumed():
                self._entered()
            case Prompt(turn=turn):
                self.turn = turn
            case Verdict():
                self._judge(message)
            case Notice(code=codes.NOTICE_MOVED):
                self._enter()
            case Error(code=code):
                assert code in PASSING, message
                self.refusals.append(code)
                asyncio.get_running_loop().call_later(RETRY_S, self._enter)
            case _:
                self._follow(message)

    def _entered(self) -> None:
        self.resumes += self._is_inside
        self._is_inside = True
        if self.unanswered is not None:
            self._client.send(encode(self.unanswered))

    def _judge(self, verdict: Verdict) -> None:
        if self.unanswered is not None and verdict.id == self.unanswered.id:  # a resume may repeat an older one
            self.unanswered = None
            self.verdicts.append(verdict)
            self.judged_s = time.monotonic()

    def _follow(self, message: ServerMessage) -> None:
        """Keep count of the streams."""
        match message:
            case Snapshot(life=life, p=p, q=q):
                self._position = Position(life, p, q)
            case Private(q=q, joint=joint):
                if joint:  # it counts together with the update that follows
                    self._joint_q = q
                else:
                    self._go_on(q=q)
            case Update(p=p):
                self._go_on(p=p, q=self._joint_q)
                self._joint_q = None
            case _:
                pass

    def _go_on(self, *, p: int | None = None, q: int | None = None) -> None:
        assert self._position is not None
        known = self._position
        self._position = Position(known.life, known.p if p is None else p, known.q if q is None else q)


async def fill(rooms: Sequence[int], port: int) -> list[LightPlayer]:
    """Fill rooms with players who connect to one port, and return them once all matches run."""
    players = [LightPlayer(room) for room in rooms for _ in range(SEATS)]
    for first in range(0, len(players), AT_ONCE):
        await asyncio.gather(*(player.come(port) for player in players[first : first + AT_ONCE]))
    await until(lambda: all(player.turn for player in players))
    return players


async def judged(players: Sequence[LightPlayer]) -> None:
    """Return once everybody has a verdict on the last bid, and may bid again."""
    turn = 1 + max(player.turn for player in players)
    await until(lambda: all(player.unanswered is None and player.turn == turn for player in players))
    assert {verdict.code for player in players for verdict in player.verdicts} == {None}
