"""Checks whether a stored match fits the rules of this node.

A snapshot does not show how a match reached its state, so the whole log is folded again if the source of the rules
changed. The chain covers the state at turns and every 16th entry. So after the start of a match a damaged entry cannot
be told from an entry that the changed rules read differently. Damage is certain where no rules are needed: bytes that
are not an entry, missing entries, and lobby entries that do not lead to the recorded chain.

Entries after the last covered state do not show a change of the rules. The match then continues from the state that the
rules of this node give.
"""

from collections.abc import Sequence

from warroom_games.api import AnyGame, RulesError
from warroom_games.fingerprint import fingerprint
from warroom_games.log import FIRST_LINK, Entry, LogError, Started, decode_entry, link, opening_of
from warroom_games.match import Match
from warroom_server.ports.store import LogEntry, StoredRoom


def fits(stored: StoredRoom, game: AnyGame) -> bool:
    """Return whether a match may continue with these rules: it was created under them, or its whole log folds.

    A match may also continue if the source of its rules, or of these, is unknown. Raise `LogError` if the log is
    damaged, and any exception of a buggy game.
    """
    if not stored.rules or fingerprint(game) in ("", stored.rules):
        return True
    log = whole_log(stored)
    _check_lobby(stored.entries, log)
    try:
        return _is_folded(stored, game, log)
    except (LogError, RulesError):
        return False


def whole_log(stored: StoredRoom) -> list[Entry]:
    """Return all entries of a log; raise `LogError` if one cannot be read or is missing."""
    first = len(stored.past) + 1
    if [logged.rev for logged in stored.entries] != list(range(first, first + len(stored.entries))):
        raise LogError("entries are missing")
    return [decode_entry(entry) for entry in (*stored.past, *(logged.entry for logged in stored.entries))]


def _check_lobby(entries: Sequence[LogEntry], log: Sequence[Entry]) -> None:
    """Raise `LogError` if an entry before the start is damaged; entries before a snapshot have no chain to compare."""
    if len(entries) < len(log):
        return
    chain = FIRST_LINK
    for logged, entry in zip(entries, log, strict=True):
        if isinstance(entry, Started):
            return
        chain = link(chain, logged.entry)
        if chain != logged.chain:
            raise LogError(f"entry {logged.rev} is not the one that was chained there")


def _is_folded(stored: StoredRoom, game: AnyGame, log: Sequence[Entry]) -> bool:
    """Return whether a log folds to the recorded chains; raise what `Match.advance` raises."""
    match = Match.open(opening_of(log), game)
    chains = {logged.rev: logged.chain for logged in stored.entries}
    for entry in log[1:]:
        if chains.get(match.rev, match.chain) != match.chain:
            return False
        match = match.advance(entry).match
    return match.chain == chains[match.rev]
