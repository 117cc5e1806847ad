"""Offers between players: a draw, a pause, resuming, a rematch. An offer takes effect once all players made it."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from warroom_games.api import Seat
from warroom_games.log import Agreed, Entry
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import Done, Moved, OfferName, Offers
from warroom_server.room.clock.pauses import Pauses
from warroom_server.room.commands import Offer, Rematched
from warroom_server.room.context import AT_ONCE, RoomContext
from warroom_server.room.effects import Rematch
from warroom_server.room.handoff_state import Terms
from warroom_server.room.log_fold import Candidate
from warroom_server.room.viewer_addresses import Destination

_KINDS: tuple[OfferName, ...] = get_args(OfferName)
_AGREEMENTS: tuple[Literal["draw", "pause", "resume"], ...] = ("draw", "pause", "resume")
"""Offers that become an entry once all players agree."""
_NOBODY: Final[frozenset[Seat]] = frozenset()
_NO_OFFERS: Final[Mapping[OfferName, frozenset[Seat]]] = dict.fromkeys(_KINDS, _NOBODY)


class MatchOffers:
    """The current offers. Seats that belong to hired bots are not asked.

    Nothing is agreed while the node waits for players of the match to return: they must be asked too.
    """

    __slots__ = ("_context", "_draw_since", "_is_rematching", "_moved", "_offers", "_pauses")

    def __init__(self, context: RoomContext, pauses: Pauses) -> None:
        self._context = context
        self._pauses = pauses
        self._offers: Mapping[OfferName, frozenset[Seat]] = _NO_OFFERS
        """By kind, the seats that offer it. It is replaced instead of changed: most rooms share the empty one."""
        self._draw_since = 0
        """The turn in which a draw was first offered."""
        self._is_rematching = False
        self._moved: Moved | None = None

    @property
    def _has_any(self) -> bool:
        return any(self._offers.values())

    @property
    def terms(self) -> Terms:
        """The offers of a running match."""
        offers: dict[OfferName, tuple[Seat, ...]] = {
            kind: tuple(sorted(seats)) for kind, seats in self._offers.items() if seats and kind != "rematch"
        }
        return Terms(offers, self._draw_since if "draw" in offers else 0)

    def remember(self, terms: Terms) -> None:
        """Restore the offers that the last owner knew."""
        if self._context.match.phase == "playing":
            self._draw_since = terms.draw_since
            known = {kind: self._asked("draw") & frozenset(seats) for kind, seats in terms.offers.items()}
            self._offers = {**_NO_OFFERS, **known}

    def consider(self, offer: Offer, now: int) -> Candidate | None:
        """Make or withdraw an offer; return the entry if all players agree now."""
        seat = self._bidder(offer)
        if seat is None:
            return None
        # The rematch exists already: repeat where it is.
        if offer.what == "rematch" and self._moved is not None:
            self._context.out.send(offer.viewer, self._moved)
        before = self._offers[offer.what]
        if offer.what == "draw" and not before:
            self._draw_since = self._context.match.turn
        self._offers = {**self._offers, offer.what: before | {seat} if offer.on else before - {seat}}
        if offer.what != "rematch" and self._is_agreed(offer.what):
            return self._context.log.prepare(Agreed(self._context.time.at(now), offer.what))
        self._context.out.send(offer.viewer, Done(offer.ref))
        if before != self._offers[offer.what]:
            self._tell()
        self._ask_for_rematch()
        return None

    def greet(self, viewer: Destination) -> None:
        """Tell a viewer that enters what is offered and where the match continues."""
        context = self._context
        is_player = context.seat_of(viewer) is not None
        if is_player and context.match.phase != "lobby":
            # An empty message counts too: a returning player may remember offers that are gone.
            context.out.send(viewer, self._message())
        if self._moved is not None and (context.public_match.is_over or is_player):
            context.out.send(viewer, self._moved)

    def lead_on(self, to: tuple[Destination, ...]) -> None:
        """Tell delayed spectators where the match continues, once they have seen its end."""
        if self._moved is not None:
            self._context.out.send_all(self._moved, to)

    # --- the part of a room -------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return a moment that has passed if the remaining players agree because another player left."""
        is_due = self._has_any and (any(map(self._is_agreed, _AGREEMENTS)) or self._wants_rematch)
        return AT_ONCE if is_due else None

    def woken(self, now: int) -> None:
        """Ask for a rematch if all remaining players want one."""
        self._ask_for_rematch()

    def entry(self, now: int) -> Entry | None:
        """Return the agreement of the remaining players, if they agree because another player left."""
        agreed = [kind for kind in _AGREEMENTS if self._is_agreed(kind)] if self._has_any else []
        return Agreed(self._context.time.at(now), agreed[0]) if agreed else None

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Withdraw offers that the match has overtaken."""
        if not self._has_any:
            return
        entry, after = candidate.entry, self._context.match
        stale: set[OfferName] = {entry.what, "pause", "resume"} if isinstance(entry, Agreed) else set()
        if after.turn >= self._draw_since + len(after.seats):
            stale.add("draw")  # everyone has had a turn to agree; this must not show who acted in this one
        if after.is_over and not before.is_over:
            stale = {"draw", "pause", "resume"}
        if any(self._offers[kind] for kind in stale):
            self._offers = {**self._offers, **dict.fromkeys(stale, _NOBODY)}
            self._tell()

    def _tell(self) -> None:
        """Tell the players what is offered."""
        self._context.out.send_all(self._message(), self._context.audience.players())

    def _message(self) -> Offers:
        """Return what is offered, and by whom."""
        return Offers(
            self._context.room,
            tuple((kind, tuple(sorted(self._offers[kind]))) for kind in _KINDS if self._offers[kind]),
        )

    # --- who must agree -----------------------------------------------------------------------------------------

    def _bidder(self, offer: Offer) -> Seat | None:
        """Return the seat that may offer this now, or refuse the offer."""
        context, match = self._context, self._context.match
        seat = context.owned_seat(offer.viewer)
        if offer.what != "rematch":
            seat = context.playing_seat(offer, seat)
            code = None if seat is None else self._objection(offer.what)
        elif seat is None or match.phase == "lobby":
            code = context.absence(offer.viewer, seat)
        else:
            code = None if match.is_over else codes.OFFER_NOW
        if code is None:
            return seat
        context.refuse(offer, code)
        return None

    def _objection(self, what: OfferName) -> str | None:
        """Return why an offer is impossible in a running match."""
        match = self._context.match
        if what == "draw":
            if not match.game.info.has_draws:
                return codes.OFFER_DRAW
            return codes.OFFER_BOTS if self._faces_bots() else None
        if what == "pause" and not match.may_pause:
            return codes.ROOM_PAUSES
        return None if match.is_halted == (what == "resume") else codes.OFFER_NOW

    def _faces_bots(self) -> bool:
        """Whether a hired bot plays in the match. Nobody can negotiate with it."""
        match = self._context.match
        return any(sitter and sitter.hired and seat not in match.out for seat, sitter in enumerate(match.seats))

    def _asked(self, what: OfferName) -> frozenset[Seat]:
        """Return the seats whose owners must agree.

        All owners must agree to a draw. A pause does not wait for absent owners with a stand-in. Resuming and rematches
        do not wait for absent owners at all.
        """
        match, audience = self._context.match, self._context.audience
        asked = {
            seat: sitter.player
            for seat, sitter in enumerate(match.seats)
            if sitter and not sitter.hired and (what == "rematch" or seat not in match.out)
        }
        if what == "draw":
            return frozenset(asked)
        waits_for = frozenset(seat for seat in asked if what == "pause" and match.stand_in(seat) is None)
        return waits_for | {seat for seat, player in asked.items() if audience.has(player)}

    def _is_settled(self, what: OfferName) -> bool:
        # While the node waits for players to return, they cannot agree to anything.
        is_open = what == "rematch" or not self._pauses.is_for_players
        return is_open and bool(self._offers[what]) and self._asked(what) <= self._offers[what]

    def _is_agreed(self, what: OfferName) -> bool:
        """Whether all players agree on something that changes a running match."""
        is_playing = self._context.match.phase == "playing"
        return is_playing and self._is_settled(what) and self._objection(what) is None

    # --- rematch ------------------------------------------------------------------------------------------------

    @property
    def _wants_rematch(self) -> bool:
        is_open = self._context.match.is_over and self._moved is None and not self._is_rematching
        return is_open and self._is_settled("rematch")

    def _ask_for_rematch(self) -> None:
        """Ask for the room of a rematch once all want it. Players who want it keep their seats, and bots return."""
        if not self._wants_rematch:
            return
        self._is_rematching = True
        match = self._context.match
        places = range(len(match.seats))
        shift = 1 if match.opened.room_options.rematch == "rotate" else 0
        sitters = [match.sitter_at((place - shift) % len(places)) for place in places]
        wanting = {match.sitter_at(seat).player for seat in self._offers["rematch"]}
        self._context.out.add(
            Rematch(
                reserved=tuple(sitter.player if sitter.player in wanting else None for sitter in sitters),
                bots=tuple(sitter.bot if sitter.hired else None for sitter in sitters),
            )
        )

    def rematched(self, rematched: Rematched) -> None:
        """Send everybody to the room of the rematch, or say that there is none."""
        context = self._context
        self._is_rematching = False
        if rematched.to is not None:
            self._moved = Moved(context.room, rematched.to, rematched.code, rematched.key)
            to = context.audience.everyone() if context.public_match.is_over else context.audience.live()
            context.out.send_all(self._moved, to)
            return
        self._offers = {**self._offers, "rematch": _NOBODY}
        self._tell()
        context.out.send_all(context.notice(codes.NOTICE_NO_REMATCH), context.audience.players())
