"""Bots for seats: those that the host or the clock asks for, and those that stand in for players who are away.

A seat that wants a bot gets a ticket; whoever finds bots is asked to have it claimed. A ticket that nobody claims in
time is void and another one is given out, later each time. Nothing in the room waits for any of this.
"""

from collections.abc import Iterator
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_games.log import Entry, Kicked, Left, Reclaimed, Sat, Started, StoodIn
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_protocol import codes
from warroom_protocol.messages import Done, Notice
from warroom_server.rooms.commands import Claim, Fill, Reclaim, Summoned
from warroom_server.rooms.effects import Summon
from warroom_server.rooms.floor import Floor
from warroom_server.rooms.ledger import Candidate
from warroom_server.rooms.lobby import Lobby

CLAIM_MS = 3_000
"""How long a ticket can be claimed once a worker was asked."""
RETRIES_MS = (250, 500, 1_000, 2_000, 5_000)
"""How long a seat waits before it asks again, after so many times in vain; the last one holds for all later ones."""

_AT_ONCE = 0


class _Ticket(Struct, frozen=True):
    """A seat (in the lobby a place) that a bot was asked for; *expires* None: no worker was asked, or one has it."""

    seat: Seat
    expires: int | None = None


class _Order(Struct):
    """A request for bots that has no answer, and the tickets whose fate it waits for."""

    fill: Fill
    tickets: set[int]
    is_known: bool = False


class Hiring:
    """Finds out which seats want a bot, gives out tickets for them, and lets owners take their seats back."""

    def __init__(self, floor: Floor, now: int) -> None:
        self._floor = floor
        self._lobby = Lobby(floor)
        # Beginning with the time, so that tickets of an earlier owner of the room fit none of this one's.
        self._numbers = count(now + 1)
        self._tickets: dict[int, _Ticket] = {}
        self._orders: list[_Order] = []
        self._wishes: dict[Seat, str | None] = {}
        """In the lobby: the places that are to get a bot, and which one (None: any)."""
        self._misses: dict[Seat, tuple[int, int]] = {}
        """By seat how often in a row nobody claimed its ticket, and when it may ask again."""
        self._fill_at: int | None = None
        """The room time from which every open place gets a bot."""
        self._reclaims: dict[Seat, int] = {}
        """The seats that their owners want back, and the turn in which they said so."""
        if floor.match.phase == "lobby":
            self._wishes = {place: bot or None for place, bot in enumerate(floor.match.opened.bots) if bot is not None}
            self._note_people(floor.match.at)

    # --- requests -----------------------------------------------------------------------------------------------

    def consider(self, request: Fill | Claim | Reclaim, now: int) -> Candidate | None:
        """Answer a request, or return the entry that its answer has to wait for."""
        match request:
            case Fill():
                self._fill(request, now)
                return None
            case Claim():
                return self._claim(request, now)
            case Reclaim():
                return self._reclaim(request, now)

    def _fill(self, fill: Fill, now: int) -> None:
        """Ask for bots; the answer waits until it is known whether there are any."""
        if not self._lobby.is_hosted_by(fill):
            return
        places = self._fillable(fill)
        if isinstance(places, str):
            self._floor.refuse(fill, places)
            return
        bot = fill.bot or self._room_bot
        for place in places:
            self._forget(place)
            self._wishes[place] = bot
        self._orders.append(_Order(fill, {self._ask(place, bot) for place in places}))

    def _fillable(self, fill: Fill) -> list[Seat] | str:
        """Return the places that a bot may take, or the code that refuses it."""
        seats = self._floor.match.seats
        if fill.seat is None:
            return [place for place in self._open_places() if not self._is_kept(place)] or codes.ROOM_KEPT
        if fill.seat >= len(seats):
            return codes.SEAT_UNKNOWN
        return [fill.seat] if seats[fill.seat] is None else codes.SEAT_TAKEN

    def summoned(self, summoned: Summoned, now: int) -> None:
        """Take note that a worker was asked for a bot, or that none has such a bot."""
        ticket = self._tickets.get(summoned.ticket)
        if ticket is None:
            return
        if summoned.is_known:
            self._tickets[summoned.ticket] = replace(ticket, expires=now + CLAIM_MS)
        else:
            self._miss(summoned.ticket, now)
        for order in [order for order in self._orders if summoned.ticket in order.tickets]:
            order.tickets.remove(summoned.ticket)
            order.is_known |= summoned.is_known
            if not summoned.is_known:
                self._wishes.pop(ticket.seat, None)
            if not order.tickets:
                self._settle(order)

    def _settle(self, order: _Order) -> None:
        self._orders.remove(order)
        if order.is_known:
            self._floor.out.send(order.fill.connection, Done(order.fill.ref))
        else:
            self._floor.refuse(order.fill, codes.BOT_UNKNOWN)

    def _claim(self, claim: Claim, now: int) -> Candidate | None:
        """Let a bot have the seat that its ticket is for, if that still wants one."""
        floor, match = self._floor, self._floor.match
        ticket = self._tickets.get(claim.ticket)
        if ticket is None or floor.is_seated(claim.player) or not self._is_wanted(ticket.seat, floor.time.at(now)):
            floor.refuse(claim, codes.CLAIM_GONE)
            return None
        self._tickets[claim.ticket] = _Ticket(ticket.seat)
        if match.phase == "lobby":
            return floor.ledger.prepare(Sat(ticket.seat, claim.player, claim.name, claim.bot, hired=True))
        return floor.ledger.prepare(StoodIn(floor.time.at(now), ticket.seat, claim.player, claim.name, claim.bot))

    def _reclaim(self, reclaim: Reclaim, now: int) -> Candidate | None:
        """Give a seat back to its owner, at once if the bot is not just playing, else when the turn is over."""
        floor, match = self._floor, self._floor.match
        player = floor.audience.player_of(reclaim.connection)
        seat = None if player is None else match.seat_of(player)
        if seat is None or match.phase == "lobby":
            floor.refuse(reclaim, floor.absence(reclaim.connection, seat))
        elif match.is_over:
            floor.refuse(reclaim, codes.ROOM_ENDED)
        elif match.stand_in(seat) is None:
            floor.refuse(reclaim, codes.SEAT_OUT if seat in match.out else codes.SEAT_NO_BOT)
        elif seat not in match.asked:
            return floor.ledger.prepare(Reclaimed(floor.time.at(now), seat))
        else:
            self._reclaims.setdefault(seat, match.turn)
            floor.out.send(reclaim.connection, Done(reclaim.ref))
        return None

    # --- as time passes -----------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return when a seat will want a bot, a ticket is void, or a place is to be freed."""
        if self._floor.match.is_over or self._is_quiet():
            return None
        expiries = [ticket.expires for ticket in self._tickets.values() if ticket.expires is not None]
        return min((*expiries, *self._departures(), *self._openings()), default=None)

    def woken(self, now: int) -> None:
        """Ask for bots that are wanted by now, once more for those that did not come."""
        for number in [number for number, ticket in self._tickets.items() if _is_over(ticket, now)]:
            self._miss(number, now)
        self._hire(now)

    def entry(self, now: int) -> Entry | None:
        """Return the entry that is due: a place freed, a seat given back."""
        match = self._floor.match
        at = self._floor.time.at(now)
        if match.phase == "lobby":
            return next((Left(place) for place in self._sitters() if self._has_to_go(place, at)), None)
        for seat, turn in self._reclaims.items():
            if match.phase == "playing" and (seat not in match.asked or match.turn != turn):
                return Reclaimed(at, seat)
        return None

    def _has_to_go(self, place: Seat, at: int) -> bool:
        """Whether a place in the lobby is to be freed: of somebody away for too long, of bots without any people."""
        sitter = self._floor.match.sitter_at(place)
        over_at = self._floor.absences.over_at(self._floor.match, sitter)
        return (over_at is not None and over_at <= at) or (sitter.hired and not self._has_people())

    def _departures(self) -> Iterator[int]:
        """Return when places in the lobby are to be freed."""
        match = self._floor.match
        if match.phase == "lobby":
            for place in self._sitters():
                over_at = self._floor.absences.over_at(match, match.sitter_at(place))
                moment = None if over_at is None else self._floor.time.when(over_at)
                if moment is not None:
                    yield moment

    def _openings(self) -> Iterator[int]:
        """Return when seats will want a bot and may ask for one, where none was asked for."""
        asked_for = {ticket.seat for ticket in self._tickets.values()}
        for seat in self._candidates():
            moment = None if seat in asked_for else self._wanted_from(seat)
            if moment is not None:
                yield max(moment, self._misses.get(seat, (0, _AT_ONCE))[1])

    def _wanted_from(self, seat: Seat) -> int | None:
        """Return the moment from which a seat wants a bot; None if that is not to be foreseen."""
        wanted_at = self._wanted_at(seat)
        return None if wanted_at is None else self._floor.time.when(wanted_at)

    def _hire(self, now: int) -> None:
        """Ask for a bot for every seat that wants one, and has not just asked in vain."""
        if self._is_quiet():
            return
        at = self._floor.time.at(now)
        asked_for = {ticket.seat for ticket in self._tickets.values()}
        for seat in self._candidates():
            misses, retry_at = self._misses.get(seat, (0, _AT_ONCE))
            if seat not in asked_for and retry_at <= now and self._is_wanted(seat, at):
                # Whoever is away has nothing from waiting for a bot that does not come: after that, any will do.
                self._ask(seat, self._wishes.get(seat, None if misses else self._room_bot))

    def _ask(self, seat: Seat, bot: str | None) -> int:
        number = next(self._numbers)
        self._tickets[number] = _Ticket(seat)
        self._floor.out.add(Summon(number, bot))
        return number

    def _miss(self, number: int, now: int) -> None:
        """Give up on a ticket that nobody claims."""
        seat = self._tickets.pop(number).seat
        misses = self._misses.get(seat, (0, 0))[0] + 1
        self._misses[seat] = misses, now + RETRIES_MS[min(misses, len(RETRIES_MS)) - 1]

    def _forget(self, seat: Seat) -> None:
        """Let no bot come to a seat any more that was asked for before."""
        self._void({number for number, ticket in self._tickets.items() if ticket.seat == seat})
        self._misses.pop(seat, None)
        self._wishes.pop(seat, None)

    def _forget_all(self) -> None:
        """Let no bot come at all that was asked for before."""
        self._void(set(self._tickets))
        self._misses.clear()
        self._wishes.clear()
        self._fill_at = None

    def _void(self, numbers: set[int]) -> None:
        """Take tickets back; an order that waits for nothing else is fulfilled as far as it can be."""
        for number in numbers:
            del self._tickets[number]
        for order in [order for order in self._orders if order.tickets <= numbers]:
            order.is_known = True
            self._settle(order)
        for order in self._orders:
            order.tickets -= numbers

    # --- which seats want a bot ---------------------------------------------------------------------------------

    @property
    def _room_bot(self) -> str | None:
        return self._floor.match.opened.room_options.bot or None

    def _candidates(self) -> Iterator[Seat]:
        """Return the seats that may want a bot: open places, and later the seats that are to act."""
        match = self._floor.match
        return iter(self._open_places() if match.phase == "lobby" else sorted(match.asked))

    def _is_quiet(self) -> bool:
        """Whether the match runs as it should, so that no seat can want a bot: asked with each entry of the log."""
        match = self._floor.match
        is_away = self._tickets or self._floor.absences
        return match.phase == "playing" and not is_away and not any(match.clocks[seat].timeouts for seat in match.asked)

    def _is_wanted(self, seat: Seat, at: int) -> bool:
        """Whether a seat wants a bot at room time *at*."""
        wanted_at = self._wanted_at(seat)
        return wanted_at is not None and wanted_at <= at

    def _wanted_at(self, seat: Seat) -> int | None:
        """Return the room time from which a seat wants a bot; None if that is not to be foreseen."""
        match = self._floor.match
        if match.phase != "lobby":
            return None if match.is_over or seat in match.out else self._stand_in_at(match, seat)
        if match.seats[seat] is not None or not self._has_people():
            return None
        if seat in self._wishes:
            return _AT_ONCE
        return None if self._is_kept(seat) else self._fill_at

    def _stand_in_at(self, match: Match, seat: Seat) -> int | None:
        most = match.opened.room_options.timeouts
        if most and match.clocks[seat].timeouts >= most:
            return _AT_ONCE
        return self._floor.absences.over_at(match, match.holder(seat))

    def _open_places(self) -> list[Seat]:
        return [place for place, sitter in enumerate(self._floor.match.seats) if sitter is None]

    def _sitters(self) -> list[Seat]:
        return [place for place, sitter in enumerate(self._floor.match.seats) if sitter is not None]

    def _is_kept(self, place: Seat) -> bool:
        reserved = self._floor.match.opened.reserved
        return bool(reserved) and reserved[place] is not None

    def _has_people(self) -> bool:
        return any(sitter is not None and not sitter.hired for sitter in self._floor.match.seats)

    # --- what the log brings ------------------------------------------------------------------------------------

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Take note of who sits and who acts."""
        match candidate.entry:
            case Sat(place=place):
                self._forget(place)
                self._note_people(self._floor.time.at(now))
            case Left(place=place):
                self._freed(before.sitter_at(place), place)
            case Kicked(place=place):
                self._send_away(before.sitter_at(place))
            case Started():
                self._forget_all()  # the places are seats now
            case StoodIn(seat=seat):
                self._forget(seat)
                self._tell_owner(seat)
                self._relieve(before.stand_in(seat))
            case Reclaimed(seat=seat):
                self._reclaims.pop(seat, None)
                self._forget(seat)
                self._relieve(before.stand_in(seat))
            case _:
                pass
        self._hire(now)

    def _note_people(self, at: int) -> None:
        """Let the open places wait for people from now on, if the first one just sat down."""
        wait_ms = self._floor.match.opened.room_options.fill_after_ms
        if not self._has_people():
            self._fill_at = None
        elif self._fill_at is None and wait_ms is not None:
            self._fill_at = at + wait_ms

    def _freed(self, sitter: Sitter, place: Seat) -> None:
        """Let another bot come for one that went; once the last person has gone, none is wanted at all."""
        if not self._has_people():
            self._forget_all()
        elif sitter.hired:
            self._wishes[place] = sitter.bot

    def _send_away(self, sitter: Sitter) -> None:
        """Tell somebody whom the host sent away, who may stay as a spectator where there are any."""
        options = self._floor.match.opened.room_options
        stays = not sitter.hired and options.watch != "nobody"
        self._tell(sitter, codes.NOTICE_KICKED, stays=stays)

    def _tell_owner(self, seat: Seat) -> None:
        self._tell(self._floor.match.sitter_at(seat), codes.NOTICE_STOOD_IN, stays=True)

    def _relieve(self, bot: Sitter | None) -> None:
        if bot is not None:
            self._tell(bot, codes.NOTICE_RELIEVED, stays=False)

    def _tell(self, sitter: Sitter, code: str, *, stays: bool) -> None:
        """Notify the connections of a player; unless it *stays*, they are out of the room from here on."""
        notice = Notice(self._floor.room, code, codes.NOTICES[code])
        for connection in self._floor.audience.of_player(sitter.player):
            self._floor.out.send(connection, notice)
            if not stays:
                self._floor.audience.detach(connection)
                self._floor.presence.changed()


def _is_over(ticket: _Ticket, now: int) -> bool:
    return ticket.expires is not None and ticket.expires <= now
