"""The schemas that a server publishes and that are committed under `protocol/schema`, as files."""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from warroom_games.api import AnyGame
from warroom_games.log import RoomOptions
from warroom_games.schemas import action_schema, event_schema, options_schema, schema_of, view_schemas
from warroom_protocol.asyncapi import asyncapi
from warroom_protocol.feed_schemas import feed_schema
from warroom_protocol.message_schemas import message_schemas

INDEX: Final = "index.json"
"""The list of all paths."""

_JSON: Final = "application/json"
_SCHEMA: Final = "application/schema+json"
_ASYNCAPI: Final = "application/vnd.aai.asyncapi+json"


class Document(NamedTuple):
    """A file, and what it holds."""

    body: bytes
    content_type: str


def schema_documents(games: Iterable[AnyGame]) -> dict[str, Document]:
    """Return the schemas of the protocol and of some games by their paths."""
    found = {**_of_the_protocol(), **{path: schema for game in games for path, schema in _of_a_game(game)}}
    return {**found, INDEX: _document(sorted(found), _JSON)}


@cache
def _of_the_protocol() -> Mapping[str, Document]:
    schemas = {**message_schemas(), "feed.json": feed_schema(), "room_options.json": schema_of(RoomOptions)}
    documents = {path: _document(schema, _SCHEMA) for path, schema in schemas.items()}
    return MappingProxyType({"asyncapi.json": _document(asyncapi(), _ASYNCAPI), **documents})


def _of_a_game(game: AnyGame) -> Iterable[tuple[str, Document]]:
    schemas = {
        "options": options_schema(game),
        "actions": action_schema(game),
        **view_schemas(game),
        "events": event_schema(game),
    }
    for name, schema in schemas.items():
        yield f"games/{game.info.id}/{name}.json", _document(schema, _SCHEMA)


def _document(content: object, content_type: str) -> Document:
    return Document(msgspec.json.format(msgspec.json.encode(content)) + b"\n", content_type)
