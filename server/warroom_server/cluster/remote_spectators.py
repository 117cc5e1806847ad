"""The spectators of an edge in one room elsewhere: one subscription at the owner, however many they are.

The edge keeps the last snapshot and the frames since, and lets spectators in and back in by itself. All who stand here
have come equally far. Whoever wants more than to look on becomes a guest of its own.
"""

from collections import deque
from typing import Any, Final
from zlib import crc32

from msgspec import Raw
from msgspec.structs import replace

from warroom_protocol import messages as wire
from warroom_protocol.canonical import canonical
from warroom_protocol.codec import decode_server, encode
from warroom_protocol.patches import apply
from warroom_server.cluster import frame_heads as peek
from warroom_server.cluster.remote_viewer import Guest
from warroom_server.room import commands

RING: Final = 64
"""Frames that are kept for those who come back."""
LINES: Final = 64
"""Lines of the conversation that are kept for those who come."""


class Stand:
    """What spectators of one room are shown, and who they are."""

    def __init__(self, room: int, first: commands.Watch) -> None:
        self.room = room
        self.subscription = replace(first, connection=-1 - room, position=None)
        """What the owner is asked for, as a connection that no client has."""
        self.viewers: dict[int, commands.Watch] = {}
        self.waiting: list[commands.Watch] = [first]
        """Who came before the owner let the edge in."""
        self.is_counted = False
        """Whether the owner knows how many stand here."""
        self._joined: wire.Joined | wire.Resumed | None = None
        self._snapshot: wire.Snapshot | None = None
        self._ring: deque[tuple[int, bytes]] = deque(maxlen=RING)
        self._seats: bytes | None = None
        self._ended: dict[str, bytes] = {}
        self._said: deque[bytes] = deque(maxlen=LINES)
        self._paused: tuple[wire.Paused, int] | None = None

    def has(self, connection: int) -> bool:
        """Whether somebody stands here, or is about to."""
        return connection in self.viewers or any(watch.connection == connection for watch in self.waiting)

    def as_guest(self, connection: int, now: int) -> Guest:
        """Return somebody who stands here as a guest of its own, who has come as far."""
        assert self._snapshot is not None, "the stand is open"
        guest = Guest(self.room, self.viewers[connection], now=now)
        guest.life, guest.p = self._snapshot.life, self._snapshot.p
        guest.was_inside, guest.is_behind = True, self._is_behind
        guest.heard = crc32(self._said[-1]) if self._said else None
        return guest

    @property
    def _is_behind(self) -> bool:
        return self._joined is not None and bool(self._joined.about.room_options.get("delay"))

    @property
    def is_open(self) -> bool:
        """Whether spectators can be let in here."""
        return self._joined is not None and self._snapshot is not None

    @property
    def is_for_all(self) -> bool:
        """Whether the owner need not look at everybody who comes: they see what anybody may."""
        options = {} if self._joined is None else self._joined.about.room_options
        return options.get("watch", "public") == "public"

    def may_enter(self, watch: commands.Watch) -> bool:
        """Whether somebody can be let in without asking the owner."""
        is_private = self._joined is None or bool(self._joined.about.room_options.get("private"))
        return self.is_open and self.is_for_all and (watch.has_key or not is_private)

    # --- what the owner sends -----------------------------------------------------------------------------------

    def let_in(self, payload: bytes) -> None:
        """Take note of what never changes about the room."""
        joined = decode_server(payload)
        assert isinstance(joined, wire.Joined | wire.Resumed), "the owner lets the edge in"
        self._joined = joined

    def note(self, head: peek.Shown, payload: bytes, now: int) -> None:
        """Keep what those have to know who come later."""
        match head:
            case peek.Update():
                self._ring.append((head.p, payload))
                self._advance(payload)
            case peek.Snapshot():
                self._take_snapshot(payload)
            case peek.Seats():
                self._seats = payload
            case peek.Ended() | peek.Moved():
                self._ended[type(head).__name__] = payload
            case peek.Said():
                self._said.append(payload)
            case peek.Paused():
                paused = decode_server(payload)
                assert isinstance(paused, wire.Paused)
                self._paused = paused, now
            case _:
                pass

    def _take_snapshot(self, payload: bytes) -> None:
        snapshot = decode_server(payload)
        assert isinstance(snapshot, wire.Snapshot)
        is_next = bool(self._ring) and self._ring[-1][0] == snapshot.p
        if self._snapshot is None or self._snapshot.life != snapshot.life or not is_next:
            self._ring.clear()
        self._snapshot = snapshot

    def _advance(self, payload: bytes) -> None:
        if self._snapshot is None:
            return
        update = decode_server(payload)
        assert isinstance(update, wire.Update)
        view: Any = apply(self._snapshot.public, update.patch)
        self._snapshot = replace(self._snapshot, p=update.p, public=view, clock=update.clock)

    # --- what spectators get --------------------------------------------------------------------------------------

    def welcome(self, watch: commands.Watch, now: int) -> list[bytes]:
        """Return what somebody gets who comes in, or back in."""
        joined = self._joined
        assert joined is not None, "the stand is open"
        missed = None if watch.position is None else self._missed(watch.position)
        kind = wire.Joined if missed is None else wire.Resumed
        assert self._snapshot is not None, "the stand is open"
        answer = kind(watch.ref, joined.room, joined.code, self._snapshot.life, None, None, joined.about)
        frames = [self.snapshot()] if missed is None else missed
        return [encode(answer), *frames, *self.current(now)]

    def current(self, now: int) -> list[bytes]:
        """Return what has no number and holds now."""
        seats = [] if self._seats is None else [self._seats]
        return [*seats, *self.time(now), *self._ended.values(), *self._said]

    def time(self, now: int) -> list[bytes]:
        """Return what time it is, if that may be known."""
        if self._paused is None or self._is_behind:
            return []
        paused, told = self._paused
        passed = now - told if paused.reason is None and not self._ended else 0
        return [encode(replace(paused, at=paused.at + max(0, passed)))]

    def snapshot(self) -> bytes:
        """Return everything as it is now: the same bytes that the owner would send."""
        assert self._snapshot is not None, "the stand is open"
        public, nothing = canonical(self._snapshot.public), canonical(None)
        return encode(
            replace(
                self._snapshot,
                public=Raw(public),
                private=Raw(nothing),
                public_sum=crc32(public),
                private_sum=crc32(nothing),
            )
        )

    def _missed(self, position: wire.Position) -> list[bytes] | None:
        """Return the frames after *position*; None if only a snapshot helps."""
        assert self._snapshot is not None, "the stand is open"
        behind = self._snapshot.p - position.p
        if position.life != self._snapshot.life or not 0 <= behind <= len(self._ring):
            return None
        return [payload for _, payload in list(self._ring)[len(self._ring) - behind :]]
