"""The numbers of an observation: who looks, who is to act, the public view, and the private view of the seat."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces

from warroom_games.api import AnyGame, Seat, Sketched, Typed, View
from warroom_protocol.canonical import plain
from warroom_rl.errors import SetupError
from warroom_rl.feature_types import FeatureTypes
from warroom_rl.features import UNKNOWN, Cell, Feature, Members, Numbers
from warroom_rl.field_bounds import FieldBounds


class ViewLayout:
    """Where the fields of the views are in the array of an observation.

    First comes a flag for each seat: whose view it is; then one for each seat that is to act; then the fields of the
    public view, then those of the private one, all in the order of their types.
    """

    def __init__(self, game: AnyGame, seats: int, bounds: FieldBounds) -> None:
        private_type: Any = game.private_view_type if isinstance(game, Typed) else None
        if not isinstance(game, Sketched):
            raise SetupError(f"{game.info.id} does not name the type of its public view; add `view_type` to the game")
        self.seats = seats
        everyone = range(seats)
        self.viewer = Members(("viewer",), everyone)
        self.to_act = Members(("to_act",), everyone)
        self.public_type: Any = game.view_type
        self.private_type = private_type
        types = FeatureTypes(bounds, game.options_type)
        self.public = types.of(msgspec.inspect.type_info(self.public_type), ("public",)) or Members(("public",), ())
        self.private: Feature | None = None
        if self.private_type is not None:
            self.private = types.of(msgspec.inspect.type_info(self.private_type), ("private",))
        self.size = 2 * seats + self.public.size + (self.private.size if self.private else 0)

    def cells(self) -> Iterator[Cell]:
        """Yield what each number means, in their order."""
        for feature in (self.viewer, self.to_act, self.public, self.private):
            if feature is not None:
                yield from feature.cells()

    def space(self) -> spaces.Box:
        """Return a new space of the array."""
        return _box(list(self.cells()))

    def state_space(self) -> spaces.Box:
        """Return a new space of who is to act, the public view, and the private views of all seats."""
        private = list(self.private.cells()) if self.private else []
        return _box([*self.to_act.cells(), *self.public.cells(), *private * self.seats])


def _box(cells: Sequence[Cell]) -> spaces.Box:
    low = np.array([cell.low for cell in cells], np.float32)
    high = np.array([cell.high for cell in cells], np.float32)
    return spaces.Box(low, high, dtype=np.float32)


class ViewWriter:
    """Writes the views of one match after another into arrays, and copies them into observations."""

    def __init__(self, layout: ViewLayout) -> None:
        self._layout = layout
        self._viewers = np.eye(layout.seats, dtype=np.float32)
        self._public = _Written(layout.seats + layout.public.size)
        self._private = [_Written(layout.private.size if layout.private else 0) for _ in range(layout.seats)]

    def write_public(self, view: View, asked: Sequence[Seat]) -> None:
        """Write the public view of the next state, and who is to act in it."""
        layout, written = self._layout, self._public
        typed = as_type(view, layout.public_type)
        layout.to_act.write(written.numbers, 0, asked, UNKNOWN)
        written.update(layout.public, layout.seats, typed)

    def observation(self, seat: Seat, private: View | None, out: Numbers | None = None) -> Numbers:
        """Return the observation of a seat with its private view, as an array of its own or in *out*."""
        layout, written = self._layout, self._private[seat]
        if layout.private is not None:
            written.update(layout.private, 0, as_type(private, layout.private_type))
        return np.concatenate((self._viewers[seat], self._public.numbers, written.numbers), out=out)

    def public(self) -> Numbers:
        """Return who is to act and the public view."""
        return self._public.numbers

    def private(self, seat: Seat, private: View | None) -> Numbers:
        """Return the private view of a seat; valid until the next call."""
        self.observation(seat, private)
        return self._private[seat].numbers


class _Written:
    """An array and the view that stands in it."""

    def __init__(self, size: int) -> None:
        self.numbers = np.zeros(size, np.float32)
        self._view: Any = UNKNOWN

    def update(self, feature: Feature, at: int, view: Any) -> None:
        """Write the view; what stands there is unknown if it does not fit."""
        if view is self._view:
            return
        old, self._view = self._view, UNKNOWN
        feature.write(self.numbers, at, view, old)
        self._view = view


def as_type(view: View, kind: Any) -> Any:
    """Return a view as its type; a game may also return it as a plain tree."""
    if view is None or isinstance(view, msgspec.Struct):
        return view
    try:
        return msgspec.convert(plain(view), kind)
    except msgspec.ValidationError as error:
        raise SetupError(f"a view does not have the type that the game names: {error}") from error
