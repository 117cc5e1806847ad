"""What is on its way to the store, and what to write when the store turns out to have lost some of what it had."""

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.log import Entry
from warroom_server.room.commands import Behind, Committed, Lost, Request
from warroom_server.room.effects import Append, Drop
from warroom_server.room.log_fold import Candidate, LogFold


class Pending(Struct, frozen=True):
    """The entry on its way to the store, what follows from it, and the request that it answers.

    Without a candidate it is the last entry, which was adopted before and is written again to be sure.
    """

    append: Append
    candidate: Candidate | None = None
    request: Request | None = None

    @property
    def entry(self) -> Entry | None:
        """The entry that is not adopted yet."""
        return None if self.candidate is None else self.candidate.entry


def next_to_write(log: LogFold, newest: Append, answer: Committed | Behind | Lost) -> Append | Drop:
    """Return the first entry that the store lacks, up to the *newest*; or, if that is not known any more, give up."""
    head = answer.rev if isinstance(answer, Committed) else answer.head
    missing = newest if head + 1 == newest.rev else log.written(head + 1)
    if missing is not None and isinstance(answer, Lost):
        missing = _reviving(log, missing)
    return missing or Drop("elsewhere" if head >= newest.rev else "cut" if head else "gone")


def _reviving(log: LogFold, missing: Append) -> Append | None:
    """Return an entry that also tells the store whose the room is, if its history up to here is ours for certain."""
    if missing.rev == 1:
        return replace(missing, revives=b"")
    before = log.written(missing.rev - 1)
    return None if before is None else replace(missing, revives=before.chain)
