"""One room on the feed: what of it waits to be published, in which order."""

from collections import deque
from enum import Flag, auto
from typing import Final

from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Ended, Joined, Moved, Paused, Seats, Snapshot
from warroom_protocol.topics import Topics
from warroom_server.feed import payloads
from warroom_server.feed.payloads import Unnumbered
from warroom_server.ports.feed import Publication

UPDATE: Final = b"update"
NOTICE: Final = b"notice"
PARTS: Final = ("snapshot", "json", "state", "about")
"""What is retained of a room besides its listing; `about` is last, so that whatever is left of a room has it."""

_SHORT_TEXT: Final = 0xA0
_LENGTH: Final = 0x1F
_JOINED: Final = b"joined"
_SNAPSHOT: Final = b"snapshot"
_SEATS: Final = b"seats"


class Due(Flag):
    """What of a room is to be done, in this order."""

    NOTHING = 0
    LOOK = auto()
    """Look at the room as a spectator, which brings all the rest."""
    ABOUT = auto()
    STATE = auto()
    LOBBY = auto()
    SNAPSHOT = auto()
    TWIN = auto()


_DUE: Final = {
    _JOINED: Due.ABOUT | Due.SNAPSHOT,
    _SNAPSHOT: Due.NOTHING,
    _SEATS: Due.STATE | Due.LOBBY,
    b"paused": Due.STATE,
    b"ended": Due.STATE,
    b"moved": Due.STATE,
}
"""By its name, what is to be published because of a message; others are none of the feed's business."""


def name_of(payload: bytes) -> bytes:
    """Return the name of an encoded message."""
    return payload[2 : 2 + (payload[1] & _LENGTH)] if payload[1] & ~_LENGTH == _SHORT_TEXT else b""


class RoomQueue:
    """One room. Updates go out before the snapshot that has them in it; if one was left out, a snapshot goes first.

    What the room sends is kept as it came and read only when it is to be published: rooms do not wait for the feed.
    """

    def __init__(self, room: int, game: str, *, is_shown: bool) -> None:
        self.room = room
        self.game = game
        self._is_shown = is_shown
        self.due = Due.NOTHING
        self.updates: deque[bytes] = deque()
        self.is_behind = False
        """Whether an update was left out, so that those after it are of no use before the next snapshot."""
        self.is_fresh = False
        """Whether the latest snapshot has all updates in it."""
        self.snapshot_ms: int | None = None
        """When the last snapshot was published."""
        self.is_scheduled = False
        """Whether a snapshot will become due at a known moment."""
        self._life = 0
        self._latest: dict[bytes, bytes] = {}
        """By name, the latest message that has no number."""
        self._told: Unnumbered | None = None
        self.begin_anew()

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.due or self.updates)

    def begin_anew(self) -> int:
        """Forget what was published and what waits; return how many updates that were."""
        self.due = Due.LOBBY | Due.LOOK if self._is_shown else Due.LOBBY
        self.is_fresh = False
        self._latest.clear()
        self._told = None
        return self.give_up_updates()

    def give_up_updates(self) -> int:
        """Leave out what waits: only a snapshot helps from here on. Return how many updates that were."""
        count = len(self.updates)
        self.updates.clear()
        self.is_behind = True
        return count

    def note(self, name: bytes, payload: bytes) -> None:
        """Keep a message that is no update, if it is one of the feed's."""
        if name in _DUE:
            self._latest[name] = payload
            self.due |= _DUE[name]
            self.is_fresh |= name == _SNAPSHOT

    def next(self) -> Due:
        """Return what is next; `NOTHING` stands for an update."""
        for due in (Due.LOOK, Due.ABOUT):
            if due in self.due:
                return due
        return Due.NOTHING if self.updates else next(due for due in Due if due in self.due)

    # --- what is published ------------------------------------------------------------------------------------------

    def update(self, topics: Topics) -> Publication:
        """Return the oldest update that waits."""
        return Publication(topics.update(self.room, self._life), self.updates.popleft())

    def about(self, topics: Topics, node: str) -> Publication:
        """Return what never changes."""
        joined = decode_server(self._latest[_JOINED])
        assert isinstance(joined, Joined), "that is its name"
        self._life = joined.life
        return Publication(topics.room(self.room, "about"), payloads.about(joined, node), retained=True, qos=1)

    def state(self, topics: Topics, node: str, wall_ms: int) -> Publication | None:
        """Return what has no number; None if there is no news."""
        known = self._read(wall_ms)
        if self._told is not None and known.tells_what(self._told):
            return None
        self._told = known
        payload = payloads.state(self.room, self._life, known, node)
        return Publication(topics.room(self.room, "state"), payload, retained=True, qos=1)

    def snapshot(self, topics: Topics) -> Publication | None:
        """Return the latest snapshot, which has all in it that was published before; None if there is none."""
        payload = self._latest.get(_SNAPSHOT)
        if payload is None:
            return None
        self._life = _snapshot(payload).life
        self.is_behind = False
        self.due |= Due.TWIN
        return Publication(topics.room(self.room, "snapshot"), payload, retained=True)

    def twin(self, topics: Topics, node: str) -> Publication:
        """Return the snapshot that was published last in a form for people."""
        readable = payloads.snapshot(_snapshot(self._latest[_SNAPSHOT]), node)
        return Publication(topics.room(self.room, "json"), readable, retained=True)

    def _read(self, wall_ms: int) -> Unnumbered:
        known = Unnumbered(wall_ms=wall_ms)
        for payload in self._latest.values():
            match decode_server(payload):
                case Seats() as seats:
                    known.seats = seats
                case Paused() as paused:
                    known.paused = paused
                case Ended() as ended:
                    known.ended = ended
                case Moved() as moved:
                    known.moved = moved
                case _:
                    pass
        return known


def _snapshot(payload: bytes) -> Snapshot:
    message = decode_server(payload)
    assert isinstance(message, Snapshot), "that is its name"
    return message


def cleared(topics: Topics, room: int, game: str | None) -> list[Publication]:
    """Return what takes everything back that is retained of a room; its listing only if the *game* is known."""
    listed = [] if game is None else [topics.lobby(game, room)]
    taken_back = (*listed, *(topics.room(room, part) for part in PARTS))
    return [Publication(topic, retained=True, qos=1) for topic in taken_back]
