"""A node that comes to others gets its share of the matches that are played, and nobody who plays is worse off."""

from collections.abc import Callable
from contextlib import closing

import pytest
from independent_client import Stranger
from redis_server import RedisServer
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_protocol.rooms import room_code
from warroom_server.cluster.load_shares import LEAST, PART

MATCHES = 64
SHARE = MATCHES // 2
UNMOVED = max(LEAST, SHARE // PART)
"""So much less than its share a node may have: that is not worth another move. A busy machine takes some too late."""
PATIENCE_S = 180
"""What was not taken in time is given again after a minute."""

pytestmark = pytest.mark.long


async def test_a_node_that_joins_gets_its_share_of_the_matches_and_they_go_on(
    new_server: Callable[..., ServerProcess], redis: RedisServer
) -> None:
    first, second = nodes = [new_server(*SEALED_BIDS, "--redis", redis.url) for _ in range(2)]
    first.start()
    with closing(Stranger(first.url, "Ada")) as ada, closing(Stranger(first.url, "Bob")) as bob:
        rooms = [ada.ask("create", "sealed_bids", 2, {"rounds": 3}, {"turn_ms": 600_000})[2] for _ in range(MATCHES)]
        for player in (ada, bob):
            assert {player.ask("join", room)[0] for room in rooms} == {"joined"}
        await until(lambda: len(first.matches()) == MATCHES)  # who sat down last is told before the match has begun
        second.start()

        def has_its_share() -> bool:
            for player in (ada, bob):
                assert player.ask("ping")[0] == "pong"  # and all is read that came before: who reads nothing is cut off
            return SHARE - UNMOVED < len(second.matches()) <= SHARE

        await until(has_its_share, within_s=PATIENCE_S)
        for room in rooms:
            for player in (ada, bob):
                turn = player.ask("legal", room)
                while turn[0] == "error":
                    assert turn[2] == "room.moving"
                    turn = player.ask("legal", room)
                verdict = player.act(room, 7, turn[3], turn[5][0])
                assert verdict[3] is None, verdict
        await until(lambda: sorted(code for node in nodes for code in node.matches()) == sorted(map(room_code, rooms)))
