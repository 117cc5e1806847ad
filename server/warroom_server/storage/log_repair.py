"""Repairs the logs of a store that forgot some of what it had acknowledged.

A store may come back without its last writes: it ran without a file, its file was cut, a lagging replica replaced it.
Owners keep their newest entries and write them again, with their ownership. Where an entry is lost for good while a
node lives that acknowledged it, the room begins a new life, which its log says and everybody is told.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from warroom_games.log import RolledBack
from warroom_games.match import Match
from warroom_protocol.rooms import room_code
from warroom_server.counters import Counters
from warroom_server.ports.store import (
    NONCE_BYTES,
    Acknowledged,
    AppendAnswer,
    AppendRequest,
    Behind,
    Fenced,
    LogEntry,
    Store,
    StoredRoom,
    UnavailableError,
    Yes,
)

logger = logging.getLogger(__name__)

KEPT: Final = 512
"""Entries of a room that are kept at least."""
KEPT_MS: Final = 60_000
"""Of the last minute all are kept."""
MOST_KEPT: Final = 8_192
"""However quickly they came."""
AT_ONCE: Final = 256
"""Rooms that are written again in one round trip."""
OTHERS_MS: Final = 2_000
"""How long other nodes may take to write again what they know."""


class _Tail(Struct):
    """The newest entries of a room, and when each was written; *nonce* and *rules* are of the first entry."""

    nonce: bytes
    rules: str
    kept: deque[tuple[int, LogEntry]] = field(default_factory=lambda: deque(maxlen=MOST_KEPT))

    @property
    def newest(self) -> int:
        return self.kept[-1][1].rev

    def chain(self, rev: int) -> bytes | None:
        """Return the chain of an entry, empty before the first; None if it is not kept."""
        index = rev - self.kept[0][1].rev
        return b"" if rev == 0 else self.kept[index][1].chain if 0 <= index < len(self.kept) else None

    def keep(self, entry: LogEntry, now: int) -> None:
        """Keep one more entry, and forget old ones."""
        kept = self.kept
        kept.append((now, entry))
        while len(kept) > KEPT and kept[0][0] < now - KEPT_MS:
            kept.popleft()

    def requests(self, room: int, owner: str, epoch: int, revs: range) -> list[AppendRequest] | None:
        """Return what appends entries again; None if some are not kept."""
        first = self.kept[0][1].rev
        if revs and not first <= revs[0] <= revs[-1] <= self.newest:
            return None
        entries = (self.kept[rev - first][1] for rev in revs)
        requests = [
            AppendRequest(room, owner, epoch, each.rev, each.chain[:NONCE_BYTES], each.entry, each.chain)
            for each in entries
        ]
        if revs and revs[0] == 1:
            requests[0] = replace(requests[0], nonce=self.nonce, rules=self.rules)
        return requests


class LogRepair:
    """Appends to the store, and writes again what it forgot.

    *epochs* returns the running rooms of this node with their epochs; *fenced* is told of one that is another's.
    *create_nonce* returns the nonce under which a player's request created a room.
    """

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        steady_ms: Callable[[], int],
        counters: Counters,
        create_nonce: Callable[[str, int], bytes],
        epochs: Callable[[], Mapping[int, int]],
        fenced: Callable[[int], None],
    ) -> None:
        self._store = store
        self._owner = owner
        self._steady_ms = steady_ms
        self._counters = counters
        self._create_nonce = create_nonce
        self._epochs = epochs
        self._fenced = fenced
        self._tails: dict[int, _Tail] = {}
        self._unsure: set[int] = set()
        """Rooms to be written again."""
        self._doubted_ms = -OTHERS_MS
        self._cut: dict[int, int] = {}
        """By room whose missing entries are not kept here, how many entries the store has."""
        self._left: list[tuple[int, Acknowledged]] = []
        """What was acknowledged here in rooms that left this node, and when their logs are compared with it."""
        self._settling = asyncio.Lock()

    # --- keeping entries ----------------------------------------------------------------------------------------

    def remember(self, stored: StoredRoom, match: Match) -> None:
        """Keep the entries of a room that this node hosts from now on."""
        nonce = self._create_nonce(match.opened.creator, match.opened.ref)
        self._cut.pop(stored.room, None)
        tail = self._tails[stored.room] = _Tail(nonce, stored.rules)
        now = self._steady_ms()
        tail.kept.extend((now, entry) for entry in stored.entries)

    def left(self, match: Match, *, is_over: bool) -> None:
        """Note that a room is not hosted any more; unless it *is_over*, somebody goes on with its log."""
        room, now = match.opened.room, self._steady_ms()
        self._tails.pop(room, None)
        is_cut = self._cut.pop(room, None) is not None
        if not is_over:
            due = now if is_cut else now + OTHERS_MS
            self._left.append((due, Acknowledged(room, match.life, match.rev, match.chain)))

    def is_gone(self, room: int) -> bool:
        """Whether the store has nothing of a room, and this node does not know how it began."""
        return self._cut.get(room) == 0

    # --- writing ------------------------------------------------------------------------------------------------

    async def append(self, batch: Sequence[AppendRequest]) -> list[AppendAnswer]:
        """Append one entry each to many rooms, and before it what the store forgot; answers `Yes` or `Fenced`."""
        answers = await self._store.append(batch)
        while behind := [(index, answer) for index, answer in enumerate(answers) if isinstance(answer, Behind)]:
            refilled = await self._refill([(batch[index], answer.head) for index, answer in behind])
            for (index, _), answer in zip(behind, refilled, strict=True):
                answers[index] = answer
        now = self._steady_ms()
        for request, answer in zip(batch, answers, strict=True):
            tail = self._tails.get(request.room)
            if isinstance(answer, Yes) and tail is not None and request.rev > tail.newest:
                tail.keep(LogEntry(request.rev, request.entry, request.chain), now)
        return answers

    async def _refill(self, behind: Sequence[tuple[AppendRequest, int]]) -> list[AppendAnswer]:
        """Append entries and those before them that the store lacks; answers for these entries, in order.

        Beside each stands how many entries of its room the store has.
        """
        parts = [self._missing(request, head) for request, head in behind]
        written = iter(await self._store.append([request for part in parts for request in part]))
        answers: list[AppendAnswer] = []
        for (request, head), part in zip(behind, parts, strict=True):
            told = [next(written) for _ in part]
            is_cut = not part or told[-1] == Behind(head)  # some are not kept, or the store took none
            if is_cut:
                self._cut[request.room] = head
            answers.append(Fenced() if is_cut or Fenced() in told else told[-1])
        return answers

    def _missing(self, request: AppendRequest, head: int) -> list[AppendRequest]:
        """Return what appends an entry and those after *head* before it; nothing if one of these is not kept."""
        logger.warning("store behind room=%s has=%d expected=%d", room_code(request.room), head, request.rev - 1)
        self._counters.store_behind += 1
        tail, first = self._tails.get(request.room), min(head + 1, request.rev)
        if tail is None:
            return []
        missing = tail.requests(request.room, request.owner, request.epoch, range(first, request.rev))
        if missing is None:
            return []
        missing.append(request)
        return [replace(missing[0], before=tail.chain(first - 1)), *missing[1:]]

    async def rewrite(self, epochs: Mapping[int, int]) -> None:
        """Append the newest entry of rooms once more, under these epochs: the store may have forgotten it."""
        newest: list[AppendRequest] = []
        for room, epoch in epochs.items():
            if (tail := self._tails.get(room)) is not None:
                revs = range(tail.newest, tail.newest + 1)
                requests = tail.requests(room, self._owner, epoch, revs) or ()
                newest += (replace(request, before=tail.chain(request.rev - 1)) for request in requests)
        for begin in range(0, len(newest), AT_ONCE):
            batch = newest[begin : begin + AT_ONCE]
            for request, answer in zip(batch, await self.append(batch), strict=True):
                if isinstance(answer, Fenced):
                    self._fenced(request.room)

    # --- after the store was in doubt ---------------------------------------------------------------------------

    def doubt(self) -> None:
        """Write again all that the store may have forgotten, with the next `settle`."""
        self._doubted_ms = self._steady_ms()
        self._unsure |= self._epochs().keys()

    @property
    def is_early(self) -> bool:
        """Whether other nodes may still write again what the store lacks, so that no room is known to be unknown."""
        return self._steady_ms() < self._doubted_ms + OTHERS_MS

    async def settle(self) -> None:
        """Do what is due; what the store does not answer waits for the next time."""
        async with self._settling:
            try:
                await self._rewrite_unsure()
                await self._dispute()
            except UnavailableError as error:
                logger.warning("logs not repaired yet reason=%r", str(error))

    async def _rewrite_unsure(self) -> None:
        epochs = self._epochs()
        self._unsure &= epochs.keys()
        if not self._unsure:
            return
        await self._store.relist(self._owner, sorted(self._unsure))
        by_primary: dict[str, dict[int, int]] = {}
        for room in self._unsure:
            by_primary.setdefault(self._store.primary_of(room), {})[room] = epochs[room]
        await asyncio.gather(*map(self._rewrite_part, by_primary.values()))

    async def _rewrite_part(self, epochs: Mapping[int, int]) -> None:
        self._unsure -= epochs.keys()
        try:
            await self.rewrite(epochs)
        except UnavailableError:
            self._unsure |= epochs.keys()
            raise

    async def _dispute(self) -> None:
        """Let rooms begin a new life whose log lacks what was acknowledged here."""
        now = self._steady_ms()
        due = [each for each in self._left if each[0] <= now]
        for (due_ms, entry), is_cut in zip(due, await self._store.dispute([entry for _, entry in due]), strict=True):
            self._left.remove((due_ms, entry))
            if is_cut:
                logger.error("history cut room=%s rev=%d life=%d", room_code(entry.room), entry.rev, entry.life)

    # --- a new life ---------------------------------------------------------------------------------------------

    async def begin_life(self, stored: StoredRoom, match: Match) -> StoredRoom:
        """Return a room as it goes on: in the life that it has to begin, stored before anybody sees it."""
        if match.is_over or match.life >= stored.life:
            return stored
        advanced = match.advance(RolledBack(match.at, stored.life))
        entry = LogEntry(advanced.match.rev, advanced.entry, advanced.match.chain)
        nonce = entry.chain[:NONCE_BYTES]
        request = AppendRequest(stored.room, stored.owner, stored.epoch, entry.rev, nonce, entry.entry, entry.chain)
        if await self._store.append([request]) != [Yes()]:
            raise UnavailableError(f"room {room_code(stored.room)} changed while it was taken in")
        self._counters.rolled_back += 1
        logger.error("room rolled back room=%s rev=%d life=%d", room_code(stored.room), entry.rev, stored.life)
        return replace(stored, entries=(*stored.entries, entry))
