"""One link between two nodes: who is there, whether it still is, and how long it takes. It decides, and never waits.

Both ends prove that they know the key of the cluster without sending it: each signs the other's nonce.
"""

import hmac
from collections import deque
from hashlib import sha256
from typing import Final

from warroom_server.cluster import messages
from warroom_server.cluster.messages import Greet, LinkError, Message, Ping, Pong, Prove

PING_MS: Final = 500
"""How often each end asks whether the other one is there."""
SILENCE_MS: Final = 2_000
"""After so long without a word the other end is taken for gone."""
TRIPS: Final = 64
"""Of so many round trips the smallest counts."""

_DIALLED, _ANSWERED = b"dialled", b"answered"


class PeerLink:
    """The state of one link. What is to be written is taken with `take`; times are milliseconds of the node's clock."""

    def __init__(self, own: str, *, key: bytes, nonce: bytes, dialled: str | None, now: int) -> None:
        self.peer = ""
        """The node at the other end, once it has greeted."""
        self.is_open = False
        self._own = own
        self._key = key
        self._nonce = nonce
        self._dialled = dialled
        """Who is to answer, at the end that dialled."""
        self._is_dialler = dialled is not None
        self._greeting: Greet | None = None
        self._heard = now
        self._pinged = now
        self._trips: deque[int] = deque(maxlen=TRIPS)
        self._out: list[bytes] = []
        if self._is_dialler:
            self._write(Greet(messages.VERSION, own, nonce))

    @property
    def rtt_ms(self) -> int:
        """The smallest of the last round trips; 0 before one was measured."""
        return min(self._trips, default=0)

    @property
    def last_rtt_ms(self) -> int:
        """The last round trip; 0 before one was measured."""
        return self._trips[-1] if self._trips else 0

    def take(self) -> list[bytes]:
        """Return what is to be written, and begin anew."""
        out, self._out = self._out, []
        return out

    def send(self, message: Message) -> None:
        """Say something to the other end, which must have proved who it is."""
        assert self.is_open, "a link carries nothing before both ends are known"
        self._write(message)

    def receive(self, payload: bytes, now: int) -> Message | None:
        """Take one message; return it unless it was for the link itself. Raises `LinkError`, which ends the link."""
        self._heard = now
        message = messages.decode(payload)
        match message:
            case Greet():
                self._greeted(message)
            case Prove():
                self._proved(message, now)
            case _ if not self.is_open:
                raise LinkError(f"{type(message).__name__} came before a proof")
            case Ping():
                self._write(Pong(message.stamp))
            case Pong():
                self._trips.append(max(0, now - message.stamp))
            case _:
                return message
        return None

    def tick(self, now: int) -> None:
        """Ask whether the other end is there, if it is time to; raise `LinkError` if it was silent for too long."""
        if now - self._heard >= SILENCE_MS:
            raise LinkError(f"not a word for {now - self._heard} ms")
        if self.is_open and now - self._pinged >= PING_MS:
            self._ping(now)

    def _ping(self, now: int) -> None:
        self._pinged = now
        self._write(Ping(now))

    def _greeted(self, greeting: Greet) -> None:
        if self._greeting is not None:
            raise LinkError("the other end greeted twice")
        if greeting.version != messages.VERSION:
            raise LinkError(f"the other end speaks version {greeting.version}, this node version {messages.VERSION}")
        if greeting.node == self._own:
            raise LinkError("the other end is this very node")
        if self._dialled not in (None, greeting.node):
            raise LinkError(f"{greeting.node} is there now")
        self._greeting, self.peer = greeting, greeting.node
        if not self._is_dialler:
            self._write(Greet(messages.VERSION, self._own, self._nonce))
            self._write(Prove(self._proof(_ANSWERED, self._own, greeting)))

    def _proved(self, proof: Prove, now: int) -> None:
        greeting = self._greeting
        if greeting is None or self.is_open:
            raise LinkError("a proof came out of turn")
        role = _ANSWERED if self._is_dialler else _DIALLED
        if not hmac.compare_digest(proof.proof, self._proof(role, greeting.node, greeting)):
            raise LinkError("the other end does not know the key of this cluster")
        self.is_open = True
        if self._is_dialler:
            self._write(Prove(self._proof(_DIALLED, self._own, greeting)))
        self._ping(now)

    def _proof(self, role: bytes, prover: str, greeting: Greet) -> bytes:
        """Return what *prover* sends: it holds for these two nonces, and for one direction."""
        nonces = (self._nonce, greeting.nonce) if self._is_dialler else (greeting.nonce, self._nonce)
        return hmac.digest(self._key, b"\0".join((b"link", role, prover.encode(), *nonces)), sha256)

    def _write(self, message: messages.Handshake | Message) -> None:
        self._out.append(messages.encode(message))
