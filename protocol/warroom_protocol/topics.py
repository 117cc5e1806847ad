"""The topics of the MQTT feed under one prefix, as docs/MQTT.md lists them.

Levels are numbers, ids that the server made, and ids of games, never names of people.
"""

import re
from typing import Final
from urllib.parse import quote, unquote

from msgspec import Struct

from warroom_protocol.errors import TopicError

DEFAULT_PREFIX: Final = "warroom"
MOST_ROOM: Final = 2**32 - 1

_PREFIX: Final = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,9}")


class RoomTopic(Struct, frozen=True):
    """A topic that belongs to one room: its *part*, such as `about`, and for updates the life."""

    room: int
    part: str
    life: int | None = None


class NodeTopic(Struct, frozen=True):
    """The presence topic of a node."""

    node: str


class Topics:
    """The topics of one server, or of a cluster."""

    def __init__(self, prefix: str = DEFAULT_PREFIX) -> None:
        if not is_prefix(prefix):
            raise TopicError(
                f"{prefix!r} is no topic prefix: levels of letters, digits, `_`, `-` and `.` with / between"
            )
        self.prefix: str = prefix
        self.notice: str = f"{prefix}/notice"
        self.nodes: str = f"{prefix}/node/+"
        self.abouts: str = f"{prefix}/room/+/about"
        self.lobbies: str = f"{prefix}/lobby/+/+"

    def node(self, node: str) -> str:
        """Return the presence topic of a node."""
        return f"{self.prefix}/node/{level(node)}"

    def room(self, room: int, part: str) -> str:
        """Return the topic of one part of a room: `about`, `state`, `snapshot` or `json`."""
        return f"{self.prefix}/room/{room}/{part}"

    def update(self, room: int, life: int) -> str:
        """Return the topic of the updates of a room's *life*."""
        return f"{self.prefix}/room/{room}/update/{life}"

    def whole_room(self, room: int) -> str:
        """Return the filter for everything about one room."""
        return f"{self.prefix}/room/{room}/#"

    def lobby(self, game: str, room: int) -> str:
        """Return the topic of a room's listing."""
        return f"{self.prefix}/lobby/{level(game)}/{room}"

    def match(self, game: str, what: str) -> str:
        """Return the topic of matches of a game that `started`, `ended` or were `rated`."""
        return f"{self.prefix}/match/{level(game)}/{what}"

    def ranking(self, game: str, *, bots: bool = False) -> str:
        """Return the topic of the ranking of a game, or of its bots' ladder."""
        return f"{self.prefix}/ranking/{level(game)}{'/bots' if bots else ''}"

    def wanted(self, game: str) -> str:
        """Return the topic of seats that want a bot; `+` for all games."""
        return f"{self.prefix}/wanted/{game if game == '+' else level(game)}"

    def parse(self, topic: str) -> RoomTopic | NodeTopic | None:
        """Return which room or node a topic belongs to; None for any other."""
        if not topic.startswith(f"{self.prefix}/"):
            return None
        match topic[len(self.prefix) + 1 :].split("/"):
            case ["node", node]:
                return NodeTopic(unquote(node))
            case ["room", room, "update", life] if _is_room(room) and _NUMBER.fullmatch(life):
                return RoomTopic(int(room), "update", int(life))
            case ["room", room, part] if _is_room(room):
                return RoomTopic(int(room), part)
            case ["lobby", _, room] if _is_room(room):
                return RoomTopic(int(room), "lobby")
            case _:
                return None


def is_prefix(prefix: str) -> bool:
    """Whether all topics may begin with *prefix*."""
    return _PREFIX.fullmatch(prefix) is not None and len(prefix) <= 128


def level(text: str) -> str:
    """Return *text* as one level of a topic, escaped."""
    return quote(text, safe="")


def _is_room(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and int(text) <= MOST_ROOM
