"""A real redis-server for tests: own port, own folder, stopped by its id."""

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

READY_WITHIN_S = 10.0


class RedisServer:
    """One server that keeps its folder and its port over `kill` and `start`."""

    def __init__(self, folder: Path, *options: str, binary: Path | None = None) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.folder = folder
        self.options = options
        self._binary = binary or shutil.which("redis-server")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *first: str) -> None:
        """Start it and wait until it has loaded its data and answers; *first* comes before all other arguments."""
        self._await_ready(self.launch(*first))

    def launch(self, *first: str) -> subprocess.Popen[bytes]:
        """Start it without waiting for anything."""
        binary = self._binary
        assert binary, "these tests need redis-server: install it with the system's package manager"
        where = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        command = [str(binary), *first, *where, *(() if first else ("--save", ""))]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen([*command, *self.options], stdout=log, stderr=log, cwd=self.folder)
        return self.process

    def _await_ready(self, process: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + READY_WITHIN_S
        while not self._is_ready():
            log = (self.folder / "server.log").read_text(errors="replace")
            assert process.poll() is None, f"redis-server ended with {process.returncode}:\n{log}"
            assert time.monotonic() < until, f"redis-server is not ready:\n{log}"
            time.sleep(0.005)

    def _is_ready(self) -> bool:
        with suppress(OSError):
            reply = self.raw("PING")
            return reply.startswith((b"+PONG", b"-NOAUTH"))
        return False

    def raw(self, *words: str) -> bytes:
        """Send one command and return the beginning of its reply."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=2) as line:
            packed = [f"*{len(words)}", *(part for word in words for part in (f"${len(word.encode())}", word))]
            line.sendall("".join(f"{part}\r\n" for part in packed).encode())
            return line.recv(65_536)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None, "it runs"
        self.process.send_signal(number)

    def kill(self) -> None:
        """End it as kill -9 does; its folder stays."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def free_port() -> int:
    """Return a loopback port that nobody holds at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def redis_server(*options: str, binary: Path | None = None) -> Iterator[RedisServer]:
    """Run a server with extra *options* for the length of a block; *binary* is another one than the system's."""
    with tempfile.TemporaryDirectory(prefix="warroom-redis-") as folder:
        server = RedisServer(Path(folder), *options, binary=binary)
        server.start()
        try:
            yield server
        finally:
            server.kill()
