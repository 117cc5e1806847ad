"""Explains why something is not an action: the wrong value and what is allowed."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from warroom_protocol.expectations import in_words, shown


def misreading(action_type: Any, value: object) -> str | None:
    """Describe the wrong type or field of an action; None if the error is something else."""
    if not isinstance(value, Mapping):
        return None
    kinds = {str(kind.__struct_config__.tag): kind for kind in get_args(action_type) or (action_type,)}
    tag = value.get("type")
    if not (isinstance(tag, str) and tag in kinds):
        return f"unknown type {shown(tag)}; allowed: {', '.join(sorted(kinds))}"
    for field in msgspec.structs.fields(kinds[tag]):
        if field.encode_name in value and (allowed := _allowed_instead(value[field.encode_name], field.type)):
            return f"{field.encode_name} of {tag} cannot be {shown(value[field.encode_name])}; allowed: {allowed}"
    return None


def _allowed_instead(value: object, kind: Any) -> str:
    """Return the allowed values of a field that cannot hold *value*, if they can be described."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return in_words(msgspec.json.schema(kind))
    return ""
