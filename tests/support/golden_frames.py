"""Golden frames: the bytes of each example, the array in them, and its JSON twin."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from example_messages import CLIENT, EDGES, SERVER, Example
from msgspec import Raw, Struct, to_builtins
from msgspec.msgpack import decode

from warroom_protocol.codec import encode

FRAMES = Path(__file__).parents[1] / "golden" / "frames"
GOLDEN = {"client": CLIENT, "server": SERVER, "edges": EDGES}


def twin(value: Any) -> Any:
    """Return the JSON twin: arrays that have named positions become maps, binary data hex."""
    if isinstance(value, Raw):
        return decode(value)
    if isinstance(value, Struct):
        config = value.__struct_config__
        named = {config.tag_field: config.tag} if config.tag_field else {}
        return named | {name: twin(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, tuple | list):
        return [twin(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    return to_builtins(value)


def binary(data: object) -> dict[str, str]:
    """Return binary data as it stands in the array of a golden frame, which is JSON."""
    assert isinstance(data, bytes), f"JSON has no {type(data).__name__}"
    return {"$hex": data.hex()}


def plain(value: dict[str, Any]) -> object:
    """Return what `binary` wrote, and any other map as it is."""
    return bytes.fromhex(value["$hex"]) if list(value) == ["$hex"] else value


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
    return "[\n" + ",\n".join(json.dumps(frame, ensure_ascii=False, default=binary) for frame in frames) + "\n]\n"
