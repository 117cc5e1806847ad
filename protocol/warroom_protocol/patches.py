"""Changes between two views, as short lists of operations.

`[path, value]` sets the value at the path, `[path]` removes a key from a map, and `[path, keep, items]` cuts the list
at the path to its first *keep* items and appends *items*. A path is an array of map keys (text) and list indexes
(integers); the root is `[]`.
"""

from collections.abc import Callable, Sequence
from itertools import compress
from operator import is_not
from typing import Any, Final, TypeAlias, TypeGuard

from msgspec import Struct
from msgspec.structs import astuple

from warroom_protocol.errors import PatchError
from warroom_protocol.limits import MAX_OPERATIONS, MAX_PATH

Path: TypeAlias = tuple[str | int, ...]
Operation: TypeAlias = tuple[Any, ...]
Patch: TypeAlias = list[Operation]

_SCALARS: Final = frozenset({int, str, bool, type(None)})
_MISSING: Final = object()

_names_of: dict[type, tuple[str, ...]] = {}


# --- finding the difference -----------------------------------------------------------------------------------


def diff(old: object, new: object) -> Patch:
    """Return the patch that turns *old* into *new*; empty if they encode alike.

    Subtrees that are the same object are skipped, so the cost depends on what changed. The patch shares
    subtrees with *new*.
    """
    return _Walk().between(old, new)


def diff_visits(old: object, new: object) -> tuple[Patch, int]:
    """Return the patch, and how many pairs of nodes were compared to find it."""
    walk = _CountedWalk()
    return walk.between(old, new), walk.visits


class _Walk:
    """One walk over two trees, which collects the operations."""

    def __init__(self) -> None:
        self.patch: Patch = []

    def between(self, old: object, new: object) -> Patch:
        """Return the patch between two roots."""
        if old is not new:
            self.node(old, new, ())
        return self.patch if len(self.patch) <= MAX_OPERATIONS else [((), new)]

    def node(self, old: Any, new: Any, path: Path) -> None:
        """Compare two nodes that are not the same object."""
        kind, was = type(new), type(old)
        if kind in _SCALARS:
            if was is not kind or old != new:  # 1 == True, but they are not alike on the wire
                self.patch.append((path, new))
        elif len(path) == MAX_PATH:
            self.patch.append((path, new))
        elif (kind is tuple or kind is list) and (was is tuple or was is list):
            self._items(old, new, path)
        elif kind is not was:
            self.patch.append((path, new))
        elif kind is dict:
            self._keys(old, new, path)
        else:
            names = _names_of.get(kind) or _names(kind)
            before, after = astuple(old), astuple(new)
            for index in compress(range(len(names)), map(is_not, before, after)):
                self.node(before[index], after[index], (*path, names[index]))

    def _keys(self, old: dict[str, object], new: dict[str, object], path: Path) -> None:
        """Compare two maps."""
        added = 0
        for key, value in new.items():
            before = old.get(key, _MISSING)
            if before is _MISSING:
                added += 1
                self.patch.append(((*path, key), value))
            elif before is not value:
                self.node(before, value, (*path, key))
        if len(old) + added > len(new):
            self.patch.extend(((*path, key),) for key in old if key not in new)

    def _items(self, old: Sequence[object], new: Sequence[object], path: Path) -> None:
        """Compare two lists: item by item, unless sending the rest of the list again is shorter."""
        patch, start = self.patch, len(self.patch)
        common = min(len(old), len(new))
        first, changed = common, 0
        for index in compress(range(common), map(is_not, old, new)):
            length = len(patch)
            self.node(old[index], new[index], (*path, index))
            if len(patch) > length:
                first = min(first, index)
                changed += 1
        is_resized = len(old) != len(new)
        is_mostly_new = 2 * changed > common - first
        if is_mostly_new and [changed > 1, is_resized, _only_scalars(new[first:])].count(True) > 1:
            patch[start:] = [(path, first, new[first:])]
        elif is_resized:
            patch.append((path, common, new[common:]))


class _CountedWalk(_Walk):
    """A walk that counts its steps; separate, so that the plain one does not pay for it."""

    def __init__(self) -> None:
        super().__init__()
        self.visits = 0

    def node(self, old: Any, new: Any, path: Path) -> None:
        self.visits += 1
        super().node(old, new, path)


def _names(kind: type) -> tuple[str, ...]:
    """Return the names under which the fields of a Struct are encoded."""
    if not issubclass(kind, Struct) or kind.__struct_config__.array_like or kind.__struct_config__.omit_defaults:
        raise TypeError(f"a view holds plain values, and Structs that encode as a map of all their fields: not {kind}")
    return _names_of.setdefault(kind, kind.__struct_encode_fields__)


def _only_scalars(items: Sequence[object]) -> bool:
    return all(type(item) in _SCALARS for item in items)


# --- applying it ----------------------------------------------------------------------------------------------


def apply(view: object, patch: object) -> Any:
    """Return the view after a patch, sharing what did not change; neither argument is changed.

    *view* is plain (as a client holds it). Raise `PatchError` if any operation does not fit.
    """
    if not _is_list(patch) or len(patch) > MAX_OPERATIONS:
        raise PatchError(f"a patch is a list of at most {MAX_OPERATIONS} operations")
    for operation in patch:
        view = _applied(view, operation)
    return view


def _applied(view: object, operation: object) -> object:
    """Return the view after one operation."""
    if not _is_list(operation) or not 1 <= len(operation) <= 3 or not _is_list(path := operation[0]):
        raise PatchError("an operation is [path], [path, value] or [path, keep, items]")
    if len(path) > MAX_PATH:
        raise PatchError(f"a path has at most {MAX_PATH} steps")
    if len(operation) == 3:
        return _changed(view, path, lambda node: _recut(node, operation[1], operation[2]))
    if path:
        step = path[-1]
        if len(operation) == 2:
            return _changed(view, path[:-1], lambda node: _replaced(node, step, operation[1]))
        return _changed(view, path[:-1], lambda node: _without(node, step))
    if len(operation) == 2:
        return operation[1]
    raise PatchError("the root cannot be removed")


def _changed(view: object, path: Sequence[object], change: Callable[[object], object]) -> object:
    """Return the view with the node at *path* changed, and copies of only the containers above it."""
    nodes = [view]
    for step in path:
        nodes.append(_child(nodes[-1], step))
    node = change(nodes.pop())
    for step in reversed(path):
        node = _replaced(nodes.pop(), step, node)
    return node


def _child(node: object, step: object) -> object:
    """Return the value one step below a node."""
    if type(node) is dict and type(step) is str and step in node:
        return node[step]
    if _is_list(node) and type(step) is int and 0 <= step < len(node):
        return node[step]
    raise PatchError(f"the path leads nowhere at {step!r:.40}")


def _replaced(node: object, step: object, value: object) -> object:
    """Return a copy of a node with *value* one step below it; a map may gain a key, a list no item."""
    if type(node) is dict and type(step) is str:
        return {**node, step: value}
    if _is_list(node) and type(step) is int and 0 <= step < len(node):
        return [*node[:step], value, *node[step + 1 :]]
    raise PatchError(f"nothing can be set at {step!r:.40}")


def _without(node: object, step: object) -> object:
    """Return a copy of a map without a key that it has."""
    if type(node) is dict and type(step) is str and step in node:
        return {key: value for key, value in node.items() if key != step}
    raise PatchError(f"nothing can be removed at {step!r:.40}")


def _recut(node: object, keep: object, items: object) -> object:
    """Return the first *keep* items of a list, followed by *items*."""
    if _is_list(node) and type(keep) is int and 0 <= keep <= len(node) and _is_list(items):
        return [*node[:keep], *items]
    raise PatchError(f"no list keeps {keep!r:.40} items there")


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return type(value) is list or type(value) is tuple
