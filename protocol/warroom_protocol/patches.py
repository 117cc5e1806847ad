"""Changes between two views, as short lists of operations.

`[path, value]` sets the value at the path, `[path]` removes a key from a map, and `[path, keep, items]` cuts the list
at the path to its first *keep* items and appends *items*. A path is an array of steps; the root is `[]`. A step into a
list is an index. A step into a map is a key (text) or a position (integer): where the key stands among the keys of that
map in sorted order, which is their order in the canonical bytes. `diff` uses positions for the fields of Structs.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
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
_LISTS: Final = frozenset({tuple, list})
_MISSING: Final = object()

_positions_of: dict[type, tuple[int, ...]] = {}


# --- finding the difference -----------------------------------------------------------------------------------


def diff(old: object, new: object, /) -> Patch:
    """Return the patch that turns *old* into *new*; empty if they encode alike.

    Subtrees that are the same object are skipped, so the cost depends on what changed. The patch shares
    subtrees with *new*.
    """
    walk = _Walk()
    walk.patch, walk.visits = [], 0
    if old is not new:
        walk.node(old, new, ())
    return walk.patch if len(walk.patch) <= MAX_OPERATIONS else [((), new)]


def diff_visits(old: object, new: object) -> tuple[Patch, int]:
    """Return the patch, and how many pairs of nodes `python_diff` compares to find it."""
    walk = _Walk()
    walk.patch, walk.visits = [], 0
    if old is not new:
        walk.node(old, new, ())
    return python_diff(old, new), walk.visits


class _Walk:
    """One walk over two trees, which collects the operations. It has no constructor, which would be one more call."""

    __slots__ = ("patch", "visits")
    patch: Patch
    visits: int
    """How many pairs of nodes were compared."""

    def node(self, old: Any, new: Any, path: Path) -> None:
        """Compare two nodes that are not the same object."""
        kind, was = type(new), type(old)
        are_lists = kind in _LISTS and was in _LISTS
        self.visits += 1
        if kind in _SCALARS:
            if was is not kind or old != new:  # 1 == True, but they are not alike on the wire
                self.patch.append((path, new))
        elif len(path) == MAX_PATH or not (are_lists or kind is was):
            self.patch.append((path, new))
        elif are_lists:
            self._items(old, new, path)
        elif kind is dict:
            self._keys(old, new, path)
        else:
            positions = _positions_of.get(kind) or field_steps(kind)
            before, after = astuple(old), astuple(new)
            for index in compress(range(len(positions)), map(is_not, before, after)):
                old, new = before[index], after[index]
                if type(new) is tuple and type(old) is tuple and len(path) + 1 < MAX_PATH:
                    self.visits += 1
                    self._items(old, new, (*path, positions[index]))  # what `node` would do, without its call
                    continue
                if type(new) not in _SCALARS:
                    self.node(old, new, (*path, positions[index]))
                    continue
                self.visits += 1
                if type(old) is not type(new) or old != new:
                    self.patch.append(((*path, positions[index]), new))

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


def field_steps(kind: type) -> tuple[int, ...]:
    """Return the step of a path for each field of a Struct: its position among the sorted keys of the encoded map."""
    if not issubclass(kind, Struct) or kind.__struct_config__.array_like or kind.__struct_config__.omit_defaults:
        raise TypeError(f"a view holds plain values, and Structs that encode as a map of all their fields: not {kind}")
    names, tag = kind.__struct_encode_fields__, kind.__struct_config__.tag_field
    keys = sorted(names if tag is None else (*names, tag))  # a tag is a key of the map too
    return _positions_of.setdefault(kind, tuple(keys.index(name) for name in names))


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


def _key(node: dict[str, object], step: object) -> str:
    """Return the key of a map that a step names: the text itself, or the key at that position in sorted order."""
    if type(step) is str:
        return step
    if type(step) is int and 0 <= step < len(node):
        return sorted(node)[step]
    raise PatchError(f"a map has no key at {step!r:.40}")


def _child(node: object, step: object) -> object:
    """Return the value one step below a node."""
    if type(node) is dict and (key := _key(node, step)) in node:
        return node[key]
    if _is_list(node) and type(step) is int and 0 <= step < len(node):
        return node[step]
    raise PatchError(f"the path leads nowhere at {step!r:.40}")


def _replaced(node: object, step: object, value: object) -> object:
    """Return a copy of a node with *value* one step below it; a map may gain a key, a list no item."""
    if type(node) is dict:
        return {**node, _key(node, step): value}
    if _is_list(node) and type(step) is int and 0 <= step < len(node):
        return [*node[:step], value, *node[step + 1 :]]
    raise PatchError(f"nothing can be set at {step!r:.40}")


def _without(node: object, step: object) -> object:
    """Return a copy of a map without a key that it has."""
    if type(node) is dict and (gone := _key(node, step)) in node:
        return {key: value for key, value in node.items() if key != gone}
    raise PatchError(f"nothing can be removed at {step!r:.40}")


def _recut(node: object, keep: object, items: object) -> object:
    """Return the first *keep* items of a list, followed by *items*."""
    if _is_list(node) and type(keep) is int and 0 <= keep <= len(node) and _is_list(items):
        return [*node[:keep], *items]
    raise PatchError(f"no list keeps {keep!r:.40} items there")


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return type(value) is list or type(value) is tuple


# --- the same in C --------------------------------------------------------------------------------------------

python_diff: Final = diff

with suppress(ImportError):  # not built without a compiler
    from warroom_protocol.speedups import diff
