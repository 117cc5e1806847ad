"""What the golden frames and the examples of docs/PROTOCOL.md say, made from `wire_examples`.

Run this file to write both after a change of the protocol; the tests only compare.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Raw, Struct, to_builtins
from msgspec.msgpack import decode
from wire_examples import CLIENT, EDGES, SERVER, Example
from wire_session import SESSION, Line

from warroom_protocol.codec import encode

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "PROTOCOL.md"
FRAMES = ROOT / "tests" / "golden" / "frames"
GOLDEN = {"client": CLIENT, "server": SERVER, "edges": EDGES}

_ARROWS = {"client": "→", "server": "←"}
_WIDTH = 32
_EXAMPLE = re.compile(r"(<!-- example (client|server) (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_SESSION = re.compile(r"(<!-- session -->\n).*?(<!-- end -->)", re.DOTALL)


def twin(value: Any) -> Any:
    """Return the JSON twin: every array that has named positions becomes a map of those names."""
    if isinstance(value, Raw):
        return decode(value)
    if isinstance(value, Struct):
        config = value.__struct_config__
        named = {config.tag_field: config.tag} if config.tag_field else {}
        return named | {name: twin(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, tuple | list):
        return [twin(item) for item in value]
    return to_builtins(value)


def golden(examples: Iterable[Example]) -> str:
    """Return the text of a file of golden frames."""
    frames = [
        {
            "name": example.name,
            "direction": example.direction,
            "hex": (frame := encode(example.message)).hex(),
            "array": decode(frame),
            "json": twin(example.message),
        }
        for example in examples
    ]
    return "[\n" + ",\n".join(json.dumps(frame, ensure_ascii=False) for frame in frames) + "\n]\n"


def hex_lines(frame: bytes) -> str:
    """Return bytes as lines of hex."""
    return "\n".join(frame[start : start + _WIDTH].hex(" ") for start in range(0, len(frame), _WIDTH))


def example_block(example: Example) -> str:
    """Return an example as it stands in the document: the bytes, then the JSON twin."""
    return f"```hex\n{hex_lines(encode(example.message))}\n```\n```json\n{_json(twin(example.message))}\n```\n"


def session_block(session: Iterable[Line]) -> str:
    """Return the annotated session as it stands in the document."""
    parts = []
    for line in session:
        frame = encode(line.message)
        name = _ARROWS[line.direction] + " " + str(line.message.__struct_config__.tag)
        parts.append(
            f"**{name}** ({len(frame)} bytes). {line.remark}\n"
            f"```hex\n{hex_lines(frame)}\n```\n```json\n{_json(twin(line.message))}\n```\n"
        )
    return "\n".join(parts)


def document(text: str) -> str:
    """Return the document with all its examples as they must be."""
    blocks = {(example.direction, example.name): example_block(example) for example in (*CLIENT, *SERVER)}
    text = _EXAMPLE.sub(lambda found: found[1] + blocks[found[2], found[3]] + found[4], text)
    return _SESSION.sub(lambda found: found[1] + session_block(SESSION) + found[2], text)


def _json(value: dict[str, Any]) -> str:
    """Return a twin as JSON, as many fields to a line as fit."""
    lines = [""]
    for name, field in value.items():
        entry = f'"{name}": {json.dumps(field, ensure_ascii=False)}'
        if not lines[-1]:
            lines[-1] = "{" + entry
        elif len(lines[-1]) + len(entry) < 116:
            lines[-1] += ", " + entry
        else:
            lines[-1] += ","
            lines.append("  " + entry)
    return "\n".join(lines) + "}"


if __name__ == "__main__":
    FRAMES.mkdir(parents=True, exist_ok=True)
    for name, examples in GOLDEN.items():
        (FRAMES / f"{name}.json").write_text(golden(examples))
    DOCUMENT.write_text(document(DOCUMENT.read_text()))
