"""The events of rooms that other parts of a node subscribe to."""

from collections.abc import Callable

from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.wanted_bot import BotRequest
from warroom_server.ports.listeners import Signal
from warroom_server.room import effects


class RoomEvents:
    """The events of all rooms of a node. Parts subscribe while they are constructed: `events.changed.append(…)`."""

    def __init__(self) -> None:
        self.hosted: Signal[HostedRoom] = Signal()
        """A room is new here."""
        self.changed: Signal[HostedRoom] = Signal()
        """A room is new here, or took a command."""
        self.lost: Signal[HostedRoom] = Signal()
        """A room continues elsewhere; it was removed before."""
        self.removed: Signal[HostedRoom] = Signal()
        """A room is no longer hosted, for whatever reason."""
        self.gone: Signal[int] = Signal()
        """A room of this node ended without being hosted."""
        self.sure: Signal[[]] = Signal()
        """Rooms that were in doubt are known to be this node's."""
        self.snapshot_made: Signal[HostedRoom, effects.Save] = Signal()
        """A room made a snapshot of itself, to be stored."""
        self.ended: Signal[HostedRoom] = Signal()
        """The match of a room is over, and is to be archived."""
        self.bot_wanted: Signal[BotRequest, Callable[[bool], None]] = Signal()
        """A seat wants a bot. The one listener answers whether there are such bots."""
        self.rematch_wanted: Signal[HostedRoom, effects.Rematch] = Signal()
        """The players of a room want another match."""
        self.fed: Signal[int, bytes] = Signal()
        """A room sends something to the feed, which is one of its spectators."""
