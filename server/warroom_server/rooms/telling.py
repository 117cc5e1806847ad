"""What follows from an entry for those who are here: its frames, the answer to who asked for it, prompts, presence."""

from warroom_games.api import Seat
from warroom_games.log import Acted, Entry, TimedOut
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import Done, Expired, Notice
from warroom_server.rooms.commands import (
    Act,
    Claim,
    ConnectionId,
    Join,
    Kick,
    Leave,
    Offer,
    Reclaim,
    Request,
    Resign,
    Start,
)
from warroom_server.rooms.door import Door
from warroom_server.rooms.effects import SendAll, SendSeat
from warroom_server.rooms.facts import prompt
from warroom_server.rooms.floor import Floor
from warroom_server.rooms.ledger import Candidate, receipt_of
from warroom_server.rooms.seats import seats_message


class Herald:
    """Tells everybody what an entry means for them, once the store has it."""

    def __init__(self, floor: Floor, door: Door) -> None:
        self._floor = floor
        self._door = door

    def show(self, candidate: Candidate) -> None:
        """Send the frames of an entry, each seat's own before the one for all."""
        frames, floor = candidate.frames, self._floor
        if frames is None:
            return
        for seat, frame in frames.privates:
            floor.out.add(SendSeat(seat, frame.payload, floor.audience.of_seat(seat)))
        if frames.update is not None:
            floor.out.add(SendAll(frames.update.payload, floor.audience.live()))

    def answer(self, entry: Entry, request: Request | None, before: Match, now: int) -> None:
        """Answer the request that the entry fulfils, or tell a seat that the clock acted for it."""
        floor = self._floor
        match entry, request:
            case Acted() as acted, Act(connection=connection):
                floor.ledger.work.judged.append(None)
                verdicts = floor.ledger.verdicts_of(before.actor(acted).player)
                verdict = None if verdicts is None else verdicts.find(acted.id)
                assert verdict is not None, "what was adopted was accepted"
                floor.out.send(connection, verdict)
                self._call_off(acted.seat, connection)
            case TimedOut(seat=seat) as expiry, _:
                floor.ledger.work.expired += 1
                floor.out.send_seat(seat, _expired(before, expiry), floor.audience.of_seat(seat))
            case _, Join() | Claim() as join:
                self._door.welcome(join, now)
            case _, Leave() as leave:
                self._door.part(leave)
            case _, Start() | Kick() | Resign() | Reclaim() | Offer() as fulfilled:
                floor.out.send(fulfilled.connection, Done(fulfilled.ref))
            case _:
                pass

    def _call_off(self, seat: Seat, decided: ConnectionId) -> None:
        """Tell the other connections of a seat that nothing is left to decide: the verdict goes to one alone."""
        floor = self._floor
        others = tuple(connection for connection in floor.audience.of_seat(seat) if connection != decided)
        if others and seat not in floor.match.asked:
            notice = Notice(floor.room, codes.NOTICE_DECIDED, codes.NOTICES[codes.NOTICE_DECIDED])
            floor.out.send_seat(seat, notice, others)

    def prompt(self, before: Match) -> None:
        """Ask the seats that have a new decision to make."""
        floor, after = self._floor, self._floor.match
        for seat in sorted(after.asked):
            is_new = not before.decisions or before.decisions[seat] != after.decisions[seat]
            if is_new and (asked := prompt(after, seat, after.at)) is not None:
                floor.out.send_seat(seat, asked, floor.audience.of_seat(seat))

    def tell_presence(self, now: int) -> None:
        """Tell everybody who is here, as often as that is to be told."""
        floor = self._floor
        if floor.presence.is_changed:
            floor.absences.note(floor.match, floor.audience, floor.time.at(now))
        if floor.presence.take(now):
            seats = seats_message(floor.match, floor.audience, floor.absences)
            if to := floor.presence.untold(seats, floor.audience.live()):
                floor.out.send_all(seats, to)


def _expired(before: Match, expiry: TimedOut) -> Expired:
    """Return what the connections of a seat are told when the clock acts for it: it may be their secret."""
    seat = expiry.seat
    acted, left = before.clocks[seat].has_acted, before.misses_left(seat)
    return Expired(before.opened.room, seat, before.decisions[seat], receipt_of(expiry), acted=acted, left=left)
