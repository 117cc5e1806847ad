"""Everything a client can send that is wrong in its form, and what the server does: the table of the document.

The tests send each of them over a real socket.
"""

from dataclasses import dataclass
from typing import Any

import msgpack
from websocket_peer import BINARY, CONT, TEXT, frame

from warroom_protocol import codes
from warroom_protocol.limits import MAX_CLIENT_BYTES

REF = 7
ID = 11
ROOM = 2**32 - 1
"""In place of the number of a room in which the sender is."""
FRAGMENTS = 16


@dataclass(frozen=True)
class Fault:
    """What is wrong, examples (messages, or frames as they go over the line), the answer and the close that follows.

    *answer* is the beginning of the message that comes back; None: there is none. *close* None: the connection stays.
    """

    words: str
    examples: tuple[bytes | list[object], ...]
    answer: list[Any] | None
    close: int | None

    @property
    def row(self) -> tuple[str, str, str]:
        """The row of the table."""
        return self.words, self._said(), "stays open" if self.close is None else f"closed with {self.close}"

    def _said(self) -> str:
        match self.answer:
            case None:
                return "none"
            case ["verdict", _, _, code]:
                return f"`verdict` `{code}` with its room and id"
            case ["error", ref, code]:
                return f"`error` `{code}`" + (" with its ref" if ref is not None else "")
            case other:
                raise ValueError(f"{other} has no words")


def sent_to(room: int, example: bytes | list[object]) -> bytes:
    """Return an example as it goes over the line of somebody who is in *room*."""
    if isinstance(example, bytes):
        return example
    return frame(BINARY, msgpack.packb(about(room, example)))


def about(room: int, message: list[Any]) -> list[Any]:
    """Return a message, or the beginning of one, that is about *room*."""
    return [room if field == ROOM else field for field in message]


def _these(*messages: list[object]) -> tuple[list[object], ...]:
    return messages


def _payloads(*payloads: bytes) -> tuple[bytes, ...]:
    return tuple(frame(BINARY, payload) for payload in payloads)


_MALFORMED = ["error", None, codes.MESSAGE_MALFORMED]
_INVALID = ["error", REF, codes.MESSAGE_INVALID]
_TOO_LARGE = ["error", None, codes.MESSAGE_TOO_LARGE]

AFTER_HELLO = (
    Fault(
        "a request with a field that is missing, extra, of another type, out of range, too long, or not one of the "
        "listed words",
        _these(
            ["offer", REF, ROOM, "cake"],
            ["say", REF, ROOM, "x" * 501],
            ["say", REF, ROOM, "x" * 4000],
            ["leave", REF],
            ["leave", REF, ROOM, 1],
            ["leave", REF, 1.5],
            ["kick", REF, ROOM, 64],
            ["create", REF, "graph_battle", 2, {"deep": [[[[[1]]]]]}],
            ["create", REF, "graph_battle", 2, {"list": [0] * 2000}],
        ),
        _INVALID,
        None,
    ),
    Fault(
        "the same in an `act` with a valid room and id",
        _these(
            ["act", ROOM, ID, "now", {}],
            ["act", ROOM, ID, 1, {"x": 1.5}],
            ["act", ROOM, ID, 1],
        ),
        ["verdict", ROOM, ID, codes.MESSAGE_INVALID],
        None,
    ),
    Fault(
        "an unknown message name",
        _these(["conquer", REF, "everything"]),
        ["error", REF, codes.MESSAGE_UNKNOWN],
        None,
    ),
    Fault(
        "the same without a usable ref",
        _these(["conquer"], ["conquer", -1], ["conquer", "everything"]),
        ["error", None, codes.MESSAGE_UNKNOWN],
        None,
    ),
    Fault("a second `hello`", _these(["hello", REF, [1], "Ada"]), ["error", REF, codes.HELLO_AGAIN], None),
    Fault(
        "bytes that are not MessagePack, incomplete, or followed by more bytes",
        _payloads(b"", b"\xc1", b"\x92\xa4ping", b"\x92\xa4ping\x07\x00"),
        _MALFORMED,
        codes.CLOSE_MALFORMED,
    ),
    Fault(
        "anything but an array that begins with text",
        _payloads(b"\x90", b"\x92\x01\x07", b"\x80", b"\xa4ping"),
        _MALFORMED,
        codes.CLOSE_MALFORMED,
    ),
    Fault(
        "a known request without a usable ref",
        _these(["ping"], ["ping", -1], ["ping", 2**53], ["say", "one", ROOM, "hello"]),
        _MALFORMED,
        codes.CLOSE_MALFORMED,
    ),
    Fault(
        "an `act` without a usable room or id",
        _these(["act"], ["act", -1, ID, 1, {}], ["act", ROOM, "id", 1, {}]),
        _MALFORMED,
        codes.CLOSE_MALFORMED,
    ),
    Fault(
        "a message that is too long or has too many fragments",
        (
            frame(BINARY, bytes(MAX_CLIENT_BYTES + 1)),
            frame(BINARY, bytes(MAX_CLIENT_BYTES), fin=False) + frame(CONT, b"x"),
            frame(BINARY, b"x", fin=False) + frame(CONT, b"x", fin=False) * FRAGMENTS,
        ),
        _TOO_LARGE,
        codes.CLOSE_TOO_LARGE,
    ),
    Fault(
        "a `hello` of another version, with fields that this one does not have",
        _these(["hello", REF, [99], {"name": "Ada"}]),
        ["error", REF, codes.HELLO_VERSION],
        codes.CLOSE_VERSION,
    ),
    Fault("a text frame", (frame(TEXT, b'["ping", 7]'),), None, codes.CLOSE_TEXT),
    Fault(
        "frames that violate the websocket protocol",
        (frame(BINARY, b"x", rsv=4), frame(BINARY, b"x", masked=False), frame(CONT, b"x")),
        None,
        codes.CLOSE_PROTOCOL,
    ),
)
"""After the welcome."""

IN_PLACE_OF_HELLO = (
    Fault("a request other than `hello`", _these(["ping", REF]), ["error", REF, codes.HELLO_FIRST], codes.CLOSE_HELLO),
    Fault(
        "an `act`",
        _these(["act", ROOM, ID, 1, {}]),
        ["error", None, codes.HELLO_FIRST],
        codes.CLOSE_HELLO,
    ),
    Fault(
        "a `hello` with an invalid field",
        _these(["hello", REF, [1], "x" * 65], ["hello", REF, [], "Ada"]),
        _INVALID,
        codes.CLOSE_HELLO,
    ),
    Fault(
        "an unknown message name",
        _these(["conquer", REF]),
        ["error", REF, codes.MESSAGE_UNKNOWN],
        codes.CLOSE_HELLO,
    ),
    Fault(
        "the same without a usable ref",
        _these(["conquer"], ["conquer", "everything"]),
        ["error", None, codes.MESSAGE_UNKNOWN],
        codes.CLOSE_HELLO,
    ),
    Fault(
        "a `hello` with no version that the server speaks",
        _these(["hello", REF, [99], "Ada"], ["hello", REF, [0]], ["hello", REF, [2, 99], {"name": "Ada"}, *range(9)]),
        ["error", REF, codes.HELLO_VERSION],
        codes.CLOSE_VERSION,
    ),
    Fault(
        "a `hello` with an invalid token",
        _these(["hello", REF, [1], "Ada", "forged"]),
        ["error", REF, codes.HELLO_TOKEN],
        codes.CLOSE_HELLO,
    ),
    Fault(
        "a `hello` with a wrong bot workers' key",
        _these(["hello", REF, [1], "Ada", None, "", False, None, "wrong"]),
        ["error", REF, codes.HELLO_KEY],
        codes.CLOSE_HELLO,
    ),
)
"""In place of a good hello."""

FAULTS = {"after": AFTER_HELLO, "before": IN_PLACE_OF_HELLO}
