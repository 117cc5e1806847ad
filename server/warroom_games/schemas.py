"""JSON schemas of a game's inputs and views: draft 2020-12, valid for strict validators.

The only additions are hints for pages, whose names start with `x-`; docs/WRITING_A_GAME.md lists them.
"""

from collections.abc import Mapping
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
    return {"$schema": DRAFT, **_strict(msgspec.json.schema(kind))}


def options_schema(game: AnyGame) -> Schema:
    """Return the schema of the game's options: types, ranges, defaults and help texts."""
    return schema_of(game.options_type)


def action_schema(game: AnyGame) -> Schema:
    """Return the schema of the game's actions."""
    return schema_of(game.action_type)


def view_schemas(game: AnyGame) -> dict[str, Schema | bool]:
    """Return the schemas of the views of a running match; True (anything) if the game names no type."""
    return {
        "public": schema_of(game.view_type) if isinstance(game, Sketched) else True,
        "private": schema_of(game.private_view_type) if isinstance(game, Typed) else True,
    }


def event_schema(game: AnyGame) -> Schema | bool:
    """Return the schema of the events, public and private ones; True (anything) if the game names no type."""
    return schema_of(game.event_type) if isinstance(game, Eventful) else True


def has_hints(schema: Any) -> bool:
    """Whether a page can draw a schema or any part of it."""
    if isinstance(schema, Mapping):
        return not HINTS.isdisjoint(schema) or any(map(has_hints, schema.values()))
    return isinstance(schema, list) and any(map(has_hints, schema))


def _strict(schema: Any) -> Any:
    """Return a schema without `discriminator`, which belongs to OpenAPI, not JSON Schema; `anyOf` is equivalent."""
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _strict(part) for name, part in value.items()} if key in _NAMED else _strict(value)
        for key, value in schema.items()
        if key != "discriminator"
    }
