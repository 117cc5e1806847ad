"""The inspector's connections: questions are answered beside the loop, which goes on."""

import json
from threading import Event

from sealed_bids import Options, SealedBids, State
from small_node import NotedConnection
from wait_until import until

from warroom_games.registry import Registry
from warroom_games.rng import Rng
from warroom_server.web.inspector import Inspector

QUESTION = json.dumps({"type": "show", "ref": 5, "match": {"game": "sealed_bids"}, "first": 0, "last": 0}).encode()


class Slow(SealedBids):
    """Takes as long as a test wants."""

    def __init__(self) -> None:
        self.may_begin = Event()

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Wait."""
        assert self.may_begin.wait(20)
        return super().setup(seats, options, rng)


async def test_slow_rules_keep_nobody_else_waiting() -> None:
    game, connection = Slow(), NotedConnection(1)
    inspector = Inspector(Registry([game]))
    assert inspector.received(connection, QUESTION, 0, 0) > 0
    assert inspector.received(connection, b"?", 0, 0) > 0
    await until(lambda: len(connection.frames) == 1)
    assert json.loads(connection.frames[0])["type"] == "refused"
    game.may_begin.set()
    await until(lambda: len(connection.frames) == 2)
    assert json.loads(connection.frames[1])["ref"] == 5
