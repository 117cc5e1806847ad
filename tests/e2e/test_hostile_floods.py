"""Floods of every kind of message: read no faster than allowed, while others play and the server keeps its memory."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count

import pytest
from flooder import Flooding
from independent_client import Stranger, play_to_the_end
from process_metrics import counted, memory_bytes
from server_process import ServerProcess

PER_S, BURST = 100, 200
MOST_GROWTH_BYTES = 8_000_000
"""Much less than all that the floods would have brought, had it been read."""
ROOM_BYTES = 64_000
"""An ended room is kept for minutes, flood or no flood."""
NO_SUCH_ROOM = 1
IN_ORDER = {"turn_ms": 600_000, "seating": "as_joined"}


def _kinds(room: int) -> list[list[object]]:
    """Return one message of every kind that makes work, about a room where others play."""
    return [
        ["act", room, 1, 1, {"type": "end_turn"}],
        ["legal", 1, room],
        ["join", 1, room],
        ["watch", 1, room],
        ["resync", 1, NO_SUCH_ROOM, "view.gap"],
        ["create", 1, "graph_battle"],
        ["quick", 1, "graph_battle"],
        ["rooms", 1],
        ["games", 1],
        ["say", 1, room, "spam"],
        ["matches", 1],
        ["replay", 1, room],
        ["ping", 1],
    ]


class Pair:
    """Two players, in one match after the other."""

    def __init__(self, server: ServerProcess) -> None:
        self.players = [Stranger(server.url, name) for name in ("Ada", "Bob")]
        self.room = 0
        self._ids = count(1)

    def sit_down(self) -> int:
        """Begin a match and return its room."""
        self.room = self.players[0].ask("create", "graph_battle", 2, {}, IN_ORDER)[2]
        for player in self.players:
            assert player.ask("join", self.room)[0] == "joined"
        return self.room

    def play(self) -> int:
        """Play a match in which nobody attacks; return how many actions it took."""
        actions = 0
        self.sit_down()
        while (turn := self._next_turn(self.players[0])) is not None:
            self._end_turn(self.players[0], turn)
            turn = self._next_turn(self.players[1])
            assert turn is not None
            self._end_turn(self.players[1], turn)
            actions += 2
        assert self._next_turn(self.players[1]) is None
        for player in self.players:
            player.ask("leave", self.room)
        return actions

    def read_all(self) -> None:
        """Read what has come meanwhile, and check that the lines are fine."""
        for player in self.players:
            assert player.ask("ping")[0] == "pong"
            player.inbox.clear()

    def close(self) -> None:
        """Hang up."""
        for player in self.players:
            player.close()

    def _next_turn(self, player: Stranger) -> int | None:
        message = player.await_message("prompt", "ended")
        turn: int | None = message[3] if message[0] == "prompt" else None
        return turn

    def _end_turn(self, player: Stranger, turn: int) -> None:
        verdict = player.act(self.room, next(self._ids), turn, {"type": "end_turn"})
        assert verdict[3] is None, verdict


def _assert_unimpressed(server: ServerProcess, *, matches: int, rounds: int) -> None:
    """Check that others play, and that little is read and kept, while a flood of every kind goes on."""
    victims, pair = Pair(server), Pair(server)
    kinds = _kinds(victims.sit_down())

    def play() -> int:
        actions = 0
        for _ in range(matches):
            actions += pair.play()
            victims.read_all()
        return actions

    play()
    with Flooding(server.port, kinds):
        play()  # with the first floods come the buffers that are then used again and again
    memory, read, began = memory_bytes(server.pid), counted(server, "messages_in"), time.monotonic()
    played = 0
    for _ in range(rounds):
        with Flooding(server.port, kinds) as flooding:
            played += play()
        play()
        assert sum(flooding.told["sent"].values()) > sum(flooding.told["heard"].values())
    allowed = rounds * BURST * len(kinds) + PER_S * (time.monotonic() - began) * len(kinds)
    assert counted(server, "messages_in") - read < allowed + 2 * played
    assert counted(server, "held_reads") > 0
    assert memory_bytes(server.pid) - memory < MOST_GROWTH_BYTES + 2 * rounds * matches * ROOM_BYTES
    assert "Traceback" not in server.log
    for table in (victims, pair):
        table.read_all()
        table.close()


def test_a_bot_that_is_faster_than_the_rate_plays_to_the_end(new_server: Callable[..., ServerProcess]) -> None:
    # So little that the first request is too much already: a busy machine may make slow players of these two.
    server = new_server(messages_per_s="40", messages_burst="5")
    server.start()
    bots = [Stranger(server.url, name) for name in ("Ada", "Bob")]
    room = bots[0].ask("create", "graph_battle", 2, {"max_rounds": 4}, IN_ORDER)[2]
    for bot in bots:
        bot.ask("join", room)
    with ThreadPoolExecutor(len(bots)) as pool:
        endings = list(pool.map(partial(play_to_the_end, room), bots))
    assert [ending[0] for ending in endings] == ["ended"] * len(bots)
    assert counted(server, "held_reads") > 0
    for bot in bots:
        assert bot.ask("ping")[0] == "pong"
        bot.close()


def test_floods_of_every_kind_are_read_no_faster_than_allowed_while_others_play(
    new_server: Callable[..., ServerProcess],
) -> None:
    server = new_server()
    server.start()
    _assert_unimpressed(server, matches=5, rounds=1)


@pytest.mark.long
def test_floods_that_come_again_and_again_leave_nothing_behind(new_server: Callable[..., ServerProcess]) -> None:
    server = new_server()
    server.start()
    _assert_unimpressed(server, matches=15, rounds=8)
