"""The load generator of one server: it holds the connections and runs a load when asked."""

import json
import select
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct, convert

from benchmarks.peers.tools import compiled
from benchmarks.peers.websocket import Seated, lines_of
from benchmarks.processes import Server, output_of

GRACE_S = 60
"""How long after a load its answer may take: the last actions are still served."""


class LoadError(Exception):
    """The load generator failed, or the server stopped answering."""


class Window(Struct, frozen=True):
    """What one window of a load counted; the field names are those of the generator."""

    seconds: float
    accepted: int
    refused: int
    updates: int
    update_bytes: int
    bytes: int
    server_cpu_s: float
    store_cpu_s: float
    own_cpu_s: float
    answer_p50_us: float
    answer_p99_us: float
    all_accepted: int
    """Since the generator started, also outside of windows."""
    failures: int

    @property
    def us_per_action(self) -> float:
        """The server's CPU time per accepted action."""
        return self.server_cpu_s * 1e6 / self.accepted

    @property
    def store_us_per_action(self) -> float:
        """The store's CPU time per accepted action."""
        return self.store_cpu_s * 1e6 / self.accepted

    @property
    def us_per_update(self) -> float:
        """The server's CPU time per delivered update."""
        return self.server_cpu_s * 1e6 / self.updates

    @property
    def bytes_per_update(self) -> float:
        """The size of an update's payload."""
        return self.update_bytes / self.updates


class Generator:
    """A running load generator."""

    def __init__(self, process: "subprocess.Popen[str]", name: str) -> None:
        self._process = process
        self._name = name
        self._answer(GRACE_S)

    def closed(self, seconds: float, first: int, count: int, senders: int) -> Window:
        """Let the first *senders* seats of each room act as soon as they were answered."""
        return self._load(seconds, f"closed {seconds} {first} {count} {senders}")

    def lockstep(self, seconds: float, first: int, count: int) -> Window:
        """Let one seat act at a time, and wait until all *count* clients have the update."""
        return self._load(seconds, f"lockstep {seconds} {first} {count}")

    def _load(self, seconds: float, command: str) -> Window:
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        window = convert(self._answer(seconds + GRACE_S), Window)
        if window.failures or window.refused or not window.accepted or not window.updates:
            raise LoadError(f"{self._name}: {command.split()[0]}: {window}")
        return window

    def _answer(self, timeout_s: float) -> object:
        output = output_of(self._process)
        poller = select.poll()  # unlike select, it takes descriptors above 1023
        poller.register(output, select.POLLIN)
        if not poller.poll(timeout_s * 1000):
            raise LoadError(f"{self._name}: no answer from the load generator within {timeout_s:g} s")
        line = output.readline()
        if not line:
            raise LoadError(f"{self._name}: the load generator ended with exit code {self._process.wait()}")
        return json.loads(line)


@contextmanager
def generating(name: str, protocol: str, server: Server, clients: Sequence[Seated]) -> Iterator[Generator]:
    """Hand the clients over to a generator."""
    with tempfile.NamedTemporaryFile("w", prefix="warroom-bench-") as file:
        file.writelines(lines_of(clients))
        file.flush()
        process = subprocess.Popen(
            [str(compiled("load")), protocol, file.name, str(server.pid), str(server.store_pid() or 0)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[client.socket.fileno() for client in clients],
        )
        try:
            generator = Generator(process, name)
            for client in clients:
                client.socket.close()
            yield generator
        finally:
            process.kill()
            process.communicate()
