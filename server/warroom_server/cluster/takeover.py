"""Rooms that wait for this node to take them in: those of dead nodes, and its own that it could not go on with."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from warroom_protocol.rooms import room_code
from warroom_server.cluster.known_history import Testimonies
from warroom_server.cluster.messages import Cut
from warroom_server.loop.crashpoints import points
from warroom_server.ports.clock import Clock
from warroom_server.ports.store import (
    NONCE_BYTES,
    AppendRequest,
    LogEntry,
    Orphan,
    Store,
    StoredRoom,
    UnavailableError,
    Whereabouts,
    Yes,
)
from warroom_server.room.handoff_state import NO_HANDOFF_STATE, HandoffState

logger = logging.getLogger(__name__)

BATCH = 32
"""Rooms that are claimed and loaded in one round trip."""
FIRST_PAUSE_MS = 1_000
"""How long a room that failed is left alone; with every further failure twice as long."""
FAILURES = 3
"""A room that failed so often is broken, and stays in the store as it is for a server that can go on with it."""


class _Case(Struct, frozen=True):
    """One room that waits, whose it was, and until when it is to be left alone."""

    owner: str
    epoch: int
    not_before: int = 0


class Takeover:
    """Claims, loads and takes in what waits, a batch at a time; rooms that somebody asks for come first.

    Whatever goes wrong with the store, a room waits until its fate is known: a claim may be asked again, and a room
    that turns out to be gone or another's is let go. Every adoption raises the epoch, that of an own room included, so
    that nothing this node sent for the room before can count any more. Nothing is taken in but in the *term* of the
    lease in which it was claimed: after its end this node cannot tell that it is still its own.
    """

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        clock: Clock,
        is_hosted: Callable[[int], bool],
        term: Callable[[], int | None],
        wanted: Callable[[], Iterable[int]],
        take_in: Callable[[StoredRoom, HandoffState], bool],
        begin_life: Callable[[StoredRoom, int], LogEntry | None],
        testimonies: Testimonies,
    ) -> None:
        self._store = store
        self._owner = owner
        self._clock = clock
        self._is_hosted = is_hosted
        self._term = term
        self._wanted = wanted
        self._take_in = take_in
        self._begin_life = begin_life
        self._testimonies = testimonies
        self._waiting: dict[int, _Case] = {}
        self._failures: dict[int, int] = {}
        self._lives: dict[int, int] = {}
        """The lives that rooms have to begin whose history was cut back."""
        self._told: dict[int, dict[Cut, None]] = {}
        """What others acknowledged in rooms, and may be lost: the log is to be asked."""
        self._handoff_state: dict[int, HandoffState] = {}
        """What the logs of rooms do not tell that were given to this node."""
        self._at_work: set[str] = set()
        """Primaries of the store whose rooms are being taken in."""
        self._in_hand: set[int] = set()
        """Rooms that are being taken in."""
        self.on_let_go: Callable[[int], None] = lambda _: None
        """Called with every room that turned out to be gone or another's."""

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, number: int) -> bool:
        return number in self._waiting

    def epoch_of(self, number: int) -> int | None:
        """Return under which epoch a room was owned that waits; None if it does not."""
        case = self._waiting.get(number)
        return None if case is None else case.epoch

    def is_broken(self, number: int) -> bool:
        """Whether this node cannot go on with a room, and will not try again."""
        return self._failures.get(number, 0) >= FAILURES

    def add(self, orphans: Iterable[Orphan], handoff_state: Mapping[int, HandoffState]) -> None:
        """Let rooms wait, unless they are hosted, wait already or are broken; what is *handoff_state* goes along."""
        for number, owner, epoch in orphans:
            if not (self._is_known(number, epoch) or self._is_hosted(number) or self.is_broken(number)):
                self._waiting[number] = _Case(owner, epoch)
                self._handoff_state[number] = handoff_state.get(number, NO_HANDOFF_STATE)

    def _is_known(self, number: int, epoch: int) -> bool:
        """Whether a room waits already and nothing newer is known of it, or is being taken in."""
        case = self._waiting.get(number)
        return case is not None and (number in self._in_hand or case.epoch >= epoch)

    def add_failed(self, number: int, epoch: int) -> None:
        """Let an own room wait that failed while it was hosted: not for ever, and each time longer."""
        failures = self._failures[number] = self._failures.get(number, 0) + 1
        if self.is_broken(number):
            logger.error("room broken room=%s failures=%d", room_code(number), failures)
        else:
            pause_ms = FIRST_PAUSE_MS << (failures - 1)
            self._waiting[number] = _Case(self._owner, epoch, self._clock.now() + pause_ms)

    def add_cut(self, number: int, epoch: int, life: int) -> None:
        """Let an own room wait whose history was cut back: it goes on from there in another *life*."""
        self._lives[number] = max(life, self._lives.get(number, 0))
        self._waiting.setdefault(number, _Case(self._owner, epoch))

    def add_told(self, cut: Cut) -> None:
        """Let a room wait that may be this node's own: it begins another life if its log lacks what another knows."""
        if not self.is_broken(cut.room):
            self._told.setdefault(cut.room, {})[cut] = None
            self._waiting.setdefault(cut.room, _Case(self._owner, cut.epoch))

    def forgive(self, number: int) -> None:
        """Forget how often a room failed: it has ended, or is no longer ours."""
        self._failures.pop(number, None)

    async def work(self) -> None:
        """Take in all that may be taken in now, unless that is being done; what the store keeps goes on waiting.

        Rooms of different primaries do not wait for each other: one of these may be away, or hang.
        """
        primaries = sorted({self._store.primary_of(number) for number in self._waiting} - self._at_work)
        for bug in await asyncio.gather(*map(self._work, primaries), return_exceptions=True):
            if bug is not None:
                raise bug

    async def _work(self, primary: str) -> None:
        if primary in self._at_work:
            return
        self._at_work.add(primary)
        todo = len(self._waiting)
        if todo > BATCH:
            logger.info("adoption begins rooms=%d", todo)
        try:
            while (term := self._term()) is not None and (batch := self._next_batch(primary)):
                await self._adopt_in_hand(batch, term)
        except UnavailableError as error:
            logger.warning("rooms not taken over yet primary=%s reason=%r", primary, str(error))
        finally:
            self._at_work.discard(primary)
        if todo > BATCH:
            logger.info("adoption done left=%d", len(self._waiting))

    def _next_batch(self, primary: str) -> list[Orphan]:
        """Return rooms to take in that a primary has, unless they are in hand since another one had them."""
        now, batch = self._clock.now(), dict[int, Orphan]()
        # Whoever is asked for comes first, and nobody last for ever: those who ask may go on to come.
        for number in chain(self._wanted(), self._waiting):
            case = self._waiting.get(number)
            if case is None or case.not_before > now or number in self._in_hand:
                continue
            if self._store.primary_of(number) == primary:
                batch[number] = (number, case.owner, case.epoch)
            if len(batch) == BATCH:
                break
        return list(batch.values())

    async def _adopt_in_hand(self, batch: list[Orphan], term: int) -> None:
        numbers = {number for number, _, _ in batch}
        self._in_hand |= numbers
        try:
            await self._adopt(batch, term)
        finally:
            self._in_hand -= numbers

    async def _adopt(self, batch: list[Orphan], term: int) -> None:
        numbers = [number for number, _, _ in batch]
        answers = dict(zip(numbers, await self._store.take_over(batch, self._owner), strict=True))
        missed = [number for number, (epoch, _) in answers.items() if epoch is None]
        if len(missed) < len(batch):
            points.reached("during_takeover")
        unread: dict[int, int] = {}
        for number, (epoch, stored) in answers.items():
            if epoch is not None and stored is None:
                unread[number] = epoch
            elif epoch is not None and stored is not None:
                await self._go_on(number, epoch, stored, term)
                # Restoring a long match takes a while; those who play meanwhile must not wait for all of a batch.
                await asyncio.sleep(0)
        if missed:
            await self._look_closer(missed)
        if unread:
            await self._leave(unread)

    async def _leave(self, unread: Mapping[int, int]) -> None:
        """Leave rooms as they are that were claimed and cannot be read, and let those go that are gone or another's."""
        whereabouts = await self._store.whereabouts(list(unread))
        for (number, epoch), found in zip(unread.items(), whereabouts, strict=True):
            self._forget(number)
            self.forgive(number)
            if found == Whereabouts(self._owner, epoch):
                logger.error("room broken room=%s: its log cannot be read", room_code(number))
                self._failures[number] = FAILURES
            self.on_let_go(number)

    async def _go_on(self, number: int, epoch: int, stored: StoredRoom, term: int) -> None:
        """Take a claimed room in, as it was loaded; one that was loaded before it was claimed is asked for again.

        So is every room if the lease has ended since, even if it is held again: the room may be another's by now.
        """
        was_early = (stored.owner, stored.epoch) != (self._owner, epoch)
        if not was_early and self._term() == term:
            whole = await self._in_its_life(stored)
            if self._term() == term:
                self._conclude(number, whole)
                return
        self._waiting[number] = _Case(self._owner, epoch)

    async def _look_closer(self, numbers: list[int]) -> None:
        """Let rooms go that are gone or another's; those that this node owns under another epoch go on waiting.

        So do those of which the store forgot that they were taken from one that is dead, by this node or by whoever
        gives them away: as long as that one lives, nobody finds them as orphans.
        """
        whereabouts = dict(zip(numbers, await self._store.whereabouts(numbers), strict=True))
        forgotten = {
            number for number, found in whereabouts.items() if found is not None and self._is_past(number, found)
        }
        alive = {node.owner for node in await self._store.nodes()} if forgotten else set()
        for number, found in whereabouts.items():
            is_ours = found is not None and (
                found.owner == self._owner or (number in forgotten and found.owner not in alive)
            )
            if found is None or not is_ours or self._is_hosted(number):
                self._let_go(number)
            else:
                self._waiting[number] = _Case(found.owner, found.epoch)

    def _is_past(self, number: int, found: Whereabouts) -> bool:
        """Whether somebody had a room after the one that the store takes for its owner."""
        return found.owner != self._owner and found.epoch < self._waiting[number].epoch

    async def _in_its_life(self, stored: StoredRoom) -> StoredRoom:
        """Return a room as it is to go on: one that was cut back begins another life, stored before anyone sees it."""
        begun, asked, known = 0, 0, await self._testimonies.next_life(stored) or 0
        # Looked at after every wait for the store: another node may have told of a cut meanwhile.
        while True:
            told = list(self._told.get(stored.room, ()))
            if len(told) > asked:
                asked, known = len(told), max(known, await self._next_life(told))
            elif (life := max(known, self._lives.get(stored.room, 0))) > begun:
                stored, begun = await self._with_life(stored, life), life
            else:
                return stored

    async def _next_life(self, told: Sequence[Cut]) -> int:
        """Return the life that a room must begin because its log lacks what others acknowledged; 0: none."""
        chains = await self._store.chains([(cut.room, cut.rev) for cut in told])
        return max((cut.life + 1 for cut, chain in zip(told, chains, strict=True) if chain != cut.chain), default=0)

    async def _with_life(self, stored: StoredRoom, life: int) -> StoredRoom:
        entry = self._begin_life(stored, life)
        if entry is None:
            return stored
        nonce = entry.chain[:NONCE_BYTES]
        request = AppendRequest(stored.room, stored.owner, stored.epoch, entry.rev, nonce, entry.entry, entry.chain)
        if await self._store.append([request]) != [Yes()]:
            raise UnavailableError(f"room {room_code(stored.room)} changed while it was taken in")
        logger.error("room rolled back room=%s rev=%d life=%d", room_code(stored.room), entry.rev, life)
        return replace(stored, entries=(*stored.entries, entry))

    def _conclude(self, number: int, stored: StoredRoom) -> None:
        handoff_state = self._handoff_state.get(number, NO_HANDOFF_STATE)
        self._forget(number)
        if not self._take_in(stored, handoff_state):
            self._failures[number] = FAILURES

    def _let_go(self, number: int) -> None:
        self._forget(number)
        self.forgive(number)
        self.on_let_go(number)

    def _forget(self, number: int) -> None:
        del self._waiting[number]
        self._lives.pop(number, None)
        self._told.pop(number, None)
        self._handoff_state.pop(number, None)
