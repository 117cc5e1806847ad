"""A real room on a board of the feed, and a broker that keeps what is retained: all of it in virtual time."""

from collections.abc import Sequence
from typing import Any

from room_table import ROOM, Outcome, Table

from warroom_protocol.topics import Topics
from warroom_server.feed.queue import FeedCounters, FeedQueue
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.ports.feed import Publication
from warroom_server.room.commands import Command
from warroom_server.room.viewer_addresses import FEED, Destination

NODE = "node"
WALL_MS = 1_800_000_000_000
TOPICS = Topics()


class Shelf:
    """What a broker keeps."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def take(self, publications: Sequence[Publication]) -> None:
        for publication in publications:
            if publication.retained and publication.payload:
                self.kept[publication.topic] = publication.payload
            elif publication.retained:
                self.kept.pop(publication.topic, None)


class TableRooms:
    """The room of a table as the feed watches it."""

    def __init__(self, table: "FedTable") -> None:
        self._table = table

    def get(self, number: int) -> HostedRoom | None:
        return HostedRoom(self._table.room, 1)

    def tell(self, number: int, command: Command) -> None:
        assert number == ROOM
        self._table.told_by_feed(command)

    def is_in_doubt(self, number: int) -> bool:
        return self._table.is_anyones


class FedTable(Table):
    """A table whose room has the feed as a spectator, once its board looks."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        self.rooms = rooms = TableRooms(self)
        self.queue = FeedQueue(TOPICS, NODE, rooms=rooms, counters=FeedCounters(), wall_ms=lambda: WALL_MS + self.now)
        self.is_anyones = False
        """Whether nobody can tell if the room is still this node's."""
        self.shelf = Shelf()
        """What is retained of all that was published."""
        super().__init__(*args, **settings)
        options = self.room.match.opened.room_options
        self.queue.opened()
        self.queue.enter(ROOM, self.game.info.id, is_shown=options.watch != "nobody")

    def told_by_feed(self, command: Command) -> None:
        """Take a command of the feed."""
        self.tell(command)

    def published(self) -> list[Publication]:
        """Publish all that is due now."""
        found: list[Publication] = []
        while (publication := self.queue.next(self.now)) is not None:
            found.append(publication)
        self.shelf.take(found)
        return found

    def _deliver(self, to: Sequence[Destination], payload: bytes, outcome: Outcome) -> None:
        super()._deliver(to, payload, outcome)
        if FEED in to:
            self.queue.fed(ROOM, payload, self.now)
