"""Rooms that append without pause through a committer, as a busy server does, while a test breaks the store."""

import asyncio
from collections.abc import Sequence

from appends import complete, request
from wait_until import until

from warroom_server.counters import Counters
from warroom_server.ports.store import Append, AppendAnswer, Committed, LogEntry, Store
from warroom_server.storage.committer import Committer


class Appending:
    """A store that lacks nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer]:
        return complete(await self._store.append(batch))


class Streaming:
    """A few rooms, each with one append in flight at any time until `finish`."""

    def __init__(self, store: Store, *, rooms: int = 8) -> None:
        self.store = store
        self.heads = dict.fromkeys(range(1, rooms + 1), 1)
        self.odd_answers: list[AppendAnswer] = []
        self.outages: list[str] = []
        self.returns = 0
        self._is_going = True
        self.committer = Committer(Appending(store), primary_of=lambda _: "", counters=Counters())
        self.committer.answered.append(self._answered)
        self.committer.away.append(self.outages.append)
        self.committer.back.append(self._back)

    @property
    def is_away(self) -> bool:
        """Whether the store was said to be away, and not to be back since; it is told once each."""
        assert len(self.outages) - self.returns in (0, 1)
        return len(self.outages) > self.returns

    async def start(self) -> None:
        """Create the rooms and let them append."""
        for room in self.heads:
            assert await self.store.create(request(room, 1))
        self.committer.start()
        for room in self.heads:
            self.committer.submit(request(room, 2))

    def _answered(self, asked: Append, answer: AppendAnswer) -> None:
        if answer != Committed(asked.rev):
            self.odd_answers.append(answer)
        self.heads[asked.room] = asked.rev
        if self._is_going:
            self.committer.submit(request(asked.room, asked.rev + 1))

    def _back(self, _: str) -> None:
        self.returns += 1

    async def until_each_has(self, more: int) -> None:
        """Return once every room has got *more* acknowledged entries than now."""
        goals = {room: head + more for room, head in self.heads.items()}
        await until(lambda: all(self.heads[room] >= goal for room, goal in goals.items()))

    async def finish(self) -> None:
        """Stop, and check that the store holds what was acknowledged: each entry once, in order."""
        self._is_going = False
        assert await self.committer.close(drain_s=30) == []
        assert self.odd_answers == []
        logs = await asyncio.gather(*(self.store.log(room) for room in self.heads))
        for (room, head), log in zip(self.heads.items(), logs, strict=True):
            asked = [request(room, rev) for rev in range(1, head + 1)]
            assert log == tuple(LogEntry(rev=one.rev, entry=one.entry, chain=one.chain) for one in asked)
