"""JSON schemas of a game's inputs and views: draft 2020-12, valid for strict validators.

The only additions are hints for pages, whose names start with `x-`; docs/WRITING_A_GAME.md lists them.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from warroom_games.api import AnyGame, Eventful, Sketched, Typed
from warroom_protocol.message_schemas import DRAFT, Schema

HINTS = frozenset({"x-grid", "x-graph"})
"""Keywords of a view that a page can draw. A strict validator must be told about them."""

_NAMED = ("properties", "$defs")
"""Keywords that hold schemas by name."""


def schema_of(kind: Any) -> Schema:
    """Return the schema of a type."""
    return {"$schema": DRAFT, **_rewritten(msgspec.json.schema(kind), _strict)}


def options_schema(game: AnyGame) -> Schema:
    """Return the schema of the game's options: types, ranges, defaults and help texts."""
    return schema_of(game.options_type)


def action_schema(game: AnyGame) -> Schema:
    """Return the schema of the game's actions."""
    return schema_of(game.action_type)


def view_schemas(game: AnyGame) -> dict[str, Schema | bool]:
    """Return the schemas of the views of a running match; True (anything) if the game names no type."""
    return {
        "public": _view_schema(game.view_type) if isinstance(game, Sketched) else True,
        "private": _view_schema(game.private_view_type) if isinstance(game, Typed) else True,
    }


def event_schema(game: AnyGame) -> Schema | bool:
    """Return the schema of the events, public and private ones; True (anything) if the game names no type."""
    return schema_of(game.event_type) if isinstance(game, Eventful) else True


def has_hints(schema: Any) -> bool:
    """Whether a page can draw a schema or any part of it."""
    if isinstance(schema, Mapping):
        return not HINTS.isdisjoint(schema) or any(map(has_hints, schema.values()))
    return isinstance(schema, list) and any(map(has_hints, schema))


def _view_schema(kind: Any) -> Schema:
    found: Schema = _rewritten(schema_of(kind), _complete)
    return found


def _rewritten(schema: Any, change: Callable[[Schema], Schema]) -> Any:
    """Return a schema with a change to it and to every schema inside it."""
    if isinstance(schema, list):
        return [_rewritten(part, change) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return change(
        {
            key: {name: _rewritten(part, change) for name, part in value.items()}
            if key in _NAMED
            else _rewritten(value, change)
            for key, value in schema.items()
        }
    )


def _strict(schema: Schema) -> Schema:
    """Drop what msgspec adds: `discriminator` is no JSON Schema, and `items`: false says the same as `maxItems`.

    Some generators of types take `items`: false for a list that is always empty.
    """
    return {
        key: value
        for key, value in schema.items()
        if key != "discriminator" and not (key == "items" and value is False)
    }


def _complete(schema: Schema) -> Schema:
    """Require the fields that have a default, too: views have all fields."""
    if "properties" not in schema:
        return schema
    fields = schema["properties"]
    required = [*schema["required"], *(name for name, part in fields.items() if "default" in part)]
    return {
        **schema,
        "properties": {
            name: {key: value for key, value in part.items() if key != "default"} for name, part in fields.items()
        },
        "required": required,
    }
