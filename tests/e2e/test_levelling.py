"""A node that comes to others gets its share of the matches that are played, and nobody who plays is worse off."""

from collections.abc import Callable
from contextlib import closing

import pytest
from server_process import ServerProcess
from stranger import Stranger
from waiting import until

MATCHES = 20
PATIENCE_S = 60

pytestmark = pytest.mark.long


def rooms_given(server: ServerProcess) -> int:
    """Return how many matches a node has given to others."""
    line = next(line for line in server.metrics().splitlines() if line.startswith("warroom_rooms_given_total"))
    return int(float(line.split()[1]))


async def test_a_node_that_joins_gets_half_of_the_matches_and_they_go_on(
    new_cluster: Callable[..., list[ServerProcess]],
) -> None:
    first, second = new_cluster(2)
    with closing(Stranger(first.url, "Ada")) as ada, closing(Stranger(second.url, "Bob")) as bob:
        rooms = [ada.ask("create", "sealed_bids", 2, {"rounds": 3}, {"turn_ms": 600_000})[2] for _ in range(MATCHES)]
        for player in (ada, bob):
            assert {player.ask("join", room)[0] for room in rooms} == {"joined"}
        await until(lambda: rooms_given(first) == MATCHES // 2, within_s=PATIENCE_S)
        for room in rooms:
            for player in (ada, bob):
                turn = player.ask("legal", room)
                while turn[0] == "error":
                    assert turn[2] == "room.moving"
                    turn = player.ask("legal", room)
                verdict = player.act(room, 7, turn[3], turn[5][0])
                assert verdict[3] is None, verdict
        assert (rooms_given(first), rooms_given(second)) == (MATCHES // 2, 0)
