"""Agreeing on a version."""

import msgspec
import pytest

from warroom_protocol import codes
from warroom_protocol.codec import decode_client, decode_server
from warroom_protocol.errors import DecodeError, InvalidMessageError, VersionError
from warroom_protocol.versions import SUPPORTED, VERSION, choose_version, mismatch

MAX_CLOSE_REASON = 123
"""Bytes, by RFC 6455."""


@pytest.mark.parametrize("offered", [(VERSION,), (0, VERSION, 999), (VERSION, VERSION)])
def test_the_highest_version_that_both_speak_is_chosen(offered: tuple[int, ...]) -> None:
    assert choose_version(offered) == VERSION == max(SUPPORTED)


@pytest.mark.parametrize(
    ("offered", "words"),
    [
        ((99,), "the server speaks protocol 1, the client 99: update the server"),
        ((0,), "the server speaks protocol 1, the client 0: update the client"),
        ((7, 2, 7), "the server speaks protocol 1, the client 2, 7: update the server"),
    ],
)
def test_without_a_common_version_the_refusal_names_both_sides(offered: tuple[int, ...], words: str) -> None:
    with pytest.raises(VersionError) as refusal:
        choose_version(offered)
    assert (refusal.value.detail, refusal.value.close_reason) == (words, words)
    assert (refusal.value.code, refusal.value.close_code) == (codes.HELLO_VERSION, codes.CLOSE_VERSION)


def test_the_longest_refusal_fits_a_close_frame() -> None:
    assert len(mismatch(server=SUPPORTED, client=range(65_528, 65_536))) <= MAX_CLOSE_REASON


@pytest.mark.parametrize(
    ("hello", "detail"),
    [
        (["hello", 5, [2], {"name": "Ada"}], "the server speaks protocol 1, the client 2: update the server"),
        (["hello", 5, [0]], "the server speaks protocol 1, the client 0: update the client"),
        (["hello", 5, [2, 3], *range(20)], "the server speaks protocol 1, the client 2, 3: update the server"),
    ],
)
def test_the_version_of_a_hello_is_looked_at_before_what_follows_it(hello: list[object], detail: str) -> None:
    with pytest.raises(VersionError) as refusal:
        decode_client(msgspec.msgpack.encode(hello))
    assert (refusal.value.detail, refusal.value.ref) == (detail, 5)


@pytest.mark.parametrize("versions", [[1], [0, 1, 2], [], [-1], ["2"], 2, None])
def test_a_wrong_hello_of_a_known_version_is_an_invalid_message(versions: object) -> None:
    with pytest.raises(InvalidMessageError):
        decode_client(msgspec.msgpack.encode(["hello", 5, versions, {"name": "Ada"}]))


WELCOME = ["ada", "token", "Ada", "warroom 9"]


@pytest.mark.parametrize(
    ("welcome", "detail"),
    [
        (
            ["welcome", 5, 2, *WELCOME, "more"],
            "the server speaks protocol 2, the client 1: update the client",
        ),
        (["welcome", 5, 0], "the server speaks protocol 0, the client 1: update the server"),
        (
            ["welcome", 5, 1, *WELCOME, "more"],
            "the server's protocol 1 is not the one of this client: welcome has 7 fields; allowed: at most 6",
        ),
        (
            ["welcome", 5, 1, "ada", "token"],
            "the server's protocol 1 is not the one of this client: welcome needs name, server",
        ),
    ],
)
def test_a_welcome_that_does_not_fit_is_one_of_another_version(welcome: list[object], detail: str) -> None:
    with pytest.raises(VersionError) as refusal:
        decode_server(msgspec.msgpack.encode(welcome))
    assert refusal.value.detail == detail


def test_a_welcome_without_a_version_is_malformed() -> None:
    with pytest.raises(DecodeError):
        decode_server(msgspec.msgpack.encode(["welcome", 5, "one"]))
