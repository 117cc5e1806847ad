"""Tells other nodes which rooms are here, so that a list shows the same ones wherever it is asked for."""

from typing import Final, TypeAlias

from warroom_games.seating import Sitter
from warroom_server.cluster.messages import Listing, Message, News
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.room_index import RoomIndex
from warroom_server.lobby.room_lists import KEPT_MS
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.peers import Peers
from warroom_server.ports.store import NodeLease

AT_ONCE: Final = 1_000
"""Rooms that one message tells of."""

_Facts: TypeAlias = tuple[str, tuple[Sitter | None, ...], int]
"""What may change in the listing of a room: phase, seats, how many watch."""


class Bulletin:
    """Tells what changed a few times a second, and a node that was just linked everything."""

    def __init__(
        self, *, room_host: RoomHost, room_index: RoomIndex, peers: Peers[Message], clock: Clock, timers: Timers
    ) -> None:
        self._room_host = room_host
        self._room_index = room_index
        self._peers = peers
        self._clock = clock
        self._timers = timers
        self._told: dict[int, _Facts] = {}
        self._changed: dict[int, None] = {}
        self._is_ticking = False
        room_index.on_noted = self._note

    def linked(self, peer: str) -> None:
        """Tell a node everything."""
        self._tell_changes()
        rooms = [listing for number in self._room_index.near() if (listing := self._listing(number)) is not None]
        self._told = {listing.room.room: facts for listing in rooms if (facts := self._facts(listing.room.room))}
        for first in range(0, max(len(rooms), 1), AT_ONCE):
            self._peers.send(peer, News(tuple(rooms[first : first + AT_ONCE]), is_all=first == 0))

    def received(self, peer: str, news: News) -> None:
        """Take note of the rooms of another node."""
        if news.is_all:
            for number in self._room_index.far(peer):
                self._room_index.forget_far(peer, number)
        for listing in news.rooms:
            self._room_index.note_far(peer, listing.room, listing.opened_ms)
        for number in news.gone:
            self._room_index.forget_far(peer, number)

    def know(self, nodes: list[NodeLease], before: set[str]) -> None:
        """Forget the rooms of nodes that hold no lease any more: others will take them over, and say so."""
        for peer in before - {node.owner for node in nodes}:
            for number in self._room_index.far(peer):
                self._room_index.forget_far(peer, number)

    def _note(self, number: int) -> None:
        if self._peers.nodes():
            self._changed[number] = None
            if not self._is_ticking:
                self._is_ticking = True
                self._timers.call_at(self._clock.now() + KEPT_MS, self._tick)

    def _tick(self) -> None:
        self._is_ticking = False
        self._tell_changes()

    def _tell_changes(self) -> None:
        changed, self._changed = self._changed, {}
        rooms: list[Listing] = []
        gone: list[int] = []
        for number in changed:
            facts = self._facts(number)
            if facts is None:
                if self._told.pop(number, None) is not None:
                    gone.append(number)
            elif not _same(facts, self._told.get(number)) and (listing := self._listing(number)) is not None:
                self._told[number] = facts
                rooms.append(listing)
        for first in range(0, max(len(rooms), len(gone)), AT_ONCE):
            last = first + AT_ONCE
            self._peers.broadcast(News(tuple(rooms[first:last]), tuple(gone[first:last])))

    def _facts(self, number: int) -> _Facts | None:
        hosted = self._room_host.get(number) if self._room_index.is_near(number) else None
        if hosted is None:
            return None
        match = hosted.room.public_match
        return match.phase, match.seats, hosted.room.audience.watching

    def _listing(self, number: int) -> Listing | None:
        hosted = self._room_host.get(number)
        if hosted is None:
            return None
        return Listing(hosted.room.listing(), hosted.room.match.opened.opened_ms)


def _same(facts: _Facts, told: _Facts | None) -> bool:
    return told is not None and facts[0] == told[0] and facts[1] is told[1] and facts[2] == told[2]
