"""JSON schemas of a game's inputs and views: draft 2020-12, valid for strict validators.

The only additions are hints for pages in the schemas of views, whose names start with `x-` (`warroom_games/hints.py`).
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from warroom_games.api import AnyGame, Sketched, Typed
from warroom_games.hints import HINTS

Schema: TypeAlias = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_NAMED = ("properties", "$defs")
"""Keywords that hold schemas by name."""


def schema_of(kind: Any) -> Schema:
    """Return the schema of a type."""
    return {"$schema": DRAFT, **_strict(msgspec.json.schema(kind))}


def options_schema(game: AnyGame) -> Schema:
    """Return the schema of the game's options: types, ranges, defaults and help texts."""
    return schema_of(game.options_type)


def action_schema(game: AnyGame) -> Schema:
    """Return the schema of the game's actions, without hints."""
    schema: Schema = _without_hints(schema_of(game.action_type))
    return schema


def view_schemas(game: AnyGame) -> dict[str, Schema | bool]:
    """Return the schemas of the views of a running match; True (anything) if the game names no type."""
    return {
        "public": schema_of(game.view_type) if isinstance(game, Sketched) else True,
        "private": schema_of(game.private_view_type) if isinstance(game, Typed) else True,
    }


def has_hints(schema: Any) -> bool:
    """Whether a schema or any part of it has a hint for pages."""
    if isinstance(schema, Mapping):
        return not HINTS.isdisjoint(schema) or any(map(has_hints, schema.values()))
    return isinstance(schema, list) and any(map(has_hints, schema))


def hinted_schemas(game: AnyGame) -> dict[str, Schema]:
    """Return the schemas that have hints for pages: of the public `view`, the `private` one and the `actions`."""
    kinds = {"actions": game.action_type}
    if isinstance(game, Sketched):
        kinds["view"] = game.view_type
    if isinstance(game, Typed):
        kinds["private"] = game.private_view_type
    return {name: schema for name, kind in kinds.items() if has_hints(schema := schema_of(kind))}


def _without_hints(schema: Any) -> Any:
    if isinstance(schema, Mapping):
        return {key: _without_hints(part) for key, part in schema.items() if key not in HINTS}
    return [_without_hints(part) for part in schema] if isinstance(schema, list) else schema


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
