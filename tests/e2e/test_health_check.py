"""The health check of the image, as deploy/Dockerfile has it, against a server in all its conditions."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from independent_client import Stranger
from redis_server import RedisServer, free_port
from server_process import ServerProcess
from wait_until import until

DOCKERFILE = Path(__file__).parents[2] / "deploy" / "Dockerfile"
PATIENCE_S = 30.0

pytestmark = pytest.mark.long


def _is_healthy(admin_port: int) -> bool:
    """Run the check where the server's port is another than the usual one."""
    text = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", "")
    (check,) = re.findall(r"^HEALTHCHECK .*?CMD (\[.*\])$", text, re.MULTILINE)
    program, *arguments = json.loads(check)
    assert program == "python"
    environment = {**os.environ, "WARROOM_ADMIN_PORT": str(admin_port)}
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, check=False)
    return done.returncode == 0


def _takes_lines(server: ServerProcess) -> bool:
    with socket.socket() as line:
        return line.connect_ex((server.host, server.port)) == 0


async def test_a_node_is_healthy_from_when_it_is_ready_until_it_has_drained(
    new_server: Callable[..., ServerProcess], redis: RedisServer
) -> None:
    admin_port = free_port()
    server = new_server("--redis", redis.url, "--admin-port", str(admin_port))
    redis.kill()
    starting = asyncio.create_task(asyncio.to_thread(server.start))
    await until(lambda: "waiting for the store" in server.log, within_s=PATIENCE_S)
    assert not _is_healthy(admin_port), "a deploy has to wait for it"
    redis.start()
    await starting
    assert server.is_ready
    assert _is_healthy(admin_port)
    with ExitStack() as lines:
        players = [lines.enter_context(closing(Stranger(server.url, name))) for name in ("Ada", "Bob")]
        room = players[0].ask("create", "graph_battle", 2, {}, {"turn_ms": 60_000, "seating": "as_joined"})[2]
        for player in players:
            player.ask("join", room, None, None, None)
        players[0].await_message("prompt")
        redis.kill()
        players[0].send("act", room, 1, 1, {"type": "end_turn"})  # which the store has to answer before the node ends
        await until(lambda: not server.is_ready, within_s=PATIENCE_S)
        assert _is_healthy(admin_port), "the store is away, not the node"
        os.kill(server.pid, signal.SIGTERM)
        await until(lambda: not _takes_lines(server), within_s=PATIENCE_S)
        assert _is_healthy(admin_port), "it drains"


async def test_a_node_that_hangs_is_not_healthy(server: ServerProcess) -> None:
    os.kill(server.pid, signal.SIGSTOP)
    assert not _is_healthy(server.admin_port)
    os.kill(server.pid, signal.SIGCONT)
    await until(lambda: _is_healthy(server.admin_port), within_s=PATIENCE_S)
