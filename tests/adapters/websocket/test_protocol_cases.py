"""Framing, control frames, fragmentation and closing, case by case as the Autobahn suite goes through them."""

from dataclasses import dataclass, field

import pytest
from websocket_peer import BINARY, CLOSE, CONT, PING, PONG, TEXT, Peer, echo, frame, site

from warroom_protocol.codec import encode
from warroom_protocol.codes import REFUSALS
from warroom_protocol.messages import Error


@dataclass(frozen=True)
class Case:
    """What a client sends; what comes back before the close frame; with which code the connection closes."""

    sent: tuple[bytes, ...]
    got: list[tuple[int, bytes]] = field(default_factory=list)
    code: int = 1000


def closing(code: int, reason: bytes = b"") -> bytes:
    return frame(CLOSE, code.to_bytes(2, "big") + reason)


BYE = closing(1000)
TOO_LARGE = [(BINARY, encode(Error(None, "message.too_large", REFUSALS["message.too_large"])))]
HUGE = b"\x82\xff" + (1 << 63).to_bytes(8, "big")

FRAMING = {
    "1.1 an empty message": Case((frame(BINARY), BYE), [(BINARY, b"")]),
    "1.2 125 bytes": Case((frame(BINARY, b"*" * 125), BYE), [(BINARY, b"*" * 125)]),
    "1.3 126 bytes": Case((frame(BINARY, b"*" * 126), BYE), [(BINARY, b"*" * 126)]),
    "1.4 127 bytes": Case((frame(BINARY, b"*" * 127), BYE), [(BINARY, b"*" * 127)]),
    "1.5 128 bytes": Case((frame(BINARY, b"*" * 128), BYE), [(BINARY, b"*" * 128)]),
    "1.6 as long as allowed": Case((frame(BINARY, b"*" * 4096), BYE), [(BINARY, b"*" * 4096)]),
    "1.7 several messages in one write": Case(
        (frame(BINARY, b"a"), frame(BINARY, b"b"), frame(BINARY, b"c"), BYE),
        [(BINARY, b"a"), (BINARY, b"b"), (BINARY, b"c")],
    ),
    "1.8 text": Case((frame(TEXT, b"hello"),), code=1003),
    "1.9 text that is no UTF-8": Case((frame(TEXT, b"\xff\xfe"),), code=1003),
    "1.10 text in fragments": Case((frame(TEXT, b"a", fin=False), frame(CONT, b"b")), code=1003),
    "1.11 a message, then text": Case((frame(BINARY, b"a"), frame(TEXT, b"b")), [(BINARY, b"a")], 1003),
    "1.12 a length in more bytes than needed": Case((b"\x82\xfe\x00\x01\x00\x00\x00\x00a", BYE), [(BINARY, b"a")]),
}

PINGS = {
    "2.1 a ping without payload": Case((frame(PING), BYE), [(PONG, b"")]),
    "2.2 a ping with payload": Case((frame(PING, b"hello"), BYE), [(PONG, b"hello")]),
    "2.3 a ping of raw bytes": Case((frame(PING, b"\x00\xff\xfe\xfd"), BYE), [(PONG, b"\x00\xff\xfe\xfd")]),
    "2.4 a ping of 125 bytes": Case((frame(PING, b"\xfe" * 125), BYE), [(PONG, b"\xfe" * 125)]),
    "2.5 a ping of 126 bytes": Case((frame(PING, b"\xfe" * 126),), code=1002),
    "2.7 an unasked pong": Case((frame(PONG), BYE)),
    "2.8 an unasked pong with payload": Case((frame(PONG, b"hello"), BYE)),
    "2.9 a pong, then a ping": Case((frame(PONG, b"a"), frame(PING, b"b"), BYE), [(PONG, b"b")]),
    "2.10 ten pings": Case((*(frame(PING, b"%d" % n) for n in range(10)), BYE), [(PONG, b"%d" % n) for n in range(10)]),
}

RESERVED = {
    **{
        f"3.{rsv} reserved bits {rsv:03b} in a message": Case(
            (frame(BINARY, b"a"), frame(BINARY, b"b", rsv=rsv)), [(BINARY, b"a")], 1002
        )
        for rsv in range(1, 8)
    },
    "3.8 reserved bits in a ping": Case((frame(PING, b"a", rsv=4),), code=1002),
    "3.9 reserved bits in a close frame": Case((frame(CLOSE, b"\x03\xe8", rsv=1),), code=1002),
    **{
        f"4.{opcode} opcode {opcode} means nothing": Case(
            (frame(BINARY, b"a"), frame(opcode, b"b")), [(BINARY, b"a")], 1002
        )
        for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)
    },
    "4.20 a frame without a mask": Case((frame(BINARY, b"a", masked=False),), code=1002),
    "4.21 a ping without a mask": Case((frame(PING, b"a", masked=False),), code=1002),
}

FRAGMENTS = {
    "5.1 a ping in two fragments": Case((frame(PING, b"a", fin=False), frame(CONT, b"b")), code=1002),
    "5.2 a pong in two fragments": Case((frame(PONG, b"a", fin=False), frame(CONT, b"b")), code=1002),
    "5.3 a message in two": Case((frame(BINARY, b"a", fin=False), frame(CONT, b"b"), BYE), [(BINARY, b"ab")]),
    "5.6 a ping between fragments": Case(
        (frame(BINARY, b"a", fin=False), frame(PING, b"p"), frame(CONT, b"b"), BYE), [(PONG, b"p"), (BINARY, b"ab")]
    ),
    "5.9 a continuation of nothing": Case((frame(CONT, b"a"), BYE), code=1002),
    "5.10 a first fragment of nothing": Case((frame(CONT, b"a", fin=False), BYE), code=1002),
    "5.15 a continuation after the last": Case(
        (frame(BINARY, b"a", fin=False), frame(CONT, b"b"), frame(CONT, b"c")), [(BINARY, b"ab")], 1002
    ),
    "5.18 a new message between fragments": Case((frame(BINARY, b"a", fin=False), frame(BINARY, b"b")), code=1002),
    "5.20 sixteen fragments": Case(
        (frame(BINARY, b"a", fin=False), *[frame(CONT, b"b", fin=False)] * 14, frame(CONT, b"c"), BYE),
        [(BINARY, b"a" + b"b" * 14 + b"c")],
    ),
    "5.21 seventeen fragments": Case((frame(BINARY, fin=False), *[frame(CONT, fin=False)] * 16), TOO_LARGE, 1009),
    "5.22 empty fragments without end": Case(
        (frame(BINARY, fin=False), *[frame(CONT, fin=False)] * 2000), TOO_LARGE, 1009
    ),
    "5.23 empty fragments are fragments": Case(
        (frame(BINARY, fin=False), frame(CONT, b"a", fin=False), frame(CONT), BYE), [(BINARY, b"a")]
    ),
}

CLOSES = {
    "7.1 a close frame without payload": Case((frame(CLOSE),), code=1005),
    "7.2 a close frame with code and reason": Case((closing(1000, b"done"),), code=1000),
    "7.3 a payload of one byte": Case((frame(CLOSE, b"\x03"),), code=1002),
    "7.4 the longest reason": Case((closing(1000, b"*" * 123),), code=1000),
    "7.5 a reason too long": Case((closing(1000, b"*" * 124),), code=1002),
    "7.6 a reason that is no UTF-8": Case((closing(1000, b"\xce\xba\xe1\xbd\xb9\xed\xa0\x80"),), code=1007),
    "7.7 messages after the close frame are ignored": Case((BYE, frame(BINARY, b"a")), code=1000),
    "7.8 a second close frame is ignored": Case((BYE, closing(1001)), code=1000),
    "7.9 a close frame inside a message": Case((frame(BINARY, b"a", fin=False), BYE), code=1002),
    **{
        f"7.7.{code} code {code} may be used": Case((closing(code),), code=code)
        for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999)
    },
    **{
        f"7.9.{code} code {code} may not": Case((closing(code),), code=1002)
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)
    },
}

LIMITS = {
    "9.1 one byte too long": Case((frame(BINARY, b"*" * 4097),), TOO_LARGE, 1009),
    "9.2 a length that nobody could send": Case((HUGE,), TOO_LARGE, 1009),
    "9.3 too long by its fragments": Case(
        (frame(BINARY, b"*" * 4000, fin=False), frame(CONT, b"*" * 97)), TOO_LARGE, 1009
    ),
    "9.4 as long as allowed in fragments": Case(
        (frame(BINARY, b"*" * 4000, fin=False), frame(CONT, b"*" * 96), BYE), [(BINARY, b"*" * 4096)]
    ),
    "9.5 a megabyte": Case((frame(BINARY, b"*" * 1_000_000),), TOO_LARGE, 1009),
    "9.6 garbage": Case((bytes(range(256)) * 40,), code=1002),
    "9.7 a second handshake": Case((b"GET /ws HTTP/1.1\r\n\r\n",), code=1002),
}

CASES = {**FRAMING, **PINGS, **RESERVED, **FRAGMENTS, **CLOSES, **LIMITS}


async def talk(peer: Peer) -> tuple[list[tuple[int, bytes]], int]:
    """Read up to the close frame, which is followed by the end of the line."""
    frames: list[tuple[int, bytes]] = []
    while True:
        opcode, payload = await peer.frame()
        if opcode == CLOSE:
            assert await peer.rest() == b""
            return frames, int.from_bytes(payload[:2], "big") if payload else 1005
        frames.append((opcode, payload))


def sorted_by_kind(frames: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Pongs and echoes of one read have no order among each other, only among themselves."""
    return sorted(frames, key=lambda received: received[0])


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_in_one_write(case: Case) -> None:
    async with site() as here:
        here.handler.on_received = echo
        peer, _ = await here.open()
        peer.send(*case.sent)
        frames, code = await talk(peer)
        assert (sorted_by_kind(frames), code) == (sorted_by_kind(case.got), case.code)
        assert here.traffic.failed_connections == (case.code in (1002, 1003, 1007, 1009) and not is_echoed(case))


def is_echoed(case: Case) -> bool:
    return case.sent[-1] == closing(case.code)


OCTET_CASES = {name: case for name, case in CASES.items() if sum(map(len, case.sent)) < 300}


@pytest.mark.parametrize("case", OCTET_CASES.values(), ids=OCTET_CASES.keys())
async def test_octet_by_octet(case: Case) -> None:
    async with site() as here:
        here.handler.on_received = echo
        peer, connection = await here.open()
        for octet in b"".join(case.sent):
            # Straight into the protocol: the kernel would join what is written octet by octet.
            connection.data_received(bytes((octet,)))
        frames, code = await talk(peer)
        assert (frames, code) == (case.got, case.code)
