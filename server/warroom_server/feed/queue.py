"""The bounded queue of publications.

News (results, seats that want a bot) come first; when there are too many, the oldest are dropped. Then rooms take
turns: updates, and at most every two seconds a snapshot, which is requested only when it can be sent, so that it is
always the newest. A room whose updates exceed the limit loses the waiting ones, and continues with a snapshot.
"""

from collections import deque
from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import Annotated, Final, Protocol

from msgspec import Struct

from warroom_protocol.topics import Topics
from warroom_server.feed import payloads
from warroom_server.feed.room_queue import NOTICE, UPDATE, Due, RoomQueue, cleared, name_of
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.ports.feed import Publication
from warroom_server.room.commands import Command, Refresh, Watch
from warroom_server.room.viewer_addresses import FEED

SNAPSHOT_MS: Final = 2_000
"""The shortest time between two snapshots of a room, and the longest wait for one after a change."""
UPDATES: Final = 4_096
"""How many updates of all rooms may wait,"""
UPDATES_BYTES: Final = 8 * 1024 * 1024
"""and of how many bytes."""
NEWS: Final = 1_024
"""How many news may wait."""
CLEARED: Final = 16_384
"""How many topics may wait to be cleared."""

_NO_REF: Final = 0


class FeedCounters(Struct):
    """The counters of the feed, each with the help text of its metric."""

    published: Annotated[int, "Messages that the broker was given."] = 0
    published_bytes: Annotated[int, "Bytes of these messages."] = 0
    dropped_updates: Annotated[int, "Updates left out, for which a snapshot came."] = 0
    """The queue was full, or a snapshot had to come first."""
    dropped_news: Annotated[int, "News left out because too many waited."] = 0
    connects: Annotated[int, "Lines opened to the broker."] = 0
    failures: Annotated[int, "Lines that broke, failed or were thrown away."] = 0
    is_open: bool = False


class Rooms(Protocol):
    """The rooms of the node, which the feed watches as a spectator; their messages come through `fed`."""

    def get(self, number: int) -> HostedRoom | None:
        """Return a room; None if it is not here."""

    def tell(self, number: int, command: Command) -> None:
        """Send a command to a room."""

    def is_in_doubt(self, number: int) -> bool:
        """Whether another node may own a room by now, so that nothing of it is published."""


class FeedQueue:
    """The publications that wait. Rooms report changes; their snapshots are requested when there is room for them."""

    def __init__(
        self, topics: Topics, node: str, *, rooms: Rooms, counters: FeedCounters, wall_ms: Callable[[], int]
    ) -> None:
        self.topics = topics
        self.node = node
        self.counters = counters
        self._rooms = rooms
        self._wall_ms = wall_ms
        self._pages: dict[int, RoomQueue] = {}
        self._ready: dict[int, None] = {}
        """Rooms with something to publish, in the order of their turns."""
        self._doubtful: dict[int, None] = {}
        """Those of them that are in doubt: they wait until their owner is known."""
        self._later: list[tuple[int, int]] = []
        """A heap of the times at which snapshots of rooms become due."""
        self._news: deque[Publication] = deque()
        self._clearing: deque[Publication] = deque(maxlen=CLEARED)
        self._waiting = 0
        self._waiting_bytes = 0

    def __contains__(self, room: object) -> bool:
        return room in self._pages

    @property
    def waiting(self) -> int:
        """How many updates and news wait."""
        return self._waiting + len(self._news)

    # --- the connection ---------------------------------------------------------------------------------------------

    def opened(self) -> None:
        """Publish everything again: the broker may have lost it."""
        self.counters.is_open = True
        self.counters.connects += 1
        self._ready = dict.fromkeys(self._pages)
        self._doubtful.clear()

    def lost(self) -> None:
        """Drop everything except news, which wait for the broker."""
        self.counters.is_open = False
        self._clearing.clear()
        self._ready.clear()
        self._doubtful.clear()
        self._later.clear()
        self._waiting = self._waiting_bytes = 0
        for page in self._pages.values():
            page.is_scheduled = False
            self.counters.dropped_updates += page.begin_anew()

    # --- changes ----------------------------------------------------------------------------------------------------

    def enter(self, room: int, game: str, *, is_shown: bool) -> None:
        """Publish a room from now on: its listing, and if *is_shown* all of it."""
        page = self._pages[room] = RoomQueue(room, game, is_shown=is_shown)
        topics = {publication.topic for publication in cleared(self.topics, room, game)}
        if any(waiting.topic in topics for waiting in self._clearing):
            self._clearing = deque((old for old in self._clearing if old.topic not in topics), CLEARED)
        self._make_ready(page)

    def fed(self, room: int, payload: bytes, now: int) -> None:
        """Take a message that a room sent to the feed at *now* (milliseconds)."""
        page = self._pages.get(room)
        if page is None or not self.counters.is_open:
            return
        name = name_of(payload)
        if name == UPDATE:
            page.is_fresh = False
            self._queue(page, payload)
            self._schedule(page, now)
        elif name == NOTICE:
            self.tell(Publication(self.topics.notice, payloads.notice(payload, self.node), qos=1))
        else:
            page.note(name, payload)
        self._make_ready(page)

    def relist(self, room: int) -> None:
        """Publish the listing of a room again."""
        page = self._pages[room]
        page.due |= Due.LOBBY
        self._make_ready(page)

    def leave(self, room: int, *, is_over: bool) -> None:
        """Stop publishing a room; clear its retained topics if it *is_over* for good."""
        page = self._pages.pop(room)
        self._give_up(page)
        self._ready.pop(room, None)
        self._doubtful.pop(room, None)
        if is_over:
            self.clear(cleared(self.topics, room, page.game))

    def sure(self) -> None:
        """Check the rooms again that were in doubt."""
        self._ready = self._doubtful | self._ready
        self._doubtful = {}

    def clear(self, publications: Iterable[Publication]) -> None:
        """Clear retained topics, when nothing newer waits."""
        if self.counters.is_open:
            self._clearing.extend(publications)

    def tell(self, news: Publication) -> None:
        """Publish news; they wait for the broker, up to a limit."""
        if len(self._news) >= NEWS:
            self._news.popleft()
            self.counters.dropped_news += 1
        self._news.append(news)

    # --- the next publication ---------------------------------------------------------------------------------------

    def next(self, now: int) -> Publication | None:
        """Return the next publication; None if there is none now."""
        if self._news:
            return self._news.popleft()
        self._come_due(now)
        while (room := self._next_room()) is not None:
            del self._ready[room]
            page = self._pages[room]
            publication = self._take(page, now)
            if room in self._pages:
                self._make_ready(page)
            if publication is not None:
                return publication
        return self._clearing.popleft() if self._clearing else None

    def due_at(self) -> int | None:
        """Return when the next publication is due if nothing changes; None: never."""
        if self._news or self._clearing or self._next_room() is not None:
            return 0
        return self._later[0][0] if self._later else None

    def _next_room(self) -> int | None:
        while (room := next(iter(self._ready), None)) is not None and self._rooms.is_in_doubt(room):
            del self._ready[room]
            self._doubtful[room] = None
        return room

    def _take(self, page: RoomQueue, now: int) -> Publication | None:
        due = page.next()
        page.due &= ~due
        match due:
            case Due.NOTHING:
                update = page.update(self.topics)
                self._waiting -= 1
                self._waiting_bytes -= len(update.payload)
                return update
            case Due.LOOK:
                self._rooms.tell(page.room, Watch(FEED, _NO_REF, None))
                return None
            case Due.ABOUT:
                return page.about(self.topics, self.node)
            case Due.STATE:
                return page.state(self.topics, self.node, self._wall_ms())
            case Due.LOBBY:
                return self._listing(page)
            case Due.SNAPSHOT:
                page.snapshot_ms = now
                if not page.is_fresh:
                    self._rooms.tell(page.room, Refresh(FEED))
                return page.snapshot(self.topics)
            case _:
                return page.twin(self.topics, self.node)

    def _listing(self, page: RoomQueue) -> Publication:
        hosted = self._rooms.get(page.room)
        is_over = hosted is None or hosted.room.public_match.is_over
        payload = b"" if hosted is None or is_over else payloads.signed(self.node, hosted.room.listing())
        return Publication(self.topics.lobby(page.game, page.room), payload, retained=True, qos=1)

    # --- updates and snapshots --------------------------------------------------------------------------------------

    def _queue(self, page: RoomQueue, update: bytes) -> None:
        if page.is_behind:
            self.counters.dropped_updates += 1
        elif self._waiting >= UPDATES or self._waiting_bytes + len(update) > UPDATES_BYTES:
            self.counters.dropped_updates += 1 + self._give_up(page)
        else:
            page.updates.append(update)
            self._waiting += 1
            self._waiting_bytes += len(update)

    def _give_up(self, page: RoomQueue) -> int:
        self._waiting_bytes -= sum(map(len, page.updates))
        given_up = page.give_up_updates()
        self._waiting -= given_up
        return given_up

    def _schedule(self, page: RoomQueue, now: int) -> None:
        """Schedule a snapshot, at once if the last one is old enough."""
        if page.is_scheduled or Due.SNAPSHOT in page.due:
            return
        due_at = now if page.snapshot_ms is None else page.snapshot_ms + SNAPSHOT_MS
        if due_at <= now:
            page.due |= Due.SNAPSHOT
        else:
            page.is_scheduled = True
            heappush(self._later, (due_at, page.room))

    def _come_due(self, now: int) -> None:
        while self._later and self._later[0][0] <= now:
            page = self._pages.get(heappop(self._later)[1])
            if page is not None:
                page.is_scheduled = False
                page.due |= Due.SNAPSHOT
                self._make_ready(page)

    def _make_ready(self, page: RoomQueue) -> None:
        if self.counters.is_open and not page.is_idle:
            self._ready[page.room] = None
