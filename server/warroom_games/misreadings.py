"""Why something is no action of a game, in words that name the value and what is allowed in its place."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

_SHOWN = 60
"""So many characters of a value are shown: whoever sent it knows the rest."""


def misreading(action_type: Any, value: object) -> str | None:
    """Say what is wrong with the type of an action or with one of its fields; None if it is something else."""
    if not isinstance(value, Mapping):
        return None
    kinds = {str(kind.__struct_config__.tag): kind for kind in get_args(action_type) or (action_type,)}
    tag = value.get("type")
    if not (isinstance(tag, str) and tag in kinds):
        return f"its type cannot be {_shown(tag)}; allowed: {', '.join(sorted(kinds))}"
    for field in msgspec.structs.fields(kinds[tag]):
        if field.encode_name in value and (allowed := _allowed_instead(value[field.encode_name], field.type)):
            return f"{field.encode_name} of {tag} cannot be {_shown(value[field.encode_name])}; allowed: {allowed}"
    return None


def in_words(schema: Mapping[str, Any]) -> str:
    """Say what a JSON schema allows; nothing where that takes more than a line."""
    if "anyOf" in schema:
        parts = [in_words(part) for part in schema["anyOf"]]
        return " or ".join(parts) if all(parts) else ""
    if "enum" in schema:
        return ", ".join(sorted(map(str, schema["enum"])))
    match schema.get("type"):
        case "null":
            return "null"
        case "boolean":
            return "true, false"
        case "integer" if "minimum" in schema and ("maximum" in schema or "exclusiveMaximum" in schema):
            most = schema["maximum"] if "maximum" in schema else schema["exclusiveMaximum"] - 1
            return f"whole numbers from {schema['minimum']} to {most}"
        case "string" if "maxLength" in schema:
            return f"text of at most {schema['maxLength']} characters"
        case _:
            return ""


def _allowed_instead(value: object, kind: Any) -> str:
    """Return what a field may hold, if it cannot hold *value* and that can be said in words."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return in_words(msgspec.json.schema(kind))
    return ""


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
