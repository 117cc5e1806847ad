"""A client's end of a websocket in raw bytes, over a blocking socket: it sends what it is given and answers no ping."""

import socket
import struct
from contextlib import suppress
from typing import Any

import msgpack
from websocket_peer import BINARY, CLOSE, HANDSHAKE, frame

PATIENCE_S = 30.0
SMALL_BYTES = 4096
SMALL_SEGMENT = 536


class RawLine:
    """One line to a server; *is_narrow* keeps what the systems on both ends hold for it small."""

    def __init__(self, port: int, *, is_narrow: bool = False) -> None:
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE_S)
        if is_narrow:
            # The server's system sizes its own buffer by the segments that the client announces.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BYTES)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SMALL_SEGMENT)
        self.socket.connect(("127.0.0.1", port))
        self._reader = self.socket.makefile("rb")

    def __enter__(self) -> "RawLine":
        return self

    def __exit__(self, *error: object) -> None:
        self._reader.close()
        self.socket.close()

    def shake_hands(self) -> None:
        """Open the websocket."""
        self.send(HANDSHAKE)
        status, line = self._reader.readline(), b""
        assert status.startswith(b"HTTP/1.1 101 "), status
        while line != b"\r\n":
            line = self._reader.readline()

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.socket.sendall(data)

    def say(self, *message: object) -> None:
        """Send a message."""
        self.send(frame(BINARY, msgpack.packb(list(message))))

    def frame(self) -> tuple[int, bytes]:
        """Read one frame: opcode and payload; the end of the line is a close frame without a code."""
        head = self._reader.read(2)
        if len(head) < 2:
            return CLOSE, b""
        size = head[1]
        if size == 126:
            (size,) = struct.unpack("!H", self._reader.read(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._reader.read(8))
        return head[0] & 0x0F, self._reader.read(size)

    def hear(self) -> list[Any]:
        """Read the next message."""
        opcode, payload = self.frame()
        while opcode not in (BINARY, CLOSE):
            opcode, payload = self.frame()
        assert opcode == BINARY, f"closed: {payload!r}"
        message: list[Any] = msgpack.unpackb(payload)
        return message

    def hear_of(self, *names: str) -> list[Any]:
        """Read up to the next message of one of these names."""
        while True:
            message = self.hear()
            if message[0] in names:
                return message

    def greet(self, name: str = "Mallory") -> list[Any]:
        """Open the websocket, say hello and return the welcome."""
        self.shake_hands()
        self.say("hello", 0, [1], name)
        return self.hear_of("welcome")

    def close_code(self) -> int | None:
        """Read to the end, answer the close and return its code; None: the line just ended."""
        while True:
            opcode, payload = self.frame()
            if opcode == CLOSE:
                with suppress(OSError):
                    self.send(frame(CLOSE, payload[:2]))
                    assert self._reader.read() == b"", "something came after the close"
                return int.from_bytes(payload[:2], "big") if payload else None
