"""What a JSON schema allows, in words for people."""

from collections.abc import Mapping
from typing import Any

_SHOWN = 60
"""The number of characters of a value that are shown: its sender knows the rest."""


def in_words(schema: Mapping[str, Any]) -> str:
    """Say what a JSON schema allows, or nothing if that takes more than a line."""
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


def shown(value: object) -> str:
    """Return a value as a refusal repeats it."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
