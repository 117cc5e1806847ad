"""Who sits at the table of a room, and who plays there."""

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.log import Acted, Opened


class Sitter(Struct, frozen=True, gc=False, array_like=True):
    """The occupant of a seat, the revision of sitting down, and the bot that it is (None: a person, as far as known).

    A *hired* bot was brought by a worker of the operator: nobody waits for it, and another bot may replace it.
    """

    player: str
    name: str
    since: int
    bot: str | None = None
    hired: bool = False


class Seating(Struct, frozen=True, gc=False, kw_only=True):
    """The part of a match about players and the bots that play for them."""

    opened: Opened
    seats: tuple[Sitter | None, ...]
    """Who sits where: in the lobby by place (None: open), afterwards by seat."""
    stand_ins: tuple[Sitter | None, ...] = ()
    """By seat, the bot that plays for its absent owner, after the start."""
    kicked: frozenset[str] = frozenset()
    """The players who may not sit down (again)."""
    wishes: tuple[str | None, ...] = ()
    """In the lobby, the requested bot by place (empty text: any); None if none was requested."""
    returning: frozenset[Seat] = frozenset()
    """The seats that return from a bot to their owners when the current turn is over."""

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return None not in self.seats

    @property
    def has_people(self) -> bool:
        """Whether anybody sits besides the operator's bots."""
        return any(sitter is not None and not sitter.hired for sitter in self.seats)

    def seat_of(self, player: str) -> Seat | None:
        """Return where *player* sits."""
        for seat, sitter in enumerate(self.seats):
            if sitter is not None and sitter.player == player:
                return seat
        return None

    def sitter_at(self, seat: Seat) -> Sitter:
        """Return the occupant of *seat*, which must be taken."""
        sitter = self.seats[seat]
        assert sitter is not None, f"nobody sits at {seat}"
        return sitter

    def stand_in(self, seat: Seat) -> Sitter | None:
        """Return the bot that plays for the owner of *seat*, if one does."""
        return self.stand_ins[seat] if self.stand_ins else None

    def holder(self, seat: Seat) -> Sitter:
        """Return who plays at *seat*: its owner, or the stand-in bot."""
        return self.stand_in(seat) or self.sitter_at(seat)

    def actor(self, acted: Acted) -> Sitter:
        """Return who made an action: the player at its seat, or the owner just before a bot stood in."""
        stand_in = None if acted.owners else self.stand_ins[acted.seat]
        return stand_in or self.sitter_at(acted.seat)

    def sitting(self) -> tuple[tuple[str, ...], ...]:
        """Return who may see each seat's view: its owner and the stand-in bot."""
        return tuple(
            tuple(sitter.player for sitter in (self.seats[seat], self.stand_in(seat)) if sitter is not None)
            for seat in range(len(self.seats))
        )

    def deserted(self) -> tuple[Seat, ...]:
        """Return the seats that a bot holds for an owner who left.

        A bot that replaces a lost one of the same name is the same player: both have one rating.
        """
        held = zip(self.seats, self.stand_ins, strict=True) if self.stand_ins else ()
        return tuple(
            seat
            for seat, (sitter, bot) in enumerate(held)
            if sitter is not None and bot is not None and not (sitter.hired and sitter.bot == bot.bot)
        )

    def seat_played_by(self, player: str) -> Seat | None:
        """Return the seat that *player* may act for now."""
        for seat, sitter in enumerate(self.seats):
            if sitter is not None and self.holder(seat).player == player:
                return seat
        return None

    def free_place(self, player: str) -> int | None:
        """Return where *player* may sit down: the place reserved for it, else an unreserved one."""
        kept = {place: self.kept_for(place) for place in self.open_places()}
        own = [place for place, owner in kept.items() if owner == player]
        return next(iter(own or [place for place, owner in kept.items() if owner is None]), None)

    def open_places(self) -> list[int]:
        """Return where nobody sits."""
        return [place for place, sitter in enumerate(self.seats) if sitter is None]

    def kept_for(self, place: int) -> str | None:
        """Return the player an open place is reserved for; nobody has two."""
        owner = self.opened.reserved[place] if self.opened.reserved else None
        return None if owner is None or self.seat_of(owner) is not None else owner
