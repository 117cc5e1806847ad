"""Bots in the lobby, requested by the host or after a waiting time, and places that become free again.

The log contains the wishes for bots. A request of the host is answered once its wish is committed, so it survives this
node.
"""

from collections.abc import Iterator

from msgspec import Struct, field

from warroom_games.api import Seat
from warroom_games.log import Entry, Kicked, Left, Sat, Started, Wished
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_protocol import codes
from warroom_protocol.messages import Done
from warroom_server.room.bots.bot_tickets import BotTickets, Ticket
from warroom_server.room.commands import Fill
from warroom_server.room.context import AT_ONCE, RoomContext
from warroom_server.room.lobby import is_hosted_by
from warroom_server.room.log_fold import Candidate
from warroom_server.room.membership import Membership

_ANY = ""


class _Order(Struct):
    """An unanswered request for bots, and the places whose tickets it waits for."""

    fill: Fill
    waits_for: set[Seat] = field(default_factory=set)
    bots: dict[Seat, str] = field(default_factory=dict)
    """By place, the requested bot that a worker has."""
    is_known: bool = False


class LobbyBots:
    """Decides which places of a lobby want a bot, and which are freed."""

    __slots__ = ("_context", "_fill_at", "_membership", "_orders", "_tickets")

    def __init__(self, context: RoomContext, tickets: BotTickets, membership: Membership) -> None:
        self._context = context
        self._tickets = tickets
        self._membership = membership
        self._orders: tuple[_Order, ...] = ()
        self._fill_at: int | None = None
        """The room time from which every open place gets a bot."""
        self._note_people(context.match.at)

    # --- requests of the host -----------------------------------------------------------------------------------

    def fill(self, fill: Fill) -> None:
        """Ask for bots. The answer waits until a worker is known to have them and the wish is committed."""
        if not is_hosted_by(self._context, fill):
            return
        places = self._fillable(fill)
        if isinstance(places, str):
            self._context.refuse(fill, places)
            return
        order = _Order(fill)
        for place in places:
            self._look_for(order, place, fill.bot or self._room_bot)
        self._orders += (order,)
        self._settle()

    def _fillable(self, fill: Fill) -> list[Seat] | str:
        """Return the places that a bot may take, or the code that refuses the request."""
        match = self._context.match
        if fill.seat is None:
            return [place for place in match.open_places() if match.kept_for(place) is None] or codes.ROOM_KEPT
        if fill.seat >= len(match.seats):
            return codes.SEAT_UNKNOWN
        return [fill.seat] if match.seats[fill.seat] is None else codes.SEAT_TAKEN

    def _look_for(self, order: _Order, place: Seat, bot: str | None) -> None:
        """Give out a ticket for a place, unless one for the same bot exists."""
        ticket = self._tickets.ticket_for(place)
        if ticket is not None and ticket.bot == bot and ticket.is_known:
            order.bots[place] = bot or _ANY
            order.is_known = True
            return
        if ticket is None or ticket.bot != bot:
            self._void(place)
            self._tickets.give_out(place, bot)
        order.waits_for.add(place)

    def summoned(self, ticket: Ticket, *, is_known: bool) -> None:
        """Note that a worker was asked for a bot, or that no worker has it."""
        for order in self._orders:
            if ticket.seat in order.waits_for:
                order.waits_for.remove(ticket.seat)
                order.is_known |= is_known
                if is_known:
                    order.bots[ticket.seat] = ticket.bot or _ANY
        self._settle()

    def _void(self, *places: Seat) -> None:
        """Void the tickets of places. An order that waits for nothing else is fulfilled as far as it can be."""
        for place in places:
            self._tickets.take_back(place)
        for order in self._orders:
            if order.waits_for & {*places}:
                order.waits_for -= {*places}
                order.is_known |= not order.waits_for
        self._settle()

    def _settle(self) -> None:
        """Answer the orders whose bots are all known and whose wishes are committed."""
        for order in [order for order in self._orders if not order.waits_for and not self._unwritten(order)]:
            self._orders = tuple(other for other in self._orders if other is not order)
            if order.is_known:
                self._context.out.send(order.fill.viewer, Done(order.fill.ref))
            else:
                self._context.refuse(order.fill, codes.BOT_UNKNOWN)

    def _unwritten(self, order: _Order) -> dict[Seat, str]:
        """Return the wishes of an order that are not in the log, for places that are still free."""
        match = self._context.match
        if match.phase != "lobby" or not match.has_people:
            return {}
        return {
            place: bot for place, bot in order.bots.items() if match.seats[place] is None and match.wishes[place] != bot
        }

    def _wished(self) -> Wished | None:
        """Return the entry that the next order waits for."""
        for order in self._orders:
            unwritten = {} if order.waits_for else self._unwritten(order)
            if unwritten:
                wishes = self._context.match.wishes
                return Wished(tuple(unwritten.get(place, wish) for place, wish in enumerate(wishes)))
        return None

    # --- time ---------------------------------------------------------------------------------------------------

    def moments(self) -> Iterator[int]:
        """Return when places are freed; a moment that has passed if an entry is due now."""
        match = self._context.match
        if self._wished() is not None:
            yield AT_ONCE
        for place in self._sitters():
            over_at = self._context.absences.over_at(match, match.sitter_at(place))
            moment = None if over_at is None else self._context.time.when(over_at)
            if moment is not None:
                yield moment

    def entry(self, now: int) -> Entry | None:
        """Return the entry that is due: a place to free, or a wish of the host."""
        at = self._context.time.at(now)
        left = next((Left(place) for place in self._sitters() if self._has_to_go(place, at)), None)
        return left or self._wished()

    def _has_to_go(self, place: Seat, at: int) -> bool:
        """Whether a place is freed: its player was away too long, or it is a hired bot without people."""
        match = self._context.match
        sitter = match.sitter_at(place)
        over_at = self._context.absences.over_at(match, sitter)
        return (over_at is not None and over_at <= at) or (sitter.hired and not match.has_people)

    def _sitters(self) -> list[Seat]:
        return [place for place, sitter in enumerate(self._context.match.seats) if sitter is not None]

    # --- which places want a bot --------------------------------------------------------------------------------

    @property
    def _room_bot(self) -> str | None:
        return self._context.match.opened.room_options.bot or None

    def candidates(self) -> list[Seat]:
        """Return the places that may want a bot."""
        return self._context.match.open_places()

    def wanted_at(self, place: Seat) -> int | None:
        """Return the room time from which a place wants a bot; None if it is unknown."""
        match = self._context.match
        if not self.is_open(place):
            return None
        if match.wishes[place] is not None:
            return AT_ONCE
        return None if match.kept_for(place) is not None else self._fill_at

    def bot_for(self, place: Seat) -> str | None:
        """Return the bot that a place wants; None for any. A default bot gives way to any after a failed attempt."""
        wish = self._context.match.wishes[place]
        if wish is not None:
            return wish or None
        return None if self._tickets.misses(place) else self._room_bot

    def is_open(self, place: Seat) -> bool:
        """Whether a bot with a ticket may sit down at a place."""
        return self._context.match.seats[place] is None and self._context.match.has_people

    # --- waiting time -------------------------------------------------------------------------------------------

    def waited(self, at: int) -> int:
        """Return how long the open places have waited for people at room time *at*; zero after the start."""
        match = self._context.match
        wait_ms = match.opened.room_options.fill_after_ms if match.phase == "lobby" else None
        return 0 if self._fill_at is None or wait_ms is None else at - (self._fill_at - wait_ms)

    def prolong(self, waited_ms: int) -> None:
        """Add the time that the open places waited under the last owner."""
        if self._fill_at is not None:
            self._fill_at -= waited_ms

    # --- committed entries --------------------------------------------------------------------------------------

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Follow who sits."""
        match candidate.entry:
            case Sat(place=place):
                self._void(place)
                self._note_people(self._context.time.at(now))
            case Left() if not self._context.match.has_people:
                self._void(*range(len(before.seats)))
                self._fill_at = None
            case Kicked(place=place):
                self._send_away(before.sitter_at(place))
            case Started():
                self._void(*range(len(before.seats)))  # the places are seats now
            case _:
                pass
        self._settle()

    def _note_people(self, at: int) -> None:
        """Start the waiting time of open places when the first person sits down."""
        wait_ms = self._context.match.opened.room_options.fill_after_ms
        if self._context.match.has_people and self._fill_at is None and wait_ms is not None:
            self._fill_at = at + wait_ms

    def _send_away(self, sitter: Sitter) -> None:
        """Notify a player whom the host removed. The player may stay as a spectator if the room allows them."""
        is_out = sitter.hired or self._context.match.opened.room_options.watch == "nobody"
        (self._membership.show_out if is_out else self._membership.notify)(sitter.player, codes.NOTICE_KICKED)
