"""A websocket client that costs as little as possible, so that the machine's time goes to the server."""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

OPENED_END = b"\r\n\r\n"
BINARY, CLOSE, PING, PONG = 0x2, 0x8, 0x9, 0xA


class LeanClient(asyncio.Protocol):
    """One connection: whole messages in through *on_message*, masked frames out."""

    def __init__(self, on_message: "Callable[[LeanClient, bytes], None]") -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._on_message = on_message
        self._transport: asyncio.Transport
        self._buffer = bytearray()
        self._is_open = False

    @classmethod
    async def connect(cls, host: str, port: int, on_message: "Callable[[LeanClient, bytes], None]") -> "LeanClient":
        """Return a client whose opening handshake is done."""
        _, client = await asyncio.get_running_loop().create_connection(lambda: cls(on_message), host, port)
        await asyncio.wait_for(client.opened, 30)
        return client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ["GET /ws HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        self._transport.write("\r\n".join(lines).encode())

    def data_received(self, data: bytes) -> None:
        """Cut what arrived into messages."""
        self._buffer += data
        if not self._is_open:
            end = self._buffer.find(OPENED_END)
            if end < 0:
                return
            if not self._buffer.startswith(b"HTTP/1.1 101"):
                self.opened.set_exception(ConnectionError(bytes(self._buffer[:80]).decode(errors="replace")))
                return
            del self._buffer[: end + len(OPENED_END)]
            self._is_open = True
            self.opened.set_result(None)
        self._frames()

    def connection_lost(self, error: Exception | None) -> None:
        """Fail whoever still waits for the handshake."""
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed during the handshake"))

    def send(self, payload: bytes, opcode: int = BINARY) -> None:
        """Send one message; the mask is all zeros, which leaves the payload as it is."""
        size = len(payload)
        head = (
            bytes((0x80 | opcode, 0x80 | size)) if size < 126 else bytes((0x80 | opcode, 0xFE, size >> 8, size & 255))
        )
        self._transport.write(head + b"\0\0\0\0" + payload)

    def close(self) -> None:
        """Cut the line."""
        self._transport.abort()

    def _frames(self) -> None:
        buffer, start = self._buffer, 0
        while len(buffer) - start >= 2:
            size, head = buffer[start + 1], 2
            if size == 126:
                size, head = int.from_bytes(buffer[start + 2 : start + 4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(buffer[start + 2 : start + 10], "big"), 10
            end = start + head + size
            if len(buffer) < end:
                break
            self._frame(buffer[start] & 15, bytes(buffer[start + head : end]))
            start = end
        del buffer[:start]

    def _frame(self, opcode: int, payload: bytes) -> None:
        if opcode == BINARY:
            self._on_message(self, payload)
        elif opcode == PING:
            self.send(payload, PONG)
        elif opcode == CLOSE:
            self.close()
