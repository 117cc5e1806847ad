"""Whether a stored match is one of the rules that are here.

A snapshot hides how a match came to stand as it does, so where the source of the rules changed, the whole log is folded
again. Each chain has the state after its entry in it. So from the start of the match on nobody can tell an entry that
was damaged from one that the changed rules read otherwise. What can be told is damage that needs no rules: bytes that
are no entry, entries that are missing, and lobby entries that do not make the chain recorded with them.
"""

from collections.abc import Sequence

from warroom_games.api import AnyGame, RulesError
from warroom_games.fingerprint import fingerprint
from warroom_games.log import FIRST_LINK, Entry, LogError, Opened, Started, decode_entry, link
from warroom_games.match import Match
from warroom_server.ports.store import LogEntry, StoredRoom


def fits(stored: StoredRoom, game: AnyGame) -> bool:
    """Return whether a match may go on by these rules: they are those it was made under, or its whole log folds.

    A match may also go on if the source of its rules, or of these, is unknown. Raise `LogError` if the log is damaged,
    and whatever bug a game has.
    """
    if not stored.rules or fingerprint(game) in ("", stored.rules):
        return True
    log = whole_log(stored)
    _check_lobby(stored.entries, log)
    try:
        return _is_folded(stored, game, log)
    except (LogError, RulesError):
        return False


def opening_of(stored: StoredRoom) -> Opened:
    """Return the first entry of a log; raise `LogError` if it opens no room."""
    opened = decode_entry(stored.opening)
    if not isinstance(opened, Opened):
        raise LogError(f"the log begins with {opened}, not with the opening of a room")
    return opened


def whole_log(stored: StoredRoom) -> list[Entry]:
    """Return all entries of a log; raise `LogError` if one cannot be read or is missing."""
    first = len(stored.past) + 1
    if [logged.rev for logged in stored.entries] != list(range(first, first + len(stored.entries))):
        raise LogError("entries are missing")
    return [decode_entry(entry) for entry in (*stored.past, *(logged.entry for logged in stored.entries))]


def _check_lobby(entries: Sequence[LogEntry], log: Sequence[Entry]) -> None:
    """Raise `LogError` if an entry before the start was damaged; those before a snapshot have no chain to compare."""
    if len(entries) < len(log):
        return
    chain = FIRST_LINK
    for logged, entry in zip(entries, log, strict=True):
        if isinstance(entry, Started):
            return
        chain = link(chain, logged.entry, b"")
        if chain != logged.chain:
            raise LogError(f"entry {logged.rev} is not the one that was chained there")


def _is_folded(stored: StoredRoom, game: AnyGame, log: Sequence[Entry]) -> bool:
    """Return whether a log makes the recorded chains; raise what `Match.advance` raises."""
    match = Match.open(opening_of(stored), game)
    chains = {logged.rev: logged.chain for logged in stored.entries}
    for entry in log[1:]:
        if chains.get(match.rev, match.chain) != match.chain:
            return False
        match = match.advance(entry).match
    return match.chain == chains[match.rev]
