"""A player on the bare protocol, who comes back by itself, sends again what has no answer, and notes every verdict.

It asserts what the protocol promises: each id has one verdict, however often it is asked for; a line that broke is
resumed with only what was missed; and the copy that came of it is the one that the server would send anew.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from msgspec import Raw
from strict_viewer import Viewer
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.canonical import canonical
from warroom_protocol.codec import decode_server, encode

RETRY_S = 0.02
ANSWER_S = 10.0
"""How long a request to enter the room may stay unanswered: if the owner died, nobody answers it."""
PASSING = frozenset({codes.ROOM_MOVING, codes.STORE_UNAVAILABLE})
"""Refusals that another attempt overcomes."""

Choice: TypeAlias = Callable[[Sequence[Any]], Any]
Entering: TypeAlias = Callable[[wire.Position | None], wire.Join | wire.Watch]
Cut: TypeAlias = Callable[[wire.ServerMessage], object]
"""Names the point after a message at which to drop the line; None: no such point. Each point is used once."""


def last(actions: Sequence[Any]) -> Any:
    """Choose the last legal action."""
    return actions[-1]


def first(actions: Sequence[Any]) -> Any:
    """Choose the first legal action."""
    return actions[0]


class WirePlayer:
    """One player, or spectator, of one room; *cut* says at which points to drop the line.

    Having had *rests_after* verdicts, the player goes on only once `rested` is set: the match cannot end before.
    """

    def __init__(
        self,
        url: str,
        name: str,
        *,
        token: str | None = None,
        choose: Choice = last,
        cut: Cut = lambda message: None,
        rests_after: int | None = None,
    ) -> None:
        self.url = url
        self.name = name
        self.token = token
        self.viewer = Viewer()
        self.received: list[bytes] = []
        """Every message, over all lines."""
        self.verdicts: dict[int, wire.Verdict] = {}
        self.prompts: list[wire.Prompt] = []
        self.pauses: list[str | None] = []
        self.expired: list[wire.Expired] = []
        self.ended: wire.Ended | None = None
        self.breaks = 0
        """How often the line broke."""
        self.rested = asyncio.Event()
        self._rests_after = rests_after
        self._choose = choose
        self._cut = cut
        self._acts: dict[int, wire.Act] = {}
        self._unanswered: dict[int, wire.Act] = {}
        self._sent_here: set[int] = set()
        self._owed: set[int] = set()
        self._open: int | None = None
        self._asked: int | None = None
        self._compares = False
        self._entry: int | None = None
        self._is_moved = False
        self._cuts: set[object] = {None}

    async def create(
        self, game: str, seats: int, options: dict[str, Any], room_options: dict[str, Any]
    ) -> wire.Created:
        """Create a room; a request without an answer is sent again."""
        request = wire.Create(_ref(), game, seats, options, room_options)
        while True:
            try:
                async with self._line() as line:
                    await line.send(encode(request))
                    created = decode_server(await _next(line))
                    assert isinstance(created, wire.Created), created
                    return created
            except (ConnectionClosed, OSError):
                await self._wait()

    async def play(self, room: int) -> wire.Ended:
        """Take a seat and play to the end."""
        return await self._stay(lambda position: wire.Join(_ref(), room, None, None, position))

    async def watch(self, room: int) -> wire.Ended:
        """Watch to the end."""
        return await self._stay(lambda position: wire.Watch(_ref(), room, position))

    # --- lines ----------------------------------------------------------------------------------------------------

    async def _stay(self, entering: Entering) -> wire.Ended:
        while self.ended is None or self._owed:
            try:
                async with self._line() as line:
                    await line.send(encode(self._enter(entering)))
                    await self._follow(line, entering)
            except (ConnectionClosed, OSError):
                await self._wait()
        return self.ended

    def _enter(self, entering: Entering) -> wire.ClientMessage:
        """Return the request to enter the room, for the first time or again."""
        self._asked, self._is_moved = None, False
        self._sent_here.clear()
        request = entering(self.viewer.position)
        self._entry = request.ref
        return request

    @asynccontextmanager
    async def _line(self) -> AsyncIterator[ClientConnection]:
        try:
            line = await connect(self.url, compression=None, proxy=None, close_timeout=0.1)
        except (InvalidHandshake, EOFError) as error:
            raise ConnectionError("the server went away in the handshake") from error
        try:
            await line.send(encode(wire.Hello(_ref(), (1,), self.name, self.token)))
            welcome = decode_server(await _next(line))
            assert isinstance(welcome, wire.Welcome), welcome
            self.token = welcome.token
            yield line
        finally:
            line.transport.abort()

    async def _wait(self) -> None:
        self.breaks += 1
        await asyncio.sleep(RETRY_S)

    async def _follow(self, line: ClientConnection, entering: Entering) -> None:
        while self.ended is None or self._owed:
            # A request to enter that nobody answers is given up with the line: `TimeoutError` is an `OSError`.
            async with asyncio.timeout(None if self._entry is None else ANSWER_S):
                message = self._receive(await _next(line))
            if isinstance(message, wire.Error):
                await self._refused(message)
            if self._is_moved and self._entry is None:
                await line.send(encode(self._enter(entering)))
                continue
            if (point := self._cut(message)) not in self._cuts:
                self._cuts.add(point)
                raise ConnectionAbortedError("as the test wants it")
            for answer in [*self._react(message), *self._next_question()]:
                if isinstance(answer, wire.Act) and self._rests_after == len(self.verdicts):
                    await self.rested.wait()
                await line.send(encode(answer))

    async def _refused(self, error: wire.Error) -> None:
        """Come back on a new line if the room is not entered; ask anything else again in a moment."""
        assert error.code in PASSING, error
        if error.ref == self._entry:
            raise ConnectionError(error.code)
        await asyncio.sleep(RETRY_S)
        self._asked = None

    # --- what comes and what follows from it ----------------------------------------------------------------------

    def _receive(self, payload: bytes) -> wire.ServerMessage:
        self.received.append(payload)
        before = self.viewer.shows
        self.viewer.receive(payload)
        message = self.viewer.seen[-1]
        if isinstance(message, wire.Snapshot) and self._compares:
            assert self.viewer.shows == before, "the copy differs from the server's"
            self._compares = False
        if isinstance(message, wire.Joined | wire.Resumed):
            # An answer behind `room.moved` is one of the new owner: what the one before sent is dropped.
            self._entry, self._is_moved = None, False
        if isinstance(message, wire.Notice) and message.code == codes.NOTICE_MOVED:
            self._is_moved, self._compares = True, False
        return message

    def _react(self, message: wire.ServerMessage) -> list[wire.ClientMessage]:
        match message:
            case wire.Joined():
                assert not self.verdicts, "nothing was resumed"
            case wire.Resumed():
                return self._come_back(message.room)
            case wire.Prompt():
                self.prompts.append(message)
                self._open = message.turn
            case wire.LegalList():
                return self._decide(message)
            case wire.Verdict():
                self._judge(message)
            case wire.Expired():
                self.expired.append(message)
                self._open = None if self._open == message.turn else self._open
            case wire.Paused():
                self.pauses.append(message.reason)
                # What was on its way when the room changed hands may be answered again, after what came behind it.
                self._sent_here.clear()
            case wire.Ended():
                self.ended = message
            case _:
                pass
        return []

    def _come_back(self, room: int) -> list[wire.ClientMessage]:
        """Send what is unanswered, ask once more for what was answered, and for the whole view to compare with."""
        self._owed = set(self.verdicts)
        self._compares = True
        return [*self._acts.values(), wire.Resync(_ref(), room)]

    def _next_question(self) -> list[wire.ClientMessage]:
        if self._open is None or self._unanswered or self._asked == self._open:
            return []
        self._asked = self._open
        return [wire.Legal(_ref(), self.prompts[-1].room)]

    def _decide(self, legal: wire.LegalList) -> list[wire.ClientMessage]:
        if legal.turn != self._open or self._unanswered or not legal.actions:
            return []
        act = wire.Act(legal.room, _ref(), legal.turn, Raw(canonical(self._choose(legal.actions))))
        self._acts[act.id] = self._unanswered[act.id] = act
        self._sent_here.add(act.id)
        return [act]

    def _judge(self, verdict: wire.Verdict) -> None:
        known = self.verdicts.setdefault(verdict.id, verdict)
        assert verdict == known, "one id has one verdict"
        self._owed.discard(verdict.id)
        act = self._unanswered.pop(verdict.id, None)
        if act is None:
            return
        assert verdict.code is None, verdict
        if verdict.id in self._sent_here:
            assert (verdict.p, verdict.q) == (self.viewer.p, self.viewer.q)
        if self._open == act.turn:
            self._open = None


async def _next(line: ClientConnection) -> bytes:
    payload = await line.recv()
    assert isinstance(payload, bytes), payload
    return payload


def _ref() -> int:
    return secrets.randbits(53)
