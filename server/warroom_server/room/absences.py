"""Who of those who sit is not here, and for how long that is put up with."""

from collections.abc import Mapping

from warroom_games.api import Seat
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_server.room.audience import Audience

REPLACE_MS = 1_000
"""How long a bot that a worker brought may be without a viewer before another one is asked for."""


class Absences:
    """Since when, in room time, those who sit or stand in have had no viewer."""

    def __init__(self) -> None:
        self._since: dict[str, int] = {}

    def __bool__(self) -> bool:
        return bool(self._since)

    def note(self, match: Match, audience: Audience, at: int) -> None:
        """Take note of who is here at room time *at*."""
        away = [player for players in match.sitting() for player in players if not audience.has(player)]
        self._since = {player: self._since.get(player, at) for player in away}

    def came(self, player: str) -> None:
        """Take note that *player* is here."""
        self._since.pop(player, None)

    def lasted(self, match: Match, at: int) -> dict[Seat, int]:
        """Return by seat for how long whoever plays there has been away at room time *at*; bots come by themselves."""
        return {seat: at - self._since[player] for seat, player in self._away(match).items()}

    def prolong(self, match: Match, lasted: Mapping[Seat, int]) -> None:
        """Let absences have begun so much earlier, by seat: so long they *lasted* before this room was here."""
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
        """Return the room time at which the patience with somebody who is away ends; None: it does not."""
        since = self._since.get(sitter.player)
        patience_ms = REPLACE_MS if sitter.hired else match.opened.room_options.grace_ms
        # Room time goes back when a room changes hands, so this may lie before its beginning.
        return None if since is None or patience_ms is None else max(0, since + patience_ms)

    def grace(self, match: Match, seat: int) -> int | None:
        """Return until when the player at *seat* may come back before the place is freed or a bot sits in."""
        sitter = match.seats[seat]
        is_waited_for = sitter is not None and not sitter.hired and match.stand_in(seat) is None
        if sitter is None or not is_waited_for or match.is_over or seat in match.out:
            return None
        return self.over_at(match, sitter)
