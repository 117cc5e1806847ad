"""The stored state of a room that is handed over."""

from msgspec.msgpack import encode

from warroom_server.room.handoff_state import (
    NO_HANDOFF_STATE,
    HandoffState,
    Mutes,
    Terms,
    decode_handoff,
    encode_handoff,
)


def test_what_was_kept_is_read_again() -> None:
    state = HandoffState({1: 5}, 2, 3, Mutes(("eve",), {"ada": ("bob",)}), Terms({"draw": (0, 1)}, 7))
    assert decode_handoff(encode_handoff(state)) == state


def test_nothing_holds_where_nothing_was_kept_or_another_version_kept_it() -> None:
    assert decode_handoff(b"") == decode_handoff(encode(["what", "is", "this"])) == NO_HANDOFF_STATE
