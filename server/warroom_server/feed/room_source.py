"""Connects the rooms of this node with the queue of the feed, which watches them.

Rooms treat the feed as any spectator: it never gets what spectators do not see, or see later.
"""

from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_server.feed import payloads
from warroom_server.feed.publisher import Publisher
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.room_publisher import is_for_all
from warroom_server.ports.time import Clock


class FeedSource:
    """Reports rooms to the queue as they appear, change and go."""

    def __init__(self, publisher: Publisher, room_host: RoomHost, events: RoomEvents, clock: Clock) -> None:
        self._publisher = publisher
        self._queue = publisher.queue
        self._room_host = room_host
        self._clock = clock
        self._seen: dict[int, tuple[str, tuple[Sitter | None, ...]]] = {}
        """By room, the phase and seats that were last published: enough to notice that its listing changed."""
        self._untold: set[int] = set()
        """Rematches that would reveal the end of a match to delayed spectators, so nobody may hear of them yet."""
        events.changed.append(self._changed)
        events.removed.append(self._removed)
        events.fed.append(self._fed)
        events.sure.append(self._sure)

    def shows_seats(self, number: int) -> bool:
        """Whether spectators see now who sits in a room, and who is away."""
        hosted = self._room_host.get(number)
        if hosted is None or number not in self._seen:
            return False
        options = hosted.room.match.opened.room_options
        is_behind = bool(options.delay) and hosted.room.match.phase != "lobby"
        return options.watch != "nobody" and not is_behind

    def _sure(self) -> None:
        """Publish rooms again that were in doubt and still belong to this node."""
        self._queue.sure()
        self._publisher.wake()

    def _fed(self, room: int, payload: bytes) -> None:
        self._queue.fed(room, payload, self._clock.now())
        self._publisher.wake()

    def _changed(self, hosted: HostedRoom) -> None:
        """Note what everybody may know of a room; called with each of its steps."""
        match = hosted.room.public_match
        seen = self._seen.get(match.opened.room)
        if seen is None:
            self._enter(hosted, match)
        elif seen[0] != match.phase or seen[1] is not match.seats:
            if (seen[0], match.phase) == ("lobby", "playing"):
                started = payloads.signed(self._queue.node, hosted.room.listing())
                self._publisher.publish(self._queue.topics.match(match.opened.game, "started"), started)
            self._seen[match.opened.room] = match.phase, match.seats
            self._queue.relist(match.opened.room)
            self._publisher.wake()
        self._enter_untold()

    def _enter(self, hosted: HostedRoom, match: Match) -> None:
        opened = match.opened
        if opened.room_options.private:
            return
        if not is_for_all(hosted, self._room_host.get):
            self._untold.add(opened.room)
            return
        self._seen[opened.room] = match.phase, match.seats
        self._queue.enter(opened.room, opened.game, is_shown=opened.room_options.watch != "nobody")
        self._publisher.wake()

    def _enter_untold(self) -> None:
        untold, self._untold = self._untold, set()
        for number in untold:
            hosted = self._room_host.get(number)
            if hosted is not None:
                self._enter(hosted, hosted.room.public_match)

    def _removed(self, hosted: HostedRoom) -> None:
        number = hosted.room.number
        self._untold.discard(number)
        if self._seen.pop(number, None) is not None:
            # If the room continues on another node, that node publishes it.
            is_over = hosted.is_archived or hosted.has_failed
            self._queue.leave(number, is_over=is_over)
            (self._publisher.wake if is_over else self._publisher.sweep_soon)()
        self._enter_untold()
