"""The handshake in which two nodes prove that they know the key of the cluster, without sending it. Pure.

The dialler greets, the other end greets with a proof, the dialler sends its proof. A proof signs both nonces.
"""

import hmac
from hashlib import sha256
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder, Encoder

NONCE_BYTES: Final = 16

_DIALLED, _ANSWERED = b"dialled", b"answered"


class Greeting(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The name and version of a node, and a nonce that the other end signs."""

    version: int
    node: Annotated[str, Meta(min_length=1, max_length=64)]
    nonce: Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]
    proof: Annotated[bytes, Meta(max_length=64)] = b""
    """Empty from the dialler, which does not know the other nonce yet."""


_decoder: Final = Decoder(Greeting)
_encode: Final = Encoder().encode


class Handshake:
    """One end of the handshake; *dialled* is the node that this end dialled, None if it accepted the line."""

    def __init__(self, own: str, *, key: bytes, version: int, nonce: bytes, dialled: str | None) -> None:
        self.dialled = dialled
        self.claimed = dialled or ""
        """The name that the other end claims, without proof."""
        self.node = ""
        """The node at the other end, once it has proved itself."""
        self._own = own
        self._key = key
        self._version = version
        self._nonce = nonce
        self._theirs: Greeting | None = None

    def greet(self) -> bytes:
        """Return the first message of the dialler."""
        return _encode(Greeting(self._version, self._own, self._nonce))

    def receive(self, payload: bytes) -> bytes:
        """Take a message and return the answer, empty if there is none. Raises ValueError, which ends the line."""
        theirs = self._theirs
        if theirs is None:
            theirs = self._theirs = self._read(payload)
            if self.dialled is None:
                return _encode(Greeting(self._version, self._own, self._nonce, self._proof(_ANSWERED, self._own)))
            payload = theirs.proof
        role = _ANSWERED if self.dialled else _DIALLED
        if not hmac.compare_digest(payload, self._proof(role, theirs.node)):
            raise ValueError("the other end does not know the key of this cluster")
        self.node = theirs.node
        return self._proof(_DIALLED, self._own) if self.dialled else b""

    def _read(self, payload: bytes) -> Greeting:
        theirs = _decoder.decode(payload)
        self.claimed = theirs.node
        if theirs.version != self._version:
            raise ValueError(f"the other end has version {theirs.version}, this node has {self._version}")
        if theirs.node == self._own:
            raise ValueError("the other end is this node itself")
        if self.dialled not in (None, theirs.node):
            raise ValueError(f"dialled {self.dialled}, but {theirs.node} answered")
        return theirs

    def _proof(self, role: bytes, prover: str) -> bytes:
        assert self._theirs is not None
        nonces = (self._nonce, self._theirs.nonce) if self.dialled else (self._theirs.nonce, self._nonce)
        return hmac.digest(self._key, b"\0".join((b"link", role, prover.encode(), *nonces)), sha256)
