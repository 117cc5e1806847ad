"""A strict model of a client's copy of a room: it asserts everything that the protocol promises."""

from typing import Any

from warroom_protocol import messages as wire
from warroom_protocol.canonical import canonical, checksum
from warroom_protocol.codec import decode_server
from warroom_protocol.patches import apply


class Viewer:
    """One viewer's mirror, which may be cut off and come back."""

    def __init__(self) -> None:
        self.life = 0
        self.p = 0
        self.q = 0
        self.public: Any = None
        self.private: Any = None
        self.clock: wire.Clock | None = None
        self.seen: list[wire.ServerMessage] = []
        self._held: wire.Private | None = None
        self._is_empty = True

    @property
    def position(self) -> wire.Position | None:
        """Where to resume; what is held for an update that never came does not count."""
        return None if self._is_empty else wire.Position(self.life, self.p, self.q)

    @property
    def shows(self) -> tuple[int, int, bytes, bytes]:
        """All that the viewer knows of the streams."""
        return self.p, self.q, canonical(self.public), canonical(self.private)

    def receive(self, payload: bytes) -> None:
        message = decode_server(payload)
        self.seen.append(message)
        match message:
            case wire.Joined() | wire.Resumed():
                self._held = None
                assert isinstance(message, wire.Joined) or message.life == self.life
                self.life = message.life
            case wire.Snapshot():
                self._snapshot(message)
            case wire.Update():
                self._update(message)
            case wire.Private():
                self._receive_private(message)
            case wire.Prompt() | wire.Verdict():
                assert self._held is None, "nothing comes between the two halves of a joint change"
            case _:
                pass

    def _snapshot(self, message: wire.Snapshot) -> None:
        self.life, self.p, self.q = message.life, message.p, message.q
        self.public, self.private, self.clock = message.public, message.private, message.clock
        assert checksum(self.public) == message.public_sum
        assert checksum(self.private) == message.private_sum
        self._held = None
        self._is_empty = False

    def _update(self, message: wire.Update) -> None:
        assert message.p == self.p + 1
        self.p = message.p
        self.public = apply(self.public, message.patch)
        self.clock = message.clock or self.clock
        assert message.sum in (None, checksum(self.public))
        held, self._held = self._held, None
        if held is not None:
            assert held.p == message.p
            self._step_private(held)

    def _receive_private(self, message: wire.Private) -> None:
        assert self._held is None
        assert message.q == self.q + 1
        assert message.p == self.p + message.joint
        if message.joint:
            self._held = message
        else:
            self._step_private(message)

    def _step_private(self, message: wire.Private) -> None:
        self.q = message.q
        self.private = apply(self.private, message.patch)
        assert message.sum in (None, checksum(self.private))
