"""A model of the server's side of one seat's streams: numbered frames, resumes and snapshots of a known history."""

from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum, plain
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.patches import diff

M = TypeVar("M", bound=wire.ServerMessage)
UPDATES_PER_TURN = 3
"""Only the first update of a turn has a clock."""

Frame: TypeAlias = wire.Joined | wire.Resumed | wire.Snapshot | wire.Update | wire.Private

ROOM = 7
LIFE = 3


@dataclass
class Streams:
    """The history of a public and a private view, and every frame that was made of it."""

    public: object = None
    private: object = None
    p: int = 0
    q: int = 0
    sum_every: int = 1
    frames: list[wire.Update | wire.Private] = field(default_factory=list)
    shown: set[tuple[int, int, bytes]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._show()

    def step(self, public: object, private: object) -> list[wire.Update | wire.Private]:
        """Move the views on and return the frames of that step as a client decodes them."""
        # By what is sent: for Python 0 and False are equal, on the wire they are not.
        has_public, has_private = bool(diff(self.public, public)), bool(diff(self.private, private))
        made: list[wire.Update | wire.Private] = []
        if has_private:
            self.q += 1
            p = self.p + 1 if has_public else self.p
            made.append(
                wire.Private(ROOM, self.q, p, has_public, diff(self.private, private), ("mine",), self._sum(private))
            )
        if has_public:
            self.p += 1
            clock = self.clock() if self.p % UPDATES_PER_TURN == 1 else None
            made.append(wire.Update(ROOM, self.p, diff(self.public, public), ("all",), clock, self._sum(public)))
        self.public, self.private = public, private
        self.frames += made
        self._show()
        return [over_the_wire(frame) for frame in made]

    def snapshot(self) -> wire.Snapshot:
        """Return the whole view."""
        sums = checksum(self.public), checksum(self.private)
        return over_the_wire(wire.Snapshot(ROOM, LIFE, self.p, self.q, self.public, self.private, self.clock(), *sums))

    def resume(self, position: wire.Position | None) -> list[Frame]:
        """Return the answer to a viewer that comes back at *position*."""
        about = wire.About("bids", 1, 2, {}, {}, "00")
        if position is None:
            return [wire.Joined(1, ROOM, "0000007", LIFE, 0, "token", about), self.snapshot()]
        missed = [frame for frame in self.frames if not _is_known(frame, position)]
        return [wire.Resumed(1, ROOM, "0000007", LIFE, 0, "token", about), *map(over_the_wire, missed)]

    def clock(self) -> wire.Clock:
        """Return a clock that the history determines."""
        turn = -(-self.p // UPDATES_PER_TURN)
        return wire.Clock(self.p * 1000, turn, turn * 1000 + 30_000)

    def _sum(self, view: object) -> int | None:
        return None if (self.p + self.q) % self.sum_every else checksum(view)

    def _show(self) -> None:
        self.shown.add((self.p, self.q, fingerprint(self.public, self.private)))


def fingerprint(public: object, private: object) -> bytes:
    """Return bytes that are equal exactly for equal pairs of views."""
    return repr((plain(public), plain(private))).encode()


def over_the_wire(message: M) -> M:
    """Return the message as the other side decodes it."""
    decoded = decode_server(encode(message))
    assert isinstance(decoded, type(message))
    return decoded


def _is_known(frame: wire.Update | wire.Private, position: wire.Position) -> bool:
    return frame.p <= position.p if isinstance(frame, wire.Update) else frame.q <= position.q
