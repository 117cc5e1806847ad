"""The rooms of this node as the feed watches them: as a spectator of each."""

from typing import Final

from warroom_protocol.messages import RoomListing
from warroom_server.hosting.room_host import RoomHost
from warroom_server.room.commands import Refresh, Watch
from warroom_server.room.viewers import FEED

_NO_REF: Final = 0


class FeedRooms:
    """Lets the feed watch rooms; their messages come through the event `fed`."""

    def __init__(self, room_host: RoomHost) -> None:
        self._room_host = room_host

    def look(self, room: int) -> None:
        """Watch a room."""
        self._room_host.tell(room, Watch(FEED, _NO_REF, None))

    def refresh(self, room: int) -> None:
        """Ask a room for a snapshot."""
        self._room_host.tell(room, Refresh(FEED))

    def listing(self, room: int) -> RoomListing | None:
        """Return the listing of a room; None if it is over for everybody."""
        hosted = self._room_host.get(room)
        return None if hosted is None or hosted.room.public_match.is_over else hosted.room.listing()

    def is_in_doubt(self, room: int) -> bool:
        """Whether another node may own a room by now."""
        return self._room_host.is_in_doubt(room)
