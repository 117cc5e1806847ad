"""A real `warroom serve` in a process of its own, which a test may kill and start again."""

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO
from urllib.error import HTTPError
from urllib.request import urlopen

WARROOM = Path(sys.executable).with_name("warroom")
READY_S = 30.0
STOP_S = 20.0
POLL_S = 0.02
NOT_FOUND = 404
LAST_WORD = b"Ctrl-C"
SUPPORT = Path(__file__).parent
SEALED_BIDS = ("--game", "sealed_bids:GAME")
"""What makes a server host the test-only game that hides things."""
_CLIENTS = re.compile(r"clients\s+ws://(127\.0\.0\.\d+):(\d+)/ws")
_METRICS = re.compile(r"metrics\s+http://127\.0\.0\.1:(\d+)/metrics")


class ServerProcess:
    """One server with its data folder; restarted, it keeps folder and port."""

    def __init__(self, folder: Path, *flags: str, bots: bool = False, **settings: str) -> None:
        self.folder = folder
        self.host = "127.0.0.1"
        self.port = 0
        self.admin_port = 0
        self.greeting = ""
        self.was_ended = False
        """Whether it was killed or stopped, though it may run again."""
        self._flags = ("--bot-think", "0", *flags) if bots else ("--no-bots", *flags)
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._log = folder / "server.log"

    @property
    def url(self) -> str:
        """Where clients connect to."""
        return f"ws://{self.host}:{self.port}/ws"

    @property
    def pid(self) -> int:
        """The process, which must have been started."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """Everything that the server logged, over all its starts."""
        return self._log.read_text() if self._log.exists() else ""

    def start(self, **settings: str) -> None:
        """Start the server and wait until it says that it is ready; *settings* hold for this start alone."""
        self.folder.mkdir(parents=True, exist_ok=True)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}
        chosen = {**self._settings, **settings}
        environment = {**inherited, **{f"WARROOM_{name.upper()}": value for name, value in chosen.items()}}
        # What a test puts into the folder counts as installed.
        environment["PYTHONPATH"] = os.pathsep.join([str(SUPPORT), str(self.folder)])
        command = [str(WARROOM), "serve", "--port", str(self.port), "--admin-port", "0"]
        command += ["--data", str(self.folder / "data"), *self._flags]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment)
        self._await_greeting()

    def get(self, path: str) -> bytes:
        """Return the body of a GET on the public port."""
        with urlopen(f"http://{self.host}:{self.port}{path}", timeout=10) as response:
            body: bytes = response.read()
        return body

    @property
    def is_ready(self) -> bool:
        """Whether a balancer would send players here."""
        try:
            return self.get("/readyz") == b"ready\n"
        except HTTPError as error:
            error.close()
            return False

    def await_no_rooms(self) -> None:
        """Wait until the server lists no room: a list may be a moment old, and other nodes' rooms arrive on links."""
        deadline_s = time.monotonic() + READY_S
        while rooms := json.loads(self.get("/api/rooms")):
            assert time.monotonic() < deadline_s, f"still listed: {rooms}\n{self.log}"
            time.sleep(POLL_S)

    def await_running_room(self) -> None:
        """Wait until a match is played in a room of this very node, whatever the others have."""
        deadline_s = time.monotonic() + READY_S
        while not self.matches():
            assert time.monotonic() < deadline_s, f"nobody plays here\n{self.log}"
            time.sleep(POLL_S)

    def matches(self) -> list[str]:
        """Return the codes of the rooms of this very node in which a match is played."""
        return [room["code"] for room in json.loads(self._admin("/status"))["rooms"] if room["phase"] == "playing"]

    def await_replay(self, code: str, *, within_s: float = READY_S) -> bytes:
        """Return the replay of a match that is over, as soon as the server has put it away."""
        deadline_s = time.monotonic() + within_s
        while time.monotonic() < deadline_s:
            try:
                return self.get(f"/api/replays/{code}")
            except HTTPError as error:
                error.close()
                if error.code != NOT_FOUND:
                    raise
            time.sleep(POLL_S)
        raise AssertionError(f"no replay of {code} appeared:\n{self.log}")

    def metrics(self) -> str:
        """Return what the admin port tells Prometheus."""
        return self._admin("/metrics")

    def _admin(self, path: str) -> str:
        with urlopen(f"http://127.0.0.1:{self.admin_port}{path}", timeout=10) as response:
            body: bytes = response.read()
        return body.decode()

    def kill(self) -> None:
        """End the server as a power failure would."""
        os.kill(self.pid, signal.SIGKILL)
        self.await_end()

    def stop(self) -> int:
        """Ask the server to stop, and return its exit code."""
        os.kill(self.pid, signal.SIGTERM)
        return self.await_end()

    def await_end(self) -> int:
        """Wait until the server is gone, and return its exit code (negative: the signal that killed it)."""
        assert self._process is not None
        self.was_ended = True
        code = self._process.wait(timeout=STOP_S)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code

    def close(self) -> None:
        """End the server if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def _await_greeting(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        greeting = b""
        deadline_s = time.monotonic() + READY_S
        while LAST_WORD not in greeting:
            some = _read_some(self._process.stdout, deadline_s)
            if not some:
                raise AssertionError(f"the server did not become ready:\n{greeting.decode()}{self.log}")
            greeting += some
        self.greeting = greeting.decode()
        clients, metrics = _CLIENTS.search(self.greeting), _METRICS.search(self.greeting)
        assert clients is not None, self.greeting
        assert metrics is not None, self.greeting
        self.host, self.port, self.admin_port = clients[1], int(clients[2]), int(metrics[1])


def _read_some(stream: IO[bytes], deadline_s: float) -> bytes:
    """Return what the stream has next, or nothing if it ended or the time is up."""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        if not selector.select(max(deadline_s - time.monotonic(), 0)):
            return b""
    return os.read(stream.fileno(), 65536)
