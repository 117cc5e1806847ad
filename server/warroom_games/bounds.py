"""Bounds that are narrower than types, for programs that need a fixed number of actions and a fixed size of views.

Most types say enough: `Literal`, `bool`, `Meta(ge=0, le=8)`, `Meta(max_length=5)`, tuples of fixed length. A game
declares the rest with one optional method. docs/RESEARCH.md has examples.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from msgspec import Struct

O_contra = TypeVar("O_contra", contravariant=True)


class Letters(Struct, frozen=True):
    """The texts that consist of some letters, for fields that hold a row of signs."""

    letters: str
    most: int
    """The greatest length."""


class Flags(Struct, frozen=True):
    """The lists that hold each of some values at most once, and whose order says nothing: one flag for each value."""

    values: Sequence[object]


Bound: TypeAlias = int | Sequence[Any] | Letters | Flags | None
"""What a field may hold.

An int is the greatest length of a list. A range has the values of a number, any other sequence the categories of a
value or the keys of a map. None leaves the field out of observations.
"""

Bounds: TypeAlias = Mapping[str, Bound]
"""Bounds by field. A name applies wherever a field is called so, in actions and views.

`place.cell` is a field of the action `place`, or of a Struct in a field `place`; the longest fitting name counts.
`cells.[]` are the items of `cells`. The name of an action type takes the list of all its actions.
"""


@runtime_checkable
class Bounding(Protocol[O_contra]):
    """Optional: the bounds of a match, so that programs can learn the game from arrays of numbers."""

    def bounds(self, seats: int, options: O_contra) -> Bounds:
        """Return the bounds that the types do not tell; they hold in every match with these seats and options."""
        ...
