"""How far delayed spectators may see: a function of the log alone."""

from warroom_games.match import Match


class SpectatorDelay:
    """Follows a match from its start, and says which of its turns may be shown.

    What happened in a turn may be seen once the match is so many turns further as the room says. Spectators of all
    hands also wait until every rival of the seats asked has completed a later turn, since the order of seats may change
    between rounds. All of it is decided as a turn begins, so that nothing within one shows through.
    """

    def __init__(self, started: Match) -> None:
        options = started.opened.room_options
        self._delay = options.delay
        self._sees_all = options.watch == "all"
        self._turn = self._skipped = started.turn
        """The running turn, and the last one in which nobody was asked."""
        self._asked = started.asked
        self._completed = [started.turn - 1] * len(started.seats)
        """By seat, the last turn in which it was asked and that is over; before its first one, the turn before all."""
        self.newest = started.turn - self._delay
        """The newest turn that may be shown."""

    def follow(self, match: Match) -> None:
        """Take note of the match after one more entry."""
        if match.turn == self._turn:
            return
        for seat in self._asked:
            self._completed[seat] = self._turn
        if match.turn > self._turn + 1:
            self._skipped = match.turn - 1
        self._turn, self._asked = match.turn, match.asked
        newest = match.turn - self._delay
        self.newest = min([newest, *(turn - 1 for turn in self._rivals(match))]) if self._sees_all else newest

    def _rivals(self, match: Match) -> list[int]:
        """Return the last turn that each rival has certainly completed.

        Every seat in play has one turn in each round, so that with n seats its last one is at most 2 n - 2 turns ago.
        A seat that was not asked for longer has had its turns skipped, or is out of play if none was.
        """
        oldest = self._turn - 2 * (len(self._completed) - 1)
        asked = self._asked if len(self._asked) == 1 else frozenset()
        return [
            max(turn, oldest)
            for seat, turn in enumerate(self._completed)
            if seat not in match.out | asked and (turn >= oldest or self._skipped >= oldest)
        ]
