"""The places of a room before its match: joining, leaving, kicking, and requests for bots."""

from typing import Literal, Self, TypeAlias, TypeVar

from msgspec.structs import replace

from warroom_games.log import Kicked, Left, LogError, Sat, Wished
from warroom_games.seating import Seating, Sitter

Phase: TypeAlias = Literal["lobby", "playing", "ended"]

_T = TypeVar("_T")


class Places(Seating, frozen=True, kw_only=True):
    """The part of a match before its start."""

    rev: int
    """Number of entries."""
    phase: Phase

    def placed(self, entry: Sat | Left | Kicked | Wished) -> Self:
        """Return the places after an entry; raise a `LogError` if it cannot follow."""
        self.require_lobby()
        match entry:
            case Sat():
                return self._sat(entry)
            case Left():
                return self._left(entry.place)
            case Kicked():
                return self._kicked(entry)
            case Wished():
                return self._wished(entry)

    def _sat(self, entry: Sat) -> Self:
        if entry.place >= len(self.seats) or self.seats[entry.place] is not None:
            raise self.wrong(f"place {entry.place} is not free")
        if self.seat_of(entry.player) is not None:
            raise self.wrong(f"player {entry.player} already sits")
        if entry.player in self.kicked:
            raise self.wrong(f"player {entry.player} was removed by the host")
        sitter = Sitter(entry.player, entry.name, self.rev + 1, entry.bot, entry.hired)
        return self._with_place(entry.place, sitter, with_item(self.wishes, entry.place, None))

    def _left(self, place: int) -> Self:
        if place >= len(self.seats) or self.seats[place] is None:
            raise self.wrong(f"nobody sits at place {place}")
        freed = self._with_place(place, None, self.wishes)
        # A bot that left is replaced, unless no people remain.
        gone = self.sitter_at(place)
        wish = gone.bot if gone.hired else None
        return replace(
            freed, wishes=with_item(self.wishes, place, wish) if freed.has_people else (None,) * len(self.seats)
        )

    def _kicked(self, entry: Kicked) -> Self:
        freed = self._left(entry.place)
        wishes = with_item(freed.wishes, entry.place, None)
        return replace(freed, kicked=self.kicked | {self.sitter_at(entry.place).player}, wishes=wishes)

    def _wished(self, entry: Wished) -> Self:
        taken = (place for place, sitter in enumerate(self.seats) if sitter is not None)
        if len(entry.bots) != len(self.seats) or any(entry.bots[place] is not None for place in taken):
            raise self.wrong("bots are for open places")
        return replace(self, wishes=entry.bots)

    def _with_place(self, place: int, sitter: Sitter | None, wishes: tuple[str | None, ...]) -> Self:
        return replace(self, seats=with_item(self.seats, place, sitter), wishes=wishes)

    def require_lobby(self) -> None:
        """Raise a `LogError` if the match has started."""
        if self.phase != "lobby":
            raise self.wrong("the match has started")

    def wrong(self, why: str) -> LogError:
        """Return the error for an entry that cannot come next."""
        return LogError(f"entry {self.rev + 1}: {why}")


def with_item(items: tuple[_T, ...], index: int, item: _T) -> tuple[_T, ...]:
    """Return *items* with the one at *index* replaced."""
    return (*items[:index], item, *items[index + 1 :])
