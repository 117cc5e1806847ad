"""Replays made on the spot, and a plain web server that hands them out as a Warroom server does."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import sealed_bids

from warroom_bots.registry import find_bot
from warroom_bots.simulation import Simulated, simulate
from warroom_games.codec import decode_options, encode
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.log import Acted, Entry, Opened, RoomOptions, Sat, Started, StoodIn, TimedOut
from warroom_games.match import Match
from warroom_games.replay import Link, seal
from warroom_games.rng import Rng

_TWO_ROUNDS = decode_options(sealed_bids.GAME, {"rounds": 2})


def short_match() -> Simulated:
    """Return a Graph Battle of two rounds between two bots."""
    bots = [find_bot("graph_battle", "simple"), find_bot("graph_battle", "random")]
    return simulate(GRAPH_BATTLE, bots, seed="short", options={"max_rounds": 2})


def secret_match() -> Simulated:
    """Return a match of sealed bids, the smallest there is."""
    return simulate(sealed_bids.GAME, [find_bot("sealed_bids")] * 2, seed="secret", options={"rounds": 2})


def bids_replay(*entries: Entry, reveal_s: int = 0) -> bytes:
    """Return the replay of a match of sealed bids between Ada and Bob."""
    options = RoomOptions(turn_ms=1_000, seating="as_joined", reveal_s=reveal_s)
    opened = Opened(7, "sealed_bids", 1, 2, encode(_TWO_ROUNDS), options, "ada", 1, bytes(16), 0)
    match = Match.open(opened, sealed_bids.GAME)
    log = [Link(encode(opened), match.chain)]
    for entry in (Sat(0, "ada", "Ada"), Sat(1, "bob", "Bob"), Started(0), *entries):
        advanced = match.advance(entry)
        match = advanced.match
        log.append(Link(advanced.entry, match.chain))
    return seal(log)


def stood_in_match(*, reveal_s: int = 0) -> bytes:
    """Return a match in which everybody acts who can: players, a stand-in, an owner just before it, and the clock."""
    hands = sealed_bids.GAME.setup(2, _TWO_ROUNDS, Rng(bytes(16))).secrets
    ada, bob = ([encode(sealed_bids.Bid(card)) for card in secret.hand] for secret in hands)
    return bids_replay(
        Acted(5, 0, 1, ada[0], 5),
        StoodIn(10, 1, "robot", "Robot", "greedy"),
        Acted(20, 1, 2, bob[0], 8, owners=True),
        Acted(30, 1, 3, bob[1], 30),
        TimedOut(1_021, 0, ada[1], 1_020, 0),
        reveal_s=reveal_s,
    )


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
