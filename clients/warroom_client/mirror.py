"""A viewer's copy of one room; does no I/O.

The public stream of a room is numbered by p, the private stream of a seat by q. The mirror applies each step once and
in order, shows joint public and private changes as one, detects gaps, and verifies its copy with the server's
checksums. When it cannot repair the copy, `Reception.resync` is the reason to request a snapshot.
"""

from collections import deque
from typing import TypeAlias

from msgspec import Struct

from warroom_client import events
from warroom_client.clock import RoomClock
from warroom_client.events import Event
from warroom_protocol import codes
from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum
from warroom_protocol.errors import PatchError
from warroom_protocol.patches import apply

RoomMessage: TypeAlias = (
    wire.Joined | wire.Resumed | wire.Snapshot | wire.Update | wire.Private | wire.Prompt | wire.Expired | wire.Seats
    | wire.Paused | wire.Ended | wire.Offers | wire.Said | wire.Moved
)  # fmt: skip
Unnumbered: TypeAlias = (
    wire.Prompt | wire.Expired | wire.Seats | wire.Paused | wire.Ended | wire.Offers | wire.Said | wire.Moved
)

GAP = codes.VIEW_GAP
WRONG_SUM = codes.VIEW_DRIFT
WRONG_SUMS_BEFORE_DRIFT = 2
PAUSES_WITHOUT_ROOM = frozenset({codes.PAUSE_MOVING})
"""Pauses that a server announces while the room has no owner; they end when the viewer enters the room."""
REPEATED_LINES = 32
"""Number of recent chat messages kept, to recognize them when the room is entered again; a server repeats fewer."""


class Reception(Struct, frozen=True):
    """The effect of a message: events for the program, and the reason to request a snapshot, if any."""

    events: tuple[Event, ...] = ()
    resync: str | None = None


NOTHING = Reception()


class Mirror:
    """The copy. `receive` takes messages in the order of arrival; everything else is read-only.

    *player* is the player of this seat: seats may be reassigned when the match starts, and only the player id stays. A
    client that uses another player's seat token does not know the id (empty) and learns it from the first `seats`.
    """

    def __init__(self, player: str = "") -> None:
        self.player: str = player
        self.life: int = 0
        self.p: int = 0
        self.q: int = 0
        self.public: wire.View = None
        self.private: wire.View = None
        self.clock: RoomClock = RoomClock()
        self.seat: int | None = None
        self.phase: str = "lobby"
        self.host: str | None = None
        self.seats: tuple[wire.SeatState, ...] = ()
        self.watching: int = 0
        self.prompt: wire.Prompt | None = None
        self.paused: str | None = None
        self.ended: wire.Ended | None = None
        self.offers: dict[str, tuple[int, ...]] = {}
        self.moved: wire.Moved | None = None
        self.is_stale: bool = True
        """Whether a snapshot is due; until it arrives, stream steps are ignored."""
        self.has_drifted: bool = False
        self._held: wire.Private | None = None
        self._wrong_sums = 0
        self._prompted: tuple[int, int] | None = None
        self._may_be_answered = False
        self._heard: deque[wire.Said] = deque(maxlen=REPEATED_LINES)
        self._echoes: list[wire.Said] = []

    @property
    def position(self) -> wire.Position | None:
        """The position for a resume; None if only a snapshot helps."""
        return None if self.is_stale else wire.Position(self.life, self.p, self.q)

    @property
    def heard(self) -> tuple[wire.Said, ...]:
        """Recent chat messages, latest last."""
        return tuple(self._heard)

    def receive(self, message: RoomMessage, now: int) -> Reception:
        """Handle one message that arrived at local time *now* (milliseconds)."""
        match message:
            case wire.Snapshot():
                return self._snapshot(message, now)
            case wire.Update():
                return self._update(message, now)
            case wire.Private():
                return self._private(message)
            case wire.Joined() | wire.Resumed():
                return self._admitted(message, now)
            case _:
                return Reception(self._unnumbered(message, now))

    def answered(self, turn: int) -> None:
        """Drop the prompt of decision *turn*, because an action for it was accepted."""
        if self.prompt is not None and self.prompt.turn == turn:
            self.prompt = None

    def remaining_ms(self, now: int) -> int | None:
        """Return the estimated time left in the turn; None while no turn is running."""
        return None if self.ended else self.clock.remaining_ms(now)

    def decision_ms(self, now: int) -> int | None:
        """Return the time left for the own seat's decision, bank included; None if it need not act."""
        return None if self.prompt is None else max(0, self.prompt.deadline - self.clock.at(now))

    # --- entering a room --------------------------------------------------------------------------------------------

    def _admitted(self, message: wire.Joined | wire.Resumed, now: int) -> Reception:
        # A held private part belongs to an update that the resume repeats together with that part.
        self._held = None
        self._echoes = list(self._heard)
        self._may_be_answered = True  # the server repeats an open prompt before any other unnumbered message
        self.seat = message.seat
        happened = self._found(now)
        if isinstance(message, wire.Joined):
            self.life = message.life
            self.is_stale = True
        elif message.life != self.life or self.is_stale:
            return Reception(happened, self._lost(GAP).resync)
        return Reception(happened)

    def _found(self, now: int) -> tuple[Event, ...]:
        """End a pause that was announced because the room had no owner; the room announces its own pauses again."""
        if self.paused not in PAUSES_WITHOUT_ROOM:
            return ()
        self.paused = None
        self.clock.run(self.clock.at(now), now)
        return (events.Unpaused(),)

    def _snapshot(self, message: wire.Snapshot, now: int) -> Reception:
        self.life, self.p, self.q = message.life, message.p, message.q
        self.public, self.private = message.public, message.private
        self._held = None
        self.is_stale = False
        self._follow(message.clock, now)
        is_right = checksum(self.public) == message.public_sum and checksum(self.private) == message.private_sum
        # A correct snapshot does not reset the count: a client that patches wrongly would ask forever.
        after = NOTHING if is_right else self._wrong()
        return Reception((events.Refreshed(), *after.events), after.resync)

    # --- numbered streams -------------------------------------------------------------------------------------------

    def _update(self, message: wire.Update, now: int) -> Reception:
        if self.is_stale or message.p <= self.p:
            return NOTHING
        joint, self._held = self._held, None
        if message.p != self.p + 1:
            return self._lost(GAP)
        self.p = message.p
        is_right = self._patch_public(message)
        if joint is not None:
            is_right = self._patch_private(joint) and is_right
        self._follow(message.clock, now)
        return self._stepped(is_right, events.Updated(message.events, joint.events if joint else ()))

    def _private(self, message: wire.Private) -> Reception:
        last = self._held.q if self._held else self.q
        if self.is_stale or message.q <= last:
            return NOTHING
        due = self.p + 1 if message.joint else self.p
        if self._held or message.q != self.q + 1 or message.p != due:
            return self._lost(GAP)
        if message.joint:
            self._held = message
            return NOTHING
        return self._stepped(self._patch_private(message), events.Updated((), message.events))

    def _patch_public(self, message: wire.Update) -> bool:
        try:
            self.public = apply(self.public, message.patch)
        except PatchError:
            return False
        return self._agrees(self.public, message.sum)

    def _patch_private(self, message: wire.Private) -> bool:
        self.q = message.q
        try:
            self.private = apply(self.private, message.patch)
        except PatchError:
            return False
        return self._agrees(self.private, message.sum)

    def _agrees(self, view: wire.View, expected: int | None) -> bool:
        if expected is None:
            return True
        if checksum(view) != expected:
            return False
        self._wrong_sums = 0
        return True

    def _stepped(self, is_right: bool, updated: events.Updated) -> Reception:
        after = NOTHING if is_right else self._wrong()
        return Reception((updated, *after.events), after.resync)

    def _lost(self, reason: str) -> Reception:
        self._held = None
        self.is_stale = True
        return Reception((), reason)

    def _wrong(self) -> Reception:
        if self.has_drifted:
            return NOTHING
        self._wrong_sums += 1
        if self._wrong_sums < WRONG_SUMS_BEFORE_DRIFT:
            return self._lost(WRONG_SUM)
        self.has_drifted = True
        return Reception((events.Drifted(),))

    # --- unnumbered messages: the latest wins -----------------------------------------------------------------------

    def _unnumbered(self, message: Unnumbered, now: int) -> tuple[Event, ...]:
        match message:
            case wire.Prompt():
                return self._prompt(message, now)
            case wire.Expired():
                if message.seat == self.seat:
                    self.answered(message.turn)
                return (events.TimedOut(message.seat, message.receipt, acted=message.acted, left=message.left),)
            case wire.Seats():
                return self._seat(message)
            case wire.Paused():
                return self._pause(message, now)
            case wire.Ended():
                return self._end(message)
            case wire.Offers():
                return self._offer(dict(message.offers))
            case wire.Said():
                return self._hear(message)
            case wire.Moved():
                is_news, self.moved = self.moved is None, message
                return (events.Moved(message.to, message.code),) if is_news else ()

    def _offer(self, offers: dict[str, tuple[int, ...]]) -> tuple[Event, ...]:
        was, self.offers = self.offers, offers
        return (events.OffersChanged(),) if was != offers else ()

    def _hear(self, message: wire.Said) -> tuple[Event, ...]:
        # The server repeats recent chat on entry, so known lines must not appear twice.
        if message in self._echoes:
            self._echoes.remove(message)
            return ()
        self._heard.append(message)
        return (events.Said(message.player, message.name, message.seat, message.text),)

    def _seat(self, message: wire.Seats) -> tuple[Event, ...]:
        self.phase, self.host, self.seats = message.phase, message.host, message.seats
        self.watching = message.watching
        if self._may_be_answered:
            self._may_be_answered, self.prompt = False, None
        if not self.player and self.seat is not None and self.seat < len(message.seats):
            self.player = message.seats[self.seat].player or ""
        own = next((seat.seat for seat in message.seats if seat.player == self.player), None)
        # In the lobby another client of the same player may have left the seat.
        if self.seat is not None and (own is not None or message.phase == "lobby"):
            self.seat = own
        return (events.SeatsChanged(message.phase, message.seats),)

    def _prompt(self, message: wire.Prompt, now: int) -> tuple[Event, ...]:
        self.clock.set(message.at, now)
        self.prompt, self._may_be_answered = message, False
        decision = (self.life, message.turn)
        # A resume repeats the pending prompt; the program already knows it.
        if decision == self._prompted:
            return ()
        self._prompted = decision
        self.seat = message.seat
        return (events.Prompted(message.turn, max(0, message.deadline - message.at)),)

    def _pause(self, message: wire.Paused, now: int) -> tuple[Event, ...]:
        was_paused, self.paused = self.paused is not None, message.reason
        at = self.clock.at(now) if message.at is None else message.at
        if message.reason is not None:
            self.clock.stop(at, now)
            return (events.Paused(message.reason, message.left_ms),)
        self.clock.run(at, now)
        return (events.Unpaused(),) if was_paused else ()

    def _end(self, message: wire.Ended) -> tuple[Event, ...]:
        is_news = self.ended is None
        self.ended, self.prompt, self.phase = message, None, "ended"
        if not is_news:
            return ()
        return (
            events.Ended(
                message.ranks,
                message.reason,
                message.seed,
                message.chain,
                detail=message.detail,
                rated=message.rated,
                left=message.left,
            ),
        )

    def _follow(self, clock: wire.Clock | None, now: int) -> None:
        if clock is None:
            return  # it is what it was
        # A new turn brings a new prompt: the old one's token is stale.
        if clock.turn != self.clock.turn:
            self.prompt = None
        self.clock.follow(clock, now)
