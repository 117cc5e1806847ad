"""The version of the links: raised with every change of what nodes say to each other."""

import json
from hashlib import sha256
from typing import Any

import msgspec

from warroom_server.cluster import messages

KNOWN = (8, "f67051367b70e5f7")
"""The version of the links, and the digest of how its messages look: whoever changes them raises both."""

_UNORDERED = frozenset({"anyOf", "required"})


def shape(schema: Any) -> Any:
    """Return a schema without its words, and with everything in order whose order means nothing."""
    if isinstance(schema, dict):
        kept = {key: shape(value) for key, value in sorted(schema.items()) if key not in {"description", "title"}}
        return {key: sorted(value, key=json.dumps) if key in _UNORDERED else value for key, value in kept.items()}
    return [shape(item) for item in schema] if isinstance(schema, list) else schema


def test_messages_that_changed_have_another_version() -> None:
    schema = msgspec.json.schema(messages.Handshake | messages.Message, schema_hook=lambda kind: {"type": str(kind)})
    digest = sha256(json.dumps(shape(schema)).encode()).hexdigest()[:16]
    assert (messages.VERSION, digest) == KNOWN
