"""Thousands of clients whose connections broke at the same moment all come back at once."""

import asyncio
import resource
from collections import Counter

import msgpack
from independent_client import Stranger
from process_metrics import counted
from server_process import ServerProcess
from websocket_peer import BINARY, Peer, frame

CLIENTS = 2_000
SPARE_FILES = 256
PATIENCE_S = 120


async def _answer(peer: Peer, *request: object) -> str:
    """Send a request and return the name of its reply; what else comes is skipped."""
    peer.send(frame(BINARY, msgpack.packb(request)))
    while True:
        opcode, payload = await peer.frame()
        if opcode == BINARY:
            message = msgpack.unpackb(payload)
            if message[0] in ("error", "joined", "resumed", "welcome") and message[1] == request[1]:
                return str(message[0])


async def _come_back(port: int, room: int, position: list[int], peers: list[Peer]) -> tuple[str, str]:
    peer = Peer(*await asyncio.open_connection("127.0.0.1", port), patience_s=PATIENCE_S)
    peers.append(peer)
    await peer.shake_hands()
    return await _answer(peer, "hello", 1, [1], "Eve", None, ""), await _answer(peer, "watch", 2, room, position)


async def test_two_thousand_clients_that_reconnect_at_once_are_all_resumed(server: ServerProcess) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, CLIENTS + SPARE_FILES), hard))
    ada, bob, eve = (Stranger(server.url, name) for name in ("Ada", "Bob", "Eve"))
    room = ada.ask("create", "graph_battle", 2, {}, {"turn_ms": 600_000})[2]
    for player in (ada, bob):
        assert player.ask("join", room)[0] == "joined"
    assert eve.ask("watch", room)[0] == "joined"
    snapshot = eve.await_message("snapshot")
    peers: list[Peer] = []
    replies = await asyncio.gather(*(_come_back(server.port, room, snapshot[2:5], peers) for _ in range(CLIENTS)))
    assert Counter(replies) == {("welcome", "resumed"): CLIENTS}
    assert counted(server, "evicted_handshakes") == counted(server, "refused") == 0
    for peer in peers:
        peer.writer.transport.abort()
    for stranger in (ada, bob, eve):
        stranger.close()
