"""The law about hints (`warroom_games.hints`): whatever they name exists."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warroom_games.api import Sketched
from warroom_games.hints import DRAWINGS, HINTS
from warroom_games.law import LawBrokenError, hold
from warroom_games.playthrough import Playthrough
from warroom_games.schemas import has_hints, schema_of
from warroom_protocol.canonical import plain
from warroom_protocol.message_schemas import Schema

_SAMPLE = 6
_DEEPEST = 4
"""How deep a page looks for hints."""


def hints_name_what_exists(match: Playthrough) -> None:
    """The hints of a public view name fields of actions, and parts that views have."""
    if not isinstance(match.game, Sketched):
        return
    schema = schema_of(match.game.view_type)
    if not has_hints(schema):
        return
    known = set(_field_names(schema_of(match.game.action_type)))
    views = [plain(match.game.public(state)) for state in match.sample(_SAMPLE)]
    for path, keyword, hint in _hints(schema, schema, ()):
        named = {hint["field"]} if keyword == "x-costs" else set(hint["fields"]) if keyword in DRAWINGS else set()
        hold(named <= known, f"{keyword} of {'.'.join(path)} names {sorted(named - known)}, which no action has")
        for view in views:
            _hold_paths(view, path, keyword, hint, match.seats)


def _hints(schema: Any, root: Schema, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str, Any]]:
    """Yield the hints of a schema of a map, each with the path to the field that has it."""
    if len(path) == _DEEPEST:
        return
    for alternative in _alternatives(schema, root):
        for name, field in alternative.get("properties", {}).items():
            here = (*path, name)
            hints = [(keyword, part[keyword]) for part in _alternatives(field, root) for keyword in HINTS & part.keys()]
            yield from ((here, keyword, hint) for keyword, hint in hints)
            yield from _hints(field, root, here)


def _alternatives(schema: Any, root: Schema) -> list[Schema]:
    """Return a schema and all that it refers to or chooses from."""
    found = [schema]
    if "$ref" in schema:
        found += _alternatives(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    for part in schema.get("anyOf", ()):
        found += _alternatives(part, root)
    return found


def _field_names(schema: Schema) -> Iterator[str]:
    for kind in schema["$defs"].values():
        yield from kind.get("properties", {})


def _hold_paths(view: Any, path: tuple[str, ...], keyword: str, hint: Any, seats: int) -> None:
    """Check that a hint fits a view; a part that is missing or None is not shown."""
    shown = _at(view, path)
    where = f"{keyword} of {'.'.join(path)}"
    if shown is None:
        return
    if keyword == "x-by-seat":
        hold(len(shown) in (0, seats), f"{where}: {len(shown)} items for {seats} seats")
    if keyword not in DRAWINGS:
        return
    hold(isinstance(shown, list), f"{where} is no list: {shown!r}")
    for name in ("columns", "rows"):
        number = _found(view, hint.get(name, 1), f"{name} of {where}")
        hold(isinstance(number, int) and number > 0, f"{name} of {where} is {number!r}")
    for name in ("edges", "positions"):
        if leads := hint.get(name):
            each = _found(view, leads, f"{name} of {where}")
            hold(len(each) == len(shown), f"{name} of {where}: {len(each)} for {len(shown)} nodes")


def _found(view: Any, path: int | Sequence[str | int], what: str) -> Any:
    if isinstance(path, int):
        return path
    found = _at(view, path)
    if found is None:
        raise LawBrokenError(f"{what}: the view has nothing at {list(path)}")
    return found


def _at(view: Any, path: Sequence[str | int]) -> Any:
    for key in path:
        if isinstance(view, Mapping):
            view = view.get(key)
        elif isinstance(view, list) and isinstance(key, int) and key < len(view):
            view = view[key]
        else:
            return None
    return view
