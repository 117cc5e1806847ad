"""Iterates over finished matches as one viewer saw them."""

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

from warroom_client.events import Event
from warroom_client.mirror import Mirror, RoomMessage
from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum
from warroom_protocol.codec import decode_server
from warroom_protocol.errors import DecodeError
from warroom_protocol.view_replay import ActedFor, ViewReplay


class ViewStep(Struct, frozen=True):
    """One moment of a match: both views (*private* None for the public replay), the clock, and the latest events.

    *acted_for* lists the actions since the previous step that a stand-in or the clock made.
    """

    public: wire.View
    private: wire.View
    turn: int
    at: int
    events: tuple[Event, ...]
    acted_for: tuple[ActedFor, ...] = ()


def steps(replay: ViewReplay) -> Iterator[ViewStep]:
    """Yield the steps of a view replay (`warroom_protocol.view_replay.read_view`) from start to end.

    Raise `WireError` if a frame is invalid or does not follow from the previous ones.
    """
    mirror = Mirror()
    nothing = checksum(None)
    mirror.receive(wire.Snapshot(replay.room, 1, 0, 0, None, None, wire.Clock(0, 0, None), nothing, nothing), 0)
    mirror.seat = replay.seat
    at = 0
    acted_for = deque(replay.acted_for)
    for number, (frame, at) in enumerate(zip(replay.frames, replay.times, strict=True)):
        message = decode_server(frame)
        if not isinstance(message, wire.Update | wire.Private):
            raise DecodeError(f"frame {number} is neither update nor private")
        happened = _taken(mirror, message, number)
        if happened:
            yield ViewStep(mirror.public, mirror.private, mirror.clock.turn, at, happened, _popped(acted_for, number))
    ended = mirror.receive(replay.ended, 0).events
    yield ViewStep(mirror.public, mirror.private, mirror.clock.turn, at, ended, tuple(acted_for))


def _popped(acted_for: deque[ActedFor], frame: int) -> tuple[ActedFor, ...]:
    """Remove and return the actions up to the time of *frame*."""
    popped = []
    while acted_for and acted_for[0].frame <= frame:
        popped.append(acted_for.popleft())
    return tuple(popped)


def _taken(mirror: Mirror, message: RoomMessage, number: int) -> tuple[Event, ...]:
    reception = mirror.receive(message, 0)
    if reception.resync is not None:
        raise DecodeError(f"frame {number} does not follow from the previous ones ({reception.resync})")
    return reception.events
