"""What an edge has to know of a message that it passes on: only the head is read, the rest is skipped."""

from typing import Final, TypeAlias

from msgspec import Raw, Struct
from msgspec.msgpack import Decoder

from warroom_protocol.parts import Clock


class _Head(Struct, frozen=True, array_like=True, tag_field="type", tag=str.lower):
    """The beginning of a message of the wire; its later elements are passed over."""


class _RoomOptions(Struct, frozen=True):
    """What of a room's options matters here."""

    delay: int = 0


class _About(Struct, frozen=True, array_like=True):
    """The beginning of what never changes about a room."""

    game: Raw
    rules_version: Raw
    seats: Raw
    options: Raw
    room_options: _RoomOptions


class Joined(_Head, frozen=True):
    """A viewer is in, with everything to come."""

    ref: int
    room: int
    code: Raw
    life: int
    seat: int | None
    seat_token: Raw
    about: _About


class Resumed(_Head, frozen=True):
    """A viewer is back in, with what it missed to come."""

    ref: int
    room: int
    code: Raw
    life: int
    seat: int | None
    seat_token: Raw
    about: _About


class Snapshot(_Head, frozen=True):
    """Everything, as of two numbers."""

    room: int
    life: int
    p: int
    q: int
    public: Raw
    private: Raw
    clock: Clock


class Update(_Head, frozen=True):
    """The next step of the public stream."""

    room: int
    p: int
    patch: Raw
    events: Raw
    clock: Clock


class Private(_Head, frozen=True):
    """The next step of a private stream."""

    room: int
    q: int


class Verdict(_Head, frozen=True):
    """The answer to an action."""

    room: int
    id: int


class Seats(_Head, frozen=True):
    """Who sits where, and how far the match is."""

    room: int
    phase: str


class Paused(_Head, frozen=True):
    """What time it is in the room."""

    room: int
    at: int


class Notice(_Head, frozen=True):
    """Something that a viewer should know."""

    room: int | None
    code: str


class Error(_Head, frozen=True):
    """A refusal."""

    ref: int | None
    code: str


class Done(_Head, frozen=True):
    """What was asked for is done."""

    ref: int


class Legal(_Head, frozen=True):
    """What a seat may do."""

    ref: int


class Prompt(_Head, frozen=True):
    """A seat is asked to act."""

    room: int


class Expired(_Head, frozen=True):
    """A seat ran out of time."""

    room: int


class Offers(_Head, frozen=True):
    """What is offered."""

    room: int


class Said(_Head, frozen=True):
    """What somebody said."""

    room: int


class Moved(_Head, frozen=True):
    """Where the rematch is."""

    room: int


class Ended(_Head, frozen=True):
    """How the match ended."""

    room: int


Shown: TypeAlias = Snapshot | Update | Private | Prompt | Expired | Seats | Paused | Offers | Said | Moved | Ended
"""What a viewer who is too slow for it can do without, because a snapshot and what comes with it make up for it."""
Answer: TypeAlias = Joined | Resumed | Verdict | Notice | Error | Done | Legal
"""What must reach the one it is for."""

_decoder: Final[Decoder[Shown | Answer]] = Decoder(Shown | Answer)


def peek(payload: bytes) -> Shown | Answer:
    """Return the head of a message that a room sent."""
    return _decoder.decode(payload)
