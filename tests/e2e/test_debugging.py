"""A server with `--debug`: a client of JSON plays beside a binary one, and only then are there tools for developers."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError

import pytest
from server_process import SEALED_BIDS, ServerProcess
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from warroom_protocol.json_twin import message_of
from warroom_protocol.limits import MAX_CLIENT_BYTES
from warroom_protocol.patches import apply
from warroom_protocol.readable import twin_of

PATIENCE_S = 20
STOPS_WITHIN_S = 7
NewServer = Callable[..., ServerProcess]


@pytest.fixture(scope="module")
def debugged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Return a running server with debugging."""
    server = ServerProcess(tmp_path_factory.mktemp("debugged"), "--debug", *SEALED_BIDS, redis="memory://")
    try:
        server.start()
        yield server
    finally:
        server.close()


class Player:
    """A client of either kind; it reads and sends twins, notes every message, and keeps a copy of the public view."""

    def __init__(self, line: ClientConnection, *, speaks_json: bool) -> None:
        self._speaks_json = speaks_json
        self._line = line
        self.heard: list[dict[str, Any]] = []
        self.p = 0
        self.public: Any = None
        self.ended: dict[str, Any] | None = None

    def send(self, **twin: object) -> None:
        """Send a message."""
        text = json.dumps(twin)
        self._line.send(text if self._speaks_json else message_of(text.encode()))

    def hear(self) -> dict[str, Any]:
        """Return the next message, and follow the match."""
        data = self._line.recv(timeout=PATIENCE_S)
        assert isinstance(data, str) == self._speaks_json
        message: dict[str, Any] = json.loads(data if isinstance(data, str) else twin_of(data))
        self.heard.append(message)
        match message["type"]:
            case "snapshot":
                self.p, self.public = message["p"], message["public"]
            case "update" if message["p"] == self.p + 1:  # others were repeated after a resume
                self.p, self.public = message["p"], apply(self.public, message["patch"])
            case "ended":
                self.ended = message
            case _:
                pass
        return message

    def until(self, kind: str) -> dict[str, Any]:
        """Return the next message of a kind."""
        while (message := self.hear())["type"] != kind:
            pass
        return message

    def ask(self, **twin: Any) -> dict[str, Any]:
        """Send a request and return its answer."""
        self.send(**twin)
        while (answer := self.hear()).get("ref") != twin["ref"]:
            pass
        return answer

    def act(self, room: int, number: int) -> None:
        """Play the first legal action for the next decision."""
        prompt = self.until("prompt")
        legal = self.ask(type="legal", ref=100 + number, room=room)
        self.send(type="act", room=room, id=number, turn=prompt["turn"], action=legal["actions"][0])
        assert self.until("verdict")["code"] is None

    def public_frames(self) -> list[dict[str, Any]]:
        """Return all that everybody in the room gets, apart from requests."""
        return [message for message in self.heard if message["type"] in ("update", "ended")]


@contextmanager
def player(server: ServerProcess, name: str, *, speaks_json: bool) -> Iterator[Player]:
    """Connect and say hello."""
    with connect(f"{server.url}?format=json" if speaks_json else server.url, compression=None) as line:
        found = Player(line, speaks_json=speaks_json)
        found.ask(type="hello", ref=1, versions=[1], name=name)
        yield found


def test_a_client_of_json_plays_beside_a_binary_one_and_both_see_the_same(debugged: ServerProcess) -> None:
    with player(debugged, "Ada", speaks_json=True) as ada, player(debugged, "Bob", speaks_json=False) as bob:
        options = {"rounds": 3, "cards": 5}
        made = ada.ask(
            type="create",
            ref=2**40,
            game="sealed_bids",
            seats=2,
            options=options,
            room_options={"seating": "as_joined"},
        )
        room = made["room"]
        for ref, each in enumerate((ada, bob), start=2):
            assert each.ask(type="join", ref=ref, room=room)["type"] == "joined"
        for number in range(3):
            ada.act(room, number)
            bob.act(room, number)
        for each in (ada, bob):
            while each.ended is None:
                each.hear()
        assert ada.public == bob.public
        assert ada.public["round"] == 3
        assert ada.public_frames() == bob.public_frames()
        assert len(ada.public_frames()) > 3
        secrets = [[message for message in each.heard if message["type"] == "private"] for each in (ada, bob)]
        assert all(secrets)
        assert secrets[0] != secrets[1]
        again = ada.ask(type="join", ref=9, room=room, position={"life": 1, "p": 1, "q": 1})
        assert again["type"] == "resumed"
        replay = ada.ask(type="replay", ref=10, room=room, view="own")
        assert bytes.fromhex(replay["data"]).startswith(b"WARVIEW\n")


def test_a_flood_of_json_is_slowed_down_like_any_other(debugged: ServerProcess) -> None:
    with player(debugged, "Mallory", speaks_json=True) as mallory:
        for ref in range(250):
            mallory.send(type="ping", ref=ref, x=1)
        answers = [mallory.hear() for _ in range(251)]
        assert [answer["code"] for answer in answers if answer["type"] == "notice"] == ["rate.limited"]
        assert {answer["code"] for answer in answers if answer["type"] == "error"} == {"message.invalid"}


@pytest.mark.parametrize(
    ("text", "code", "close"),
    [
        ("hello", "message.malformed", 1007),
        ('["ping", 1]', "message.malformed", 1007),
        (b"\x92\xa4ping\x01", "message.malformed", 1007),
        ('{"type":"ping","ref":1' + " " * MAX_CLIENT_BYTES + "}", "message.too_large", 1009),
    ],
)
def test_what_is_no_message_closes_the_connection_and_says_why(
    debugged: ServerProcess, text: str | bytes, code: str, close: int
) -> None:
    with connect(f"{debugged.url}?format=json") as line:
        line.send(text, text=True)
        assert json.loads(line.recv(timeout=PATIENCE_S))["code"] == code
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(timeout=PATIENCE_S)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == close


def test_the_inspector_answers_beside_the_page(debugged: ServerProcess) -> None:
    assert f"debugging http://127.0.0.1:{debugged.port}/debug\n" in debugged.greeting
    assert b"/assets/debug-" in debugged.get("/debug")
    with connect(f"ws://127.0.0.1:{debugged.port}/debug/inspector", compression=None) as line:
        asked = {"type": "show", "ref": 1, "match": {"game": "sealed_bids", "seats": 3}, "first": 0, "last": 0}
        line.send(json.dumps(asked))
        shown = json.loads(line.recv(timeout=PATIENCE_S))
        assert (shown["type"], shown["ref"], shown["seats"]) == ("steps", 1, 3)
        line.send("?")
        assert json.loads(line.recv(timeout=PATIENCE_S))["code"] == "message.malformed"


def test_rules_that_hang_hold_up_nobody_else_and_no_stop(new_server: NewServer) -> None:
    server = new_server("--debug", "--game", "hanging_games:UNENDING", redis="memory://")
    server.start()
    inspector = f"ws://127.0.0.1:{server.port}/debug/inspector"
    with connect(inspector, compression=None) as busy, connect(inspector, compression=None) as other:
        for ref in range(10):
            asked = {"type": "show", "ref": ref, "match": {"game": "sealed_bids"}, "first": 0, "last": 0}
            busy.send(json.dumps(asked))
        other.send("?")
        assert json.loads(other.recv(timeout=PATIENCE_S))["code"] == "message.malformed"
        asked_s = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - asked_s < STOPS_WITHIN_S


def status_of(url: str) -> int:
    with pytest.raises(InvalidStatus) as refused:
        connect(url)
    return refused.value.response.status_code


def test_without_the_flag_there_is_nothing_of_it(new_server: NewServer) -> None:
    server = new_server(redis="memory://")
    server.start()
    assert status_of(f"{server.url}?format=json") == 403
    assert status_of(f"ws://127.0.0.1:{server.port}/debug/inspector") == 404
    for path in ("/debug", "/debug.html", "/debug/inspector"):
        with pytest.raises(HTTPError) as missing:
            server.get(path)
        assert missing.value.code == 404
        missing.value.close()
    assert "debugging" not in server.log


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_log_warns_if_other_machines_reach_a_server_with_debugging(new_server: NewServer, host: str) -> None:
    server = new_server("--host", host, debug="true", redis="memory://")
    server.start()
    warnings = [line for line in server.log.splitlines() if "level=WARNING" in line and "debugging is on" in line]
    assert len(warnings) == (host == "0.0.0.0")
