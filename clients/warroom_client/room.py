"""A room in a program: the current view, its events, and the actions of the own seat."""

import asyncio
from collections.abc import Mapping
from typing import Final, Protocol, TypeAlias

from msgspec import Raw, Struct
from msgspec.structs import replace

from warroom_client import events
from warroom_client.base_room import BaseRoom
from warroom_client.errors import ClientError, RejectedError
from warroom_client.legal_actions import LegalActions
from warroom_client.message_limits import check, packed
from warroom_client.mirror import Mirror, RoomMessage
from warroom_client.requests import fail, new_ref
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.rooms import invitation, room_code

MAX_UNANSWERED: Final = 16

Incoming: TypeAlias = RoomMessage | wire.Verdict | wire.Notice


class Line(Protocol):
    """What a room needs from its client."""

    @property
    def round_trip_s(self) -> float:
        """The last measured round trip to the server."""
        ...

    async def ask(self, message: wire.ClientMessage, *, survives: bool) -> wire.ServerMessage:
        """Send a request and return its reply; one that *survives* is sent again after a break."""
        ...

    async def tell(self, message: wire.ClientMessage) -> None:
        """Send a message without a reply; dropped while the connection is down."""
        ...

    def forget(self, room: "Room") -> None:
        """Ignore further messages of a room."""
        ...


class _Unanswered(Struct, frozen=True):
    """An action without a verdict, and its future."""

    act: wire.Act
    verdict: asyncio.Future[wire.Verdict]


class Room(BaseRoom):
    """One room that the client joined or watches.

    `async for event in room` yields events in order and ends with the match (or with `leave`); events after the match,
    up to a rematch, come from `room.afterwards()`. The properties always show the latest state, even if the events are
    read late or not at all.
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
        self.number: int = number
        """The number of the room on the wire."""
        self.code: str = room_code(number)
        """Its code, for people; of a private room use `invitation`."""
        self.key: str | None = key
        """The key of a private room."""
        self.about: wire.About | None = None
        """What never changes about the room; None until it was entered."""
        self.seat_token: str | None = seat_token
        """The secret that lets another device take this seat; None for a spectator."""
        self._line = line
        self._reclaims = reclaims
        self._is_back = False
        self._is_lost = False
        self._failure: ClientError | None = None
        self._mirror = Mirror(player)
        self._listed: wire.LegalList | None = None
        self._unanswered: dict[int, _Unanswered] = {}
        self._loop = asyncio.get_running_loop()
        self._has_view: asyncio.Future[None] = self._loop.create_future()

    # --- current state ----------------------------------------------------------------------------------------------

    @property
    def seat(self) -> int | None:
        """The own seat; None for a spectator. Seats may be reassigned when the match starts."""
        return self._mirror.seat

    @property
    def player(self) -> str:
        """The id of the seat's player: this client's, or that of the player whose seat token it uses."""
        return self._mirror.player

    @property
    def invitation(self) -> str:
        """The code or invitation that brings others into the room."""
        return invitation(self.number, self.key)

    @property
    def is_stood_in(self) -> bool:
        """Whether a bot plays the own seat until `reclaim`."""
        return any(state.stood_in and state.player == self._mirror.player for state in self.seats)

    @property
    def public(self) -> wire.View:
        """The public view; None before the match starts."""
        return self._mirror.public

    @property
    def private(self) -> wire.View:
        """The private view of the own seat."""
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
        """Number of spectators."""
        return self._mirror.watching

    @property
    def turn(self) -> int:
        """The game's turn."""
        return self._mirror.clock.turn

    @property
    def prompt(self) -> wire.Prompt | None:
        """The open decision of the own seat; None while it need not act."""
        return self._mirror.prompt

    @property
    def paused(self) -> str | None:
        """Why the clock is paused; None while it runs."""
        return self._mirror.paused

    @property
    def ended(self) -> wire.Ended | None:
        """The result, after the match."""
        return self._mirror.ended

    @property
    def offers(self) -> Mapping[str, tuple[int, ...]]:
        """Open offers (`draw`, `pause`, `resume`, `rematch`) and the seats that made them."""
        return self._mirror.offers

    @property
    def moved(self) -> wire.Moved | None:
        """The room of the rematch, once there is one."""
        return self._mirror.moved

    @property
    def said(self) -> tuple[wire.Said, ...]:
        """Recent chat messages, latest last."""
        return self._mirror.heard

    @property
    def banks(self) -> tuple[int, ...]:
        """The time bank of each seat in milliseconds at the start of this turn; empty if there are no banks."""
        return self._mirror.clock.banks

    @property
    def position(self) -> wire.Position | None:
        """The position in the streams; None while a snapshot is due."""
        return self._mirror.position

    def remaining_ms(self) -> int | None:
        """Return the estimated time left in the turn; None while no turn is running."""
        return self._mirror.remaining_ms(self._now())

    def decision_ms(self) -> int | None:
        """Return the time left for the own seat's decision, its bank included; None if it need not act."""
        return self._mirror.decision_ms(self._now())

    @property
    def lag_ms(self) -> int:
        """The last measured round trip to the server, in milliseconds; 0 while the connection is down."""
        return round(self._line.round_trip_s * 1000)

    def grace_ms(self, seat: int) -> int | None:
        """Return how long a disconnected player's seat is still kept, by estimate; None if that does not apply."""
        for state in self.seats:
            if state.seat == seat and state.grace is not None:
                return max(0, state.grace - self._mirror.clock.at(self._now()))
        return None

    # --- actions ----------------------------------------------------------------------------------------------------

    async def legal(self, *, notes: bool = False) -> LegalActions:
        """Return the legal actions of the own seat, with the decision (*turn*) that they belong to.

        With *notes*, each action has a text about its cost or gain; it may be empty.
        """
        reply = await self._line.ask(wire.Legal(new_ref(), self.number, notes), survives=True)
        assert isinstance(reply, wire.LegalList)
        if reply.actions is None:
            raise ClientError(f"room {self.code} refers to legal actions that it has not sent")
        return LegalActions(reply.turn, reply.complete, reply.actions, reply.notes if notes else None)

    def with_actions(self, reply: wire.LegalList) -> wire.LegalList:
        """Return the reply to `legal` with its actions: those of the last reply, if the server did not repeat them."""
        if reply.actions is not None:
            self._listed = reply
        elif self._listed is not None:
            return replace(reply, actions=self._listed.actions, notes=self._listed.notes)
        return reply

    async def act(self, action: object, *, turn: int | None = None, id: int | None = None) -> wire.Verdict:
        """Play an action and return its verdict; raise `RejectedError` if it is refused.

        `UnsendableError` means that the action cannot be encoded. *turn* is the decision that the action answers;
        default: the open one. A connection break is waited out: the action is sent again under the same *id* (default:
        `new_ref`), so it is never played twice. Cancelling the call does not withdraw the action.
        """
        if self._failure is not None:
            raise self._failure
        if turn is None:
            if self.prompt is None:
                raise ClientError(f"the own seat in room {self.code} cannot act: it is not its turn")
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
        """Take the own seat back from a bot, after the turn that the bot is playing."""
        await self._line.ask(wire.Reclaim(new_ref(), self.number), survives=False)

    async def offer(self, what: wire.OfferName, *, on: bool = True) -> None:
        """Offer or accept a `draw`, `pause`, `resume` or `rematch`; *on* False withdraws it."""
        await self._line.ask(wire.Offer(new_ref(), self.number, what, on), survives=False)

    async def say(self, text: str) -> None:
        """Send a chat message: players reach everybody, spectators reach spectators."""
        await self._line.ask(wire.Say(new_ref(), self.number, text), survives=False)

    async def mute(self, player: str, *, on: bool = True, everybody: bool = False) -> None:
        """Mute or unmute a player (by id); the host may do it for *everybody*."""
        await self._line.ask(wire.Mute(new_ref(), self.number, player, on, everybody), survives=False)

    async def fill(self, seat: int | None = None, bot: str | None = None) -> None:
        """Put a bot on an open seat, or (None) on all of them; host only, before the match."""
        await self._line.ask(wire.Fill(new_ref(), self.number, seat, bot), survives=False)

    async def kick(self, seat: int) -> None:
        """Remove the player at a seat for good; host only, before the match."""
        await self._line.ask(wire.Kick(new_ref(), self.number, seat), survives=False)

    async def start(self) -> None:
        """Start the match with the seats taken so far; host only."""
        await self._line.ask(wire.Start(new_ref(), self.number), survives=False)

    async def resign(self) -> None:
        """Resign."""
        await self._line.ask(wire.Resign(new_ref(), self.number), survives=False)

    async def leave(self) -> None:
        """Stop following the room; in the lobby this also frees the seat."""
        try:
            await self._line.ask(wire.Leave(new_ref(), self.number), survives=False)
        finally:
            self._line.forget(self)
            self.close(None)

    # --- for the client ---------------------------------------------------------------------------------------------

    @property
    def unanswered(self) -> tuple[wire.Act, ...]:
        """Actions without a verdict, oldest first."""
        return tuple(waiting.act for waiting in self._unanswered.values())

    def way_back(self, ref: int) -> wire.Join | wire.Watch:
        """Return the request that enters the room again and asks for missed frames."""
        if self.seat is None:
            return wire.Watch(ref, self.number, self.position, self.key)
        return wire.Join(ref, self.number, None, self.seat_token, self.position, self.key)

    def takes_back(self) -> bool:
        """Whether to reclaim the seat from a bot; true at most once per entry."""
        is_back, self._is_back = self._is_back, False
        return is_back and self._reclaims and self.is_stood_in

    async def has_view(self) -> None:
        """Wait for the first snapshot."""
        await self._has_view

    def receive(self, message: Incoming) -> str | None:
        """Handle one message of this room; return the reason to request a snapshot, if any."""
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
                self._give_up_actions(ClientError(f"room {self.code} lost its history"))
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
        """Note that the room must be entered again; `Reconnected` follows."""
        self._is_lost = True

    def tell(self, event: events.Event) -> None:
        """Put an event into the feed."""
        self._queue.put(event)

    def close(self, error: ClientError | None) -> None:
        """End the feed; pending verdicts and the first view fail with *error*."""
        self._queue.close(error)
        failure = self._failure = error or ClientError(f"room {self.code} was left")
        fail(self._has_view, failure)
        self._give_up_actions(failure)

    def _give_up_actions(self, failure: ClientError) -> None:
        waiting = tuple(self._unanswered.values())
        self._unanswered.clear()
        for each in waiting:
            fail(each.verdict, failure)

    def _judge(self, verdict: wire.Verdict) -> None:
        # A verdict arrives twice if the connection broke before we read it; the first one counts.
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
            fail(waiting.verdict, RejectedError(verdict.code, verdict.detail or "", verdict.receipt))

    def _now(self) -> int:
        return int(self._loop.time() * 1000)
