"""Action spaces: what the numbers mean that a program chooses.

A game that lists all its legal actions has one index for each possible action (`Discrete`), if there are not too many.
Any other game has factors (`MultiDiscrete`): the type of the action, and then its fields. An index or a vector means
the same action in every state.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any, Protocol, TypeAlias

import numpy as np
from gymnasium import spaces
from msgspec import Struct
from numpy.typing import NDArray

from warroom_games.codec import tag_of
from warroom_rl.action_forms import ActionForm
from warroom_rl.domains import Values, joined
from warroom_rl.errors import BoundError, StepError
from warroom_rl.known_vectors import KnownVectors

MOST_INDICES = 1 << 14
"""A game with more actions than this has factors."""

Mask: TypeAlias = NDArray[np.int8] | tuple[NDArray[np.int8], ...]
"""What `sample` of the action space takes: 1 where an index, or a value of a factor, occurs in a legal action."""


class ActionSpace(Protocol):
    """The actions of a game as numbers."""

    is_exact: bool
    """Whether everything that a mask allows is legal: a mask of factors allows each factor for itself."""
    mask_size: int

    @property
    def labels(self) -> tuple[str, ...]:
        """What each index means, or the name of each factor."""
        ...

    def space(self) -> spaces.Space[Any]:
        """Return a new space of actions."""
        ...

    def mask_space(self) -> spaces.Space[Any]:
        """Return a new space of masks."""
        ...

    def encode(self, action: Any) -> Any:
        """Return the index or the vector of an action; raise `BoundError` if the space does not hold it."""
        ...

    def decode(self, chosen: Any) -> Any:
        """Return the action of an index or vector.

        Raise `StepError` if it is not one of the space, and `BoundError` if no action has this vector.
        """
        ...

    def holds(self, chosen: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """Return, for each row, whether it is in the space."""
        ...

    def points(self, actions: Iterable[Any]) -> NDArray[np.int64]:
        """Return the indices or vectors of those actions that the space holds, one a row."""
        ...

    def mask(self, points: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return the mask of these points as one array; `shown` gives it the form that `sample` takes."""
        ...

    def shown(self, mask: NDArray[np.int8]) -> Mask:
        """Return views of a mask, or of a row of masks, one for each factor; or the mask itself."""
        ...


class IndexedActions:
    """One index for each action: the types in their order, and in each of them the fields like digits of a number."""

    is_exact = True

    def __init__(self, forms: Sequence[ActionForm]) -> None:
        self.forms = tuple(forms)
        self.starts = tuple(accumulate((form.size for form in forms[:-1]), initial=0))
        """The index of the first action of each type."""
        self._by_tag = {form.tag: (start, form) for start, form in zip(self.starts, forms, strict=True)}
        self._known: dict[Any, int] = {}
        self.mask_size = sum(form.size for form in forms)

    def space(self) -> spaces.Space[Any]:
        """Return a space of indices."""
        return spaces.Discrete(self.mask_size)

    def mask_space(self) -> spaces.Space[Any]:
        """Return a space of one array."""
        return spaces.Box(0, 1, (self.mask_size,), np.int8)

    @property
    def labels(self) -> tuple[str, ...]:
        """The actions as text; empty where a number of digits is too large."""
        return tuple(map(self._label, range(self.mask_size)))

    def encode(self, action: Any) -> int:
        """Return the index of an action."""
        try:
            return self._known[action]
        except TypeError:  # it holds a map or a list
            return self._index_of(action)
        except KeyError:
            index = self._known[action] = self._index_of(action)
            return index

    def decode(self, chosen: Any) -> Any:
        """Return the action of an index."""
        if not isinstance(chosen, int | np.integer) or not 0 <= chosen < self.mask_size:
            raise StepError(f"{chosen!r} is not an action: an index is a whole number from 0 to {self.mask_size - 1}")
        return self._action_at(int(chosen))

    def holds(self, chosen: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """Return whether they are indices."""
        inside: NDArray[np.bool_] = (chosen >= 0) & (chosen < self.mask_size)
        return inside

    def points(self, actions: Iterable[Any]) -> NDArray[np.int64]:
        """Return the indices of the actions."""
        actions = tuple(actions)
        try:
            return np.array([*map(self._known.__getitem__, actions)], np.int64)
        except (KeyError, TypeError):
            return np.array(_encoded(self, actions), np.int64)

    def mask(self, points: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return an array with 1 for each of these indices."""
        mask = np.zeros(self.mask_size, np.int8)
        mask[points] = 1
        return mask

    def shown(self, mask: NDArray[np.int8]) -> Mask:
        """Return the mask."""
        return mask

    def _index_of(self, action: Any) -> int:
        start, form = self._by_tag[tag_of(action)]
        return start + form.position(action)

    def _label(self, index: int) -> str:
        try:
            return str(self._action_at(index))
        except BoundError:
            return ""

    def _action_at(self, index: int) -> Any:
        kind = bisect_right(self.starts, index) - 1
        return self.forms[kind].action_at(index - self.starts[kind])


class Slot(Struct, frozen=True):
    """Some factors that fields of one name and one kind share, in whichever action types they occur."""

    name: str
    start: int
    stop: int
    """The number of the factor after the last one."""
    domain: Any


class FactoredActions:
    """A factor for the type of the action, and factors for its fields.

    Fields of the same name and kind share their factors. The factors that a type does not use are 0 in the vector of an
    action, and ignored in a vector to decode.
    """

    is_exact = False

    def __init__(self, forms: Sequence[ActionForm]) -> None:
        self.forms = tuple(forms)
        self._types = {form.tag: number for number, form in enumerate(forms)}
        self.slots_by_form = _slots(forms)
        self.slots = tuple(dict.fromkeys(slot for slots in self.slots_by_form for slot in slots))
        sizes = [size for slot in self.slots for size in slot.domain.sizes]
        self._sizes = np.array([len(forms), *sizes], np.int64)
        self.labels = ("type", *(joined(slot.name, label) for slot in self.slots for label in slot.domain.labels))
        self._starts = np.concatenate(([0], np.cumsum(self._sizes)[:-1]))
        self._edges = tuple(zip(self._starts.tolist(), (self._starts + self._sizes).tolist(), strict=True))
        self.mask_size = int(self._sizes.sum())
        self._known = KnownVectors(len(self._sizes), self.encode)

    def space(self) -> spaces.Space[Any]:
        """Return a space of vectors."""
        return spaces.MultiDiscrete(self._sizes)

    def mask_space(self) -> spaces.Space[Any]:
        """Return a space of one array for each factor."""
        return spaces.Tuple([spaces.Box(0, 1, (int(size),), np.int8) for size in self._sizes])

    def used(self, kind: int) -> NDArray[np.int64]:
        """Return the numbers of the factors that the actions of a type have, the type first."""
        return np.array([0, *(factor for slot in self.slots_by_form[kind] for factor in range(slot.start, slot.stop))])

    def encode(self, action: Any) -> NDArray[np.int64]:
        """Return the vector of an action."""
        vector = np.zeros(len(self._sizes), np.int64)
        kind = self._types[tag_of(action)]
        vector[0] = kind
        form = self.forms[kind]
        if form.listed is not None:
            vector[self.slots_by_form[kind][0].start] = form.position(action)
            return vector
        for slot, value in zip(self.slots_by_form[kind], form.fields.split(action), strict=True):
            vector[slot.start : slot.stop] = slot.domain.encode(value)
        return vector

    def decode(self, chosen: Any) -> Any:
        """Return the action of a vector."""
        vector = np.asarray(chosen)
        is_vector = vector.shape == self._sizes.shape and np.issubdtype(vector.dtype, np.integer)
        if not (is_vector and self.holds(vector)):
            raise StepError(f"{chosen!r} is not an action: a vector is in {self.space()}")
        kind = int(vector[0])
        form, code = self.forms[kind], vector.tolist()
        if form.listed is not None:
            return form.action_at(code[self.slots_by_form[kind][0].start])
        return form.fields.make([slot.domain.decode(code[slot.start : slot.stop]) for slot in self.slots_by_form[kind]])

    def holds(self, chosen: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """Return whether all factors have one of their values."""
        inside: NDArray[np.bool_] = (chosen >= 0) & (chosen < self._sizes)
        return np.asarray(inside.all(axis=-1))

    def points(self, actions: Iterable[Any]) -> NDArray[np.int64]:
        """Return the vectors of the actions."""
        return self._known.of(actions)

    def mask(self, points: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return an array with 1 for each value of each factor that one of these vectors has."""
        mask = np.zeros(self.mask_size, np.int8)
        mask[points + self._starts] = 1
        return mask

    def shown(self, mask: NDArray[np.int8]) -> Mask:
        """Return a view of the mask for each factor."""
        return tuple([mask[..., start:stop] for start, stop in self._edges])

    def nearest(self, chosen: Any, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the one of *points* that agrees best with a vector: in the type, then in each factor in their order.

        Where none has the same value of a factor, those remain whose value is nearest.
        """
        vector = np.asarray(chosen)
        best = points[_closest(points[:, 0], vector[0])]
        for factor in self.used(int(best[0, 0]))[1:]:
            if len(best) == 1:
                break
            best = best[_closest(best[:, factor], vector[factor])]
        nearest: NDArray[np.int64] = best[0]
        return nearest


def action_space(forms: Sequence[ActionForm], *, is_complete: bool) -> IndexedActions | FactoredActions:
    """Return indices if a game lists all its legal actions and has few enough, else factors."""
    if is_complete and sum(form.size for form in forms) <= MOST_INDICES:
        return IndexedActions(forms)
    return FactoredActions(forms)


def _encoded(space: ActionSpace, actions: Iterable[Any]) -> list[Any]:
    """Return the indices or vectors of those actions that the space holds."""
    found = []
    for action in actions:
        with suppress(BoundError):
            found.append(space.encode(action))
    return found


def _closest(values: NDArray[np.int64], wanted: Any) -> NDArray[np.bool_]:
    distances = np.abs(values - wanted)
    closest: NDArray[np.bool_] = distances == distances.min()
    return closest


def _slots(forms: Sequence[ActionForm]) -> list[tuple[Slot, ...]]:
    """Return the slots of the fields of each type; two fields of one type never share one."""
    found: dict[tuple[str, Any], Slot] = {}
    taken: set[str] = set()
    slots, start = [], 1
    for form in forms:
        own = []
        for name, domain in _fields(form):
            slot = found.get((name, domain))
            if slot is None:
                shown = name if name not in taken else f"{form.tag}.{name}"
                slot = found[name, domain] = Slot(shown, start, start + len(domain.sizes), domain)
                taken.add(name)
                start = slot.stop
            own.append(slot)
        slots.append(tuple(own))
    return slots


def _fields(form: ActionForm) -> Iterable[tuple[str, Any]]:
    if form.listed is not None:
        return [(form.tag, Values(tuple(range(form.size))))]
    return zip(form.fields.names, form.fields.parts, strict=True)
