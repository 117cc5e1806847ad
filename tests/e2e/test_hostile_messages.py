"""Messages that are nearly right, of every kind: the answer is a documented code or close, never a bug."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import msgpack
import pytest
from example_cast import ROOM
from example_client_messages import CLIENT
from hypothesis import given, settings
from hypothesis import strategies as st
from independent_client import Stranger
from raw_websocket import RawLine
from server_process import ServerProcess
from websocket_peer import BINARY, CLOSE, frame

from warroom_protocol import codes
from warroom_protocol.codec import encode

IN_ORDER = {"turn_ms": 60_000, "seating": "as_joined"}
ALLOWED_CLOSES = set(codes.CLOSES) - {codes.CLOSE_INTERNAL}
LAST_REF = 2**53 - 1
"""Of the ping behind every message: its answer says that all others have come."""
MESSAGES: dict[str, list[Any]] = {example.name: msgpack.unpackb(encode(example.message)) for example in CLIENT}

_TEXT = st.text(max_size=80) | st.sampled_from(["", "\x00", "\u202e", "\ufffd" * 70, "../..", "a" * 257])
_NUMBERS = st.sampled_from([-1, 0, 1, 2, 255, 2**31, 2**32, 2**53, 2**63, 2**64 - 1, -(2**63)])
_SCALARS = st.none() | st.booleans() | _NUMBERS | st.floats() | _TEXT | st.binary(max_size=40)
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_TEXT, inner, max_size=4), max_leaves=12
)


@st.composite
def _nearly(draw: st.DrawFn, message: list[Any]) -> bytes:
    """Return a message in which something is changed, left out, added or broken."""
    fields = list(message)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(fields)))
        match draw(st.sampled_from(["change", "leave out", "add"])):
            case "change" if at < len(fields):
                fields[at] = draw(_VALUES)
            case "leave out" if at < len(fields):
                del fields[at]
            case _:
                fields.insert(at, draw(_VALUES))
    packed = bytearray(msgpack.packb(fields, unicode_errors="surrogatepass"))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 3]))):
        packed[draw(st.integers(0, len(packed) - 1))] = draw(st.integers(0, 255))
    return bytes(packed)


class Mallory:
    """Sits in a match, says nearly anything, and comes back whenever the line is closed."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self._victim = Stranger(server.url, "Bob")
        self.room: int = self._victim.ask("create", "sealed_bids", 2, {}, IN_ORDER)[2]
        self._victim.ask("join", self.room, None, None, None)
        self._token: str | None = None
        self._line: RawLine | None = None

    def close(self) -> None:
        """Hang up."""
        self._victim.close()
        self._hang_up()

    def say(self, payload: bytes) -> None:
        """Send a payload, and check that all that comes back is documented."""
        line = self._line or self._sit_down()
        line.send(frame(BINARY, payload) + frame(BINARY, msgpack.packb(["ping", LAST_REF])))
        while True:
            opcode, heard = line.frame()
            if opcode == CLOSE:
                assert int.from_bytes(heard[:2], "big") in ALLOWED_CLOSES, (payload, heard)
                self._hang_up()
                return
            if opcode == BINARY and self._is_last(msgpack.unpackb(heard, strict_map_key=False)):
                return

    def _is_last(self, message: list[Any]) -> bool:
        match message:
            case ["error", _, code, *_]:
                assert code in codes.REFUSALS
                assert code != codes.INTERNAL
            case ["verdict", _, _, code, *_]:
                assert code is None or code in codes.REFUSALS or not code.startswith(tuple(codes.RESERVED)), code
            case ["notice", _, code, *_]:
                assert code in codes.NOTICES
                assert code != codes.NOTICE_INTERNAL
            case _:
                pass  # nothing with a code
        return message == ["pong", LAST_REF]

    def _sit_down(self) -> RawLine:
        self._line = line = RawLine(self._server.port)
        line.shake_hands()
        line.say("hello", 0, [1], "Mallory", self._token)
        self._token = line.hear_of("welcome")[4]
        line.say("join", 1, self.room)
        assert line.hear_of("joined", "error")[0] in ("joined", "error")
        return line

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.__exit__()
            self._line = None


@pytest.fixture
def mallory(shared_server: ServerProcess) -> Iterator[Mallory]:
    """Seat somebody who means no good, and check afterwards that the server has noticed no bug of its own."""
    with ExitStack() as stack:
        sitting = Mallory(shared_server)
        stack.callback(sitting.close)
        yield sitting
    assert "Traceback" not in shared_server.log
    assert shared_server.get("/healthz") == b"ok\n"


def _about(room: int, message: list[Any]) -> list[Any]:
    return [room if field == ROOM else field for field in message]


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_that_is_nearly_right_gets_a_documented_answer(mallory: Mallory, name: str) -> None:
    message = _about(mallory.room, MESSAGES[name])

    @settings(max_examples=max(settings().max_examples // 8, 10))
    @given(_nearly(message))
    def nearly(payload: bytes) -> None:
        mallory.say(payload)

    nearly()
    mallory.say(msgpack.packb(message))


@given(st.binary(max_size=200))
def _random_bytes(say: Callable[[bytes], None], payload: bytes) -> None:
    say(payload)


def test_random_bytes_get_a_documented_close(mallory: Mallory) -> None:
    _random_bytes(mallory.say)
    mallory.say(b"\xc1")


@pytest.mark.parametrize("name", MESSAGES)
def test_every_field_of_every_message_takes_its_own_type_alone(mallory: Mallory, name: str) -> None:
    message = _about(mallory.room, MESSAGES[name])
    for at in range(1, len(message)):
        for wrong in (1.5, b"\x00", [[[[[[[1]]]]]]], {"a": {"b": {"c": {"d": {"e": {"f": 1}}}}}}, "x" * 4000, -1):
            mallory.say(msgpack.packb([*message[:at], wrong, *message[at + 1 :]]))
    mallory.say(msgpack.packb([*message, *[None] * 40]))
