"""What the schemas say of a publication of the feed."""

import json
import re
from functools import cache
from typing import Any

import msgpack
from jsonschema import Draft202012Validator

from warroom_protocol.asyncapi import TOPICS, Topic
from warroom_protocol.feed_schemas import feed_schema
from warroom_protocol.message_schemas import message_schemas
from warroom_protocol.topics import DEFAULT_PREFIX
from warroom_server.ports.feed import Publication


def objections(publication: Publication) -> list[str]:
    """Return what does not fit the schema of its topic; an empty payload always fits."""
    if not publication.payload:
        return []
    topic = topic_of(publication.topic)
    validator = _validator(topic)
    value: Any = json.loads(publication.payload) if topic.is_json else msgpack.unpackb(publication.payload)
    found = [f"{publication.topic}: {error.message}" for error in validator.iter_errors(value)]
    if topic.is_json:
        named = validator.schema["$defs"][topic.payload]["properties"]
        found += [f"{publication.topic}: {key} is not described" for key in value.keys() - named.keys()]
    return found


def topic_of(name: str) -> Topic:
    """Return the topic in the AsyncAPI document that a publication is under."""
    (found,) = [topic for topic in TOPICS if re.fullmatch(_pattern(topic), name)]
    return found


def _pattern(topic: Topic) -> str:
    return f"{DEFAULT_PREFIX}/" + re.sub(r"{\w+}", "[^/]+", topic.path)


@cache
def _validator(topic: Topic) -> Draft202012Validator:
    schema = feed_schema() if topic.is_json else message_schemas()["wire/server.json"]
    return Draft202012Validator({"$ref": f"#/$defs/{topic.payload}", "$defs": schema["$defs"]})
