"""A real server in a process of its own, and what the system says that it costs."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")

UNLIMITED = {
    "WARROOM_MESSAGES_PER_S": "100000",
    "WARROOM_MESSAGES_BURST": "100000",
    "WARROOM_BYTES_PER_S": "10000000",
    "WARROOM_BYTES_BURST": "10000000",
    "WARROOM_LOG_LEVEL": "warning",
    "WARROOM_ROOMS_PER_PLAYER": "100000",
    "WARROOM_ROOMS_PER_ADDRESS": "100000",
}


@dataclass(frozen=True)
class Cost:
    """What a process has used so far."""

    cpu_s: float
    memory_bytes: int


@dataclass(frozen=True)
class Server:
    """A running server."""

    pid: int
    port: int

    def cost(self) -> Cost:
        """Return what the server itself has used, its store not included."""
        return cost_of(self.pid)

    def store_cost(self) -> Cost:
        """Return what its children, the embedded store among them, have used."""
        costs = [cost_of(pid) for pid in descendants(self.pid)]
        return Cost(sum(cost.cpu_s for cost in costs), sum(cost.memory_bytes for cost in costs))


@contextmanager
def running_server(*flags: str) -> Iterator[Server]:
    """Run `warroom serve` on a free port with an embedded store in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="warroom-bench-") as folder:
        command = [str(Path(sys.executable).parent / "warroom"), "serve", "--port", "0", "--admin-port", "0"]
        command += ["--data", folder, *flags]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**environment, **UNLIMITED})
        try:
            yield Server(process.pid, _port(process))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            if process.stdout is not None:
                process.stdout.close()


def _port(process: "subprocess.Popen[str]") -> int:
    if process.stdout is None:
        raise AssertionError("the server's output was not captured")
    for line in process.stdout:
        if found := ADDRESS.search(line):
            return int(found[1])
    raise RuntimeError(f"the server ended with exit code {process.wait()}")


def cost_of(pid: int) -> Cost:
    """Return what one process has used so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except FileNotFoundError:
        return Cost(0.0, 0)
    return Cost((int(fields[11]) + int(fields[12])) / TICKS_PER_S, pages * PAGE_BYTES)


def descendants(pid: int) -> list[int]:
    """Return the processes that a process started, and those that they started."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
    return children + [grandchild for child in children for grandchild in descendants(child)]
