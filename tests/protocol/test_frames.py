"""Frames: those of a server are what the library would send, those of a client are taken only if whole and right."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from warroom_protocol.frames import python_frame, python_frames, python_unframe

SIZES = [0, 1, 2, 3, 4, 5, 125, 126, 127, 65_535]
payloads = st.binary(max_size=300)
masks = st.binary(min_size=4, max_size=4)


class Twin(NamedTuple):
    """The functions in one of their two languages."""

    unframe: Callable[[bytes], bytes | None]
    frame: Callable[[bytes], bytes]
    frames: Callable[[Iterable[bytes]], bytes]


PYTHON = Twin(python_unframe, python_frame, python_frames)


def in_c() -> Twin:
    from warroom_protocol import speedups

    return Twin(speedups.unframe, speedups.frame, speedups.frames)


@pytest.fixture(scope="module", params=["python", "c"])
def twin(request: pytest.FixtureRequest) -> Twin:
    """Return the specification, and the same in C."""
    return PYTHON if request.param == "python" else in_c()


def pattern(size: int) -> bytes:
    """Return bytes in which a wrong offset shows."""
    return bytes(index * 7 % 251 for index in range(size))


def masked(
    payload: bytes, mask: bytes = b"\x01\x80\xfe\x33", *, head: int = 0x82, size_bytes: int | None = None
) -> bytes:
    """Return the frame of a client; *size_bytes* (0, 2 or 8) chooses the form of the size, right or wrong."""
    size = len(payload)
    if size_bytes is None:
        size_bytes = 0 if size < 126 else 2 if size < 1 << 16 else 8
    size_field = {0: bytes((0x80 | size & 0x7F,)), 2: b"\xfe", 8: b"\xff"}[size_bytes]
    if size_bytes:
        size_field += size.to_bytes(size_bytes, "big")
    body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
    return bytes((head,)) + size_field + mask + body


@pytest.mark.parametrize("size", [*SIZES, 65_536, 300_000])
def test_a_frame_is_what_the_library_would_send(twin: Twin, size: int) -> None:
    assert twin.frame(pattern(size)) == Frame(Opcode.BINARY, pattern(size)).serialize(mask=False)


@given(st.lists(payloads, max_size=5))
def test_several_frames_are_joined_in_order(twin: Twin, several: list[bytes]) -> None:
    assert twin.frames(several) == b"".join(twin.frame(payload) for payload in several)
    assert twin.frames(tuple(several)) == twin.frames(several)


@pytest.mark.parametrize("size", SIZES)
def test_a_whole_frame_of_a_client_gives_its_message(twin: Twin, size: int) -> None:
    assert twin.unframe(masked(pattern(size))) == pattern(size)


@given(payloads)
def test_what_the_library_sends_as_a_client_is_understood(twin: Twin, payload: bytes) -> None:
    assert twin.unframe(Frame(Opcode.BINARY, payload).serialize(mask=True)) == payload


@given(payloads, masks)
def test_every_mask_is_taken_off(twin: Twin, payload: bytes, mask: bytes) -> None:
    assert twin.unframe(masked(payload, mask)) == payload


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(python_frame(b"unmasked"), id="a frame without a mask"),
        pytest.param(python_frame(pattern(200)), id="a longer frame without a mask"),
        pytest.param(b"\x82\x00\x00\x00\x00\x00", id="no mask where a mask would fit"),
        pytest.param(masked(b"a") + masked(b"b"), id="two frames"),
        pytest.param(masked(b"text", head=0x81), id="text"),
        pytest.param(masked(b"part", head=0x02), id="a first fragment"),
        pytest.param(masked(b"part", head=0x80), id="a last fragment"),
        pytest.param(masked(b"", head=0x88), id="a close"),
        pytest.param(masked(b"", head=0x89), id="a ping"),
        pytest.param(masked(b"packed", head=0xC2), id="a compressed message"),
        pytest.param(masked(pattern(125), size_bytes=2), id="a short size in two bytes"),
        pytest.param(masked(pattern(125), size_bytes=8), id="a short size in eight bytes"),
        pytest.param(masked(pattern(65_535), size_bytes=8), id="a middle size in eight bytes"),
        pytest.param(masked(pattern(65_536)), id="a message too long for the short way"),
    ],
)
def test_everything_else_is_left_to_a_full_parser(twin: Twin, data: bytes) -> None:
    assert twin.unframe(data) is None


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 400])
def test_a_part_of_a_frame_or_more_than_one_is_left_to_a_full_parser(twin: Twin, size: int) -> None:
    whole = masked(pattern(size))
    assert [twin.unframe(whole[:end]) for end in range(len(whole))] == [None] * len(whole)
    assert twin.unframe(whole + b"\x00") is None


@st.composite
def nearly_frames(draw: st.DrawFn) -> bytes:
    """Return the frame of a client with a few bytes changed, cut off or added, most of them in its head."""
    data = bytearray(masked(pattern(draw(st.sampled_from(SIZES))), draw(masks)))
    for _ in range(draw(st.integers(0, 2))):
        data[draw(st.integers(0, min(len(data) - 1, 9)))] = draw(st.integers(0, 255) | st.sampled_from([0x82, 0xFE]))
    end = draw(st.just(len(data)) | st.integers(0, len(data)))
    return bytes(data[:end]) + draw(st.just(b"") | st.binary(max_size=3))


@given(nearly_frames() | st.binary(max_size=200))
def test_c_reads_any_bytes_as_python_does(data: bytes) -> None:
    assert in_c().unframe(data) == PYTHON.unframe(data)


@given(nearly_frames())
def test_what_is_taken_is_all_that_the_library_reads(data: bytes) -> None:
    message = PYTHON.unframe(data)
    if message is not None:
        stream = StreamReader()
        stream.feed_data(data)
        with pytest.raises(StopIteration) as parsed:
            next(Frame.parse(stream.read_exact, mask=True))
        assert parsed.value.value == Frame(Opcode.BINARY, message)
        assert not stream.buffer


@given(st.lists(payloads, max_size=5))
def test_c_builds_the_frames_of_python(several: list[bytes]) -> None:
    assert in_c().frames(several) == PYTHON.frames(several)
