"""A room as a program holds it: the current view, what happens next, and what the own seat can do."""

import asyncio
from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

from msgspec import Raw, Struct

from warroom_client import events
from warroom_client.errors import ClientError, RejectedError
from warroom_client.mirror import Mirror, RoomMessage
from warroom_client.outgoing import check, packed
from warroom_client.requests import new_ref
from warroom_client.telling import Telling
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.rooms import invitation, room_code

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


class Room(Telling):
    """One room that the client joined or watches.

    `async for event in room` tells what happens, in order, and ends with the match (or with `leave`); what comes after
    the match, up to a rematch, is in `room.afterwards()`. The properties always show the latest state, also when the
    events are read late or not at all.
    """

    def __init__(
        self,
        line: Line,
        number: int,
        *,
        player: str,
        seat_token: str | None = None,
        key: str | None = None,
        reclaims: bool = True,
    ) -> None:
        super().__init__()
        self.number = number
        self.code = room_code(number)
        self.key = key
        self.about: wire.About | None = None
        self.seat_token = seat_token
        self._line = line
        self._reclaims = reclaims
        self._is_back = False
        self._is_lost = False
        self._failure: ClientError | None = None
        self._mirror = Mirror(player)
        self._unanswered: dict[int, _Unanswered] = {}
        self._loop = asyncio.get_running_loop()
        self._has_view: asyncio.Future[None] = self._loop.create_future()

    # --- the latest state ---------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """The own seat; None for a spectator. Seats may be dealt anew when the match starts."""
        return self._mirror.seat

    @property
    def player(self) -> str:
        """The id of the player whose seat it is: of this client, or of whoever lent it a seat token."""
        return self._mirror.player

    @property
    def invitation(self) -> str:
        """What to pass on to bring others into the room."""
        return invitation(self.number, self.key)

    @property
    def is_stood_in(self) -> bool:
        """Whether a bot plays at the own seat until `reclaim`."""
        return any(state.stood_in and state.player == self._mirror.player for state in self.seats)

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
    def offers(self) -> Mapping[str, tuple[int, ...]]:
        """What is offered now (`draw`, `pause`, `resume`, `rematch`), and by which seats."""
        return self._mirror.offers

    @property
    def moved(self) -> wire.Moved | None:
        """Where the rematch is, once there is one."""
        return self._mirror.moved

    @property
    def said(self) -> tuple[wire.Said, ...]:
        """What people said last, the latest at the end."""
        return self._mirror.heard

    @property
    def banks(self) -> tuple[int, ...]:
        """The milliseconds that each seat had beyond its turns as this one began; empty where there are no banks."""
        return self._mirror.clock.banks

    @property
    def position(self) -> wire.Position | None:
        """How far the view has come; None while a snapshot is due."""
        return self._mirror.position

    def remaining_ms(self) -> int | None:
        """Return how long the running turn still lasts, by estimate; None while no turn is running."""
        return self._mirror.remaining_ms(self._now())

    def decision_ms(self) -> int | None:
        """Return how long the own seat has for its decision, its bank included; None while it is not asked."""
        return self._mirror.decision_ms(self._now())

    def grace_ms(self, seat: int) -> int | None:
        """Return how long the place of a player without a line is kept, by estimate; None if it is not in question."""
        for state in self.seats:
            if state.seat == seat and state.grace is not None:
                return max(0, state.grace - self._mirror.clock.at(self._now()))
        return None

    # --- what the own seat can do -------------------------------------------------------------------------------

    async def legal(self, *, notes: bool = False) -> wire.LegalList:
        """Return what the own seat may do now, with the decision (*turn*) that it holds for.

        With *notes* there is a text for each action, which says what it costs or brings; it may be empty.
        """
        reply = await self._line.ask(wire.Legal(new_ref(), self.number, notes), survives=True)
        assert isinstance(reply, wire.LegalList)
        return reply

    async def act(self, action: object, *, turn: int | None = None, id: int | None = None) -> wire.Verdict:
        """Play an action and return its verdict; raise `RejectedError` if it is refused.

        `UnsendableError` says that it is nothing that can be sent at all. *turn* names the decision that the action is
        for; by default the open one. A break of the line is waited out: the same action goes out again under the same
        *id*, so it is never played twice; by default it is a new one (`new_ref`). Cancelling does not call it back.
        """
        if self._failure is not None:
            raise self._failure
        if turn is None:
            if self.prompt is None:
                raise ClientError(f"the own seat in room {self.code} is not asked to act")
            turn = self.prompt.turn
        if len(self._unanswered) >= MAX_UNANSWERED:
            raise ClientError(f"{MAX_UNANSWERED} actions in room {self.code} are still unanswered")
        act = wire.Act(self.number, new_ref() if id is None else id, turn, Raw(packed(action)))
        check(act)
        waiting = _Unanswered(act, self._loop.create_future())
        self._unanswered[act.id] = waiting
        await self._line.tell(act)
        return await waiting.verdict

    async def reclaim(self) -> None:
        """Take the own seat back from the bot that stands in, as soon as the turn that it plays is over."""
        await self._line.ask(wire.Reclaim(new_ref(), self.number), survives=False)

    async def offer(self, what: wire.OfferName, *, on: bool = True) -> None:
        """Offer a `draw`, a `pause`, to `resume` or a `rematch`, or agree to it; *on* False takes it back."""
        await self._line.ask(wire.Offer(new_ref(), self.number, what, on), survives=False)

    async def say(self, text: str) -> None:
        """Say something: a player to everybody, a spectator to spectators."""
        await self._line.ask(wire.Say(new_ref(), self.number, text), survives=False)

    async def mute(self, player: str, *, on: bool = True, everybody: bool = False) -> None:
        """Hear a player (given by its id) no more, or again; the host may silence one for *everybody*."""
        await self._line.ask(wire.Mute(new_ref(), self.number, player, on, everybody), survives=False)

    async def fill(self, seat: int | None = None, bot: str | None = None) -> None:
        """Let a bot take an open seat, or (None) each of them; only the host may, before the match."""
        await self._line.ask(wire.Fill(new_ref(), self.number, seat, bot), survives=False)

    async def kick(self, seat: int) -> None:
        """Send whoever sits there away for good; only the host may, before the match."""
        await self._line.ask(wire.Kick(new_ref(), self.number, seat), survives=False)

    async def start(self) -> None:
        """Start the match with the seats taken so far; only the host may."""
        await self._line.ask(wire.Start(new_ref(), self.number), survives=False)

    async def resign(self) -> None:
        """Give the match up."""
        await self._line.ask(wire.Resign(new_ref(), self.number), survives=False)

    async def leave(self) -> None:
        """Stop following the room; in the lobby this also frees the seat."""
        try:
            await self._line.ask(wire.Leave(new_ref(), self.number), survives=False)
        finally:
            self._line.forget(self)
            self.close(None)

    # --- for the client that holds the room ---------------------------------------------------------------------

    @property
    def unanswered(self) -> tuple[wire.Act, ...]:
        """The actions that have no verdict yet, oldest first."""
        return tuple(waiting.act for waiting in self._unanswered.values())

    def way_back(self, ref: int) -> wire.Join | wire.Watch:
        """Return the request that enters the room again and asks for what was missed."""
        if self.seat is None:
            return wire.Watch(ref, self.number, self.position, self.key)
        return wire.Join(ref, self.number, None, self.seat_token, self.position, self.key)

    def takes_back(self) -> bool:
        """Whether the seat is to be taken back from a bot; true once at most for each time the room was entered."""
        is_back, self._is_back = self._is_back, False
        return is_back and self._reclaims and self.is_stood_in

    async def has_view(self) -> None:
        """Wait for the first snapshot."""
        await self._has_view

    def receive(self, message: Incoming) -> str | None:
        """Take one message of this room; return the reason to ask for a snapshot, if there is one."""
        if isinstance(message, wire.Verdict):
            self._judge(message)
            return None
        if isinstance(message, wire.Notice):
            if message.code == codes.NOTICE_KICKED:
                self._mirror.seat = None
            if message.code == codes.NOTICE_DECIDED:
                self._mirror.prompt = None
            self.tell(events.Noticed(message.code, message.detail))
            return None
        if isinstance(message, wire.Joined | wire.Resumed):
            if self.about is not None and message.life != self._mirror.life:
                self._give_up_actions(ClientError(f"room {self.code} has lost what was played there"))
            self.about, self.seat_token = message.about, message.seat_token
            self._is_back = message.seat is not None
            if self._is_lost:
                self._is_lost = False
                self.tell(events.Reconnected())
        received = self._mirror.receive(message, self._now())
        for event in received.events:
            self.tell(event)
        if isinstance(message, wire.Snapshot) and not self._has_view.done():
            self._has_view.set_result(None)
        return received.resync

    def lost(self) -> None:
        """Note that the room has to be entered again; `Reconnected` says when that is done."""
        self._is_lost = True

    def tell(self, event: events.Event) -> None:
        """Put an event into the feed."""
        self._feed.put(event)

    def close(self, error: ClientError | None) -> None:
        """End the feed; whoever waits for a verdict or the first view gets *error*."""
        self._feed.close(error)
        failure = self._failure = error or ClientError(f"room {self.code} was left")
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
            waiting.verdict.set_exception(RejectedError(verdict.code, verdict.detail or "", verdict.receipt))

    def _now(self) -> int:
        return int(self._loop.time() * 1000)
