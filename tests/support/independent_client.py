"""A client written from the protocol's documentation alone: `websockets`, `msgpack`, and nothing of ours."""

from collections import deque
from contextlib import ExitStack
from itertools import count
from typing import Any, TypeAlias

import msgpack
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

Message: TypeAlias = list[Any]

REPLIES = frozenset({"welcome", "games", "rooms", "created", "joined", "resumed", "done", "legal", "error", "pong"})
PATIENCE_S = 20.0


class Stranger:
    """One connection that asks, and keeps what else it is told in *inbox*."""

    def __init__(self, url: str, name: str, token: str | None = None) -> None:
        self._stack = ExitStack()
        self.socket = self._stack.enter_context(connect(url, compression=None))
        self.inbox: deque[Message] = deque()
        self._numbers = count(1)
        self.welcome = self.ask("hello", [1], name, token, "")
        self.player: str = self.welcome[3]
        self.token: str = self.welcome[4]

    def send(self, *message: object) -> None:
        """Send a message as it is."""
        self.socket.send(msgpack.packb(list(message)))

    def receive(self) -> Message:
        """Return the next message, what was kept first."""
        return self.inbox.popleft() if self.inbox else self._read()

    def ask(self, name: str, *fields: object) -> Message:
        """Send a request and return its one reply; what comes before that is kept."""
        ref = next(self._numbers)
        self.send(name, ref, *fields)
        return self._await_reply(ref)

    def act(self, room: int, action_id: int, turn: int, action: object) -> Message:
        """Play an action and return its verdict; what comes before that is kept."""
        self.send("act", room, action_id, turn, action)
        while True:
            message = self._read()
            if message[0] == "verdict" and message[2] == action_id:
                return message
            self.inbox.append(message)

    def await_message(self, *names: str) -> Message:
        """Return the next message of one of these names, dropping others."""
        while True:
            message = self.receive()
            if message[0] in names:
                return message

    def close_code(self) -> int | None:
        """Read to the end, and return the code with which the server closed."""
        try:
            while True:
                self._read()
        except ConnectionClosed:
            return self.socket.protocol.close_code

    def close(self) -> None:
        """Hang up."""
        self._stack.close()

    def _await_reply(self, ref: int) -> Message:
        while True:
            message = self._read()
            if message[0] in REPLIES and message[1] == ref:
                return message
            self.inbox.append(message)

    def _read(self) -> Message:
        message: Message = msgpack.unpackb(self.socket.recv(timeout=PATIENCE_S))
        return message


def play_to_the_end(room: int, stranger: Stranger, first_id: int = 1) -> Message:
    """Play the last legal action at every prompt; return the message that says how it ended."""
    ids = count(first_id)
    while True:
        message = stranger.await_message("prompt", "ended")
        if message[0] == "ended":
            return message
        legal = stranger.ask("legal", room)
        if legal[0] == "legal" and legal[3] == message[3] and legal[5]:
            verdict = stranger.act(room, next(ids), message[3], legal[5][-1])
            assert verdict[3] is None, verdict
