"""The codec: what passes, what is refused and how, and that hostile bytes can do nothing else."""

from typing import Any

import msgpack
import pytest
from example_messages import CLIENT, EDGES, SERVER, Example
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis_effort import fewer
from msgspec import Raw

from warroom_protocol import codes
from warroom_protocol.codec import decode_client, decode_server, encode
from warroom_protocol.errors import (
    DecodeError,
    FrameTooLargeError,
    InvalidActError,
    InvalidMessageError,
    UnknownMessageError,
    WireError,
)
from warroom_protocol.limits import MAX_CLIENT_BYTES, MAX_DEPTH, MAX_INTEGER, MAX_SERVER_BYTES, MAX_VALUES
from warroom_protocol.messages import Act, Create, Hello, Join, Ping

EXAMPLES = (*CLIENT, *SERVER, *EDGES)
FROM_CLIENTS = [encode(example.message) for example in EXAMPLES if example.direction == "client"]
FROM_SERVERS = [encode(example.message) for example in EXAMPLES if example.direction == "server"]


def act(action: object) -> bytes:
    packed: bytes = msgpack.packb(["act", 1, 2, 3, action])
    return packed


def create(options: object) -> bytes:
    packed: bytes = msgpack.packb(["create", 4, "game", None, options, {}])
    return packed


def padded(action: dict[str, Any]) -> dict[str, Any]:
    """Return the action in a message that is long enough to be looked over before it is decoded."""
    return {**action, "padding": "x" * 300}


def nested(depth: int, value: object = 0) -> object:
    return [nested(depth - 1, value)] if depth else value


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_message_comes_back_as_it_was(example: Example) -> None:
    decode = decode_client if example.direction == "client" else decode_server
    frame = encode(example.message)
    assert encode(decode(frame)) == frame


def test_fields_with_a_default_may_be_left_out_at_the_end() -> None:
    assert decode_client(msgpack.packb(["hello", 1, [1], "Ada"])) == Hello(1, (1,), "Ada", None, "")
    assert decode_client(msgpack.packb(["join", 1, 7])) == Join(1, 7, None, None, None)


def test_integers_need_not_be_in_their_shortest_form() -> None:
    assert decode_client(bytes.fromhex("92 a4 70696e67 cf 0000000000000005")) == Ping(5)


def test_an_action_is_handed_on_as_it_was_sent() -> None:
    action = msgpack.packb({"type": "bid", "card": 4})
    message = decode_client(msgpack.packb(["act", 1, 2, 3]).replace(b"\x94", b"\x95", 1) + action)
    assert isinstance(message, Act)
    assert bytes(message.action) == action


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc1", id="a byte that means nothing"),
        pytest.param(b"\x90", id="an empty array"),
        pytest.param(b"\x91\x01", id="a number for a name"),
        pytest.param(b"\x80", id="a map"),
        pytest.param(msgpack.packb(["ping"]), id="a missing field"),
        pytest.param(msgpack.packb(["ping", 1]) + b"\x00", id="bytes after the message"),
        pytest.param(msgpack.packb(["ping", 1])[:-1], id="a message cut short"),
        pytest.param(msgpack.packb(["ping", -1]), id="a negative ref"),
        pytest.param(msgpack.packb(["ping", MAX_INTEGER + 1]), id="a ref beyond 53 bits"),
        pytest.param(msgpack.packb(["ping", 2**64 - 1]), id="the largest integer"),
        pytest.param(msgpack.packb(["ping", 1.0]), id="a float for an integer"),
        pytest.param(msgpack.packb(["ping", True]), id="a boolean for an integer"),
        pytest.param(msgpack.packb(["ping", "1"]), id="text for an integer"),
        pytest.param(b"\x92\xa4ping\xdd\xff\xff\xff\xff", id="a huge array"),
        pytest.param(b"\x94\xa5hello\x01\xdd\xff\xff\xff\xff", id="a huge array of versions"),
        pytest.param(b"\xdd\xff\xff\xff\xff\xa4ping\x01", id="a huge message"),
        pytest.param(b"\x92\xa4ping\xdb\xff\xff\xff\xff", id="huge text"),
        pytest.param(b"\x92\xa4ping\xd6\xff\x00\x00\x00\x00", id="a timestamp"),
    ],
)
def test_what_is_no_message_is_refused_as_malformed(frame: bytes) -> None:
    with pytest.raises(DecodeError) as refusal:
        decode_client(frame)
    assert refusal.value.code == codes.MESSAGE_MALFORMED
    assert refusal.value.close_code == codes.CLOSE_MALFORMED


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(msgpack.packb(["ping", 1, 2]), id="a field too many"),
        pytest.param(msgpack.packb(["leave", 1, 2**32]), id="a room number beyond 32 bits"),
        pytest.param(msgpack.packb(["join", 1, 7, 64]), id="a seat beyond the last"),
        pytest.param(msgpack.packb(["join", 1, 7, None, None, [1, 2]]), id="half a position"),
        pytest.param(msgpack.packb(["hello", 1, [], "Ada"]), id="no version"),
        pytest.param(msgpack.packb(["hello", 1, [1] * 9, "Ada"]), id="too many versions"),
        pytest.param(msgpack.packb(["hello", 1, [1], "x" * 65]), id="a name too long"),
        pytest.param(msgpack.packb(["hello", 1, [1], b"Ada"]), id="bytes for text"),
        pytest.param(b"\x94\xa5hello\x01\x91\x01\xa2\xff\xfe", id="text that is no UTF-8"),
    ],
)
def test_a_field_that_cannot_be_so_is_a_refusal_of_that_request(frame: bytes) -> None:
    with pytest.raises(InvalidMessageError) as refusal:
        decode_client(frame)
    assert (refusal.value.code, refusal.value.close_code, refusal.value.ref) == (codes.MESSAGE_INVALID, None, 1)


@pytest.mark.parametrize("pad", [lambda action: action, padded], ids=["short", "long"])
@pytest.mark.parametrize(
    "action",
    [
        pytest.param({"x": 1.5}, id="a float"),
        pytest.param({"x": float("nan")}, id="not a number"),
        pytest.param({"x": b"bytes"}, id="binary data"),
        pytest.param({"x": msgpack.ExtType(1, b"x")}, id="an extension type"),
        pytest.param({"x": msgpack.ExtType(5, b"x" * 20)}, id="a long extension type"),
        pytest.param({"x": msgpack.Timestamp(1, 1)}, id="a timestamp"),
        pytest.param({"x": 2**53}, id="an integer beyond 53 bits"),
        pytest.param({"x": -(2**53)}, id="an integer below 53 bits"),
        pytest.param({"x": {1: 2}}, id="a key that is a number"),
        pytest.param({"x": {"y" * 65: 2}}, id="a key too long"),
        pytest.param({"x": nested(MAX_DEPTH - 1)}, id="a list too deep"),
    ],
)
def test_an_action_or_option_of_other_than_plain_values_is_refused(action: Any, pad: Any) -> None:
    with pytest.raises(InvalidActError) as refused_act:
        decode_client(act(pad(action)))
    assert (refused_act.value.room, refused_act.value.id) == (1, 2)
    with pytest.raises(InvalidMessageError) as refused_create:
        decode_client(create(pad(action)))
    assert refused_create.value.ref == 4


@pytest.mark.parametrize("frame", [act([]), act(None), act(1), act({1: 2}), act({None: 1}), create([])])
def test_an_action_or_options_must_be_a_map_with_text_keys(frame: bytes) -> None:
    with pytest.raises(InvalidMessageError, match="a map with text keys"):
        decode_client(frame)


@pytest.mark.parametrize("pad", [lambda action: action, padded], ids=["short", "long"])
def test_plain_values_pass_up_to_the_limits(pad: Any) -> None:
    action = pad({"deep": nested(MAX_DEPTH - 2), "n": [MAX_INTEGER, -MAX_INTEGER], "t": "é🎲", "b": True, "x": None})
    message = decode_client(act(action))
    assert isinstance(message, Act)
    assert msgpack.unpackb(message.action) == action


def test_a_key_given_twice_counts_as_given_last() -> None:
    frame = b"\x96\xa6create\x04\xa1g\xc0\x82\xa1a\x01\xa1a\x02\x80"
    message = decode_client(frame)
    assert isinstance(message, Create)
    assert message.options == {"a": 2}


def test_text_that_is_no_utf8_inside_an_action_is_refused() -> None:
    with pytest.raises(InvalidActError, match="action of act cannot be that"):
        decode_client(b"\x95\xa3act\x01\x02\x03\x81\xa1x\xa2\xff\xfe")


@pytest.mark.parametrize(
    "frame", [act(padded({}))[:-1], act(padded({})) + b"\xc0"], ids=["cut short", "with more behind"]
)
def test_a_long_message_has_a_definite_end(frame: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_client(frame)


def test_a_long_message_may_hold_so_many_values_and_no_more() -> None:
    overhead = len(["frame", "name", 1, 2, 3, "action", "key", "list"])
    values = MAX_VALUES - overhead
    assert isinstance(decode_client(act({"x": [0] * values})), Act)
    with pytest.raises(InvalidActError, match=f"at most {MAX_VALUES} values"):
        decode_client(act({"x": [0] * (values + 1)}))


@pytest.mark.parametrize(
    "container", [b"\x91", b"\x81\xa1a", b"\xdc\x00\x01", b"\xde\x00\x01\xa0", b"\xdd\x00\x00\x00\x01"]
)
@pytest.mark.parametrize("size", [30, 200, MAX_CLIENT_BYTES])
def test_depth_is_refused_however_it_is_made(container: bytes, size: int) -> None:
    head = b"\x95\xa3act\x01\x02\x03\x81\xa1x"
    frame = head + container * ((size - len(head)) // len(container))
    with pytest.raises(DecodeError):
        decode_client(frame)
    with pytest.raises(DecodeError):
        decode_server(frame.replace(b"\x95\xa3act", b"\x95\xa4pong", 1))


def test_a_message_longer_than_allowed_is_not_looked_at() -> None:
    action = {"type": "x" * (MAX_CLIENT_BYTES - len(act({"type": "x" * 1000})) + 1000)}
    assert len(act(action)) == MAX_CLIENT_BYTES
    assert isinstance(decode_client(act(action)), Act)
    with pytest.raises(FrameTooLargeError) as refusal:
        decode_client(act(action) + b"x")
    assert (refusal.value.code, refusal.value.close_code) == (codes.MESSAGE_TOO_LARGE, codes.CLOSE_TOO_LARGE)
    with pytest.raises(FrameTooLargeError):
        decode_server(bytes(MAX_SERVER_BYTES + 1))


@pytest.mark.parametrize(
    ("message", "ref"),
    [
        pytest.param(["dance", 7, "x"], 7, id="with a ref"),
        pytest.param(["dance"], None, id="without fields"),
        pytest.param(["dance", "seven"], None, id="with something else for a ref"),
    ],
)
def test_an_unknown_name_is_no_reason_to_close(message: list[object], ref: int | None) -> None:
    with pytest.raises(UnknownMessageError, match="dance") as refusal:
        decode_client(msgpack.packb(message))
    assert (refusal.value.code, refusal.value.close_code, refusal.value.ref) == (codes.MESSAGE_UNKNOWN, None, ref)


def test_messages_of_the_other_side_are_unknown() -> None:
    with pytest.raises(UnknownMessageError):
        decode_client(encode(SERVER[0].message))
    with pytest.raises(UnknownMessageError):
        decode_server(encode(CLIENT[0].message))


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (["offer", 9, 1, "cake"], "what of offer cannot be 'cake'; allowed: draw, pause, rematch, resume"),
        (["say", 9, 1, "x" * 501], "text of say cannot be a text of 501 characters; allowed: text of at most 500 char"),
        (
            ["join", 9, "here"],
            "room of join cannot be a text of 4 characters; allowed: whole numbers from 0 to 4294967295",
        ),
        (["join", 9, 1, None, None, [1, 2]], "position of join cannot be [1, 2]: Expected `array` of at least length"),
        (["join", 9, 1, None, "s" * 257], "seat_token of join cannot be that; allowed: text of at most 256 characters"),
        (["join", 9, 1, None, ["s" * 8]], "seat_token of join cannot be that; allowed: text of at most 256 characters"),
        (["claim", 9, 1, -12345], "ticket of claim cannot be that; allowed: whole numbers from 0 to"),
        (["join", 9, ["secret"]], "room of join cannot be that; allowed: whole numbers from 0 to 4294967295"),
        (["join", 9, {"secret": 1}], "room of join cannot be that; allowed: whole numbers from 0 to 4294967295"),
        (["join", 9, b"secret"], "room of join cannot be that; allowed: whole numbers from 0 to 4294967295"),
        (["create", 9, "strata", 2, "secret"], "options of create cannot be a text of 6 characters; allowed: "),
        (["say", 9, 1], "say needs text"),
        (["say", 9, 1, "x", 2], "say has 4 fields; allowed: at most 3"),
    ],
)
def test_a_refusal_names_the_field_and_what_it_may_hold(message: list[object], words: str) -> None:
    with pytest.raises(InvalidMessageError) as refusal:
        decode_client(msgpack.packb(message))
    assert refusal.value.detail.startswith(words)
    assert refusal.value.ref == 9


@pytest.mark.parametrize("head", [["act"], ["act", 1], ["act", "room", 2], ["act", 1, -2], ["ping"], ["say", None, 1]])
def test_what_nobody_could_answer_is_malformed(head: list[object]) -> None:
    with pytest.raises(DecodeError, match="it cannot be answered"):
        decode_client(msgpack.packb([*head, *["x"] * 5]))


plain_bytes = st.binary(max_size=600)


@st.composite
def mutated(draw: st.DrawFn, frames: list[bytes]) -> bytes:
    """Return a message with some of its bytes changed, left out or put in."""
    frame = bytearray(draw(st.sampled_from(frames)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(frame)))
        frame[at : at + draw(st.integers(0, 2))] = draw(st.binary(max_size=3))
    return bytes(frame)


def outcome(decode: Any, frame: bytes) -> str:
    """Return what came of decoding; anything but a message or a `WireError` fails the test."""
    try:
        message = decode(frame)
    except WireError as error:
        return error.code
    assert encode(decode(encode(message))) == encode(message)
    return "decoded"


OUTCOMES = {"decoded", codes.MESSAGE_MALFORMED, codes.MESSAGE_INVALID, codes.MESSAGE_UNKNOWN, codes.MESSAGE_TOO_LARGE}


@given(plain_bytes | mutated(FROM_CLIENTS))
@example(b"\x91" * 5000)
@example(b"\x96\xa6create\x04\xa1g\xc0\x81\xa1a\x81\x81\xa1a\x01\x01\x80")
def test_no_bytes_of_a_client_do_anything_but_decode_or_be_refused(frame: bytes) -> None:
    assert outcome(decode_client, frame) in OUTCOMES


@given(plain_bytes | mutated(FROM_SERVERS))
@example(b"\x91" * 100_000)
@example(b"\x97\xa6update\x01\x01\x81\x81\xa1a\x01\x01\x90\x93\x00\x00\xc0\xc0")
def test_no_bytes_of_a_server_do_anything_but_decode_or_be_refused(frame: bytes) -> None:
    assert outcome(decode_server, frame) in OUTCOMES


@fewer(4)
@given(st.recursive(st.none() | st.integers() | st.floats() | st.binary() | st.text(), st.lists, max_leaves=400))
def test_no_action_does_anything_but_decode_or_be_refused(value: object) -> None:
    try:
        frame = act({"x": value})
    except OverflowError:
        return
    assert outcome(decode_client, frame) in OUTCOMES


def test_a_raw_action_is_encoded_as_it_is() -> None:
    assert encode(Act(1, 2, 3, Raw(b"\x81\xa1a\x01"))) == act({"a": 1})


@pytest.mark.parametrize("options", [{"a": 1.5}, {"a": b"x"}, {1: 2}], ids=["a float", "bytes", "no text key"])
def test_the_options_of_a_quick_match_are_plain_as_well(options: object) -> None:
    for frame in (["quick", 4, "game", None, options, {}], ["quick", 4, "game", None, {}, options]):
        with pytest.raises(WireError):
            decode_client(msgpack.packb(frame))
