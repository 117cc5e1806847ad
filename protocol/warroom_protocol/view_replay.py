"""A match as one viewer saw it: the frames of its streams in one file, for viewers who may not see all of it.

    8 bytes   WARVIEW and a line feed
    1 byte    the version of this format, 1
    the rest  MessagePack: [room, about, seat, frames, ended, acted_for, times]

*frames* are the messages `update` and `private` as they were sent, in order, each as bytes; *seat* is nil for what was
public. Putting them together is what any client does: begin with nil for both views and apply each patch. *acted_for*
lists the actions that a stand-in or the clock made, in order. *times* has the room time of each frame.
"""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from warroom_protocol.errors import ViewReplayError
from warroom_protocol.messages import About, Ended

MAGIC: Final = b"WARVIEW\n"
VERSION: Final = 1


class ActedFor(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A stand-in or the clock acted for a seat.

    *frame* is the index of the first frame that the viewer got at or after the action; a hidden action has none itself.
    """

    frame: int
    seat: int
    by: Literal["stand-in", "clock"]


class ViewReplay(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one viewer saw of a finished match."""

    room: int
    about: About
    seat: int | None
    frames: tuple[bytes, ...]
    ended: Ended
    acted_for: tuple[ActedFor, ...]
    times: tuple[int, ...]


_decoder = msgspec.msgpack.Decoder(ViewReplay)


def write_view(replay: ViewReplay) -> bytes:
    """Return the file."""
    return MAGIC + bytes([VERSION]) + msgspec.msgpack.encode(replay)


def read_view(data: bytes) -> ViewReplay:
    """Return the contents of a file; raise `ViewReplayError` if it is none."""
    if not data.startswith(MAGIC):
        raise ViewReplayError("this is no view of a Warroom match: it does not begin with WARVIEW")
    version = data[len(MAGIC) : len(MAGIC) + 1]
    if version != bytes([VERSION]):
        raise ViewReplayError(f"view format {version.hex() or 'missing'} is not known, only {VERSION}")
    try:
        replay = _decoder.decode(data[len(MAGIC) + 1 :])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ViewReplayError(f"the view is damaged: {error}") from error
    if len(replay.times) != len(replay.frames):
        raise ViewReplayError(f"the view is damaged: {len(replay.times)} times of {len(replay.frames)} frames")
    return replay
