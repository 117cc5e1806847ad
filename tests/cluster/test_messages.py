"""What nodes say to each other: its version, and what is no message."""

import contextlib
import json
from hashlib import sha256
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from warroom_server.cluster import messages
from warroom_server.ports.peers import NO_MESSAGE

KNOWN = (12, "d54c55d80de5840e")
"""The version of the links, and the digest of how its messages look: whoever changes them raises both."""

_UNORDERED = frozenset({"anyOf", "required"})


def shape(schema: Any) -> Any:
    """Return a schema without its words, and with everything in order whose order means nothing."""
    if isinstance(schema, dict):
        kept = {key: shape(value) for key, value in sorted(schema.items()) if key not in {"description", "title"}}
        return {key: sorted(value, key=json.dumps) if key in _UNORDERED else value for key, value in kept.items()}
    return [shape(item) for item in schema] if isinstance(schema, list) else schema


def test_messages_that_changed_have_another_version() -> None:
    schema = msgspec.json.schema(messages.Message, schema_hook=lambda kind: {"type": str(kind)})
    digest = sha256(json.dumps(shape(schema)).encode()).hexdigest()[:16]
    assert (messages.VERSION, digest) == KNOWN


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_that_does_not_cut_the_link(noise: bytes) -> None:
    with contextlib.suppress(*NO_MESSAGE):
        messages.CODEC.decode(noise)
