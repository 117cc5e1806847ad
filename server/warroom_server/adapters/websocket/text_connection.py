"""A websocket of text frames, for debugging: a binary connection behind a translation at its edge."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from websockets.frames import Frame, Opcode

from warroom_protocol.codes import CLOSE_TEXT
from warroom_protocol.frames import as_text
from warroom_server.adapters.websocket.connection import WebSocketConnection
from warroom_server.adapters.websocket.listener_state import Shell

Translate: TypeAlias = Callable[[bytes], bytes]


class TextConnection(WebSocketConnection):
    """The `Connection` of a client that speaks text: *read* and *show* turn texts into messages, and back."""

    __slots__ = ("_read", "_show")

    def __init__(
        self, shell: Shell, transport: asyncio.Transport, *, id: int, read: Translate, show: Translate
    ) -> None:
        super().__init__(shell, transport, id=id)
        self._read = read
        self._show = show
        self.fd = -1  # so that everything passes `flush`

    def data_received(self, data: bytes) -> None:
        """Let a core parse all data: without one, whole frames are taken for binary ones."""
        self._need_core()
        super().data_received(data)

    def flush(self) -> None:
        """Write what was queued, with messages as text."""
        out, self.out = self.out or [], None
        try:
            self.out = [as_text(data, self._show) for data in out]
        finally:
            if self.out is None:  # a bug of the translation ends this connection
                self.abort()
        super().flush()

    def _take(self, frame: Frame, arrived: int) -> int:
        if frame.opcode is Opcode.BINARY:
            self._fail(CLOSE_TEXT, "messages are text")
            return 0
        if frame.opcode is Opcode.TEXT:
            frame = Frame(Opcode.BINARY, frame.data, frame.fin)
        return super()._take(frame, arrived)

    def _message(self, message: bytes, arrived: int) -> int:
        return super()._message(self._read(message), arrived)
