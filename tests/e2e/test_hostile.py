"""Clients that lie, shout, stammer and steal get the documented answers; the players beside them notice nothing."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from independent_client import Stranger
from raw_websocket import RawLine
from replay_log import assert_each_once, time_outs
from sdk_bots import Table
from server_process import ServerProcess
from websocket_peer import BINARY, CONT, TEXT, frame

from warroom_bots.runner import Think
from warroom_protocol.limits import MAX_CLIENT_BYTES

PATIENCE_S = 40
FLOOD_PER_S = 1_000
"""Ten times what a connection may send."""
FLOODING_S = 5

NO_SUCH_ROOM = 1
IN_ORDER = {"turn_ms": 60_000, "seating": "as_joined"}


# --- those who play beside all this -------------------------------------------------------------------------------


class Bystanders:
    """Two ordinary players who play one match after the other, in a thread of their own."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.tables: list[Table] = []
        self.finished = 0
        self._stopping = False

    async def play(self) -> None:
        """Play until told to stop, but at least one match."""
        while not (self._stopping and self.finished):
            seated = Table(
                self.server.url, "graph_battle", 2, turn_ms=2_000, options={"max_rounds": 4}, think=Think(2, 8)
            )
            async with asyncio.timeout(PATIENCE_S), seated as table:
                self.tables.append(table)
                await table.play()
                self.finished += 1

    def stop(self) -> None:
        """Let the running match be the last one."""
        self._stopping = True

    @property
    def room(self) -> int:
        """The room of the running match, or of the last one."""
        return self.tables[-1].created.room

    def assert_undisturbed(self) -> None:
        """Check that each match went to its end, and that nobody lost an action or ran out of time."""
        for table in self.tables[: self.finished]:
            replay = self.server.await_replay(table.created.code)
            assert_each_once(replay, table.accepted)
            assert time_outs(replay) == []
            assert [(bot.breaks, bot.expired) for bot in table.bots] == [(0, 0)] * 2


@pytest.fixture(scope="module", autouse=True)
def bystanders(shared_server: ServerProcess) -> Iterator[Bystanders]:
    """Let ordinary players play as long as the tests of this module run."""
    players = Bystanders(shared_server)
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(asyncio.run, players.play())
        _await(lambda: bool(players.tables) or playing.done())
        yield players
        players.stop()
        playing.result(timeout=PATIENCE_S)
    players.assert_undisturbed()


@pytest.fixture
def line(shared_server: ServerProcess) -> Iterator[RawLine]:
    """Open a line on which nothing was said yet."""
    with RawLine(shared_server.port) as raw:
        yield raw


def _await(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


# --- bytes that are no messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(bytes(range(200, 256)) * 4, 1002, id="garbage"),
        pytest.param(frame(BINARY, b"\x01", rsv=4), 1002, id="reserved bits"),
        pytest.param(frame(BINARY, b"\x01", masked=False), 1002, id="no mask"),
        pytest.param(frame(CONT, b"\x01"), 1002, id="a fragment of nothing"),
        pytest.param(frame(TEXT, b'["hello"]'), 1003, id="text"),
        pytest.param(frame(BINARY, bytes(MAX_CLIENT_BYTES + 1)), 1009, id="one byte too many"),
        pytest.param(b"\x82\xff" + (1 << 60).to_bytes(8, "big") + bytes(4), 1009, id="an announced exabyte"),
        pytest.param(
            frame(BINARY, b"\x01", fin=False) + 1000 * frame(CONT, b"\x01", fin=False), 1009, id="endless fragments"
        ),
        pytest.param(
            frame(BINARY, bytes(4000), fin=False) + frame(CONT, bytes(4000)), 1009, id="fragments that add up"
        ),
    ],
)
def test_what_breaks_the_websocket_protocol_is_closed_with_the_documented_code(
    line: RawLine, data: bytes, code: int
) -> None:
    line.greet()
    line.send(data)
    assert line.close_code() == code


def test_what_is_no_http_is_answered_with_an_error_and_cut(line: RawLine) -> None:
    line.send(bytes(range(128, 256)) + b"\r\n\r\n")
    answer = b""
    while some := line.socket.recv(65_536):
        answer += some
    assert answer.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc1\xc1\xc1", id="no MessagePack"),
        pytest.param(b"\x93\xa4ping\x01", id="cut short"),
        pytest.param(b"\x92\xa4ping\x01\x00", id="more than one value"),
        pytest.param(b"\x92\xa4ping\xcb?\xf8\x00\x00\x00\x00\x00\x00", id="a float"),
        pytest.param(b"\x92\xa4ping\xff", id="a negative ref"),
        pytest.param(b"\x91" * 3000, id="depth"),
        pytest.param(b"\x95\xa3act\x01\x01\x01\x81\xa1a\xdd\xff\xff\xff\xff", id="a list of four thousand million"),
    ],
)
def test_a_malformed_message_is_named_as_such_and_closed(line: RawLine, payload: bytes) -> None:
    line.greet()
    line.send(frame(BINARY, payload))
    assert line.hear()[0::2] == ["error", "message.malformed"]
    assert line.close_code() == 1007


# --- messages at the wrong time -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "refusal", "code"),
    [
        pytest.param(["ping", 7], [7, "hello.first"], 4001, id="a ping"),
        pytest.param(["act", NO_SUCH_ROOM, 1, 1, {}], [None, "hello.first"], 4001, id="an action"),
        pytest.param(["conquer", 7], [7, "message.unknown"], 4001, id="an unknown message"),
        pytest.param(["hello", 7, [99], "Mallory"], [7, "hello.version"], 4002, id="a future version"),
        pytest.param(["hello", 7, [1], "Mallory", "Ada.forged"], [7, "hello.token"], 4001, id="a forged identity"),
    ],
)
def test_what_comes_in_place_of_a_good_hello_is_refused_and_closed(
    line: RawLine, message: list[object], refusal: list[object], code: int
) -> None:
    line.shake_hands()
    line.say(*message)
    assert line.hear()[:3] == ["error", *refusal]
    assert line.close_code() == code


@pytest.mark.parametrize(
    ("message", "code"),
    [
        pytest.param(["hello", 7, [1], "Mallory"], "hello.again", id="a second hello"),
        pytest.param(["conquer", 7, "everything"], "message.unknown", id="an unknown message"),
        pytest.param(["create", 7, "no_such_game"], "game.unknown", id="an unknown game"),
        pytest.param(["create", 7, "graph_battle", 2, {"deep": [[[[[[1]]]]]]}], "message.invalid", id="depth"),
        pytest.param(["create", 7, "graph_battle", 60], "game.seats", id="too many seats"),
        pytest.param(["create", 7, "graph_battle", 2, {"cheat": True}], "game.options", id="an unknown option"),
        pytest.param(["create", 7, "graph_battle", 2, {}, {"turn_ms": 0}], "room.options", id="no time at all"),
        *(
            pytest.param([name, 7, NO_SUCH_ROOM], "room.unknown", id=f"{name} an unknown room")
            for name in ("join", "watch", "leave", "start", "legal", "resync", "resign")
        ),
    ],
)
def test_a_request_that_cannot_be_done_is_refused_and_the_line_stays(
    line: RawLine, message: list[object], code: str
) -> None:
    line.greet()
    line.say(*message)
    assert line.hear()[:3] == ["error", 7, code]
    line.say("ping", 8)
    assert line.hear() == ["pong", 8]


# --- other people's seats -----------------------------------------------------------------------------------------


@pytest.fixture
def victims(newcomer: Callable[..., Stranger]) -> tuple[Stranger, Stranger, int]:
    """Return two players in the middle of a match, and their room."""
    ada, bob = newcomer("Ada"), newcomer("Bob")
    room = ada.ask("create", "graph_battle", 2, {}, IN_ORDER)[2]
    ada.ask("join", room, None, None, None)
    bob.ask("join", room, None, None, None)
    ada.await_message("prompt")
    return ada, bob, room


def test_nobody_can_act_for_a_seat_that_is_not_theirs(line: RawLine, victims: tuple[Stranger, Stranger, int]) -> None:
    ada, _, room = victims
    line.greet()
    end_turn = ["act", room, 5, 1, {"type": "end_turn"}]
    line.say("act", NO_SUCH_ROOM, *end_turn[2:])
    assert line.hear()[:4] == ["verdict", NO_SUCH_ROOM, 5, "room.unknown"]
    line.say(*end_turn)
    assert line.hear()[:4] == ["verdict", room, 5, "room.not_here"]
    for name in ("leave", "start", "legal", "resync", "resign"):
        line.say(name, 7, room)
        assert line.hear()[:3] == ["error", 7, "room.not_here"]
    line.say("join", 8, room, 0, None, None)
    assert line.hear()[:3] == ["error", 8, "room.started"]
    for forged in (f"{ada.player}.AAAAAAAAAAAAAAAAAAAAAA", ada.token, ada.player, ""):
        line.say("join", 9, room, None, forged, None)
        assert line.hear()[:3] == ["error", 9, "seat.token"]
    line.say("watch", 10, room, None)
    assert line.hear_of("joined")[5:7] == [None, None]
    line.say(*end_turn)
    assert line.hear_of("verdict")[2:4] == [5, "seat.none"]
    for name, code in (("start", "room.not_lobby"), ("legal", "seat.none"), ("resign", "seat.none")):
        line.say(name, 11, room)
        assert line.hear_of("error")[:3] == ["error", 11, code]
    assert ada.act(room, 5, 1, {"type": "end_turn"})[3] is None


def test_an_action_sent_twice_has_one_effect_and_one_verdict(victims: tuple[Stranger, Stranger, int]) -> None:
    ada, bob, room = victims
    first = ada.act(room, 1, 1, {"type": "end_turn"})
    assert first[3] is None
    assert ada.act(room, 1, 1, {"type": "end_turn"}) == first
    assert ada.act(room, 1, 99, {"type": "attack", "source": 0, "target": 1}) == first
    ada.ask("ping")
    updates = [message for message in ada.inbox if message[0] == "update"]
    assert len(updates) == 1
    assert bob.act(room, 1, 1, {"type": "end_turn"})[3] is None, "an id is its seat's own"


def test_a_stale_a_foreign_or_a_senseless_action_changes_nothing(victims: tuple[Stranger, Stranger, int]) -> None:
    ada, bob, room = victims
    refused = [
        (ada.act(room, 11, 0, {"type": "end_turn"}), "act.stale"),
        (ada.act(room, 12, 2, {"type": "end_turn"}), "act.stale"),
        (bob.act(room, 13, 1, {"type": "end_turn"}), "act.stale"),
        (ada.act(room, 14, 1, {"type": "surrender"}), "act.malformed"),
        (ada.act(room, 15, 1, {}), "act.malformed"),
        (ada.act(room, 16, 1, {"type": "attack", "source": -1, "target": 10_000}), "act.malformed"),
    ]
    assert [(verdict[3], verdict[5]) for verdict, _ in refused] == [(code, 1) for _, code in refused]
    assert ada.act(room, 11, 0, {"type": "end_turn"}) == refused[0][0]
    assert ada.act(room, 1, 1, {"type": "end_turn"})[3:6] == [None, None, 2]


# --- those who take their time, and those who leave none to others -------------------------------------------------


def _silent(port: int) -> int | None:
    with RawLine(port) as line:
        line.shake_hands()
        return line.close_code()


def _deaf(port: int) -> int | None:
    with RawLine(port) as line:
        line.greet()
        return line.close_code()


def _flooding(port: int) -> list[list[Any]]:
    """Send ten times too much for a while; return all answers."""
    with RawLine(port) as line:
        line.greet()
        is_over = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            sending = pool.submit(_shout, line, is_over)
            until = time.monotonic() + FLOODING_S
            answers = [line.hear()]
            while time.monotonic() < until:
                answers.append(line.hear())
            is_over.set()
            sending.result()
        return answers


def _shout(line: RawLine, is_over: threading.Event) -> None:
    volley = frame(BINARY, b"\x92\xa4ping\x01") * (FLOOD_PER_S // 20)
    try:
        while not is_over.wait(1 / 20):
            line.send(volley)
    except OSError:
        return


@pytest.fixture(scope="module")
def patient(shared_server: ServerProcess, bystanders: Bystanders) -> Iterator[dict[str, Future[Any]]]:
    """Let those begin together whose patience, or whose victim's, takes a while to end."""
    with ThreadPoolExecutor(3) as pool:
        yield {work.__name__: pool.submit(work, shared_server.port) for work in (_silent, _deaf, _flooding)}


def test_who_says_no_hello_is_closed_in_time(patient: dict[str, Future[Any]]) -> None:
    assert patient["_silent"].result() == 4000


def test_who_answers_no_ping_is_closed_in_time(patient: dict[str, Future[Any]]) -> None:
    assert patient["_deaf"].result() == 4006


def test_who_floods_is_told_so_and_read_slowly(patient: dict[str, Future[Any]]) -> None:
    answers = patient["_flooding"].result()
    notices = [answer for answer in answers if answer[0] != "pong"]
    assert [notice[:3] for notice in notices] == [["notice", None, "rate.limited"]]
    assert 0.3 * FLOODING_S * 100 < len(answers) < 250 + FLOODING_S * 110, "200 at once, then 100 a second"


def test_the_players_beside_all_this_notice_nothing(bystanders: Bystanders) -> None:
    before = bystanders.finished
    _await(lambda: bystanders.finished > before)
    bystanders.assert_undisturbed()
