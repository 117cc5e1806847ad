"""Golden frames: bytes that every implementation must read and write alike."""

import json
from typing import Any

import msgpack
import pytest
from golden_frames import FRAMES, GOLDEN, golden, plain, twin

from warroom_protocol.canonical import checksum
from warroom_protocol.codec import decode_client, decode_server, encode
from warroom_protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES

RECORDED = [frame for name in GOLDEN for frame in json.loads((FRAMES / f"{name}.json").read_text(), object_hook=plain)]


@pytest.mark.parametrize("frame", RECORDED, ids=lambda frame: frame["name"])
def test_a_golden_frame_means_what_its_twin_says(frame: dict[str, Any]) -> None:
    decode = decode_client if frame["direction"] == "client" else decode_server
    message = decode(bytes.fromhex(frame["hex"]))
    assert twin(message) == frame["json"]
    assert encode(message).hex() == frame["hex"]


@pytest.mark.parametrize("frame", RECORDED, ids=lambda frame: frame["name"])
def test_an_independent_decoder_reads_the_same_array(frame: dict[str, Any]) -> None:
    assert msgpack.unpackb(bytes.fromhex(frame["hex"])) == frame["array"]
    assert msgpack.packb(frame["array"]).hex() == frame["hex"]


@pytest.mark.parametrize(
    "message",
    [twin["json"] for twin in RECORDED if twin["json"]["type"] == "snapshot"],
    ids=lambda each: each["public_sum"],
)
def test_the_checksums_of_a_golden_snapshot_are_those_of_its_views(message: dict[str, Any]) -> None:
    assert checksum(message["public"]) == message["public_sum"]
    assert checksum(message["private"]) == message["private_sum"]


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_frames_are_those_of_the_examples(name: str) -> None:
    assert (FRAMES / f"{name}.json").read_text() == golden(GOLDEN[name])


def test_every_message_has_a_golden_frame() -> None:
    names = {(frame["direction"], frame["json"]["type"]) for frame in RECORDED}
    assert names == {("client", name) for name in CLIENT_MESSAGES} | {("server", name) for name in SERVER_MESSAGES}
