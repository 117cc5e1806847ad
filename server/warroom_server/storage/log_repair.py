"""Repairs the logs of a store that lost entries which it had acknowledged.

A store may come back without its last writes: it ran without a file, its file was truncated, a lagging replica replaced
it. Owners keep their newest entries and append them again, with their ownership. If an entry is lost for good while a
node is alive that acknowledged it, the room begins a new life: its log says so, and its viewers are told. See ADR 15.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.log import RolledBack
from warroom_games.match import Match
from warroom_protocol.rooms import room_code
from warroom_server.counters import Counters
from warroom_server.ports import store as port

logger = logging.getLogger(__name__)

KEPT: Final = 512
"""The newest entries of a room are kept, at least this many,"""
KEPT_MS: Final = 60_000
"""and all of the last minute,"""
MOST_KEPT: Final = 8_192
"""but never more than this."""
TRIM_EVERY: Final = 64
"""The time of every such entry is noted, and old ones are forgotten then."""
AT_ONCE: Final = 256
"""Rooms whose newest entry is appended again in one round trip."""
OTHERS_MS: Final = 2_000
"""How long other nodes may take to repair the logs of their rooms."""


class _Tail(Struct):
    """The newest entries of a room, without a gap."""

    entries: list[port.LogEntry]
    origin: tuple[bytes, str]
    """The nonce and the rules of the first entry of the log."""
    written: tuple[tuple[int, int], ...] = ()
    """For some entries, the oldest first: the revision, and when it was written."""

    def chain_before(self, rev: int) -> bytes | None:
        """Return the chain of the entry before one, empty before the first; None if it is not kept."""
        at = rev - 1 - self.entries[0].rev
        return b"" if rev == 1 else self.entries[at].chain if 0 <= at < len(self.entries) else None

    def again(self, room: int, rev: int, owner: str, epoch: int) -> port.Append:
        """Return the append of an entry that is kept."""
        kept = self.entries[rev - self.entries[0].rev]
        return port.Append(room, rev, kept.entry, kept.chain, owner, epoch, *(self.origin if rev == 1 else ()))

    def trim(self, now: int) -> None:
        """Forget the oldest entries that need not be kept, up to one whose time is known."""
        last = self.entries[-1].rev
        self.written += ((last, now),)
        while last - self.written[0][0] >= KEPT:
            oldest, written = self.written[0]
            if len(self.entries) <= MOST_KEPT and written >= now - KEPT_MS:
                return
            self.written = self.written[1:]
            del self.entries[: oldest + 1 - self.entries[0].rev]


@dataclass(eq=False)
class LogRepair:
    """Appends to the store, and appends again what the store lost.

    *epochs* returns the running rooms of this node with their epochs; *fenced* is called with a room that turns out to
    have another owner, and its epoch. *create_nonce* returns the nonce under which a player's request created a room.
    """

    _store: port.Store
    _owner: str
    _steady_ms: Callable[[], int]
    _counters: Counters
    _create_nonce: Callable[[str, int], bytes]
    _epochs: Callable[[], Mapping[int, int]]
    _fenced: Callable[[int, int], None]

    def __post_init__(self) -> None:
        self._tails: dict[int, _Tail] = {}
        self._unsure: set[int] = set()
        """Rooms whose newest entry is to be appended again."""
        self._replaced_ms = -OTHERS_MS
        """When the server of the store was replaced for the last time."""
        self._cut: dict[int, int] = {}
        """By room whose missing entries are not kept here, how many entries the store has."""
        self._left: list[tuple[int, port.Acknowledged]] = []
        """The last entries of rooms that left this node, and when the logs are checked for them."""
        self._settling = asyncio.Lock()

    # --- keeping entries ----------------------------------------------------------------------------------------

    def remember(self, stored: port.StoredRoom, match: Match) -> None:
        """Keep the entries of a room that this node hosts from now on."""
        opened = match.opened
        self._cut.pop(stored.room, None)
        origin = self._create_nonce(opened.creator, opened.ref), stored.rules
        self._tails[stored.room] = _Tail(list(stored.entries), origin)

    def left(self, match: Match, *, is_over: bool) -> None:
        """Note that this node does not host a room any more; unless it *is_over*, another node continues its log."""
        room, now = match.opened.room, self._steady_ms()
        self._tails.pop(room, None)
        is_cut = self._cut.pop(room, None) is not None
        if not is_over:
            due = now if is_cut else now + OTHERS_MS
            self._left.append((due, port.Acknowledged(room, match.life, match.rev, match.chain)))

    def is_gone(self, room: int) -> bool:
        """Whether the store has no entry of a room, and this node does not have the first one."""
        return self._cut.get(room) == 0

    # --- writing ------------------------------------------------------------------------------------------------

    async def append(self, batch: Sequence[port.Append]) -> list[port.AppendAnswer]:
        """Append entries to many rooms, after those that the store lost; answers in order."""
        told = await self._store.append(batch)
        answers: list[port.AppendAnswer] = []
        behind: list[tuple[int, port.Append, int]] = []
        for append, answer in zip(batch, told, strict=True):
            tail = self._tails.get(append.room)
            # Of several entries that a store lacks, each is kept for the repair of those after it.
            if tail is not None and append.rev == tail.entries[-1].rev + 1 and not isinstance(answer, port.Fenced):
                tail.entries.append(port.LogEntry(append.rev, append.entry, append.chain))
                if append.rev % TRIM_EVERY == 0:
                    tail.trim(self._steady_ms())
            if isinstance(answer, port.Behind):
                behind.append((len(answers), append, answer.head))
                answer = port.Fenced()  # until it is repaired
            answers.append(answer)
        if behind:
            for (index, _, _), answer in zip(behind, await self._repair(behind), strict=True):
                answers[index] = answer
        return answers

    async def _repair(self, behind: Sequence[tuple[int, port.Append, int]]) -> list[port.AppendAnswer]:
        """Append entries together with those that the store lacks; each comes with the length of its log."""
        lasts = {append.room: append for _, append, _ in behind}
        # The last entry of a room goes first, with all that the store lacks before it: after that it has the others.
        firsts = [self._missing(append, head) if append is lasts[append.room] else [] for _, append, head in behind]
        others = [append for _, append, _ in behind if append is not lasts[append.room]]
        told = await self._store.append([*chain.from_iterable(firsts), *others])
        repaired, followed = iter(told[: len(told) - len(others)]), iter(told[len(told) - len(others) :])
        answers: list[port.AppendAnswer] = []
        for (_, append, head), part in zip(behind, firsts, strict=True):
            is_last = append is lasts[append.room]
            replies = [next(repaired) for _ in part] if is_last else [next(followed)]
            last = replies[-1] if replies else port.Behind(head)
            if isinstance(last, port.Behind) and last.head != head:
                raise port.UnavailableError(
                    f"room {room_code(append.room)} lost entries while they were appended again"
                )
            if isinstance(last, port.Behind):
                self._cut[append.room] = head
            answers.append(port.Fenced() if isinstance(last, port.Behind) or port.Fenced() in replies else last)
        return answers

    def _missing(self, append: port.Append, head: int) -> list[port.Append]:
        """Return the entries from *head* to *append*; nothing if one of them is not kept."""
        logger.warning("store behind room=%s has=%d expected=%d", room_code(append.room), head, append.rev - 1)
        self._counters.store_behind += 1
        tail, revs = self._tails.get(append.room), range(min(head + 1, append.rev), append.rev)
        if tail is None or (revs and not tail.entries[0].rev <= revs[0] <= revs[-1] <= tail.entries[-1].rev):
            return []
        begin, *rest = [*(tail.again(append.room, rev, append.owner, append.epoch) for rev in revs), append]
        return [replace(begin, before=tail.chain_before(begin.rev)), *rest]

    async def rewrite(self, epochs: Mapping[int, int]) -> None:
        """Append the newest entry of rooms again, under these epochs: the store may lack it."""
        newest: list[port.Append] = []
        for room, epoch in epochs.items():
            if tail := self._tails.get(room):
                append = tail.again(room, tail.entries[-1].rev, self._owner, epoch)
                newest.append(replace(append, before=tail.chain_before(append.rev)))
        for begin in range(0, len(newest), AT_ONCE):
            batch = newest[begin : begin + AT_ONCE]
            for append, answer in zip(batch, await self.append(batch), strict=True):
                if isinstance(answer, port.Fenced):
                    self._fenced(append.room, append.epoch)

    # --- after the server of the store was replaced -------------------------------------------------------------

    def recheck(self) -> None:
        """Append the newest entry of every room again with the next `settle`."""
        self._replaced_ms = self._steady_ms()
        self._unsure |= self._epochs().keys()

    @property
    def is_early(self) -> bool:
        """Whether other nodes may still repair logs, so that a room which the store lacks may exist all the same."""
        return self._steady_ms() < self._replaced_ms + OTHERS_MS

    async def settle(self) -> None:
        """Do what is due; what the store does not answer waits for the next call."""
        async with self._settling:
            try:
                await self._rewrite_unsure()
                await self._dispute()
            except port.UnavailableError as error:
                logger.warning("logs not repaired yet reason=%r", str(error))

    async def _rewrite_unsure(self) -> None:
        epochs = self._epochs()
        self._unsure &= epochs.keys()
        by_primary: defaultdict[str, dict[int, int]] = defaultdict(dict)
        for room in self._unsure:
            by_primary[self._store.primary_of(room)][room] = epochs[room]
        await asyncio.gather(*map(self._rewrite_part, by_primary.values()))

    async def _rewrite_part(self, epochs: Mapping[int, int]) -> None:
        self._unsure -= epochs.keys()
        try:
            await self.rewrite(epochs)
        except port.UnavailableError:
            self._unsure |= epochs.keys()
            raise

    async def _dispute(self) -> None:
        """Make rooms begin a new life whose log lacks what this node acknowledged."""
        now = self._steady_ms()
        due = [each for each in self._left if each[0] <= now]
        lacking = await self._store.dispute([entry for _, entry in due])
        self._left = [each for each in self._left if each not in due]
        for (_, entry), is_lacking in zip(due, lacking, strict=True):
            if is_lacking:
                logger.error("history cut room=%s rev=%d life=%d", room_code(entry.room), entry.rev, entry.life)

    # --- a new life ---------------------------------------------------------------------------------------------

    async def begin_life(self, stored: port.StoredRoom, match: Match) -> port.StoredRoom:
        """Return a room as it continues: in the life that it has to begin, which is in the log before it is shown."""
        if match.is_over or match.life >= stored.life:
            return stored
        advanced = match.advance(RolledBack(match.at, stored.life))
        entry = port.LogEntry(advanced.match.rev, advanced.entry, advanced.match.chain)
        append = port.Append(stored.room, entry.rev, entry.entry, entry.chain, stored.owner, stored.epoch)
        if await self._store.append([append]) != [port.Committed(entry.rev)]:
            raise port.UnavailableError(f"room {room_code(stored.room)} changed while it was taken over")
        self._counters.rolled_back += 1
        logger.error("room rolled back room=%s rev=%d life=%d", room_code(stored.room), entry.rev, stored.life)
        return replace(stored, entries=(*stored.entries, entry))
