"""nginx in front of two nodes, as deploy/ has it: a match goes on through it while nodes come and go."""

import asyncio
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Template

import pytest
from name_server import NameServer, name_server
from redis_server import RedisServer, free_port
from replay_log import assert_each_once, time_outs
from sdk_bots import Table
from server_process import ServerProcess
from wait_until import until

from warroom_bots.runner import Think
from warroom_games.registry import load_games
from warroom_games.replay import verify

TEMPLATE = Path(__file__).parents[2] / "deploy" / "nginx" / "warroom.conf.template"
PATIENCE_S = 90
SEATS = 4
TURN_MS = 20_000
UNHURRIED = Think(20, 60)
"""Long enough for a drain to come in the middle of the match."""
NAME = "nodes"
"""What the proxy looks up, as in deploy/compose.yaml."""
ADDRESSES = ("127.0.0.2", "127.0.0.3")
NEW_ADDRESS = "127.0.0.4"

AROUND = """\
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/warroom.conf;
}}
"""


class Proxy:
    """An nginx of the test's own, with a certificate that only the test trusts."""

    def __init__(self, folder: Path, names: NameServer, port: int) -> None:
        folder.mkdir()
        self.port = free_port()
        self.certificate = folder / "cert.pem"
        self._folder = folder
        self._make_certificate()
        filled_in = {
            "NODES": f"{NAME}:{port}",
            "RESOLVER": f"127.0.0.1:{names.port}",
            "TLS_LISTEN": f"127.0.0.1:{self.port}",
            "SERVER_NAME": "localhost",
            "TLS_CERTIFICATE": str(self.certificate),
            "TLS_KEY": str(folder / "key.pem"),
        }
        # As envsubst does it in nginx's image: names that it does not know stay as they are.
        text = Template(TEMPLATE.read_text(encoding="utf-8")).safe_substitute(filled_in)
        (folder / "warroom.conf").write_text(text, encoding="utf-8")
        (folder / "nginx.conf").write_text(AROUND.format(folder=folder), encoding="utf-8")
        nginx = shutil.which("nginx")
        assert nginx, "this test needs nginx: install it with the system's package manager"
        command = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        self._process = subprocess.Popen(command)
        self._await_line()

    @property
    def url(self) -> str:
        """Where clients connect to."""
        return f"wss://localhost:{self.port}/ws"

    @property
    def asked(self) -> str:
        """What was asked of it so far."""
        log = self._folder / "access.log"
        return log.read_text() if log.exists() else ""

    def stop(self) -> None:
        """End it, and everybody's lines."""
        self._process.terminate()
        self._process.wait(timeout=20)

    def _await_line(self) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        while True:
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert time.monotonic() < deadline_s, (self._folder / "error.log").read_text()
            time.sleep(0.02)

    def _make_certificate(self) -> None:
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
        command += ["-addext", "subjectAltName=DNS:localhost", "-out", str(self.certificate)]
        command += ["-keyout", str(self._folder / "key.pem")]
        subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def nodes(new_server: Callable[..., ServerProcess], redis: RedisServer) -> list[ServerProcess]:
    """Return two nodes on one store, which have the same port at different addresses, as containers have."""
    port = free_port()
    started = [new_server("--redis", redis.url) for _ in ADDRESSES]
    for node, address in zip(started, ADDRESSES, strict=True):
        node.port = port
        node.start(host=address)
    return started


@pytest.fixture
def names() -> Iterator[NameServer]:
    """Return what tells the proxy where the nodes are."""
    with name_server(NAME) as running:
        running.addresses = list(ADDRESSES)
        yield running


@pytest.fixture
def proxy(
    tmp_path: Path, nodes: list[ServerProcess], names: NameServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Proxy]:
    """Return nginx in front of the nodes; clients of the test trust its certificate."""
    running = Proxy(tmp_path / "nginx", names, nodes[0].port)
    monkeypatch.setenv("SSL_CERT_FILE", str(running.certificate))
    yield running
    running.stop()


def _connections(node: ServerProcess) -> int:
    (line,) = [line for line in node.metrics().splitlines() if line.startswith("warroom_connections ")]
    return int(float(line.split()[1]))


@pytest.mark.long
async def test_a_match_goes_on_through_the_proxy_while_nodes_are_drained_and_one_comes_back_elsewhere(
    proxy: Proxy, names: NameServer, nodes: list[ServerProcess]
) -> None:
    seated = Table(proxy.url, "graph_battle", SEATS, turn_ms=TURN_MS, options={"max_rounds": 30}, think=UNHURRIED)
    async with asyncio.timeout(PATIENCE_S), seated as table:
        assert sum(map(_connections, nodes)) == SEATS
        first, second = sorted(nodes, key=_connections, reverse=True)  # so that at least half of the lines will break
        match = asyncio.create_task(table.play())
        await until(lambda: len(table.accepted) >= 10, within_s=PATIENCE_S)
        await _drain(first, table)
        await until(lambda: _connections(second) == SEATS, within_s=PATIENCE_S)
        names.addresses = [second.host]
        await asyncio.to_thread(first.start, host=NEW_ADDRESS)
        names.addresses = [second.host, NEW_ADDRESS]
        await _drain(second, table)
        await until(lambda: _connections(first) == SEATS, within_s=PATIENCE_S)
        before = len(table.accepted)
        assert not match.done()
        ended = await match
        assert len(table.accepted) > before, "it was played on through the node that came back"
    replay = await asyncio.to_thread(first.await_replay, table.created.code)
    assert verify(replay, load_games()).chain.hex() == ended.chain
    assert_each_once(replay, table.accepted)
    assert time_outs(replay) == []
    assert " 101 " in proxy.asked


async def _drain(node: ServerProcess, table: Table) -> None:
    """Stop a node, to which at least one bot is connected; no other line than those to it breaks."""
    lines, before = _connections(node), sum(bot.breaks for bot in table.bots)
    assert lines
    assert await asyncio.to_thread(node.stop) == 0
    await until(lambda: sum(bot.breaks for bot in table.bots) - before >= lines, within_s=PATIENCE_S)
    assert sum(bot.breaks for bot in table.bots) - before == lines
