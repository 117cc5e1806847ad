"""Where finished matches are listed and ratings are kept."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from msgspec import Struct


class MatchRecord(Struct, frozen=True):
    """What is known of a finished match besides its replay."""

    room: int
    game: str
    players: tuple[str, ...]
    """Whose lists show it."""
    ended_ms: int
    summary: bytes
    """What lists show of it."""
    result: bytes | None
    """What ratings are worked out from; None: it does not count."""
    is_listed: bool

    @property
    def lists(self) -> list[str]:
        """The names of the lists that show it; none if it is not listed."""
        whose = (None, *self.players) if self.is_listed else ()
        return [list_name(game, player) for player in whose for game in (None, self.game)]


def list_name(game: str | None, player: str | None) -> str:
    """Return the name of the list of matches of a game, of a player, of both or (None, None) of all."""
    if player is None:
        return "all" if game is None else f"game:{game}"
    return f"player:{player}" if game is None else f"player:{player}:{game}"


class Result(Struct, frozen=True):
    """A result that has not been counted."""

    room: int
    game: str
    result: bytes


class RatingChange(Struct, frozen=True):
    """The rating of one player before (None: there was none) and after a match, and the score to rank it by."""

    player: str
    before: bytes | None
    after: bytes
    score: int


class Records(Protocol):
    """Where finished matches are listed and ratings are kept; raises `UnavailableError` as a store does."""

    async def close(self) -> None:
        """Disconnect."""
        ...

    async def publish(self, record: MatchRecord, *, keep_s: int) -> None:
        """Note a finished match, once however often it is told."""
        ...

    async def matches(self, *, game: str | None, player: str | None, before: int | None, limit: int) -> list[bytes]:
        """Return the summaries of listed matches, the newest first, from the one after *before* on."""
        ...

    def results(self) -> AsyncIterator[Result]:
        """Go through the results that have not been counted, those that are there from beginning to end at least once.

        What is not to be read is passed over.
        """
        ...

    async def ratings(self, game: str, players: Sequence[str]) -> list[bytes | None]:
        """Return the rating of each player in a game, None for one who has none."""
        ...

    async def rate(self, room: int, game: str, changes: Sequence[RatingChange], *, keep_s: int) -> bool:
        """Change the ratings of a match's players, once; False if one is not what it was worked out from."""
        ...

    async def ranking(self, game: str, *, offset: int, limit: int) -> tuple[int, list[tuple[str, bytes]]]:
        """Return how many players have a rating, and some of them by score, the best first."""
        ...
