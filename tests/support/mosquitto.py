"""A real mosquitto for tests: own port, own folder, stopped by its id."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from redis_server import free_port

READY_WITHIN_S = 10.0
OPEN = "allow_anonymous true\n"


class Mosquitto:
    """One broker that keeps its folder, its port and its configuration over `kill` and `start`."""

    def __init__(self, folder: Path, configuration: str = OPEN, *, scheme: str = "mqtt") -> None:
        self.port = free_port()
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self.folder = folder
        self.configuration = configuration
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        binary = shutil.which("mosquitto")
        assert binary, "these tests need mosquitto: install it with the system's package manager"
        path = self.folder / "mosquitto.conf"
        # Started by root it would change to a user that may not read the folder.
        user = "user root\n" if os.geteuid() == 0 else ""
        text = self.configuration
        if "listener" not in text:
            text = f"listener {self.port} 127.0.0.1\n{text}"
        path.write_text(f"{user}{text}")
        self.launch(binary, "-c", str(path))

    def launch(self, *command: str) -> None:
        """Start it by a command of the test's own, and wait until it takes connections."""
        with (self.folder / "broker.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        until = time.monotonic() + READY_WITHIN_S
        while not self._is_ready():
            said = (self.folder / "broker.log").read_text(errors="replace")
            assert self.process.poll() is None, f"mosquitto ended with {self.process.returncode}:\n{said}"
            assert time.monotonic() < until, f"mosquitto is not ready:\n{said}"
            time.sleep(0.01)

    def _is_ready(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=2):
            return True
        return False

    def kill(self) -> None:
        """End it as kill -9 does; its folder stays."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop_reading(self) -> None:
        """Let it stand still, with all its connections open."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGSTOP)

    def read_on(self) -> None:
        """Let it go on."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGCONT)


@contextmanager
def mosquitto(configuration: str = OPEN) -> Iterator[Mosquitto]:
    """Run a broker for the length of a block."""
    with tempfile.TemporaryDirectory(prefix="warroom-mosquitto-") as folder:
        broker = Mosquitto(Path(folder), configuration)
        broker.start()
        try:
            yield broker
        finally:
            broker.kill()
