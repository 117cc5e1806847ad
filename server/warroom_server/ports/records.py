"""The lists of finished matches, and the ratings of players."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from msgspec import Struct


class MatchRecord(Struct, frozen=True):
    """A finished match, without its replay."""

    room: int
    game: str
    players: tuple[str, ...]
    """The players whose lists show it."""
    ended_ms: int
    summary: bytes
    """The encoded entry of a list."""
    result: bytes | None
    """The encoded result for ratings; None if it does not count."""
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


def ladder_name(game: str, *, bots: bool) -> str:
    """Return the name of the ladder of a game: that of people, or that of matches between bots alone."""
    return f"{game}:bots" if bots else game


class Result(Struct, frozen=True):
    """A result that ratings do not count yet."""

    room: int
    game: str
    result: bytes


class RatingChange(Struct, frozen=True):
    """The rating of one player before (None: unrated) and after a match, and the score that ranks it."""

    player: str
    before: bytes | None
    after: bytes
    score: int


class Records(Protocol):
    """Finished matches and ratings; raises `UnavailableError` as a store does."""

    async def close(self) -> None:
        """Disconnect."""

    async def publish(self, record: MatchRecord, *, keep_s: int) -> None:
        """Record a finished match; recording it again changes nothing."""

    async def matches(self, *, game: str | None, player: str | None, before: int | None, limit: int) -> list[bytes]:
        """Return the summaries of listed matches, the newest first, from the one after *before* on."""

    def results(self) -> AsyncIterator[Result]:
        """Iterate over the results that are not counted yet, each that is there all the time at least once.

        Unreadable results are skipped.
        """

    async def ratings(self, ladder: str, players: Sequence[str]) -> list[bytes | None]:
        """Return the rating of each player on a ladder, None for an unrated player."""

    async def rate(self, room: int, ladder: str, changes: Sequence[RatingChange], *, keep_s: int) -> bool:
        """Change the ratings of a match's players, once; False if a rating is no longer the one before the change."""

    async def ranking(self, ladder: str, *, offset: int, limit: int) -> tuple[int, list[tuple[str, bytes]]]:
        """Return the number of rated players, and some of them by score, the best first."""
