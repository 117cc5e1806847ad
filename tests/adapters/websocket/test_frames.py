"""Frames for clients: unmasked, and built in one piece."""

import pytest
from websockets.frames import Frame, Opcode

from warroom_server.adapters.websocket.listener import build_frame


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 300_000])
def test_a_frame_is_what_the_library_would_send(size: int) -> None:
    payload = bytes(size)
    assert build_frame(payload) == Frame(Opcode.BINARY, payload).serialize(mask=False)
