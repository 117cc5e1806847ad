"""A client on a connection that only notes: it resumes as the protocol asks, and holds the server to its promises."""

import asyncio
from typing import TYPE_CHECKING

from small_node import NotedConnection
from strict_viewer import Viewer

from warroom_protocol import codes
from warroom_protocol.codec import decode_server
from warroom_protocol.messages import (
    Act,
    ClientMessage,
    Error,
    Join,
    Joined,
    Notice,
    Position,
    Resumed,
    ServerMessage,
    Verdict,
    Watch,
)

if TYPE_CHECKING:
    from small_node import LittleNode

PASSING = frozenset({codes.ROOM_MOVING, codes.STORE_UNAVAILABLE, codes.RULES_UNAVAILABLE, codes.ROOM_BUSY})
RETRY_MS = 100
FIRST_REF = 900_000


class ResumingClient(NotedConnection):
    """Enters a room again when it is told to, from where it was, and sends again what has no verdict."""

    def __init__(self, number: int, node: "LittleNode") -> None:
        super().__init__(number)
        self._node = node
        self._viewers: dict[int, Viewer] = {}
        self._entering: dict[int, Join | Watch] = {}
        """By room, how it was entered."""
        self._readmissions: dict[int, int] = {}
        """By ref, the room that is being entered again."""
        self._ref = FIRST_REF
        self.unanswered: dict[int, Act] = {}
        self.verdicts: dict[int, Verdict] = {}
        self.resumed = 0

    def asked(self, message: ClientMessage) -> None:
        """Note what the client sends."""
        match message:
            case Join() | Watch():
                self._entering[message.room] = message
            case Act():
                self.unanswered[message.id] = message
            case _:
                pass

    def send(self, frame: bytes) -> None:
        """Note a frame, check it against the copy of its room, and do what it asks for."""
        super().send(frame)
        message = decode_server(frame)
        room = getattr(message, "room", None)
        if room is not None:
            self._viewers.setdefault(room, Viewer()).receive(frame)
        self._react(message)

    def position(self, room: int) -> Position | None:
        """Return how far the client has come in a room."""
        return self._viewers.setdefault(room, Viewer()).position

    def _react(self, message: ServerMessage) -> None:
        match message:
            case Notice(room=int() as room, code=codes.NOTICE_MOVED) if room not in self._readmissions.values():
                self._ref += 1
                self._readmissions[self._ref] = room
                asyncio.get_running_loop().call_soon(self._enter_again, self._ref, room)
            case Joined(ref=ref) | Resumed(ref=ref) if ref in self._readmissions:
                room = self._readmissions.pop(ref)
                self.resumed += 1
                for act in [act for act in self.unanswered.values() if act.room == room]:
                    asyncio.get_running_loop().call_soon(self._node.say, self, act)
            case Error(ref=int() as ref, code=code) if ref in self._readmissions:
                room = self._readmissions[ref]
                if code in PASSING:
                    self._node.time.call_at(self._node.time.now() + RETRY_MS, lambda: self._enter_again(ref, room))
                else:
                    del self._readmissions[ref]
            case Verdict():
                known = self.verdicts.setdefault(message.id, message)
                assert known.code == message.code, "one id has one verdict"
                self.unanswered.pop(message.id, None)
            case _:
                pass

    def _enter_again(self, ref: int, room: int) -> None:
        if self.closed is not None:
            return
        match self._entering[room]:
            case Join(seat_token=token, key=key):
                self._node.say(self, Join(ref, room, None, token, self.position(room), key))
            case Watch(key=key):
                self._node.say(self, Watch(ref, room, self.position(room), key))
