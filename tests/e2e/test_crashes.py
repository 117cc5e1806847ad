"""The server is killed at every named step of its write path, and nobody loses or repeats a move."""

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import msgpack
import pytest
from server_process import ServerProcess
from survivor import Survivor

from warroom_games.registry import load_games
from warroom_games.replay import MAGIC, verify
from warroom_server.runtime.crashpoints import POINTS

GAME = "graph_battle"
LONG_ENOUGH: dict[str, object] = {"max_rounds": 40}
PATIENT: dict[str, object] = {"turn_ms": 20_000}

# The seventh append is in the middle of the match; the other steps come once or twice. A snapshot needs 64 entries.
NTH = {"before_append": 7, "after_append": 7, "after_adopt": 7, "after_verdict": 7, "after_flush": 7}


@pytest.mark.parametrize("point", POINTS)
def test_a_server_killed_there_loses_and_repeats_nothing(new_server: Callable[..., ServerProcess], point: str) -> None:
    server = new_server()
    server.start(crash_at=f"{point}:{NTH.get(point, 1)}")
    players = Survivor(server.url, "Ada", 1_000), Survivor(server.url, "Bob", 2_000)
    with ThreadPoolExecutor(3) as pool:
        crash = pool.submit(_start_again_after_the_crash, server)
        room, code = players[0].create(GAME, LONG_ENOUGH, PATIENT)
        endings = list(pool.map(lambda player: player.play(room), players))
        assert crash.result() == -signal.SIGKILL
    assert endings[0] == endings[1]
    replay = server.await_replay(code)
    verify(replay, load_games())
    played = _played(replay)
    assert len(played) == len(set(played))
    assert sorted(played) == sorted(players[0].accepted + players[1].accepted)
    assert all(count == 1 for player in players for count in player.verdicts.values())
    for player in players:
        player.close()


def _played(replay: bytes) -> list[int]:
    """Return the ids of the actions in a replay, read as the format's description says and by other code than ours."""
    _, links = msgpack.unpackb(replay[len(MAGIC) + 1 :])
    entries = [msgpack.unpackb(entry) for entry, _ in links]
    return [entry[3] for entry in entries if entry[0] == "acted"]


def _start_again_after_the_crash(server: ServerProcess) -> int:
    code = server.await_end()
    server.start()
    return code
