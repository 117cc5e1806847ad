"""The AsyncAPI document: valid by the schema of AsyncAPI, with references that lead somewhere, and true."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from protocol_answers import ANSWERS
from protocol_document import DOCS, SCHEMAS
from strict_validator import problems

from warroom_protocol.asyncapi import TOPICS, asyncapi, replies, unasked
from warroom_protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES

DOCUMENT = asyncapi()


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (value for key, value in part.items() if key == "$ref")
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from references(each)


def target(reference: str) -> Any:
    """Return what a reference leads to, in the document or in a file beside it."""
    path, _, pointer = reference.partition("#/")
    found = json.loads((SCHEMAS / path).read_text()) if path else DOCUMENT
    for step in pointer.split("/"):
        found = found[step]
    return found


def test_it_is_valid() -> None:
    assert problems([("asyncapi.json", DOCUMENT)]) == [None]
    operations = {**DOCUMENT["operations"], "hello": {**DOCUMENT["operations"]["hello"], "action": "get"}}
    assert problems([("asyncapi.json", {**DOCUMENT, "operations": operations})]) != [None]


def test_every_reference_leads_somewhere() -> None:
    found = set(references(DOCUMENT))
    assert all(target(reference) for reference in found)
    assert any(reference.startswith("./wire/client.json#/$defs/") for reference in found)


def test_every_message_is_on_the_websocket_with_the_schema_of_its_array() -> None:
    messages = DOCUMENT["channels"]["websocket"]["messages"]
    found = [target(reference["$ref"]) for reference in messages.values()]
    assert [message["name"] for message in found] == [*CLIENT_MESSAGES, *SERVER_MESSAGES]
    for message in found:
        schema = target(message["payload"]["schema"]["$ref"])
        tuples = schema.get("anyOf", [schema])
        assert {each["prefixItems"][0]["const"] for each in tuples} == {message["name"]}


def test_a_request_and_its_answer_share_a_number() -> None:
    for kind in (*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values()):
        message = DOCUMENT["components"]["messages"][kind.__name__]
        schema = target(message["payload"]["schema"]["$ref"])
        titles = [item.get("title") for item in schema.get("anyOf", [schema])[0]["prefixItems"]]
        location = message.get("correlationId", {}).get("location", "")
        shared = titles[int(location.removeprefix("$message.payload#/"))] if location else None
        assert shared == ("id" if message["name"] in ("act", "verdict") else "ref" if "ref" in titles else None)


@pytest.mark.parametrize("name", CLIENT_MESSAGES)
def test_a_request_has_the_reply_that_the_reference_names(name: str) -> None:
    reply = [target(target(each["$ref"])["$ref"])["name"] for each in DOCUMENT["operations"][name]["reply"]["messages"]]
    answers = [str(kind.__struct_config__.tag) for kind in replies(CLIENT_MESSAGES[name])]
    assert reply == answers + ["error"] * (name != "act")
    assert set(answers) <= set(re.findall(r"`(\w+)`", ANSWERS[name]))


def test_what_is_no_reply_alone_is_sent_unasked() -> None:
    asked = SERVER_MESSAGES.keys() - {kind.__struct_config__.tag for kind in unasked()}
    assert asked == {
        "welcome", "games", "rooms", "created", "joined", "resumed", "legal", "matches", "replay", "ranking", "done",
        "pong",
    }  # fmt: skip
    assert all(f"send{kind.__name__}" in DOCUMENT["operations"] for kind in unasked())


def test_the_topics_are_those_of_the_page_about_the_feed() -> None:
    rows = re.findall(
        r"^\| `(warroom/[^`]+)` \| (\w+) \| (yes|no) \| ([01]) \|", (DOCS / "MQTT.md").read_text(), re.MULTILINE
    )
    told = {(topic, kind == "JSON", retained == "yes", int(qos)) for topic, kind, retained, qos in rows}
    assert {(f"warroom/{in_words(each.path)}", each.is_json, each.retained, each.qos) for each in TOPICS} == told
    for each in TOPICS:
        channel = DOCUMENT["channels"][each.name]
        assert channel["address"] == f"warroom/{each.path}"
        assert set(re.findall(r"{(\w+)}", each.path)) == channel.get("parameters", {}).keys()


def in_words(path: str) -> str:
    return re.sub(r"{(\w+)}", lambda found: found[1].upper(), path)


def test_the_index_names_every_file() -> None:
    files = {path.relative_to(SCHEMAS).as_posix() for path in SCHEMAS.rglob("*.json")} - {"index.json"}
    assert json.loads((SCHEMAS / "index.json").read_text()) == sorted(files)
