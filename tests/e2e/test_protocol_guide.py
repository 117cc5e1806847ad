"""The client in docs/PROTOCOL.md plays a match on a real server, and the page's answers about requests are true."""

import json
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from independent_client import Message, Stranger
from log_document import VERIFY
from server_process import ServerProcess

from warroom_protocol import codes

GUIDE = Path(__file__).parents[2] / "docs" / "PROTOCOL.md"
FAR = 2**53 - 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    running = ServerProcess(tmp_path_factory.mktemp("server"), bots=True)
    running.start()
    yield running
    running.close()


@pytest.fixture
def ada(server: ServerProcess) -> Iterator[Stranger]:
    stranger = Stranger(server.url, "Ada")
    yield stranger
    stranger.close()


@pytest.fixture
def bob(server: ServerProcess) -> Iterator[Stranger]:
    stranger = Stranger(server.url, "Bob")
    yield stranger
    stranger.close()


def created(player: Stranger, seats: int = 3, game: str = "graph_battle", **room_options: object) -> int:
    """Create a room with slow turns and return its number."""
    options = {"turn_ms": 600_000, "seating": "as_joined", **room_options}
    room: int = player.ask("create", game, seats, {}, options)[2]
    return room


def playing(*players: Stranger) -> int:
    """Return a room for three in which the match of these players runs."""
    room = created(players[0])
    for player in players:
        player.ask("join", room)
    assert players[0].ask("start", room)[0] == "done"
    return room


def followed_by(player: Stranger, reply: Message) -> list[str]:
    """Return the names of what follows the reply to an entry."""
    assert reply[0] in ("joined", "resumed")
    player.inbox.clear()
    player.ask("ping")
    return [message[0] for message in player.inbox]


def seats(player: Stranger, room: int) -> list[list[object]]:
    """Return the seats as a new spectator is told of them."""
    player.inbox.clear()
    player.ask("watch", room)
    found: list[list[object]] = player.await_message("seats")[4]
    return found


def test_the_client_of_the_guide_plays_a_whole_match(server: ServerProcess, tmp_path: Path) -> None:
    (client,) = re.findall(r"<!-- client -->\n```python\n(.*?)```\n<!-- end -->", GUIDE.read_text(), re.DOTALL)
    assert len(client.splitlines()) <= 36
    (script := tmp_path / "client.py").write_text(client)
    played = subprocess.run([sys.executable, str(script), server.url], capture_output=True, text=True, timeout=120)
    assert played.returncode == 0, played.stderr
    assert re.fullmatch(r"ranks by seat: \[\d, \d\] reason: \w+\n", played.stdout)


class TestEntering:
    def test_join_twice_returns_the_same_seat_with_a_snapshot(self, ada: Stranger) -> None:
        room = created(ada)
        first = ada.ask("join", room)
        again = ada.ask("join", room, 2)
        assert (first[0], again[0]) == ("joined", "joined")
        assert again[4:] == first[4:]
        assert followed_by(ada, again)[:2] == ["snapshot", "seats"]

    def test_watch_on_a_seated_connection_gives_the_seat_up_on_this_connection_only(
        self, ada: Stranger, bob: Stranger, server: ServerProcess
    ) -> None:
        room = playing(ada, bob)
        assert ada.ask("watch", room)[5] is None
        assert ada.act(room, secrets.randbits(53), 1, {})[3] == codes.SEAT_NONE
        assert [ada.ask(name, room)[2] for name in ("legal", "resign")] == [codes.SEAT_NONE] * 2
        carol = Stranger(server.url, "Carol")
        (player, _, connected, *_) = seats(carol, room)[0][1:]
        carol.close()
        assert (player, connected) == (ada.player, False)
        assert ada.ask("join", room)[5] == 0

    def test_players_may_not_watch_a_room_whose_spectators_see_all_hands(self, ada: Stranger) -> None:
        room = created(ada, 2, "timberwall", watch="all", delay=2)
        ada.ask("join", room)
        assert ada.ask("watch", room)[2] == codes.WATCH_SEATED

    def test_a_match_that_has_started_is_closed_to_new_players(
        self, ada: Stranger, bob: Stranger, server: ServerProcess
    ) -> None:
        room = playing(ada, bob)
        carol = Stranger(server.url, "Carol")
        assert carol.act(room, 7, 1, {})[3] == codes.ROOM_NOT_HERE
        assert carol.ask("join", room)[2] == codes.ROOM_STARTED
        carol.close()

    @pytest.mark.parametrize("position", [[1, FAR, 0], [1, 1, FAR], [2, 1, 0], [0, 0, 0], [FAR, FAR, FAR]])
    def test_a_position_that_the_room_never_had_gets_a_snapshot(
        self, ada: Stranger, bob: Stranger, position: list[int]
    ) -> None:
        room = playing(ada, bob)
        reply = ada.ask("join", room, None, None, position)
        assert reply[0] == "joined"
        assert followed_by(ada, reply)[0] == "snapshot"

    def test_a_position_of_the_past_resumes_and_a_spectators_q_is_ignored(self, ada: Stranger, bob: Stranger) -> None:
        room = playing(ada, bob)
        assert ada.ask("join", room, None, None, [1, 0, 0])[0] == "resumed"
        assert bob.ask("watch", room, [1, 1, 5])[0] == "resumed"


class TestSentAgain:
    def test_create_and_quick_return_the_same_room_even_with_other_options(self, ada: Stranger) -> None:
        for name in ("create", "quick"):
            ref = secrets.randbits(53)
            ada.send(name, ref, "graph_battle", 3)
            first = ada.await_message("created")
            ada.send(name, ref, "strata", 2)
            assert ada.await_message("created") == first

    def test_start_says_that_the_match_has_started(self, ada: Stranger, bob: Stranger) -> None:
        room = playing(ada, bob)
        assert ada.ask("start", room)[2] == codes.ROOM_NOT_LOBBY

    def test_fill_brings_no_more_bots(self, ada: Stranger) -> None:
        room = created(ada)
        ada.ask("join", room)
        ada.send("fill", 901, room, 1)
        ada.send("fill", 902, room, 1)
        assert [ada.await_message("done", "error")[:2] for _ in range(2)] == [["done", 901], ["done", 902]]
        while ada.await_message("seats")[4][1][1] is None:
            pass
        assert ada.ask("fill", room, 1)[2] == codes.SEAT_TAKEN
        assert seats(ada, room)[2][1] is None
        ada.ask("join", room)
        assert ada.ask("fill", room)[0] == "done"
        while ada.await_message("seats")[2] != "playing":
            pass
        assert ada.ask("fill", room)[2] == codes.ROOM_NOT_LOBBY

    def test_kick_finds_the_seat_empty(self, ada: Stranger, bob: Stranger) -> None:
        room = created(ada)
        ada.ask("join", room)
        bob.ask("join", room)
        assert ada.ask("kick", room, 1)[0] == "done"
        assert ada.ask("kick", room, 1)[2] == codes.SEAT_NONE

    def test_leave_and_resign_say_that_they_are_done(self, ada: Stranger, bob: Stranger, server: ServerProcess) -> None:
        carol = Stranger(server.url, "Carol")
        room = created(ada)
        for player in (ada, bob, carol):
            player.ask("join", room)
        assert carol.ask("leave", room)[0] == "done"
        assert carol.ask("leave", room)[2] == codes.ROOM_NOT_HERE
        carol.ask("join", room)
        assert carol.ask("resign", room)[0] == "done"
        assert carol.ask("resign", room)[2] == codes.SEAT_OUT
        assert bob.ask("resign", room)[0] == "done"
        assert bob.ask("resign", room)[2] == codes.ROOM_ENDED
        carol.close()

    def test_offers_and_mutes_are_states_and_lines_are_said_twice(self, ada: Stranger, bob: Stranger) -> None:
        room = playing(ada, bob)
        for request in (("offer", room, "pause"), ("mute", room, bob.player)):
            assert [ada.ask(*request)[0] for _ in range(2)] == ["done", "done"]
        for _ in range(2):
            ada.ask("say", room, "hello")
        assert [bob.await_message("said")[6] for _ in range(2)] == ["hello", "hello"]

    def test_an_accepted_action_gets_the_same_verdict(self, ada: Stranger, bob: Stranger) -> None:
        room = playing(ada, bob)
        _, _, _, token, _, actions, _ = ada.ask("legal", room)
        first = ada.act(room, 4711, token, actions[0])
        assert first[3] is None
        assert ada.act(room, 4711, token, actions[0]) == first


def test_verify_answers_with_the_keys_of_the_reference(ada: Stranger, bob: Stranger, server: ServerProcess) -> None:
    room = created(ada, 2)
    code = ada.ask("join", room)[3]
    bob.ask("join", room)
    assert ada.ask("resign", room)[0] == "done"
    server.await_replay(code)
    found = json.loads(server.get(f"/api/replays/{code}/verify"))
    assert list(found) == list(VERIFY)
    assert found["accepted"]
    assert set(found["states"][0]) <= set("0123456789abcdef")
