"""Randomness as a value: a counter hashed under a secret key."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

KEY_BYTES = 16
"""The length of a key; a room's seed is one key."""

_WORD_BITS = 64
_WORDS = 2**_WORD_BITS


class Rng(Struct, frozen=True, gc=False):
    """A generator inside a state: every draw returns the value and the next generator.

    The same key and counter give the same draws everywhere, and without the key the next draw cannot be predicted from
    the previous ones. Word *n* is the 8-byte blake2b of *n* (8 bytes, big-endian) under the key, read big-endian.
    """

    key: bytes
    counter: int = 0

    def below(self, bound: int) -> tuple[int, "Rng"]:
        """Draw an integer from 0 to *bound* - 1, every one equally likely."""
        value, counter = _below(self.key, self.counter, bound)
        return value, Rng(self.key, counter)

    def bits(self, count: int) -> tuple[int, "Rng"]:
        """Flip *count* fair coins at once: the integer whose bits, from the lowest, are the flips."""
        if 0 < count <= _WORD_BITS:  # the common case, with the same result as below
            return _word(self.key, self.counter) & (1 << count) - 1, Rng(self.key, self.counter + 1)
        words = -(-count // _WORD_BITS)
        flips = 0
        for index in range(words):
            flips |= _word(self.key, self.counter + index) << index * _WORD_BITS
        return flips & (1 << count) - 1, Rng(self.key, self.counter + words)

    def choice(self, items: Sequence[T]) -> tuple[T, "Rng"]:
        """Draw one of *items*."""
        index, rng = self.below(len(items))
        return items[index], rng

    def sample(self, items: Sequence[T], count: int) -> tuple[tuple[T, ...], "Rng"]:
        """Draw *count* different ones of *items*, every selection and order equally likely."""
        if not 0 <= count <= len(items):
            raise ValueError(f"count must be from 0 to {len(items)}, got {count}")
        deck = list(items)
        key, counter = self.key, self.counter
        for last in range(len(deck) - 1, max(len(deck) - 1 - count, 0), -1):
            other, counter = _below(key, counter, last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck[len(deck) - count :]), Rng(key, counter)

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], "Rng"]:
        """Return *items* in a uniformly random order."""
        return self.sample(items, len(items))

    def spawn(self) -> tuple["Rng", "Rng"]:
        """Draw a fresh generator whose draws reveal nothing about this one's."""
        # The personalisation separates a spawned key from every word of the same counter.
        key = blake2b(self.counter.to_bytes(8, "big"), key=self.key, digest_size=KEY_BYTES, person=b"spawn").digest()
        return Rng(key), Rng(self.key, self.counter + 1)


def derived_key(seed: str, purpose: str) -> bytes:
    """Derive the key of a generator from a text."""
    return blake2b(seed.encode(), key=purpose.encode(), digest_size=KEY_BYTES).digest()


def _word(key: bytes, counter: int) -> int:
    return int.from_bytes(blake2b(counter.to_bytes(8, "big"), key=key, digest_size=8).digest(), "big")


def _below(key: bytes, counter: int, bound: int) -> tuple[int, int]:
    """Return a draw and the next counter; words past the last whole multiple of *bound* are rejected, to avoid bias."""
    if not 1 <= bound <= _WORDS:
        raise ValueError(f"bound must be from 1 to 2**64, got {bound}")
    limit = _WORDS - _WORDS % bound
    while True:
        word = _word(key, counter)
        counter += 1
        if word < limit:
            return word % bound, counter
