"""The schemas of messages: independent validators take all golden frames, and nothing that is none."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest
from golden_frames import FRAMES, GOLDEN
from golden_patches import PATCHES
from jsonschema import Draft202012Validator
from protocol_document import REFERENCE
from strict_validator import problems

from warroom_protocol.codec import decode_client
from warroom_protocol.errors import WireError
from warroom_protocol.message_schemas import message_schemas
from warroom_protocol.messages import CLIENT_MESSAGES, PARTS, SERVER_MESSAGES

Case = tuple[str, Any]

GOLDEN_FRAMES = [frame for name in GOLDEN for frame in json.loads((FRAMES / f"{name}.json").read_text())]
SCHEMAS = message_schemas()
VALIDATORS = {path: Draft202012Validator(schema) for path, schema in SCHEMAS.items()}

BINARY = "data"
"""The one field that may hold anything on the wire, where JSON Schema has no type for it."""


def cases_of(frame: dict[str, Any]) -> list[Case]:
    """Return both forms of a golden frame, each with the path of its schema."""
    side = frame["direction"]
    return [(f"{side}.json", frame["json"]), (f"wire/{side}.json", frame["array"])]


def name_of(frame: dict[str, Any]) -> str:
    return str(frame["name"])


@pytest.mark.parametrize("path", SCHEMAS)
def test_a_schema_is_one_of_the_draft_that_it_names(path: str) -> None:
    assert SCHEMAS[path]["$schema"] == Draft202012Validator.META_SCHEMA["$schema"]
    Draft202012Validator.check_schema(SCHEMAS[path])


@pytest.mark.parametrize("frame", GOLDEN_FRAMES, ids=name_of)
def test_a_golden_frame_fits_in_both_forms(frame: dict[str, Any]) -> None:
    for path, value in cases_of(frame):
        assert [error.message for error in VALIDATORS[path].iter_errors(value)] == []


def test_a_strict_validator_compiles_the_schemas_and_takes_every_golden_frame() -> None:
    cases = [case for frame in GOLDEN_FRAMES for case in cases_of(frame)]
    assert [problem for problem in problems(cases) if problem] == []


def test_a_validator_that_is_not_strict_would_not_count(tmp_path: Path) -> None:
    sloppy: list[dict[str, Any]] = [{"discriminator": {}}, {"type": "array", "prefixItems": [{}]}, {"minLength": 1}]
    for number, schema in enumerate(sloppy):
        (tmp_path / f"{number}.json").write_text(json.dumps(schema))
    found = problems([(f"{number}.json", []) for number in range(len(sloppy))], folder=tmp_path)
    assert all(problem is not None and "does not compile: strict mode" in problem for problem in found)


# --- what is no message -----------------------------------------------------------------------------------------


def spoilt(frame: dict[str, Any]) -> Iterator[Case]:
    """Yield a golden frame with one thing wrong each time."""
    (twin_path, twin), (wire_path, array) = cases_of(frame)
    yield twin_path, {**twin, "more": 0}
    yield twin_path, {**twin, "type": "nothing"}
    yield twin_path, {key: value for key, value in twin.items() if key != "type"}
    yield wire_path, [*array, None]
    yield wire_path, ["nothing", *array[1:]]
    for position, field in enumerate(list(twin)[1:], start=1):
        yield twin_path, {**twin, field: 0.5}
        if field != BINARY:
            yield wire_path, [*array[:position], 0.5, *array[position + 1 :]]


@pytest.mark.parametrize("frame", GOLDEN_FRAMES, ids=name_of)
def test_a_frame_with_anything_wrong_fits_no_schema(frame: dict[str, Any]) -> None:
    assert [case for case in spoilt(frame) if VALIDATORS[case[0]].is_valid(case[1])] == []


def test_a_strict_validator_refuses_the_same() -> None:
    cases = [case for frame in GOLDEN_FRAMES for case in spoilt(frame)]
    fitting = [case for case, problem in zip(cases, problems(cases), strict=True) if problem is None]
    assert fitting == []


FULL = {frame["json"]["type"]: frame for frame in json.loads((FRAMES / "client.json").read_text())}
"""A frame of each client message."""


@pytest.mark.parametrize("name", CLIENT_MESSAGES)
def test_clients_may_leave_out_what_the_server_can_do_without(name: str) -> None:
    kind, frame = CLIENT_MESSAGES[name], FULL[name]
    (twin_path, twin), (wire_path, array) = cases_of(frame)
    for length in range(1, len(array) + 1):
        cut = array[:length]
        is_message = decodes(cut)
        assert is_message == (length > sum(field.required for field in msgspec.structs.fields(kind)))
        assert VALIDATORS[wire_path].is_valid(cut) == is_message
        assert VALIDATORS[twin_path].is_valid(dict(list(twin.items())[:length])) == is_message


def decodes(array: list[Any]) -> bool:
    try:
        decode_client(msgpack.packb(array))
    except WireError:
        return False
    return True


@pytest.mark.parametrize("frame", json.loads((FRAMES / "server.json").read_text()), ids=name_of)
def test_messages_of_a_server_are_complete(frame: dict[str, Any]) -> None:
    (twin_path, twin), (wire_path, array) = cases_of(frame)
    assert not VALIDATORS[wire_path].is_valid(array[:-1])
    for field in twin:
        assert not VALIDATORS[twin_path].is_valid({key: value for key, value in twin.items() if key != field})


# --- what they say ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "kinds"), [("client.json", CLIENT_MESSAGES), ("server.json", SERVER_MESSAGES)])
def test_the_texts_are_those_of_the_reference(path: str, kinds: dict[str, type[msgspec.Struct]]) -> None:
    reference = REFERENCE.read_text()
    arrow = {"client.json": "→", "server.json": "←"}[path]
    for name, kind in kinds.items():
        section = reference.split(f"### {arrow} {name}\n")[1].split("\n### ")[0]
        schema = SCHEMAS[path]["$defs"][kind.__name__]
        assert schema["description"] in section
        for field in kind.__struct_fields__:
            assert f"| `{field}` |" in section
            assert f"| {schema['properties'][field]['description']} |" in section


def test_only_what_is_needed_is_defined() -> None:
    names = {kind.__name__ for kind in PARTS}
    assert SCHEMAS["client.json"]["$defs"].keys() & names == {"Position", "Plays"}
    assert "Plain" not in SCHEMAS["server.json"]["$defs"]
    for schema in SCHEMAS.values():
        assert set(referred(schema)) == schema["$defs"].keys()


def referred(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].removeprefix("#/$defs/")
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from referred(part)


def test_every_golden_patch_is_one() -> None:
    definitions = SCHEMAS["server.json"]["$defs"]
    validator = Draft202012Validator({"$ref": "#/$defs/Patch", "$defs": definitions})
    patches = [case["patch"] for case in json.loads(PATCHES.read_text())]
    assert patches
    assert all(validator.is_valid(patch) for patch in patches)
    wrong: list[Any] = [
        {},
        [[]],
        [["a"]],
        [[["a"], -1, []]],
        [[["a"], 1, {}]],
        [[[-1], 1]],
        [[[None], 1]],
        [[["a"], 0.5]],
    ]
    assert [patch for patch in wrong if validator.is_valid(patch)] == []
