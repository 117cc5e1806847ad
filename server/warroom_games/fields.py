"""Fields of plain trees, such as views and events on the wire."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from warroom_games.api import View
from warroom_games.codec import encode
from warroom_protocol.canonical import plain

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a field."""


def leaves(tree: Any, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield all values that are neither a map nor a list, with their paths."""
    if isinstance(tree, dict | list):
        for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from leaves(part, (*path, key))
    else:
        yield path, tree


def lists(tree: Any, path: Path = ()) -> Iterator[tuple[Path, list[object]]]:
    """Yield all lists with their paths, outer ones first."""
    if isinstance(tree, list):
        yield path, tree
    if isinstance(tree, dict | list):
        for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from lists(part, (*path, key))


def differences(one: Any, other: Any, path: Path = ()) -> Iterator[tuple[Path, object, object]]:
    """Yield the innermost fields in which two trees differ, with both values."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differences(one[key], other[key], (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, part in enumerate(one):
            yield from differences(part, other[index], (*path, index))
    elif encode(one) != encode(other):
        yield path, one, other


def field_name(path: Path) -> str:
    """Format a path: `hands[0][1]`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def event_type(form: View) -> str:
    """Return the type of an event."""
    return str(dict(plain(form)).get("type"))
