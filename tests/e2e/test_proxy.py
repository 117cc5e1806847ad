"""nginx in front of two nodes, as deploy/ has it: a match goes on through it while a node is drained."""

import asyncio
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Template

import pytest
from redis_server import free_port
from replay_log import assert_each_once, time_outs
from sdk_bots import Table
from server_process import ServerProcess
from waiting import until

from warroom_bots.runner import Think
from warroom_games.registry import load_games
from warroom_games.replay import verify

TEMPLATE = Path(__file__).parents[2] / "deploy" / "nginx" / "warroom.conf.template"
PATIENCE_S = 90
TURN_MS = 20_000
UNHURRIED = Think(20, 60)
"""Long enough for a drain to come in the middle of the match."""

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

NewCluster = Callable[..., list[ServerProcess]]


class Proxy:
    """An nginx of the test's own, with a certificate that only the test trusts."""

    def __init__(self, folder: Path, nodes: list[ServerProcess]) -> None:
        folder.mkdir()
        self.port = free_port()
        self.certificate = folder / "cert.pem"
        self._folder = folder
        self._make_certificate()
        names = {
            "NODE_A": f"127.0.0.1:{nodes[0].port}",
            "NODE_B": f"127.0.0.1:{nodes[1].port}",
            "TLS_LISTEN": f"127.0.0.1:{self.port}",
            "SERVER_NAME": "localhost",
            "TLS_CERTIFICATE": str(self.certificate),
            "TLS_KEY": str(folder / "key.pem"),
        }
        # As envsubst does it in nginx's image: names that it does not know stay as they are.
        text = Template(TEMPLATE.read_text(encoding="utf-8")).safe_substitute(names)
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
def nodes(new_cluster: NewCluster) -> list[ServerProcess]:
    """Return two nodes on one store."""
    return new_cluster(2)


@pytest.fixture
def proxy(tmp_path: Path, nodes: list[ServerProcess], monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    """Return nginx in front of the nodes; clients of the test trust its certificate."""
    running = Proxy(tmp_path / "nginx", nodes)
    monkeypatch.setenv("SSL_CERT_FILE", str(running.certificate))
    yield running
    running.stop()


def _connections(node: ServerProcess) -> int:
    (line,) = [line for line in node.metrics().splitlines() if line.startswith("warroom_connections ")]
    return int(float(line.split()[1]))


@pytest.mark.long
@pytest.mark.parametrize("drained", [0, 1])
async def test_a_match_goes_on_through_the_proxy_while_a_node_is_drained(
    proxy: Proxy, nodes: list[ServerProcess], drained: int
) -> None:
    staying = nodes[1 - drained]
    seated = Table(proxy.url, "graph_battle", 4, turn_ms=TURN_MS, options={"max_rounds": 8}, think=UNHURRIED)
    async with asyncio.timeout(PATIENCE_S), seated as table:
        assert [_connections(node) for node in nodes] == [2, 2], "the proxy spreads them"
        match = asyncio.create_task(table.play())
        await until(lambda: len(table.accepted) >= 10, within_s=PATIENCE_S)
        assert await asyncio.to_thread(nodes[drained].stop) == 0
        assert not match.done()
        before = len(table.accepted)
        ended = await match
        assert len(table.accepted) > before
        assert sum(bool(bot.breaks) for bot in table.bots) == 2, "only the lines to the drained node broke"
    replay = await asyncio.to_thread(staying.await_replay, table.created.code)
    assert verify(replay, load_games()).chain.hex() == ended.chain
    assert_each_once(replay, table.accepted)
    assert time_outs(replay) == []
    assert " 101 " in proxy.asked
