"""Player ids and tokens, signed with the cluster's secret so that any node can check them."""

import hmac
from base64 import b32encode, urlsafe_b64encode
from hashlib import sha256

from msgspec import Struct

_MAC_BYTES = 16
_KEY_BYTES = 5
_GENERATION_DIGITS = 15
PLAYER_BYTES = 10
"""How many random bytes make a player id."""


def player_id(entropy: bytes) -> str:
    """Return a new player's public id, made of 10 random bytes."""
    if len(entropy) != PLAYER_BYTES:
        raise ValueError(f"a player id is made of {PLAYER_BYTES} bytes, got {len(entropy)}")
    return b32encode(entropy).decode().lower()


class Identity(Struct, frozen=True, gc=False):
    """A player, and how often that player has voided all earlier tokens."""

    player: str
    generation: int = 0


class Signer:
    """Makes and checks signatures with the cluster's secret.

    Each kind of signature has its own label, so that none passes for another.
    """

    def __init__(self, secret: bytes, *, bot_key: str = "") -> None:
        self._secret = secret
        self._bot_key = bot_key

    def identity_token(self, identity: Identity) -> str:
        """Return the token by which a player is recognised on the next visit."""
        return self._token(identity, "identity")

    def identity_of(self, token: str) -> Identity | None:
        """Return the owner of an identity token, or None if it is not signed."""
        return self._read(token, "identity")

    def seat_token(self, room: int, identity: Identity) -> str:
        """Return the token that lets its holder act as a player in one room."""
        return self._token(identity, "seat", str(room))

    def seat_holder(self, room: int, token: str) -> Identity | None:
        """Return the owner of a seat token for *room*, or None if it is not signed for that room."""
        return self._read(token, "seat", str(room))

    def room_key(self, room: int) -> str:
        """Return the key of a private room; it is short because people copy it by hand."""
        return b32encode(self._digest("room key", str(room))[:_KEY_BYTES]).decode().lower()

    def is_room_key(self, room: int, key: str | None) -> bool:
        """Whether *key* is the key of *room*."""
        return key is not None and _same(key.lower(), self.room_key(room))

    def bot_key(self) -> str:
        """Return the key of bot workers: the operator's, or a generated one."""
        return self._bot_key or self._mac("bot key")

    def is_bot_key(self, key: str) -> bool:
        """Whether *key* is the key of bot workers."""
        return _same(key, self.bot_key())

    def link_key(self) -> bytes:
        """Return the key by which the nodes of the cluster authenticate each other."""
        return self._digest("link key")

    def room_number(self, player: str, ref: int, attempt: int) -> int:
        """Return the room number that a `create` tries: always the same, so that the request can be repeated."""
        return int.from_bytes(self._digest("room", player, str(ref), str(attempt))[:4], "big")

    def rematch_ref(self, room: int) -> int:
        """Return the ref under which the rematch of a room is created: always the same, and not guessable."""
        return int.from_bytes(self._digest("rematch", str(room))[:8], "big") >> 11

    def create_nonce(self, player: str, ref: int) -> bytes:
        """Return the nonce by which the store recognises a repeated `create`."""
        return self._digest("create", player, str(ref))[:_MAC_BYTES]

    def _token(self, identity: Identity, *label: str) -> str:
        named = f"{identity.player}.{identity.generation}"
        return f"{named}.{self._mac(*label, named)}"

    def _read(self, token: str, *label: str) -> Identity | None:
        player, _, rest = token.partition(".")
        number = rest.partition(".")[0]
        # Bounded, because int() is slow for very long numbers.
        if not (number.isascii() and number.isdigit() and len(number) <= _GENERATION_DIGITS):
            return None
        identity = Identity(player, int(number))
        return identity if _same(token, self._token(identity, *label)) else None

    def _mac(self, *parts: str) -> str:
        return urlsafe_b64encode(self._digest(*parts)[:_MAC_BYTES]).decode().rstrip("=")

    def _digest(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, "\0".join(parts).encode(), sha256)


def _same(one: str, other: str) -> bool:
    # As bytes: compare_digest rejects text beyond ASCII, which anybody may send.
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))
