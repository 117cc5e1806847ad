"""A finished match as one viewer saw it, computed from its log by the same fold."""

from collections.abc import Iterator, Sequence

from warroom_games.api import AnyGame, Seat
from warroom_games.log import Acted, Entry, LogError, TimedOut, opening_of
from warroom_games.match import Match
from warroom_games.replay import acted_by
from warroom_protocol.view_replay import ActedFor, ViewReplay
from warroom_server.room.log_fold import LogFold
from warroom_server.room.match_messages import about, ended


class ReplayView:
    """Folds a log entry by entry, and collects the frames of spectators or of one player."""

    __slots__ = ("_acted_for", "_entries", "_frames", "_log", "_player", "_times")

    def __init__(self, game: AnyGame, entries: Sequence[Entry], player: str | None) -> None:
        self._log = LogFold(Match.open(opening_of(entries), game))
        self._entries = entries[1:]
        self._player = player
        self._frames: list[bytes] = []
        self._acted_for: list[ActedFor] = []
        self._times: list[int] = []

    def run(self) -> Iterator[None]:
        """Fold the log, and yield after every entry."""
        for entry in self._entries:
            candidate = self._log.prepare(entry)
            self._note_actor(entry)
            self._log.adopt(candidate)
            frames, seat = candidate.frames, self._seat
            if frames is not None:
                self._frames += (frame.payload for owner, frame in frames.privates if owner == seat)
                if frames.update is not None:
                    self._frames.append(frames.update.payload)
                self._times += [self._log.match.at] * (len(self._frames) - len(self._times))
            yield

    def result(self) -> ViewReplay:
        """Return the replay of the viewer."""
        match = self._log.match
        end = ended(match)
        if end is None:
            raise LogError("the match has not ended")
        frames, acted_for, times = tuple(self._frames), tuple(self._acted_for), tuple(self._times)
        return ViewReplay(match.opened.room, about(match), self._seat, frames, end, acted_for, times)

    def _note_actor(self, entry: Entry) -> None:
        """Note who acts if it is not the player. The next frame of the viewer belongs to this action or a later one."""
        before = self._log.match
        by = acted_by(entry, before)
        if not isinstance(entry, Acted | TimedOut) or by is None or by == "player":
            return
        # Who acted in a hidden turn can be a secret, which a room with `reveal_s` keeps after the match.
        if entry.seat == self._seat or not before.opened.room_options.reveal_s:
            self._acted_for.append(ActedFor(len(self._frames), entry.seat, by))

    @property
    def _seat(self) -> Seat | None:
        return None if self._player is None else self._log.match.seat_of(self._player)
