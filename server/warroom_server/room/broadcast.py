"""What viewers are sent after a committed entry: frames, the answer, prompts, presence."""

from warroom_games.api import Seat
from warroom_games.log import Acted, Entry, TimedOut
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import Done, Expired
from warroom_server.room.admission import Membership
from warroom_server.room.commands import Act, Claim, Join, Leave, RefRequest, Request
from warroom_server.room.context import RoomContext
from warroom_server.room.effects import SendAll, SendSeat
from warroom_server.room.log_fold import Candidate, receipt_of
from warroom_server.room.match_facts import prompt
from warroom_server.room.presence import seats_message
from warroom_server.room.viewer_kinds import Viewer


class Broadcaster:
    """Sends the consequences of committed entries to all viewers."""

    def __init__(self, context: RoomContext, membership: Membership) -> None:
        self._context = context
        self._membership = membership

    def show(self, candidate: Candidate) -> None:
        """Send the frames of an entry: private frames first, then the public one."""
        frames, context = candidate.frames, self._context
        if frames is None:
            return
        for seat, frame in frames.privates:
            context.out.add(SendSeat(seat, frame.payload, context.audience.of_seat(seat)))
        if frames.update is not None:
            context.out.add(SendAll(frames.update.payload, context.audience.live()))

    def answer(self, entry: Entry, request: Request | None, before: Match, now: int) -> None:
        """Answer the request that the entry fulfils, or tell a seat that the clock acted for it."""
        context = self._context
        match entry, request:
            case Acted() as acted, Act(viewer=viewer):
                context.log.work.judged.append(None)
                verdicts = context.log.verdicts_of(before.actor(acted).player)
                verdict = None if verdicts is None else verdicts.find(acted.id)
                assert verdict is not None, "an adopted action has a verdict"
                context.out.send(viewer, verdict)
                self._call_off(acted.seat, viewer)
            case TimedOut(seat=seat) as expiry, _:
                context.log.work.expired += 1
                context.out.send_seat(seat, _expired(before, expiry), context.audience.of_seat(seat))
            case _, Join() | Claim() as join:
                self._membership.welcome(join, now)
            case _, Leave() as leave:
                self._membership.part(leave)
            case _, RefRequest() as fulfilled:
                context.out.send(fulfilled.viewer, Done(fulfilled.ref))
            case _:
                pass

    def _call_off(self, seat: Seat, decided: Viewer) -> None:
        """Tell the other viewers of a seat that it has decided. Only one viewer gets the verdict."""
        context = self._context
        others = tuple(viewer for viewer in context.audience.of_seat(seat) if viewer != decided)
        if others and seat not in context.match.asked:
            context.out.send_seat(seat, context.notice(codes.NOTICE_DECIDED), others)

    def prompt(self, before: Match) -> None:
        """Prompt the seats that have a new decision to make."""
        context, after = self._context, self._context.match
        for seat in sorted(after.asked):
            is_new = not before.decisions or before.decisions[seat] != after.decisions[seat]
            if is_new and (asked := prompt(after, seat, after.at)) is not None:
                context.out.send_seat(seat, asked, context.audience.of_seat(seat))

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
