"""Finite sets of values as factors: each value is a fixed sequence of small numbers.

A *factor* is a choice between a number of values, counted from 0. A *code* is the list of numbers that stands for a
value, one for each factor. Different values have different codes, and a value has the same code in every state of every
match.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from warroom_rl.errors import BoundError

DIGIT = 10
"""Large numbers are written in decimal digits, one factor for each."""

MOST_VALUES = 1024
"""A number with more values than this is written in digits."""


class Domain(Protocol):
    """A finite set of values."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values of each factor."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each factor within the field: empty if there is only one."""
        ...

    def encode(self, value: Any) -> list[int]:
        """Return the code of *value*; raise `BoundError` if it does not belong to the set."""
        ...

    def decode(self, code: Sequence[int]) -> Any:
        """Return the value of a code; raise `BoundError` if the code has none."""
        ...


class Values(Struct, frozen=True):
    """A few listed values."""

    values: tuple[Any, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """One factor."""
        return (len(self.values),)

    @property
    def labels(self) -> tuple[str, ...]:
        """One factor."""
        return ("",)

    def encode(self, value: Any) -> list[int]:
        """Return the position of the value."""
        try:
            return [self.values.index(value)]
        except ValueError:
            raise BoundError(f"{value!r} is not one of {self.values!r}") from None

    def decode(self, code: Sequence[int]) -> Any:
        """Return the value at a position."""
        return self.values[code[0]]


class Span(Struct, frozen=True):
    """Whole numbers, one factor if there are few and otherwise a factor for each decimal digit, the first one first."""

    low: int
    size: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of values, or those of each digit."""
        if self.size <= MOST_VALUES:
            return (self.size,)
        digits = len(str(self.size - 1))
        return (int(str(self.size - 1)[0]) + 1, *(DIGIT,) * (digits - 1))

    @property
    def labels(self) -> tuple[str, ...]:
        """The powers of ten that the digits count."""
        count = len(self.sizes)
        return ("",) if count == 1 else tuple(f"e{power}" for power in range(count - 1, -1, -1))

    def encode(self, value: int) -> list[int]:
        """Return the distance from the least number."""
        rest = value - self.low
        if not 0 <= rest < self.size:
            raise BoundError(f"{value} is not from {self.low} to {self.low + self.size - 1}")
        if self.size <= MOST_VALUES:
            return [rest]
        return [int(digit) for digit in str(rest).zfill(len(self.sizes))]

    def decode(self, code: Sequence[int]) -> int:
        """Return the number."""
        rest = 0
        for digit in code:
            rest = rest * DIGIT + int(digit)
        if rest >= self.size:
            raise BoundError(f"{rest + self.low} is not from {self.low} to {self.low + self.size - 1}")
        return rest + self.low


class Maybe(Struct, frozen=True):
    """None, or a value: one more value of a single factor, or a factor before the others."""

    inner: Any

    @property
    def sizes(self) -> tuple[int, ...]:
        """The value 0 of the first factor stands for None."""
        sizes = self.inner.sizes
        return (sizes[0] + 1,) if len(sizes) == 1 else (2, *sizes)

    @property
    def labels(self) -> tuple[str, ...]:
        """As those of the value."""
        labels: tuple[str, ...] = self.inner.labels
        return labels if len(labels) == 1 else ("given", *labels)

    def encode(self, value: Any) -> list[int]:
        """Return zeros for None."""
        if value is None:
            return [0] * len(self.sizes)
        code: list[int] = self.inner.encode(value)
        return [code[0] + 1] if len(code) == 1 else [1, *code]

    def decode(self, code: Sequence[int]) -> Any:
        """Return the value or None."""
        if code[0] == 0:
            if any(code):
                raise BoundError("None has no further factors")
            return None
        return self.inner.decode([code[0] - 1] if len(code) == 1 else code[1:])


class Product(Struct, frozen=True):
    """Tuples and Structs: the factors of all parts one after another."""

    parts: tuple[Any, ...]
    names: tuple[str, ...]
    make: Callable[[Iterable[Any]], Any]
    split: Callable[[Any], Iterable[Any]]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Those of all parts."""
        return tuple(size for part in self.parts for size in part.sizes)

    @property
    def labels(self) -> tuple[str, ...]:
        """Those of all parts, each after the name of its part."""
        return tuple(
            joined(name, label) for name, part in zip(self.names, self.parts, strict=True) for label in part.labels
        )

    def encode(self, value: Any) -> list[int]:
        """Return the codes of all parts."""
        return [
            number for part, item in zip(self.parts, self.split(value), strict=True) for number in part.encode(item)
        ]

    def decode(self, code: Sequence[int]) -> Any:
        """Return the value of all parts."""
        return self.make(decoded_parts(self.parts, code))


class Several(Struct, frozen=True):
    """Lists of limited length: a factor for the length, then the items; those that are not there have the code 0."""

    item: Any
    least: int
    most: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """The lengths, and the factors of each item."""
        return (self.most - self.least + 1, *self.item.sizes * self.most)

    @property
    def labels(self) -> tuple[str, ...]:
        """The items are numbered from 0."""
        items = (joined(str(number), label) for number in range(self.most) for label in self.item.labels)
        return ("length", *items)

    def encode(self, value: Sequence[Any]) -> list[int]:
        """Return the length and the codes of the items."""
        if not self.least <= len(value) <= self.most:
            raise BoundError(f"{len(value)} items are not from {self.least} to {self.most}")
        code = [number for item in value for number in self.item.encode(item)]
        return [len(value) - self.least, *code, *[0] * (len(self.sizes) - 1 - len(code))]

    def decode(self, code: Sequence[int]) -> tuple[Any, ...]:
        """Return the items."""
        length, width = self.least + int(code[0]), len(self.item.sizes)
        if any(code[1 + length * width :]):
            raise BoundError("items after the end of a list are 0")
        return tuple(self.item.decode(code[1 + at * width : 1 + (at + 1) * width]) for at in range(length))


class Amounts(Struct, frozen=True):
    """Maps from names to numbers: the factors of a number for each name. A name with 0 is not in the map."""

    keys: tuple[Any, ...]
    number: Span
    most: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """Those of a number for each key."""
        return self.number.sizes * len(self.keys)

    @property
    def labels(self) -> tuple[str, ...]:
        """The keys."""
        return tuple(joined(str(key), label) for key in self.keys for label in self.number.labels)

    def encode(self, value: dict[Any, int]) -> list[int]:
        """Return the amounts of all keys."""
        if unknown := set(value).difference(self.keys):
            raise BoundError(f"{', '.join(map(repr, sorted(unknown)))} is not one of {self.keys!r}")
        width = len(self.number.sizes)
        code = [0] * (width * len(self.keys))
        for key, amount in value.items():
            at = self.keys.index(key) * width
            code[at : at + width] = self.number.encode(amount)
        return code

    def decode(self, code: Sequence[int]) -> dict[Any, int]:
        """Return the amounts that are not 0."""
        amounts = decoded_parts((self.number,) * len(self.keys), code)
        found = {key: amount for key, amount in zip(self.keys, amounts, strict=True) if amount}
        if len(found) > self.most:
            raise BoundError(f"{len(found)} names are more than {self.most}")
        return found


def decoded_parts(parts: Iterable[Domain], code: Sequence[int]) -> list[Any]:
    """Return the values of parts whose codes follow each other."""
    values, at = [], 0
    for part in parts:
        width = len(part.sizes)
        values.append(part.decode(code[at : at + width]))
        at += width
    return values


def joined(name: str, label: str) -> str:
    """Join the name of a part and the label of one of its factors."""
    return f"{name}.{label}" if name and label else name or label
