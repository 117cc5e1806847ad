"""Randomness as a value: a counter hashed under a secret key."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

KEY_BYTES = 16


class Rng(Struct, frozen=True):
    """A generator that lives inside a state: every draw returns the value and the generator after it.

    The same key and counter give the same draws everywhere, and without the key nobody can tell the next draw from
    the last ones.
    """

    key: bytes
    counter: int = 0

    def below(self, bound: int) -> tuple[int, "Rng"]:
        """Draw an integer from 0 to *bound* - 1, every one equally likely."""
        if bound < 1:
            raise ValueError(f"bound must be at least 1, got {bound}")
        limit = 2**64 - 2**64 % bound
        counter = self.counter
        while True:
            word = int.from_bytes(blake2b(counter.to_bytes(8, "big"), key=self.key, digest_size=8).digest(), "big")
            counter += 1
            if word < limit:
                return word % bound, Rng(self.key, counter)

    def choice(self, items: Sequence[T]) -> tuple[T, "Rng"]:
        """Draw one of *items*."""
        index, rng = self.below(len(items))
        return items[index], rng

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], "Rng"]:
        """Return *items* in an order of which every one is equally likely."""
        deck = list(items)
        rng = self
        for last in range(len(deck) - 1, 0, -1):
            other, rng = rng.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck), rng
