"""Frames are found in a stream however it is split, and stay unchanged."""

from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from warroom_chaos.websocket_frames import FrameSplitter, is_message, payload_of
from warroom_protocol.codec import encode
from warroom_protocol.messages import Ping, Pong

HEAD = b"GET /ws HTTP/1.1\r\nHost: here\r\n\r\n"
PAYLOADS = st.lists(st.one_of(st.binary(max_size=200), st.binary(min_size=126, max_size=70_000)), max_size=5)


def _cut(data: bytes, size: int) -> list[bytes]:
    return [data[begin : begin + size] for begin in range(0, len(data), size)]


@given(payloads=PAYLOADS, mask=st.booleans(), size=st.integers(min_value=1, max_value=3_000))
def test_every_frame_comes_out_whole_as_it_was_sent(payloads: list[bytes], *, mask: bool, size: int) -> None:
    frames = [Frame(Opcode.BINARY, payload).serialize(mask=mask) for payload in payloads]
    splitter = FrameSplitter()
    found = [piece for chunk in _cut(HEAD + b"".join(frames), size) for piece in splitter.feed(chunk)]
    assert found == [HEAD, *frames]
    assert [payload_of(frame) for frame in found[1:]] == payloads


def test_a_message_is_known_by_its_name() -> None:
    assert is_message(encode(Ping(5)), b"ping")
    assert not is_message(encode(Pong(5)), b"ping")
    assert not is_message(b"", b"ping")
