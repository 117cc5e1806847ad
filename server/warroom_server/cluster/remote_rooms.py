"""The edge: leads connections of this node through rooms that live on others, and keeps them there.

A guest loses its owner when the link breaks, or when the owner says that the room is away. Its client keeps its socket
and sees the room paused; the edge looks for the new owner, enters again from where the guest was, and sends the actions
again that have no verdict. Who the owner is comes from the store; frames to a number that a guest no longer has are
those of an owner that was superseded, and are dropped.
"""

from typing import Final

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Ended, Paused
from warroom_server.cluster import frame_heads as peek
from warroom_server.cluster.departed_viewers import Parting
from warroom_server.cluster.edge_port import Ways
from warroom_server.cluster.messages import Ask, Away, Enter, Frame, Message, Part, Tell
from warroom_server.cluster.remote_viewer import Guest
from warroom_server.room import commands
from warroom_server.room.commands import MOVING_MS, REENTRY_REF, Entering, was_inside
from warroom_server.session.notices import notice
from warroom_server.session.refusals import refuse

OVER_MS: Final = 60_000
"""How long somebody who has seen the end of a match waits to come back to it, for a rematch or a last word."""

STRANDED_MS: Final = 2_000
"""How often a room without rules is tried again."""

PASSING: Final = frozenset({codes.STORE_UNAVAILABLE, codes.ROOM_MOVING, codes.ROOM_BUSY})
"""Refusals that say nothing of the room: whoever was in there may be so again."""

_OUT: Final = frozenset({codes.NOTICE_LEFT, codes.NOTICE_RELIEVED})
"""Notices after which a connection is not in the room any more."""


class Edge:
    """All guests of this node in rooms elsewhere."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._count = 0
        self._guests: dict[int, Guest] = {}
        """By the number that each has on its link."""
        self._rooms: dict[int, dict[int, Guest]] = {}
        """By room and connection."""
        self._epochs: dict[int, int] = {}
        """By room with guests, the highest epoch that was heard of."""
        self._parting = Parting(self)

    def __len__(self) -> int:
        return sum(len(guests) for guests in self._rooms.values())

    def holds(self, room: int, connection: int) -> bool:
        """Whether a connection is a guest in a room."""
        return connection in self._rooms.get(room, ())

    def homeless(self) -> list[int]:
        """Return the rooms whose owner is being looked for."""
        return [room for room in self._rooms if self.is_homeless(room)]

    def is_homeless(self, room: int) -> bool:
        """Whether the owner of a room with guests is being looked for."""
        return any(guest.owner is None for guest in self._rooms.get(room, {}).values())

    # --- what clients do ------------------------------------------------------------------------------------------

    def enter(self, room: int, command: Entering, now: int) -> None:
        """Lead a connection into a room elsewhere, once it is known where."""
        known = self._rooms.get(room, {}).get(command.connection)
        if known is not None:
            self._ask(known, command, now)
            return
        guest = Guest(room, command, now=now)
        self._rooms.setdefault(room, {})[guest.connection] = guest
        self._ways.seek(room)

    def take_in(self, guest: Guest) -> None:
        """Go on for a connection whose room has just left this node."""
        guest.was_inside = True
        self._rooms.setdefault(guest.room, {})[guest.connection] = guest
        self._tell_paused(guest)
        self._ways.seek(guest.room)

    def tell(self, room: int, command: commands.Command, now: int) -> bool:
        """Pass on what a connection asks for or what becomes of it; False if it is no guest there."""
        connection = getattr(command, "connection", None)
        guest = None if connection is None else self._rooms.get(room, {}).get(connection)
        if guest is None:
            return False
        match command:
            case commands.Detach():
                self._remove(guest)
            case commands.Refresh() | commands.Lag() | commands.Crowd():
                is_news = not (isinstance(command, commands.Lag) and isinstance(guest.entering, commands.Watch))
                if guest.is_inside and is_news:
                    self._send(guest, Tell(guest.number, command))
                elif isinstance(command, commands.Refresh):
                    guest.has_missed = True
            case _ if isinstance(command, commands.Request):
                self._ask(guest, command, now)
            case _:
                raise AssertionError(f"{command} is not of a connection")
        return True

    def _ask(self, guest: Guest, request: commands.Request, now: int) -> None:
        if not guest.wait(request):
            if isinstance(request, commands.Act):
                self._send_away(guest)
            else:
                self._refuse(guest, request, codes.ROOM_BUSY)
        elif guest.is_inside:
            self._pass_on(guest, request, now)

    def _pass_on(self, guest: Guest, request: commands.Request, now: int) -> None:
        held_ms = max(0, now - request.arrived) if isinstance(request, commands.Act) else 0
        if self._send(guest, Ask(guest.number, held_ms, request)):
            guest.send(request)

    def _send_away(self, guest: Guest) -> None:
        """Let somebody with too many actions unanswered come in again: only the room can tell which of them count."""
        if guest.was_inside:
            self.tell_moved(guest)
        else:
            self._refuse(guest, guest.entering, codes.ROOM_BUSY)
        self._lose_track(guest)
        self._dismiss(guest, codes.ROOM_BUSY)

    # --- what owners say ------------------------------------------------------------------------------------------

    def received(self, message: Frame | Away, now: int) -> None:
        """Take what the owner of a room says to its guests here."""
        if self._parting:
            self._parting.received(message)
        guests = [guest for number in message.guests if (guest := self._guests.get(number)) is not None]
        if isinstance(message, Away):
            for guest in guests:
                guest.home = None
                self._lose(guest, now)
        elif guests:
            self._take_frame(guests, message.payload, now)

    def _take_frame(self, guests: list[Guest], payload: bytes, now: int) -> None:
        head = peek.peek(payload)
        if isinstance(head, peek.Shown):
            for guest in guests:
                guest.saw(head, payload)
            self._ways.show(head.room, [guest.connection for guest in guests], payload)
            return
        for guest in guests:
            if self._is_for_client(guest, head, now):
                self._ways.answer(guest.connection, payload)
            self._follow_up(guest, head, now)

    def _is_for_client(self, guest: Guest, head: peek.Answer, now: int) -> bool:
        match head:
            case peek.Verdict():
                return guest.judged(head.id)
            case peek.Notice():
                return True
            case _:
                return head.ref != REENTRY_REF

    def _follow_up(self, guest: Guest, head: peek.Answer, now: int) -> None:
        """Do what an answer means for the guest that has it by now."""
        match head:
            case peek.Joined() | peek.Resumed():
                self._let_in(guest, head, now)
            case peek.Error(ref=ref, code=code):
                guest.answered(ref)
                if ref == REENTRY_REF:
                    self._turn_out(guest, code, now)
                elif not guest.is_inside and ref == guest.entering.ref:
                    self._try_again(guest, code)
            case peek.Done(ref=ref):
                if isinstance(guest.answered(ref), commands.Leave):
                    self._left(guest)
            case peek.Legal(ref=ref):
                guest.answered(ref)
            case peek.Notice(code=code):
                if code in _OUT:
                    self._dismiss(guest, codes.ROOM_NOT_HERE)
            case _:
                pass

    def _let_in(self, guest: Guest, head: peek.Joined | peek.Resumed, now: int) -> None:
        asked = guest.answered(head.ref)
        if isinstance(asked, Entering):
            guest.entering = asked  # it was inside already, and is here as something else from now on
        guest.life = head.life
        guest.is_behind = head.seat is None and head.about.room_options.delay > 0
        guest.is_inside = guest.was_inside = True
        guest.is_stranded, guest.home = False, None
        if guest.has_missed and was_inside(guest.entering):  # it caught up behind its wish to come in
            self._send(guest, Tell(guest.number, commands.Refresh(guest.connection)))
        for request in guest.unsent():
            self._pass_on(guest, request, now)

    def _left(self, guest: Guest) -> None:
        """Let a guest go that left, unless it has asked to come in again behind that."""
        wish = guest.take_wish()
        if wish is None:
            self._dismiss(guest, codes.ROOM_NOT_HERE)
        else:
            guest.entering, guest.is_inside, guest.was_inside = wish, False, False

    def _try_again(self, guest: Guest, code: str) -> None:
        """Enter with the next wish of a guest that was refused; without one let it go."""
        wish = guest.take_wish()
        if wish is None:
            if code in PASSING:
                self._lose_track(guest)
            # What came behind it meets with the same, unless that is about who may enter.
            self._dismiss(guest, code if code in PASSING else codes.ROOM_NOT_HERE)
        else:
            guest.entering = wish
            if not guest.has_sent(wish):  # one that it sent while it was inside is on its way
                self._send(guest, Ask(guest.number, 0, wish))

    def _turn_out(self, guest: Guest, code: str, now: int) -> None:
        """Let a client know that it could not be led back, or not yet."""
        if code != codes.RULES_UNAVAILABLE:
            if code == codes.RULES_CHANGED:
                self._tell_end(guest, code)
            else:
                self.tell_moved(guest)
            self._lose_track(guest)
            self._dismiss(guest, codes.ROOM_NOT_HERE)
            return
        if not guest.is_stranded:
            guest.is_stranded = True
            self._tell_paused(guest, codes.PAUSE_RULES)
        guest.not_before = now + STRANDED_MS
        self._lose(guest, now)

    def tell_moved(self, guest: Guest) -> None:
        """Send a client to enter its room again."""
        self._ways.answer(guest.connection, notice(guest.room, codes.NOTICE_MOVED))

    def _tell_end(self, guest: Guest, why: str) -> None:
        """Tell a client that nobody could go on with its match."""
        self._ways.answer(guest.connection, encode(Ended(guest.room, (), codes.END_VOID, "", "", why)))

    # --- owners come and go ---------------------------------------------------------------------------------------

    def lost(self, peer: str, now: int) -> None:
        """Take note that a node cannot be reached any more."""
        for guest in [guest for guest in self._guests.values() if guest.owner == peer]:
            guest.home = peer if guest.was_inside and not guest.is_stranded else None
            self._lose(guest, now)
        self._parting.lost(peer)

    def found(self, room: int, owner: str, epoch: int, now: int) -> None:
        """Lead the guests of a room to its owner, unless that is one of the past."""
        if room not in self._rooms or epoch < self._epochs.get(room, 0):
            return
        is_newer = epoch > self._epochs.get(room, epoch)
        self._epochs[room] = epoch
        for guest in list(self._rooms[room].values()):
            if guest.owner is not None and guest.owner != owner and is_newer:
                self._lose(guest, now)
            if guest.owner is None and now >= guest.not_before:
                self._go(guest, owner, epoch)

    def come_home(self, room: int) -> list[tuple[Guest, Entering]]:
        """Let the guests of a room go that is on this node now; return them, and what leads each of them in there."""
        guests = list(self._rooms.pop(room, {}).values())
        self._epochs.pop(room, None)
        for guest in guests:
            self._guests.pop(guest.number, None)
            self._refuse_doubtful(guest)
        return [(guest, self._way_back(guest, is_quiet=True)) for guest in guests]

    def gone(self, room: int, now: int) -> None:
        """Take note that the store has no such room any more."""
        for guest in list(self._rooms.get(room, {}).values()):
            if guest.owner is None and not self._is_expected_at_home(guest, now):
                if not guest.was_inside:
                    # There was one a moment ago: whoever asks again learns whether its match is over.
                    self._refuse(guest, guest.entering, codes.ROOM_MOVING)
                elif guest.is_stranded:
                    self._tell_end(guest, codes.RULES_UNAVAILABLE)
                elif not guest.is_content:
                    self.tell_moved(guest)
                self._lose_track(guest)
                self._dismiss(guest, codes.ROOM_MOVING)

    def _is_expected_at_home(self, guest: Guest, now: int) -> bool:
        """Lead a guest back to the node that it lost sight of, or wait until that can be reached.

        The match may be over and in the store no more, and goes on to be talked about there, and followed by another.
        """
        if guest.home is None:
            return False
        self._go(guest, guest.home, self._epochs.get(guest.room, 0))
        is_patient = now - guest.since < (OVER_MS if guest.is_over else MOVING_MS)
        return guest.owner is not None or (is_patient and self._ways.is_alive(guest.home))

    def tick(self, now: int) -> None:
        """Refuse what has waited too long for a room without an owner; if no guest has one, take any from then on."""
        for room, guests in list(self._rooms.items()):
            tired = [guest for guest in guests.values() if guest.owner is None and now - guest.since >= MOVING_MS]
            if tired and all(guest.owner is None for guest in guests.values()):
                self._epochs.pop(room, None)  # a store that went back may never come to it again
            for guest in tired:
                self._grow_impatient(guest)

    def _grow_impatient(self, guest: Guest) -> None:
        if not guest.was_inside:
            self._refuse(guest, guest.entering, codes.ROOM_MOVING)
            self._lose_track(guest)
            self._dismiss(guest, codes.ROOM_MOVING)
            return
        for request in guest.unsent():
            if not isinstance(request, commands.Act):
                guest.answered(request.ref)
                self._refuse(guest, request, codes.ROOM_MOVING)

    def _go(self, guest: Guest, owner: str, epoch: int) -> None:
        self._count += 1
        wish = self._way_back(guest, is_quiet=False)
        if self._ways.send(owner, Enter(self._count, guest.room, epoch, wish)):
            guest.number, guest.owner, guest.entering = self._count, owner, wish
            self._guests[guest.number] = guest

    def _way_back(self, guest: Guest, *, is_quiet: bool) -> Entering:
        is_stale = self._ways.is_stale(guest.room, guest.connection)
        return guest.way_back(is_stale=is_stale, rtt_ms=self._ways.rtt_ms(guest.connection), is_quiet=is_quiet)

    def _lose(self, guest: Guest, now: int) -> None:
        was_inside = guest.is_inside
        self._guests.pop(guest.number, None)
        guest.owner, guest.is_inside, guest.since = None, False, now
        if was_inside:
            self._tell_paused(guest)
        self._refuse_doubtful(guest)
        self._ways.seek(guest.room)

    def _refuse_doubtful(self, guest: Guest) -> None:
        """Refuse what the owner that is gone may have done or not: nobody knows, and it must not be done twice."""
        for request in guest.take_doubtful():
            self._refuse(guest, request, codes.ROOM_MOVING)

    def _tell_paused(self, guest: Guest, why: str = codes.PAUSE_MOVING) -> None:
        """Say that the room stands still; a spectator who may be behind is told nothing of the present time."""
        if guest.is_playing and not guest.is_behind:
            paused = Paused(guest.room, guest.at, why)
            self._ways.answer(guest.connection, encode(paused))

    # --- leaving --------------------------------------------------------------------------------------------------

    def answer(self, guest: Guest, payload: bytes) -> None:
        """Send a client a verdict."""
        self._ways.answer(guest.connection, payload)

    def returned(self, guest: Guest) -> Guest | None:
        """Return as whom a connection is in its room again that had left it."""
        return self._rooms.get(guest.room, {}).get(guest.connection)

    def part(self, guest: Guest) -> None:
        """Let the owner of a room forget a guest."""
        self._send(guest, Part((guest.number,)))

    def _lose_track(self, guest: Guest) -> None:
        """Note that a room went away from somebody, unless it has never been there."""
        if not guest.is_stranger:
            self._ways.lose(guest.room, guest.connection)

    def _dismiss(self, guest: Guest, code: str) -> None:
        """Let a guest go and refuse all that it waits for, but no action: that may count, and is to be sent again."""
        for request in list(guest.unanswered.values()):
            if not isinstance(request, commands.Act):
                self._refuse(guest, request, code)
        if guest.is_inside and guest.has_acted:
            self._parting.add(guest)
        self._remove(guest)

    def _remove(self, guest: Guest) -> None:
        """Forget a guest, and let the owner forget it: that cannot tell by itself who will not ask for more."""
        if guest.owner is not None and guest.number not in self._parting:
            self.part(guest)
        self._guests.pop(guest.number, None)
        guests = self._rooms.get(guest.room, {})
        if guests.get(guest.connection) is guest:
            del guests[guest.connection]
            if not guests:
                del self._rooms[guest.room]
                self._epochs.pop(guest.room, None)
        self._ways.forget(guest.room, guest.connection)

    def _refuse(self, guest: Guest, request: commands.Request, code: str) -> None:
        refusal = refuse(guest.room, request, code)
        assert refusal is not None, "every request has an answer"
        self._ways.answer(*refusal)

    def _send(self, guest: Guest, message: Message) -> bool:
        assert guest.owner is not None, "who is nowhere has nobody to speak to"
        return self._ways.send(guest.owner, message)
