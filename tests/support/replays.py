"""Replays made on the spot, and a plain web server that hands them out as a Warroom server does."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import sealed_bids

from warroom_bots.registry import find_bot
from warroom_bots.simulation import Simulated, simulate
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE


def short_match() -> Simulated:
    """Return a Graph Battle of two rounds between two bots."""
    bots = [find_bot("graph_battle", "simple"), find_bot("graph_battle", "random")]
    return simulate(GRAPH_BATTLE, bots, seed="short", options={"max_rounds": 2})


def secret_match() -> Simulated:
    """Return a match of sealed bids, the smallest there is."""
    return simulate(sealed_bids.GAME, [find_bot("sealed_bids")] * 2, seed="secret", options={"rounds": 2})


@contextmanager
def serving(replays: dict[str, bytes]) -> Iterator[str]:
    """Serve replays by room code and yield the address that clients of such a server would use."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = replays.get(self.path.removeprefix("/api/replays/"))
            self.send_response(404 if body is None else 200)
            self.end_headers()
            self.wfile.write(body or b"none")

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.server_address[1]}/ws"
        finally:
            server.shutdown()
            thread.join()
