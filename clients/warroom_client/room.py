"""A room as a program holds it: the current view, what happens next, and what the own seat can do."""

import asyncio
import secrets
from typing import Final, Protocol, TypeAlias

from msgspec import Raw, Struct

from warroom_client import events
from warroom_client.errors import ClientError, RejectedError
from warroom_client.feed import Feed
from warroom_client.mirror import Mirror, RoomMessage
from warroom_protocol import messages as wire
from warroom_protocol.canonical import canonical
from warroom_protocol.rooms import room_code

MAX_UNANSWERED: Final = 16

Incoming: TypeAlias = RoomMessage | wire.Verdict | wire.Notice


class Line(Protocol):
    """What a room needs from the client that holds it."""

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        """Send a request and return its reply; *survives* says that it is sent again after a break."""
        ...

    async def tell(self, message: wire.ClientMessage) -> None:
        """Send a message that has no reply of its own, unless the line is broken right now."""
        ...

    def forget(self, room: "Room") -> None:
        """Drop what still comes for a room."""
        ...


class _Unanswered(Struct, frozen=True):
    """An action without a verdict, and who waits for it."""

    act: wire.Act
    verdict: asyncio.Future[wire.Verdict]


class Room:
    """One room that the client joined or watches.

    `async for event in room` tells what happens, in order, and ends with the match (or with `leave`). The properties
    always show the latest state, also when the events are read late or not at all.
    """

    def __init__(self, line: Line, number: int, *, player: str, seat_token: str | None = None) -> None:
        self.number = number
        self.code = room_code(number)
        self.about: wire.About | None = None
        self.seat_token = seat_token
        self._line = line
        self._mirror = Mirror(player)
        self._feed = Feed()
        self._unanswered: dict[int, _Unanswered] = {}
        self._loop = asyncio.get_running_loop()
        self._has_view: asyncio.Future[None] = self._loop.create_future()

    # --- the latest state ---------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """The own seat; None for a spectator. Seats may be dealt anew when the match starts."""
        return self._mirror.seat

    @property
    def public(self) -> wire.View:
        """What everybody knows; None before the match has started."""
        return self._mirror.public

    @property
    def private(self) -> wire.View:
        """What the own seat knows besides."""
        return self._mirror.private

    @property
    def phase(self) -> str:
        """`lobby`, `playing` or `ended`."""
        return self._mirror.phase

    @property
    def host(self) -> str | None:
        """The id of the player who may start the match."""
        return self._mirror.host

    @property
    def seats(self) -> tuple[wire.SeatState, ...]:
        """Who sits where."""
        return self._mirror.seats

    @property
    def watching(self) -> int:
        """How many spectators there are."""
        return self._mirror.watching

    @property
    def turn(self) -> int:
        """The game's turn."""
        return self._mirror.clock.turn

    @property
    def prompt(self) -> wire.Prompt | None:
        """What the own seat is asked for; None while it is not to act."""
        return self._mirror.prompt

    @property
    def paused(self) -> str | None:
        """Why the room's clock stands still; None while it runs."""
        return self._mirror.paused

    @property
    def ended(self) -> wire.Ended | None:
        """The result, once the match is over."""
        return self._mirror.ended

    @property
    def position(self) -> wire.Position | None:
        """How far the view has come; None while a snapshot is due."""
        return self._mirror.position

    def remaining_ms(self) -> int | None:
        """Return how long the running turn still lasts, by estimate; None while no turn is running."""
        return self._mirror.remaining_ms(self._now())

    def name_of(self, seat: int) -> str:
        """Return the name of whoever sits there, or the number of the seat."""
        names = [state.name for state in self.seats if state.seat == seat]
        return names[0] if names and names[0] else f"seat {seat}"

    # --- what happens -------------------------------------------------------------------------------------------

    def __aiter__(self) -> "Room":
        return self

    async def __anext__(self) -> events.Event:
        return await self._feed.get()

    # --- what the own seat can do -------------------------------------------------------------------------------

    async def legal(self) -> wire.LegalList:
        """Return what the own seat may do now, with the decision (*turn*) that it holds for."""
        reply = await self._line.ask(wire.Legal(_ref(), self.number), survives=True)
        assert isinstance(reply, wire.LegalList)
        return reply

    async def act(self, action: object, *, turn: int | None = None) -> wire.Verdict:
        """Play an action and return its verdict; raise `RejectedError` if it is refused.

        *turn* names the decision that the action is for; by default the open one. A break of the line is waited out:
        the same action goes out again under the same id, so it is never played twice. Cancelling does not call it
        back.
        """
        if turn is None:
            if self.prompt is None:
                raise ClientError(f"the own seat in room {self.code} is not asked to act")
            turn = self.prompt.turn
        if len(self._unanswered) >= MAX_UNANSWERED:
            raise ClientError(f"{MAX_UNANSWERED} actions in room {self.code} are still unanswered")
        act = wire.Act(self.number, _ref(), turn, Raw(canonical(action)))
        waiting = _Unanswered(act, self._loop.create_future())
        self._unanswered[act.id] = waiting
        await self._line.tell(act)
        return await waiting.verdict

    async def start(self) -> None:
        """Start the match with the seats taken so far; only the host may."""
        await self._line.ask(wire.Start(_ref(), self.number), survives=False)

    async def resign(self) -> None:
        """Give the match up."""
        await self._line.ask(wire.Resign(_ref(), self.number), survives=False)

    async def leave(self) -> None:
        """Stop following the room; in the lobby this also frees the seat."""
        try:
            await self._line.ask(wire.Leave(_ref(), self.number), survives=False)
        finally:
            self._line.forget(self)
            self.close(None)

    # --- for the client that holds the room ---------------------------------------------------------------------

    @property
    def unanswered(self) -> tuple[wire.Act, ...]:
        """The actions that have no verdict yet, oldest first."""
        return tuple(waiting.act for waiting in self._unanswered.values())

    async def has_view(self) -> None:
        """Wait for the first snapshot."""
        await self._has_view

    def receive(self, message: Incoming) -> str | None:
        """Take one message of this room; return the reason to ask for a snapshot, if there is one."""
        if isinstance(message, wire.Verdict):
            self._judge(message)
            return None
        if isinstance(message, wire.Notice):
            self.tell(events.Noticed(message.code, message.detail))
            return None
        if isinstance(message, wire.Joined | wire.Resumed):
            if self.about is not None and message.life != self._mirror.life:
                self._give_up_actions(ClientError(f"room {self.code} has lost what was played there"))
            self.about, self.seat_token = message.about, message.seat_token
        received = self._mirror.receive(message, self._now())
        for event in received.events:
            self.tell(event)
        if isinstance(message, wire.Snapshot) and not self._has_view.done():
            self._has_view.set_result(None)
        return received.resync

    def tell(self, event: events.Event) -> None:
        """Put an event into the feed."""
        self._feed.put(event)

    def close(self, error: ClientError | None) -> None:
        """End the feed; whoever waits for a verdict or the first view gets *error*."""
        self._feed.close(error)
        failure = error or ClientError(f"room {self.code} was left")
        if not self._has_view.done():
            self._has_view.set_exception(failure)
        self._give_up_actions(failure)

    def _give_up_actions(self, failure: ClientError) -> None:
        waiting = tuple(self._unanswered.values())
        self._unanswered.clear()
        for each in waiting:
            if not each.verdict.done():
                each.verdict.set_exception(failure)

    def _judge(self, verdict: wire.Verdict) -> None:
        # A verdict can come twice when the line broke between it and our reading it; the first one counts.
        waiting = self._unanswered.pop(verdict.id, None)
        if waiting is None:
            return
        if verdict.code is None:
            self._mirror.answered(waiting.act.turn)
        self.tell(events.Judged(verdict))
        if waiting.verdict.done():
            return
        if verdict.code is None:
            waiting.verdict.set_result(verdict)
        else:
            waiting.verdict.set_exception(RejectedError(verdict.code, verdict.detail or ""))

    def _now(self) -> int:
        return int(self._loop.time() * 1000)


def _ref() -> int:
    return secrets.randbits(53)
