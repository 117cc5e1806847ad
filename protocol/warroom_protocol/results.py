"""The result of a match: the ranks of the game, and the seats that their owners had left."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from warroom_protocol import codes

LEFT = " (left)"
"""The note behind the name of a player whose seat a bot held at the end."""

ENDINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        codes.END_VICTORY: "victory",
        codes.END_CAP: "length limit reached",
        codes.END_RESIGNED: "all opponents resigned",
        codes.END_DRAW: "agreed by the players",
        codes.END_VOID: "no result",
    }
)
"""Why a match ended, for people; the page uses the same words."""


class Standing(Struct, frozen=True):
    """The rank that the rules of the game give a seat, and whether its owner had left it to a bot."""

    rank: int
    seat: int
    has_left: bool

    @property
    def note(self) -> str:
        """The note behind the name of the player."""
        return LEFT if self.has_left else ""


def ending_in_words(reason: str) -> str:
    """Return why a match ended in words; a game's own reason stays as it is."""
    return ENDINGS.get(reason, reason)


def standings(ranks: Sequence[int], left: Sequence[int]) -> list[Standing]:
    """Return the standings in display order: seats that were left come behind everyone who stayed."""
    found = [Standing(rank, seat, seat in left) for seat, rank in enumerate(ranks)]
    return sorted(found, key=lambda each: (each.has_left, each.rank, each.seat))


def rated_ranks(ranks: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """Return by seat the rank that counts for ratings.

    Players who stayed rank among themselves by the game. Players who left share the rank behind all of them, because
    the order among them is the work of bots.
    """
    stayed = [rank for seat, rank in enumerate(ranks) if seat not in left]
    return tuple(
        1 + (len(stayed) if seat in left else sum(other < rank for other in stayed)) for seat, rank in enumerate(ranks)
    )
