"""Taps on the players' connections: record verdicts and pauses, and repeat actions."""

from collections.abc import Callable

from msgspec import Struct

from warroom_chaos.websocket_frames import FrameSplitter, is_message, payload_of
from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Paused, ServerMessage, Verdict


class SeenVerdict(Struct, frozen=True):
    """A verdict on its way to a player."""

    at_s: float
    line: int
    room: int
    id: int
    code: str | None


class SeenPause(Struct, frozen=True):
    """A message that a room is paused, or (*reason* None) running again."""

    at_s: float
    line: int
    room: int
    reason: str | None


class PlayerTaps:
    """Records every verdict and pause on its way to a player, and sends actions twice while *duplicates* is set."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self.now_s = now_s
        self.duplicates = False
        self.duplicated = 0
        self.verdicts: list[SeenVerdict] = []
        self.pauses: list[SeenPause] = []
        self._count = 0

    def tap(self) -> "PlayerTap":
        """Return the tap for a new connection."""
        self._count += 1
        return PlayerTap(self, self._count)


class PlayerTap:
    """The tap on one connection."""

    def __init__(self, taps: PlayerTaps, number: int) -> None:
        self._taps = taps
        self._number = number
        self._requests = FrameSplitter()
        self._answers = FrameSplitter()

    def outward(self, data: bytes) -> bytes:
        """Forward whole frames, actions twice while `duplicates` is set, like a client that resends them."""
        frames = self._requests.feed(data)
        if self._taps.duplicates:
            frames = [again for frame in frames for again in self._repeated(frame)]
        return b"".join(frames)

    def inward(self, data: bytes) -> bytes:
        """Record verdicts and pauses on their way to the player; forward all data unchanged."""
        for frame in self._answers.feed(data):
            payload = payload_of(frame)
            if is_message(payload, b"verdict") or is_message(payload, b"paused"):
                self._note(decode_server(payload))
        return data

    def _note(self, message: ServerMessage) -> None:
        taps = self._taps
        match message:
            case Verdict(room=room, id=action, code=code):
                taps.verdicts.append(SeenVerdict(taps.now_s(), self._number, room, action, code))
            case Paused(room=room, reason=reason):
                taps.pauses.append(SeenPause(taps.now_s(), self._number, room, reason))
            case _:
                raise AssertionError(f"{message} is neither a verdict nor a pause")

    def _repeated(self, frame: bytes) -> tuple[bytes, ...]:
        if not is_message(payload_of(frame), b"act"):
            return (frame,)
        self._taps.duplicated += 1
        return (frame, frame)
