"""The publications of one room that wait for the broker, in their order."""

from collections import deque
from enum import Flag, auto
from typing import Final

from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Joined, Snapshot
from warroom_protocol.topics import Topics
from warroom_server.feed import payloads
from warroom_server.ports.feed import Publication

UPDATE: Final = b"update"
NOTICE: Final = b"notice"
PARTS: Final = ("snapshot", "json", "state", "about")
"""The retained topics of a room besides its listing; `about` is cleared last, so that a partly cleared room has it."""

_SHORT_TEXT: Final = 0xA0
_LENGTH: Final = 0x1F
_JOINED: Final = b"joined"
_SNAPSHOT: Final = b"snapshot"
_PAUSED: Final = b"paused"


class Due(Flag):
    """What a room has to do, in this order."""

    NOTHING = 0
    LOOK = auto()
    """Watch the room as a spectator, which brings all the rest."""
    ABOUT = auto()
    STATE = auto()
    LOBBY = auto()
    SNAPSHOT = auto()
    TWIN = auto()


_DUE: Final = {
    _JOINED: Due.ABOUT | Due.SNAPSHOT,
    _SNAPSHOT: Due.NOTHING,
    b"seats": Due.STATE | Due.LOBBY,
    _PAUSED: Due.STATE,
    b"ended": Due.STATE,
    b"moved": Due.STATE,
}
"""By name of a message, what is published because of it; the feed ignores other messages."""


def name_of(payload: bytes) -> bytes:
    """Return the name of an encoded message."""
    return payload[2 : 2 + (payload[1] & _LENGTH)] if payload[1] & ~_LENGTH == _SHORT_TEXT else b""


class RoomQueue:
    """One room. Updates are published before the snapshot that includes them; after a gap, a snapshot comes first.

    Messages of the room are kept as they came and decoded only when they are published: rooms do not wait for the feed.
    """

    def __init__(self, room: int, game: str, *, is_shown: bool) -> None:
        self.room = room
        self.game = game
        self._is_shown = is_shown
        self.due = Due.NOTHING
        self.updates: deque[bytes] = deque()
        self.is_behind = False
        """Whether an update was dropped, so that later ones are useless before the next snapshot."""
        self.is_fresh = False
        """Whether the latest snapshot includes all updates."""
        self.snapshot_ms: int | None = None
        """When the last snapshot was published."""
        self.is_scheduled = False
        """Whether a snapshot is scheduled."""
        self._life = 0
        self._latest: dict[bytes, bytes] = {}
        """By name, the latest message that has no number."""
        self._told: object = None
        """What the last published state told, the times apart."""
        self.begin_anew()

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.due or self.updates)

    def begin_anew(self) -> int:
        """Forget what was published and what waits; return the number of dropped updates."""
        self.due = Due.LOBBY | Due.LOOK if self._is_shown else Due.LOBBY
        self.is_fresh = False
        self._latest.clear()
        self._told = None
        return self.give_up_updates()

    def give_up_updates(self) -> int:
        """Drop the waiting updates, so that a snapshot has to come first; return their number."""
        count = len(self.updates)
        self.updates.clear()
        self.is_behind = True
        return count

    def note(self, name: bytes, payload: bytes) -> None:
        """Keep a message that is no update, if the feed publishes it."""
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
        """Return the oldest waiting update."""
        return Publication(topics.update(self.room, self._life), self.updates.popleft())

    def about(self, topics: Topics, node: str) -> Publication:
        """Return what never changes."""
        joined = payloads.decoded(self._latest[_JOINED], Joined)
        self._life = joined.life
        return Publication(topics.room(self.room, "about"), payloads.about(joined, node), retained=True, qos=1)

    def state(self, topics: Topics, node: str, wall_ms: int) -> Publication | None:
        """Return the state, which has no number; None if nothing changed."""
        known = map(decode_server, self._latest.values())
        fields = payloads.state(known, node=node, room=self.room, life=self._life, wall_ms=wall_ms)
        news = _PAUSED in self._latest, {name: fields[name] for name in fields.keys() - payloads.TIMES}
        if news == self._told:
            return None
        self._told = news
        return Publication(topics.room(self.room, "state"), payloads.json(fields), retained=True, qos=1)

    def snapshot(self, topics: Topics) -> Publication | None:
        """Return the latest snapshot, which includes all published updates; None if there is none."""
        payload = self._latest.get(_SNAPSHOT)
        if payload is None:
            return None
        self._life = payloads.decoded(payload, Snapshot).life
        self.is_behind = False
        self.due |= Due.TWIN
        return Publication(topics.room(self.room, "snapshot"), payload, retained=True)

    def twin(self, topics: Topics, node: str) -> Publication:
        """Return the last published snapshot in readable form."""
        readable = payloads.snapshot(payloads.decoded(self._latest[_SNAPSHOT], Snapshot), node)
        return Publication(topics.room(self.room, "json"), readable, retained=True)


def cleared(topics: Topics, room: int, game: str | None) -> list[Publication]:
    """Return what clears all retained topics of a room; its listing only if the *game* is known."""
    listed = [] if game is None else [topics.lobby(game, room)]
    taken_back = (*listed, *(topics.room(room, part) for part in PARTS))
    return [Publication(topic, retained=True, qos=1) for topic in taken_back]
