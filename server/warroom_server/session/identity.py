"""Who somebody is: ids and tokens signed with the cluster's secret, so that any node can check them."""

import hmac
from base64 import b32encode, urlsafe_b64encode
from hashlib import sha256

_MAC_BYTES = 16
_KEY_BYTES = 5
PLAYER_BYTES = 10
"""How many random bytes make a player id."""


def player_id(entropy: bytes) -> str:
    """Return a new player's public id, made of 10 random bytes."""
    if len(entropy) != PLAYER_BYTES:
        raise ValueError(f"a player id is made of {PLAYER_BYTES} bytes, got {len(entropy)}")
    return b32encode(entropy).decode().lower()


class Signer:
    """Makes and checks what only holders of the cluster's secret can make.

    Every kind of signature has its own label, so that none can be passed off as another.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def identity_token(self, player: str) -> str:
        """Return the token with which *player* is recognised on the next visit."""
        return f"{player}.{self._mac('identity', player)}"

    def identity_of(self, token: str) -> str | None:
        """Return whose identity token this is, or None if nobody signed it."""
        player = token.partition(".")[0]
        return player if _same(token, self.identity_token(player)) else None

    def seat_token(self, room: int, player: str) -> str:
        """Return the token that lets its holder act as *player* in one room."""
        return f"{player}.{self._mac('seat', str(room), player)}"

    def seat_holder(self, room: int, token: str) -> str | None:
        """Return for which player the token speaks in *room*, or None if nobody signed it for that room."""
        player = token.partition(".")[0]
        return player if _same(token, self.seat_token(room, player)) else None

    def room_key(self, room: int) -> str:
        """Return what a stranger must show to enter a private room: short, for people copy it by hand."""
        return b32encode(self._digest("room key", str(room))[:_KEY_BYTES]).decode().lower()

    def is_room_key(self, room: int, key: str | None) -> bool:
        """Whether *key* is that of *room*."""
        return key is not None and _same(key.lower(), self.room_key(room))

    def bot_key(self) -> str:
        """Return what the bot workers of this cluster show, unless the operator chose another one."""
        return self._mac("bot key")

    def room_number(self, player: str, ref: int, attempt: int) -> int:
        """Return the number that the room of a `create` tries to take: always the same, so that it can be repeated."""
        return int.from_bytes(self._digest("room", player, str(ref), str(attempt))[:4], "big")

    def create_nonce(self, player: str, ref: int) -> bytes:
        """Return what a repeated `create` is recognised by in the store."""
        return self._digest("create", player, str(ref))[:_MAC_BYTES]

    def _mac(self, *parts: str) -> str:
        return urlsafe_b64encode(self._digest(*parts)[:_MAC_BYTES]).decode().rstrip("=")

    def _digest(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, "\0".join(parts).encode(), sha256)


def _same(one: str, other: str) -> bool:
    # As bytes: compare_digest refuses text beyond ASCII, which a stranger may well send.
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))
