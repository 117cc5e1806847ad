"""Finds retained topics of rooms and nodes that ended while this node or the broker was away."""

from collections.abc import Container, Iterable
from typing import Final

import msgspec
from msgspec import Struct, field

from warroom_protocol.topics import NodeTopic, RoomTopic, Topics
from warroom_server.feed.room_queue import cleared
from warroom_server.ports.feed import Publication

PRESENT_MS: Final = 180_000
"""A node without a sign of life for this long is gone, whatever the broker retains."""


class _Told(Struct, frozen=True):
    """The fields of a payload that matter here; others may have written it, so any may be missing."""

    node: str = ""
    beat_ms: int = 0


class Remains(Struct):
    """Retained topics: of rooms that no present node hosts, and others that are certainly outdated."""

    rooms: dict[int, list[Publication]] = field(default_factory=dict)
    """By room, what clears its topics if the store does not have it either."""
    wrong: list[Publication] = field(default_factory=list)


def look_through(
    topics: Topics, found: Iterable[tuple[str, bytes]], *, node: str, hosted: Container[int], wall_ms: int
) -> Remains:
    """Find the outdated topics among those *found*, for *node*, which hosts the rooms *hosted*."""
    told = [(topic, topics.parse(topic), _read(payload)) for topic, payload in found]
    remains = Remains()
    present = {node}
    for topic, parsed, payload in told:
        if isinstance(parsed, NodeTopic):
            if parsed.node == node or wall_ms - payload.beat_ms < PRESENT_MS:
                present.add(parsed.node)
            else:
                remains.wrong.append(Publication(topic, retained=True))
    for topic, parsed, payload in told:
        if parsed is None:
            remains.wrong.append(Publication(topic, retained=True))
        elif isinstance(parsed, RoomTopic) and parsed.room not in hosted and payload.node not in present - {node}:
            _note(remains, topics, topic, parsed)
    return remains


def _note(remains: Remains, topics: Topics, topic: str, parsed: RoomTopic) -> None:
    known = remains.rooms.setdefault(parsed.room, [])
    if parsed.part == "lobby":
        known.insert(0, Publication(topic, retained=True))
    else:
        known.extend(cleared(topics, parsed.room, None))


def _read(payload: bytes) -> _Told:
    try:
        return msgspec.json.decode(payload, type=_Told)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _Told()
