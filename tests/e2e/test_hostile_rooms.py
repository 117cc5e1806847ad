"""Rooms that are not there or not for them, names that deceive, and tickets and keys that do not fit."""

from collections.abc import Callable, Iterator
from typing import Any

import msgpack
import pytest
from example_cast import ROOM
from example_client_messages import CLIENT
from independent_client import Stranger
from process_metrics import gauge, memory_bytes
from raw_websocket import RawLine
from redis_server import RedisServer
from server_process import ServerProcess

from warroom_protocol.codec import encode

IN_ORDER = {"turn_ms": 60_000, "seating": "as_joined"}
UNKNOWN = 4_000_000_001
UNLIMITED = {"messages_per_s": "1000000", "messages_burst": "1000000", "bytes_per_s": "10000000"}
BOT_KEY = "a key that the operator chose"
PROBES = 1_000
MOST_GROWTH_BYTES = 4_000_000
TO_ROOMS = [
    message
    for message in (msgpack.unpackb(encode(example.message)) for example in CLIENT)
    if ROOM in message and message[0] not in ("create", "matches")
]


@pytest.fixture
def line(shared_server: ServerProcess) -> Iterator[RawLine]:
    """Open a line on which nothing was said yet."""
    with RawLine(shared_server.port) as raw:
        yield raw


def _keys(redis: RedisServer) -> set[bytes]:
    count, *parts = redis.raw("KEYS", "*").split(b"\r\n")
    assert int(count[1:]) < 10
    return set(parts[1::2])


def _said(line: RawLine, message: list[Any]) -> list[Any]:
    line.say(*message)
    return line.hear_of("error", "verdict", "joined")


# --- rooms that are not there ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", TO_ROOMS, ids=lambda message: str(message[0]))
def test_an_unknown_room_is_unknown_to_every_message(line: RawLine, message: list[Any]) -> None:
    line.greet()
    asked = [UNKNOWN if field == ROOM else field for field in message]
    code = {"claim": "claim.workers", "replay": "replay.unknown"}.get(message[0], "room.unknown")
    assert code in _said(line, asked)


def test_unknown_rooms_by_the_thousand_leave_nothing_behind(
    new_server: Callable[..., ServerProcess], redis: RedisServer
) -> None:
    server = new_server("--redis", redis.url, **UNLIMITED)
    server.start()
    probes = [message for message in TO_ROOMS if message[0] in ("join", "watch", "act", "legal")]
    with RawLine(server.port) as line:
        line.greet()

        def probe(first: int) -> None:
            for number in range(first, first + PROBES):
                for message in probes:
                    line.say(*(number if field == ROOM else field for field in message))
                for _ in probes:
                    assert line.hear_of("error", "verdict")[0] != "joined"

        probe(UNKNOWN)
        keys, memory = _keys(redis), memory_bytes(server.pid)
        probe(UNKNOWN + PROBES)
        assert _keys(redis) <= keys, "a key that expires may have gone meanwhile, none has come"
        assert gauge(server, "rooms") == gauge(server, "orphans") == 0
        assert memory_bytes(server.pid) - memory < MOST_GROWTH_BYTES
        assert "Traceback" not in server.log


# --- rooms that are not for them ------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", TO_ROOMS, ids=lambda message: str(message[0]))
def test_a_private_room_answers_a_stranger_as_an_unknown_one(
    newcomer: Callable[..., Stranger], line: RawLine, message: list[Any]
) -> None:
    ada, bob = newcomer("Ada"), newcomer("Bob")
    _, _, room, _, key = ada.ask("create", "sealed_bids", 2, {}, {**IN_ORDER, "private": True})
    for player in (ada, bob):
        assert player.ask("join", room, None, None, None, key)[0] == "joined"
    line.greet()
    keyed = [message]
    if message[0] in ("join", "watch"):
        keyed += [[*message[:-1], forged] for forged in ("", key[:-1], f"{key}a", ada.token)]
    for asked in keyed:
        private, unknown = ([number if field == ROOM else field for field in asked] for number in (room, UNKNOWN))
        answer = [UNKNOWN if field == room else field for field in _said(line, private)]
        assert answer == _said(line, unknown)


def test_a_private_room_is_in_no_list(newcomer: Callable[..., Stranger], shared_server: ServerProcess) -> None:
    ada, eve = newcomer("Ada"), newcomer("Eve")
    room = ada.ask("create", "sealed_bids", 2, {}, {**IN_ORDER, "private": True})[2]
    key = ada.ask("create", "sealed_bids", 2, {}, {**IN_ORDER, "private": True})[4]
    assert room not in [listed[0] for listed in eve.ask("rooms")[2]]
    assert eve.ask("rooms", None, None, False, ada.player)[2] == []
    assert str(room).encode() not in shared_server.get("/api/rooms")
    assert eve.ask("join", room, None, None, None, key)[2] == "room.unknown", "the key of another room"


# --- names that deceive ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        pytest.param("A" * 64, "A" * 24, id="giant"),
        pytest.param("Ada\u202e\u2066nimda\x00\x1b[31m", "Adanimda[31m", id="bidi and control"),
        pytest.param("Z\u0351\u0351\u0351\u0351\u0351algo", "Z\u0351\u0351algo", id="piled marks"),
        pytest.param("\u3164\u2800 Ada\u200d", "Ada", id="blank letters"),
    ],
)
def test_what_others_see_of_a_name_and_a_line_is_clean(
    newcomer: Callable[..., Stranger], name: str, shown: str
) -> None:
    ada, bob = newcomer(name), newcomer("Bob")
    assert ada.welcome[5] == shown
    room = ada.ask("create", "sealed_bids", 2, {}, IN_ORDER)[2]
    for player in (ada, bob):
        player.ask("join", room, None, None, None)
    assert ada.ask("say", room, f"{name}\r\n{name}")[0] == "done"
    said = bob.await_message("said")
    assert (said[4], said[6]) == (shown, f"{shown} {shown}" if len(name) < 64 else f"{name} {name}")
    ada.ask("ping")
    seats = [message for message in ada.inbox if message[0] == "seats"][-1]
    assert [seat[2] for seat in seats[4]] == [shown, "Bob"]


def test_a_name_that_no_field_holds_is_refused_and_ends_a_hello(shared_server: ServerProcess) -> None:
    for message in (["hello", 0, [1], "A" * 65], ["hello", 0, [1], "\u202e" * 1300]):
        with RawLine(shared_server.port) as line:
            line.shake_hands()
            line.say(*message)
            assert line.hear()[2] == "message.invalid"
            assert line.close_code() == 4001


# --- tickets and keys -----------------------------------------------------------------------------------------------


def test_without_the_key_nobody_works_and_with_it_no_forged_ticket_counts(
    new_server: Callable[..., ServerProcess],
) -> None:
    server = new_server(bot_key=BOT_KEY)
    server.start()
    ada = Stranger(server.url, "Ada")
    room = ada.ask("create", "graph_battle", 2, {}, IN_ORDER)[2]
    ada.ask("join", room, None, None, None)
    with RawLine(server.port) as line:
        line.shake_hands()
        line.say("hello", 0, [1], "Mallory", None, "", False, "greedy", f"{BOT_KEY} ")
        assert line.hear()[2] == "hello.key"
        assert line.close_code() == 4001
    with RawLine(server.port) as line:
        line.greet()
        assert _said(line, ["claim", 1, room, 1])[2] == "claim.workers"
        assert _said(line, ["work", 2, [["graph_battle", ["greedy"]]], 16])[2] == "claim.workers"
    with RawLine(server.port) as line:
        line.shake_hands()
        line.say("hello", 0, [1], "Greedy", None, "", False, "greedy", BOT_KEY)
        assert line.hear()[0] == "welcome"
        for ticket in (0, 1, 2, 2**53 - 1):
            assert _said(line, ["claim", 3, room, ticket])[2] == "claim.gone"
        assert _said(line, ["claim", 4, UNKNOWN, 1])[2] == "room.unknown"
    ada.close()
