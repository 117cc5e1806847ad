"""The JSON twin of the protocol: every golden frame in both forms, and what is refused."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from golden_frames import FRAMES, GOLDEN
from hypothesis import example, given
from hypothesis import strategies as st

from warroom_protocol.codec import decode_client, encode
from warroom_protocol.codes import CLOSE_MALFORMED, MESSAGE_INVALID, MESSAGE_MALFORMED, MESSAGE_UNKNOWN
from warroom_protocol.errors import InvalidActError, WireError
from warroom_protocol.json_twin import message_of
from warroom_protocol.limits import MAX_INTEGER
from warroom_protocol.messages import CLIENT_MESSAGES, Create, Join, Ping, Position
from warroom_protocol.readable import twin_of

RECORDED = [frame for name in GOLDEN for frame in json.loads((FRAMES / f"{name}.json").read_text())]
CLIENT = [frame for frame in RECORDED if frame["direction"] == "client"]
SERVER = [frame for frame in RECORDED if frame["direction"] == "server"]


def text(twin: object) -> bytes:
    return json.dumps(twin, ensure_ascii=False).encode()


def refusal(twin: object) -> WireError:
    with pytest.raises(WireError) as refused:
        decode_client(message_of(twin if isinstance(twin, bytes) else text(twin)))
    return refused.value


@pytest.mark.parametrize("frame", SERVER, ids=lambda frame: frame["name"])
def test_a_servers_message_is_shown_as_its_golden_twin(frame: dict[str, Any]) -> None:
    assert json.loads(twin_of(bytes.fromhex(frame["hex"]))) == frame["json"]


@pytest.mark.parametrize("frame", CLIENT, ids=lambda frame: frame["name"])
def test_the_golden_twin_of_a_clients_message_gives_its_very_bytes(frame: dict[str, Any]) -> None:
    assert message_of(text(frame["json"])).hex() == frame["hex"]


def numbers(value: object) -> Iterator[int]:
    match value:
        case dict():
            for item in value.values():
                yield from numbers(item)
        case list():
            for item in value:
                yield from numbers(item)
        case int():
            yield value
        case _:
            pass


def test_all_numbers_of_twins_are_exact_in_every_language() -> None:
    found = [number for frame in RECORDED for number in numbers(frame["json"])]
    assert max(found) == MAX_INTEGER
    assert min(found) == -MAX_INTEGER


def test_the_order_of_names_does_not_matter_and_optional_ones_may_be_left_out_anywhere() -> None:
    join = decode_client(message_of(b'{"room":7,"position":{"q":3,"life":1,"p":2},"ref":1,"type":"join"}'))
    assert join == Join(1, 7, position=Position(1, 2, 3))
    assert decode_client(message_of(text({"type": "create", "ref": 1, "game": "strata"}))) == Create(1, "strata")


@pytest.mark.parametrize(
    ("twin", "code", "ref", "detail"),
    [
        ({"type": "ping", "ref": 3, "x": 1}, MESSAGE_INVALID, 3, "ping has no field 'x'; it has ref"),
        (
            {"type": "join", "ref": 4, "room": 1, "position": {"life": 1, "p": 0, "q": 0, "r": 0}},
            MESSAGE_INVALID, 4, "position of join has no field 'r'; it has life, p, q",
        ),
        (
            {"type": "work", "ref": 4, "seats": 1, "plays": [{"game": "strata"}]},
            MESSAGE_INVALID, 4, "plays of work needs bots",
        ),
        ({"type": "say", "ref": 5, "text": "hi"}, MESSAGE_INVALID, 5, "say needs room"),
        (
            {"type": "kick", "ref": 6, "room": 1, "seat": 64},
            MESSAGE_INVALID, 6, "seat of kick cannot be 64; allowed: whole numbers from 0 to 63",
        ),
        ({"type": "ping", "ref": 2**53}, MESSAGE_MALFORMED, None, "ping: it cannot be answered without a ref"),
        ({"type": "ping", "ref": 1.5}, MESSAGE_MALFORMED, None, "ping: it cannot be answered without a ref"),
        ({"type": "dance", "ref": 7}, MESSAGE_UNKNOWN, 7, "no message is called 'dance'"),
        ({"ref": 1}, MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: the map has no text under"),
        ({"type": 5}, MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: the map has no text under"),
        (["ping", 1], MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: Expected `object`"),
        (10**30, MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: "),
        ({"type": "ping", "ref": 10**30}, MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: "),
        (b'{"type":"ping",}', MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: JSON is malformed"),
        (encode(Ping(5)), MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: JSON is malformed"),
        (b"", MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: Input data was truncated"),
        (b'{"a":' * 800, MESSAGE_MALFORMED, None, "neither a message nor the JSON twin of one: "),
        (b'{"type":"say","ref":1,"room":1,"text":"\xff"}', MESSAGE_MALFORMED, None, "neither a message nor"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_like_the_message_itself_and_says_why(
    twin: object, code: str, ref: int | None, detail: str
) -> None:
    problem = refusal(twin)
    assert (problem.code, problem.ref) == (code, ref)
    assert problem.detail.startswith(detail), problem.detail
    assert problem.close_code == (CLOSE_MALFORMED if code == MESSAGE_MALFORMED else None)


def test_an_action_with_a_wrong_name_still_gets_its_verdict() -> None:
    problem = refusal({"type": "act", "room": 7, "id": 8, "turn": 1, "action": {"type": "peek"}, "acton": {}})
    assert isinstance(problem, InvalidActError)
    assert (problem.room, problem.id) == (7, 8)
    assert problem.detail == "act has no field 'acton'; it has room, id, turn, action"


def test_a_twin_among_binary_messages_is_recognized() -> None:
    with pytest.raises(WireError, match="a message is a MessagePack array, and this is the JSON twin of one"):
        decode_client(b'{"type":"ping","ref":1}')


def test_a_refusal_repeats_no_secret() -> None:
    assert (
        "s3cret" not in refusal({"type": "hello", "ref": 1, "versions": [1], "name": "Ada", "token": ["s3cret"]}).detail
    )


KEYS = st.sampled_from(["type", "ref", "room", "seat", "position", "plays", "action", "id", "turn", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([*CLIENT_MESSAGES]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=8).map(text) | st.binary(max_size=64))
@example(b'{"type":"join","ref":1,"room":2,"position":[1,2,3]}')
@example(b'{"type":"join","ref":1,"room":2,"position":7}')
@example(b"\xdc\x80\x80")
def test_any_text_is_a_message_or_refused(data: bytes) -> None:
    try:
        message = decode_client(message_of(data))
    except WireError:
        return
    assert decode_client(encode(message)) == message
