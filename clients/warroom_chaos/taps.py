"""What the gate before the players sees of their lines, and repeats there."""

from collections.abc import Callable

from msgspec import Struct

from warroom_chaos.frames import FrameSplitter, is_message, payload_of
from warroom_protocol.codec import decode_server
from warroom_protocol.messages import Paused, ServerMessage, Verdict


class Seen(Struct, frozen=True):
    """A verdict that went over a player's line."""

    at_s: float
    line: int
    room: int
    id: int
    code: str | None


class Halt(Struct, frozen=True):
    """A player was told that a room stands still, or (*reason* None) that it goes on."""

    at_s: float
    line: int
    room: int
    reason: str | None


class Witness:
    """Sees every verdict and pause on its way to a player, and sends actions twice while it is told to."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self.now_s = now_s
        self.duplicates = False
        self.duplicated = 0
        self.verdicts: list[Seen] = []
        self.halts: list[Halt] = []
        self._taps = 0

    def tap(self) -> "PlayerTap":
        """Return what sits on one new line."""
        self._taps += 1
        return PlayerTap(self, self._taps)


class PlayerTap:
    """Sits on one line."""

    def __init__(self, witness: Witness, number: int) -> None:
        self._witness = witness
        self._number = number
        self._requests = FrameSplitter()
        self._answers = FrameSplitter()

    def outward(self, data: bytes) -> bytes:
        """Pass whole frames on, actions twice if so told: that is how they look when a client sends them again."""
        frames = self._requests.feed(data)
        if self._witness.duplicates:
            frames = [again for frame in frames for again in self._repeated(frame)]
        return b"".join(frames)

    def inward(self, data: bytes) -> bytes:
        """Note the verdicts and pauses in what goes to the player; pass on all as it is."""
        for frame in self._answers.feed(data):
            payload = payload_of(frame)
            if is_message(payload, b"verdict") or is_message(payload, b"paused"):
                self._note(decode_server(payload))
        return data

    def _note(self, message: ServerMessage) -> None:
        witness = self._witness
        match message:
            case Verdict(room=room, id=action, code=code):
                witness.verdicts.append(Seen(witness.now_s(), self._number, room, action, code))
            case Paused(room=room, reason=reason):
                witness.halts.append(Halt(witness.now_s(), self._number, room, reason))
            case _:
                raise AssertionError(f"{message} is neither a verdict nor a pause")

    def _repeated(self, frame: bytes) -> tuple[bytes, ...]:
        if not is_message(payload_of(frame), b"act"):
            return (frame,)
        self._witness.duplicated += 1
        return (frame, frame)
