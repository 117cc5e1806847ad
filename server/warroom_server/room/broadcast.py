"""What viewers are sent after a committed entry: frames, the answer, prompts, presence."""

from collections.abc import Iterable

from warroom_games.api import Seat
from warroom_games.log import Entry, TimedOut
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Done, Expired, Prompt, Verdict
from warroom_server.room.commands import Claim, Join, Leave, RefRequest, Request
from warroom_server.room.context import RoomContext
from warroom_server.room.effects import ActionOutput
from warroom_server.room.log_fold import Candidate, receipt_of
from warroom_server.room.membership import Membership
from warroom_server.room.presence import seats_message
from warroom_server.room.viewer_addresses import Viewer


class Broadcaster:
    """Sends the consequences of committed entries to all viewers."""

    __slots__ = ("_context", "_membership", "_room")

    def __init__(self, context: RoomContext, membership: Membership) -> None:
        self._context = context
        self._membership = membership
        self._room = context.room

    def show(self, candidate: Candidate, output: ActionOutput) -> None:
        """Send the frames of an entry: private frames first, then the public one."""
        frames, audience = candidate.frames, self._context.audience
        if frames is None:
            return
        for seat, frame in frames.privates:
            output.show(self._room, frame.payload, audience.of_seat(seat))
        if frames.update is not None:
            output.show(self._room, frames.update.payload, audience.known_live or audience.live())

    def accept(self, seat: Seat, verdict: Verdict, viewer: Viewer, output: ActionOutput) -> None:
        """Send the verdict on an action to the viewer that sent it; others of its seat learn that it has decided."""
        context, audience = self._context, self._context.audience
        work = context.log.work
        work.accepted += 1
        work.messages += 1
        output.answer(self._room, viewer, encode(verdict))
        held = audience.known_holders[seat] or audience.of_seat(seat)
        if held != (viewer,) and seat not in context.log.match.asked:
            others = tuple(other for other in held if other != viewer)
            context.out.send_all(context.notice(codes.NOTICE_DECIDED), others)

    def answer(self, entry: Entry, request: Request | None, before: Match, now: int) -> None:
        """Answer the request that an entry fulfils, or tell a seat that the clock acted for it."""
        context = self._context
        match request:
            case Join() | Claim() as join:
                self._membership.welcome(join, now)
            case Leave() as leave:
                self._membership.part(leave)
            case RefRequest() as fulfilled:
                context.out.send(fulfilled.viewer, Done(fulfilled.ref))
            case None if isinstance(entry, TimedOut):
                context.log.work.expired += 1
                context.out.send_all(_expired(before, entry), context.audience.of_seat(entry.seat))
            case _:
                pass

    def prompt(self, seats: Iterable[Seat], before: Match, output: ActionOutput) -> None:
        """Prompt those of some seats that have a new decision to make."""
        log, audience = self._context.log, self._context.audience
        after, decided, deadline = log.match, before.decisions, log.match.deadline
        for seat in seats if deadline is not None else ():
            turn = after.decisions[seat]
            if not decided or decided[seat] != turn:
                log.work.messages += 1
                due = (deadline or 0) + after.clocks[seat].bank
                held = audience.known_holders[seat] or audience.of_seat(seat)
                output.show(self._room, encode(Prompt(self._room, seat, turn, after.at, due)), held)

    def tell_presence(self, now: int) -> None:
        """Send the seating to all viewers when it is due."""
        context = self._context
        if context.presence.is_changed:
            context.absences.note(context.match, context.audience, context.time.at(now))
        if context.presence.take(now):
            seats = seats_message(context.match, context.audience, context.absences)
            if to := context.presence.untold(seats, context.audience.live()):
                context.out.send_all(seats, to)


def _expired(before: Match, expiry: TimedOut) -> Expired:
    """Return the message for a seat that the clock acted for. Other seats must not see it: it may contain a secret."""
    seat = expiry.seat
    acted, left = before.clocks[seat].has_acted, before.misses_left(seat)
    return Expired(before.opened.room, seat, before.decisions[seat], receipt_of(expiry), acted=acted, left=left)
