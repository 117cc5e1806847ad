"""A finished match as one viewer saw it, made from its log by the same fold that made it the first time."""

from collections.abc import Iterator, Sequence

from warroom_games.api import AnyGame, Seat
from warroom_games.log import Entry, LogError, Opened
from warroom_games.match import Match
from warroom_protocol.view_replay import ViewReplay
from warroom_server.rooms.facts import about, ended
from warroom_server.rooms.ledger import Ledger


class Viewing:
    """Runs a log again, entry by entry, and notes the frames of the public or of one player's seat."""

    def __init__(self, game: AnyGame, entries: Sequence[Entry], player: str | None) -> None:
        opened = entries[0]
        if not isinstance(opened, Opened):
            raise LogError("a log begins with the opening of its room")
        self._ledger = Ledger(Match.open(opened, game))
        self._entries = entries[1:]
        self._player = player
        self._frames: list[bytes] = []

    def run(self) -> Iterator[None]:
        """Go through the log, and pause after every entry."""
        for entry in self._entries:
            candidate = self._ledger.prepare(entry)
            self._ledger.adopt(candidate)
            frames, seat = candidate.frames, self._seat
            if frames is not None:
                self._frames += (frame.payload for owner, frame in frames.privates if owner == seat)
                if frames.update is not None:
                    self._frames.append(frames.update.payload)
            yield

    def result(self) -> ViewReplay:
        """Return what the viewer saw."""
        match = self._ledger.match
        end = ended(match)
        if end is None:
            raise LogError("the match has not ended")
        return ViewReplay(match.opened.room, about(match), self._seat, tuple(self._frames), end)

    @property
    def _seat(self) -> Seat | None:
        return None if self._player is None else self._ledger.match.seat_of(self._player)
