"""Blocking websockets that enter rooms and are then handed to the load generator."""

import select
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
"""RFC 6455's example; the C server knows the answer to this one alone."""
TIMEOUT_S = 30.0
QUIET_S = 0.3
"""Nothing is on its way any more after this time without a message."""


class SetupSocket:
    """A websocket to a server on this machine."""

    def __init__(self, port: int, path: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._messages: list[bytes] = []
        self._protocol = ClientProtocol(parse_uri(f"ws://127.0.0.1:{port}{path}"), max_size=None)
        self._protocol.key = KEY
        self._protocol.send_request(self._protocol.connect())
        self._flush()
        while self._protocol.state is State.CONNECTING:
            self.read()
        if self._protocol.handshake_exc is not None:
            raise self._protocol.handshake_exc

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def fileno(self) -> int:
        """Return the descriptor of the socket."""
        return self._socket.fileno()

    def send(self, payload: bytes | str) -> None:
        """Send one message: bytes as a binary one, a string as text."""
        if isinstance(payload, str):
            self._protocol.send_text(payload.encode())
        else:
            self._protocol.send_binary(payload)
        self._flush()

    def receive(self) -> bytes:
        """Wait for the next message."""
        while not self._messages:
            self.read()
        return self._messages.pop(0)

    def take_messages(self) -> list[bytes]:
        """Return the messages that were read and not asked for."""
        messages, self._messages = self._messages, []
        return messages

    def close(self) -> None:
        """Close the socket here; a generator that took it over keeps the connection."""
        self._socket.close()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            self._socket.sendall(data)

    def read(self) -> None:
        """Read what arrived, or wait until something does."""
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the server closed the connection")
        self._protocol.receive_data(data)
        self._flush()  # pongs
        for event in self._protocol.events_received():
            if isinstance(event, Frame) and event.opcode in (Opcode.TEXT, Opcode.BINARY):
                self._messages.append(bytes(event.data))


@dataclass
class Seated:
    """A connection that has entered a room; *seat* is -1 for a viewer."""

    socket: SetupSocket
    room: int
    seat: int
    turn: int = 0
    """Warroom's turn token of the next action."""
    is_ready: bool = True
    """The server expects an action."""


def settle(clients: Iterable[Seated], heard: Callable[[Seated, bytes], None], quiet_s: float = QUIET_S) -> None:
    """Read and answer pings until nothing arrives any more."""
    by_descriptor = {client.socket.fileno(): client for client in clients}
    poller = select.poll()
    for descriptor in by_descriptor:
        poller.register(descriptor, select.POLLIN)
    while ready := poller.poll(quiet_s * 1000):
        for descriptor, _ in ready:
            by_descriptor[descriptor].socket.read()
    for client in by_descriptor.values():
        for message in client.socket.take_messages():
            heard(client, message)


def settle_ready(clients: Sequence[Seated], heard: Callable[[Seated, bytes], None]) -> bool:
    """Settle until the server expects an action of every player; return whether that came true in time."""
    limit_s = time.monotonic() + TIMEOUT_S
    settle(clients, heard)
    while not all(client.is_ready for client in clients) and time.monotonic() < limit_s:
        settle(clients, heard)
    return all(client.is_ready for client in clients)


def lines_of(clients: Iterable[Seated]) -> Iterator[str]:
    """Yield what the generator has to know of each client."""
    for client in clients:
        yield f"{client.socket.fileno()} {client.room} {client.seat} {client.turn} {client.is_ready:d}\n"
