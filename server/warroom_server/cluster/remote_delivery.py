"""Viewers on other nodes: sends them what rooms of this node send, as one message per node and turn of the loop."""

from collections.abc import Callable, Iterable
from typing import Final

from warroom_protocol.limits import MAX_SERVER_BYTES
from warroom_server.cluster.messages import Batch, Item, Links, Mark
from warroom_server.room.viewer_addresses import Remote, RemoteSpectators

MAX_ITEMS: Final = 8_192
"""The most items in one batch."""


class _Outgoing:
    """The next batch for one node."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._payloads: dict[bytes, int] = {}
        self._size = 0

    @property
    def is_full(self) -> bool:
        return self._size >= MAX_SERVER_BYTES or len(self.items) >= MAX_ITEMS

    def index(self, payload: bytes) -> int:
        """Return the index of a payload. Equal payloads are sent once."""
        if payload not in self._payloads:
            self._size += len(payload)
        return self._payloads.setdefault(payload, len(self._payloads))

    def take(self) -> Batch:
        """Return the batch, and begin a new one."""
        batch = Batch(tuple(self._payloads), tuple(self.items))
        self.items, self._payloads, self._size = [], {}, 0
        return batch


class RemoteViewers:
    """Knows all entries of other nodes, and batches what goes to them.

    While a link is congested, updates are skipped, as for a slow connection; a snapshot replaces them later. *soon*
    calls a function in the next turn of the loop.
    """

    def __init__(self, links: Links, soon: Callable[[Callable[[], object]], object]) -> None:
        self._links = links
        self._soon = soon
        self._rooms: dict[Remote, int] = {}
        """By entry, its room."""
        self._viewers: dict[int, dict[Remote, None]] = {}
        """By room, its entries."""
        self._out: dict[str, _Outgoing] = {}
        self._stale: dict[str, dict[tuple[int, Remote | RemoteSpectators], None]] = {}
        """By node, the rooms and viewers that missed updates while its link was congested."""

    def __len__(self) -> int:
        return len(self._rooms)

    def add(self, viewer: Remote, room: int) -> None:
        """Add an entry."""
        self._rooms[viewer] = room
        self._viewers.setdefault(room, {})[viewer] = None

    def room_of(self, viewer: Remote) -> int | None:
        """Return the room of an entry; None if the entry is gone."""
        return self._rooms.get(viewer)

    def remove(self, viewer: Remote) -> int | None:
        """Remove an entry; return its room."""
        room = self._rooms.pop(viewer, None)
        if room is not None:
            del self._viewers[room][viewer]
            if not self._viewers[room]:
                del self._viewers[room]
        return room

    def of_node(self, node: str) -> list[tuple[Remote, int]]:
        """Return the entries of a node, each with its room."""
        return [(viewer, room) for viewer, room in self._rooms.items() if viewer.node == node]

    # --- what rooms send ------------------------------------------------------------------------------------------

    def answer(self, room: int, viewer: Remote, payload: bytes, ref: int | None) -> None:
        """Send an answer to the request *ref*, or a message that must not be skipped."""
        if viewer in self._rooms:
            out = self._outgoing(viewer.node)
            out.items.append(Item(room, 0, viewer.entry, out.index(payload), ref))

    def show(self, room: int, epoch: int, to: Iterable[Remote | RemoteSpectators], payload: bytes) -> None:
        """Send an update. If the link is congested, a snapshot follows later."""
        for destination in to:
            node = destination.node
            if node in self._stale or self._links.is_congested(node):
                self._stale.setdefault(node, {})[room, destination] = None
                continue
            out, entry = self._outgoing(node), destination.entry if isinstance(destination, Remote) else None
            out.items.append(Item(room, epoch, entry, out.index(payload), is_shown=True))

    def entered(self, room: int, epoch: int, viewer: Remote, *, is_together: bool) -> bool:
        """Tell an edge that its client is in the room; return False if the client is gone."""
        if viewer in self._rooms:
            self._mark(room, epoch, viewer, Mark.TOGETHER if is_together else Mark.ALONE)
        return viewer in self._rooms

    def exited(self, room: int, viewer: Remote, *, may_return: bool) -> None:
        """Tell an edge that its client is not in the room, and remove the entry."""
        if self.remove(viewer) is not None:
            self._mark(room, 0, viewer, Mark.LOST if may_return else Mark.OUT)

    def lost(self, room: int, epoch: int) -> None:
        """Tell all edges that a room leaves this node, and remove its entries."""
        gone = list(self._viewers.get(room, ()))
        for viewer in gone:
            self.remove(viewer)
        for node in dict.fromkeys(viewer.node for viewer in gone):
            self._outgoing(node).items.append(Item(room, epoch, None, mark=Mark.LOST))

    def _mark(self, room: int, epoch: int, viewer: Remote, mark: Mark) -> None:
        self._outgoing(viewer.node).items.append(Item(room, epoch, viewer.entry, mark=mark))

    # --- links ----------------------------------------------------------------------------------------------------

    def take_stale(self, node: str) -> list[tuple[int, Remote | RemoteSpectators]]:
        """Return the rooms and viewers that missed updates, and skip no more updates of this node."""
        return list(self._stale.pop(node, {}))

    def forget_node(self, node: str) -> None:
        """Drop what is unsent for a node that is out of reach."""
        self._out.pop(node, None)
        self._stale.pop(node, None)

    def _outgoing(self, node: str) -> _Outgoing:
        out = self._out.get(node)
        if out is None:
            out = self._out[node] = _Outgoing()
            self._soon(lambda: self._flush(node))
        elif out.is_full:
            self._links.send(node, out.take())
        return out

    def _flush(self, node: str) -> None:
        out = self._out.pop(node, None)
        if out is not None:
            self._links.send(node, out.take())
