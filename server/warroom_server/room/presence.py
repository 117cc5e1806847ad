"""The seating of a room: who is connected, who is away since when, who is the host, and when to announce it."""

from collections.abc import Mapping

from warroom_games.api import Seat
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_protocol.messages import Seats, SeatState
from warroom_server.room.audience import Audience
from warroom_server.room.viewer_addresses import Destination

COMINGS_MS = 250
"""The shortest time between two announcements of arriving or leaving viewers."""
REPLACE_MS = 1_000
"""How long a hired bot may be disconnected before the room asks for another one."""


class Absences:
    """Since when, in room time, seated players and stand-ins have had no viewer."""

    __slots__ = ("_since",)

    def __init__(self) -> None:
        self._since: dict[str, int] = {}

    def __bool__(self) -> bool:
        return bool(self._since)

    def note(self, match: Match, audience: Audience, at: int) -> None:
        """Note who is absent at room time *at*."""
        # Known absences keep their beginning; players who returned drop out.
        away = [player for players in match.sitting() for player in players if not audience.has(player)]
        self._since = {player: self._since.get(player, at) for player in away}

    def came(self, player: str) -> None:
        """Note that *player* is here."""
        self._since.pop(player, None)

    def lasted(self, match: Match, at: int) -> dict[Seat, int]:
        """Return by seat how long its player has been away at room time *at*. Hired bots are left out."""
        return {seat: at - self._since[player] for seat, player in self._away(match).items()}

    def prolong(self, match: Match, lasted: Mapping[Seat, int]) -> None:
        """Start absences earlier, by the time that they *lasted* under the last owner."""
        for seat, player in self._away(match).items():
            self._since[player] -= lasted.get(seat, 0)

    def _away(self, match: Match) -> dict[Seat, str]:
        holders = {seat: match.stand_in(seat) or sitter for seat, sitter in enumerate(match.seats)}
        return {
            seat: holder.player
            for seat, holder in holders.items()
            if holder is not None and not holder.hired and holder.player in self._since
        }

    def over_at(self, match: Match, sitter: Sitter) -> int | None:
        """Return the room time at which the grace period of an absent player ends; None if it does not end."""
        since = self._since.get(sitter.player)
        patience_ms = REPLACE_MS if sitter.hired else match.opened.room_options.grace_ms
        # Room time goes back when a room changes owners, so this moment may be before zero.
        return None if since is None or patience_ms is None else max(0, since + patience_ms)

    def grace(self, match: Match, seat: int) -> int | None:
        """Return until when the player at *seat* may return, before the place is freed or a bot stands in."""
        sitter = match.seats[seat]
        is_waited_for = sitter is not None and not sitter.hired and match.stand_in(seat) is None
        if sitter is None or not is_waited_for or match.is_over or seat in match.out:
            return None
        return self.over_at(match, sitter)


def seating(match: Match) -> tuple[object, ...]:
    """Return the facts whose change is announced at once."""
    return match.seats, match.phase, match.out, match.stand_ins


def host(match: Match) -> str | None:
    """Return the host: the creator, then the person who has sat longest, then the oldest bot that a player brought.

    An absent host stays host until the place is freed or a bot stands in.
    """
    creator = match.opened.creator
    sitters = [(seat, sitter) for seat, sitter in enumerate(match.seats) if sitter is not None and not sitter.hired]

    def rank(seat: int, sitter: Sitter) -> tuple[bool, bool, bool, int]:
        is_replaced = match.stand_in(seat) is not None
        return is_replaced, sitter.player != creator, sitter.bot is not None, sitter.since

    return min(sitters, key=lambda taken: rank(*taken))[1].player if sitters else None


def seats_message(match: Match, audience: Audience, absences: Absences | None) -> Seats:
    """Return the public seating. Without *absences* every player counts as connected."""
    seats = tuple(_seat_state(match, seat, audience, absences) for seat in range(len(match.seats)))
    return Seats(match.opened.room, match.phase, host(match), seats, audience.watching)


def _seat_state(match: Match, seat: int, audience: Audience, absences: Absences | None) -> SeatState:
    sitter = match.seats[seat]
    if sitter is None:
        return SeatState(seat, None, "", connected=False, out=False, kept=match.kept_for(seat))
    stand_in = match.stand_in(seat)
    # A hired bot may be replaced by another one. It counts as connected while any bot plays the seat.
    player = match.holder(seat).player if sitter.hired else sitter.player
    return SeatState(
        seat,
        sitter.player,
        sitter.name,
        connected=absences is None or audience.has(player),
        out=seat in match.out,
        bot=sitter.bot if stand_in is None else stand_in.bot,
        stood_in=stand_in is not None,
        grace=None if absences is None else absences.grace(match, seat),
        hired=sitter.hired,
    )


class Presence:
    """Decides when to announce the seating: a change in the log at once, other changes a few times a second."""

    __slots__ = ("_is_urgent", "_told_apart", "_told_at", "is_changed")

    def __init__(self, now: int) -> None:
        self._told_at = now - COMINGS_MS
        self._told_apart: dict[Destination, Seats] | None = None
        """What single viewers have been sent since the last announcement."""
        self.is_changed = False
        """Whether there is a change to announce."""
        self._is_urgent = False

    @property
    def due_at(self) -> int | None:
        """The moment of the node's clock at which the change is due."""
        return self._told_at + COMINGS_MS if self.is_changed else None

    def changed(self) -> None:
        """Note that a viewer came or went."""
        self.is_changed = True

    def urge(self) -> None:
        """Note a change in the log: a player sat down, left or resigned, or the match started or ended."""
        self.is_changed = self._is_urgent = True

    def told(self, viewer: Destination, message: Seats) -> None:
        """Note that one viewer has been sent *message* alone."""
        if self._told_apart is None:
            self._told_apart = {}
        self._told_apart[viewer] = message

    def untold(self, message: Seats, everyone: tuple[Destination, ...]) -> tuple[Destination, ...]:
        """Return the viewers that need *message*: all except those that just got it alone."""
        told, self._told_apart = self._told_apart, None
        return tuple(viewer for viewer in everyone if told.get(viewer) != message) if told else everyone

    def take(self, now: int) -> bool:
        """Whether to announce now; then the change counts as announced."""
        if not self.is_changed or not (self._is_urgent or now >= self._told_at + COMINGS_MS):
            return False
        self.is_changed = self._is_urgent = False
        self._told_at = now
        return True
