"""A room reconstructed from the feed of a broker; does no I/O.

A listener cannot request anything. Numbers and checksums show when the copy is wrong; the next snapshot, which follows
every change within seconds, repairs it.
"""

from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from warroom_client.events import Event
from warroom_client.mirror import Mirror
from warroom_protocol import messages as wire
from warroom_protocol.codec import decode_server
from warroom_protocol.errors import WireError
from warroom_protocol.topics import RoomTopic, Topics

S = TypeVar("S", bound=Struct)

_json = msgspec.json.Decoder(dict[str, Any])


class _State(Struct, frozen=True):
    """Unnumbered facts, as the server published them at *wall_ms* (milliseconds since 1970)."""

    seats: wire.Seats
    at: int | None
    wall_ms: int
    paused: str | None
    left_ms: int | None
    ended: wire.Ended | None
    moved: wire.Moved | None


class FeedMirror:
    """The copy. `receive` takes the messages of the filter `Topics.whole_room`, whatever they contain."""

    def __init__(self, room: int, topics: Topics) -> None:
        self.room = room
        self.mirror: Mirror = Mirror()
        self.about: wire.About | None = None
        self.is_gone: bool = False
        """Whether the room was closed; nothing more will come."""
        self._topics = topics
        self._state: _State | None = None
        self._has_view = False

    @property
    def is_complete(self) -> bool:
        """Whether the copy is complete."""
        return self.about is not None and self._state is not None and not self.mirror.is_stale

    def receive(self, topic: str, payload: bytes, *, now: int, wall_ms: int) -> tuple[Event, ...]:
        """Handle one message that arrived at local time *now*; return the events."""
        parsed = self._topics.parse(topic)
        if not isinstance(parsed, RoomTopic) or parsed.room != self.room:
            return ()
        if not payload:
            self.is_gone |= parsed.part == "about"
            return ()
        try:
            match parsed.part:
                case "about":
                    self.about, self.is_gone = _unnamed(wire.About, _json.decode(payload)), False
                case "state":
                    self._state = _read_state(_json.decode(payload))
                    return self._take_state(now, wall_ms) if self._has_view else ()
                case "snapshot":
                    return self._take_snapshot(decode_server(payload), now, wall_ms)
                case "update":
                    return self._take_update(decode_server(payload), parsed.life or 0, now)
                case _:
                    pass
        except (WireError, msgspec.MsgspecError, ValueError, TypeError, KeyError):
            pass  # not from the server; the broker must restrict who may publish there
        return ()

    # --- numbered stream ---------------------------------------------------------------------------------------------

    def _take_snapshot(self, message: wire.ServerMessage, now: int, wall_ms: int) -> tuple[Event, ...]:
        mirror = self.mirror
        if not isinstance(message, wire.Snapshot) or message.room != self.room:
            return ()
        known, new = (mirror.life, mirror.p), (message.life, message.p)
        if new < known or (new == known and not mirror.is_stale):
            return ()
        is_first, self._has_view = not self._has_view, True
        happened = mirror.receive(message, now).events
        if self._state is not None and is_first:
            return (*happened, *self._take_state(now, wall_ms))
        return happened

    def _take_update(self, message: wire.ServerMessage, life: int, now: int) -> tuple[Event, ...]:
        mirror = self.mirror
        if not isinstance(message, wire.Update) or message.room != self.room or life < mirror.life:
            return ()
        if life > mirror.life:
            mirror.is_stale = True  # a new life restarts the numbers, so only a snapshot helps
            return ()
        return mirror.receive(message, now).events

    # --- unnumbered facts --------------------------------------------------------------------------------------------

    def _take_state(self, now: int, wall_ms: int) -> tuple[Event, ...]:
        state, mirror = self._state, self.mirror
        assert state is not None
        happened = mirror.receive(state.seats, now).events
        if state.at is not None:
            passed = max(0, wall_ms - state.wall_ms) if state.paused is None else 0
            at = max(state.at + passed, mirror.clock.at(now) if state.paused is None else 0)
            happened += mirror.receive(wire.Paused(self.room, at, state.paused, state.left_ms), now).events
        for message in (state.ended, state.moved):
            if message is not None:
                happened += mirror.receive(message, now).events
        return happened


def _read_state(fields: dict[str, Any]) -> _State:
    seats = tuple(_unnamed(wire.SeatState, seat) for seat in fields["seats"])
    ended, moved, room = fields["ended"], fields["moved"], fields["room"]
    plain = {name: fields[name] for name in ("at", "wall_ms", "paused", "left_ms")}
    return msgspec.convert(
        {
            **plain,
            "seats": wire.Seats(room, fields["phase"], fields["host"], seats, fields["watching"]),
            "ended": None if ended is None else _unnamed(wire.Ended, ended),
            "moved": None if moved is None else wire.Moved(room, moved["room"], moved["code"], None),
        },
        _State,
    )


def _unnamed(kind: type[S], fields: dict[str, Any]) -> S:
    """Return a message part whose fields are sent by name, although the wire sends them by position."""
    names = [field.name for field in msgspec.structs.fields(kind)]
    tag = kind.__struct_config__.tag
    return msgspec.convert([*(() if tag is None else (tag,)), *(fields[name] for name in names)], kind)
