"""Servers in processes of their own, and what the system says that they cost."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
STOP_S = 20
STORE = "valkey"

UNLIMITED = {
    "WARROOM_MESSAGES_PER_S": "100000",
    "WARROOM_MESSAGES_BURST": "100000",
    "WARROOM_BYTES_PER_S": "10000000",
    "WARROOM_BYTES_BURST": "10000000",
    "WARROOM_LOG_LEVEL": "warning",
    "WARROOM_ROOMS_PER_PLAYER": "100000",
    "WARROOM_ROOMS_PER_ADDRESS": "100000",
    "WARROOM_ROOMS_PER_CONNECTION": "100000",
    "WARROOM_CONNECTIONS_PER_ADDRESS": "100000",
    "WARROOM_MAX_ROOMS": "100000",
}


class ServerError(Exception):
    """A server did not start."""


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
    folder: Path | None = None
    """Where its embedded store keeps its data."""

    def cost(self) -> Cost:
        """Return what the server itself has used, its store not included."""
        return cost_of(self.pid)

    def store_pid(self) -> int | None:
        """Return the process of the embedded store, which the server starts through another one."""
        stores = [pid for pid in descendants(self.pid) if STORE in Path(f"/proc/{pid}/comm").read_text()]
        return stores[0] if stores else None

    def store_cost(self) -> Cost:
        """Return what the embedded store has used."""
        pid = self.store_pid()
        return Cost(0.0, 0) if pid is None else cost_of(pid)


@contextmanager
def running(
    command: Sequence[str], *, environment: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """Run a server and stop it at the end, by force if it does not end by itself."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=cwd)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        output_of(process).close()


@contextmanager
def running_server(
    *flags: str, environment: Mapping[str, str] | None = None, prefix: Sequence[str] = ()
) -> Iterator[Server]:
    """Run `warroom serve` on a free port with an embedded store in a folder of its own.

    *prefix* comes before the command, for example to pin it to a core.
    """
    with tempfile.TemporaryDirectory(prefix="warroom-bench-") as folder:
        command = [*prefix, str(Path(sys.executable).parent / "warroom"), "serve", "--port", "0", "--admin-port", "0"]
        command += ["--data", folder, *flags]
        own = {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}
        with running(command, environment={**own, **UNLIMITED, **(environment or {})}) as process:
            yield Server(process.pid, _port(process), Path(folder))


def output_of(process: "subprocess.Popen[str]") -> IO[str]:
    """Return the captured output of a process."""
    assert process.stdout is not None
    return process.stdout


def _port(process: "subprocess.Popen[str]") -> int:
    for line in output_of(process):
        if found := ADDRESS.search(line):
            return int(found[1])
    raise ServerError(f"the server ended with exit code {process.wait()}")


def cost_of(pid: int) -> Cost:
    """Return what one process has used so far."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return Cost(time.clock_gettime(_cpu_clock(pid)), pages * PAGE_BYTES)
    except OSError:
        return Cost(0.0, 0)


def _cpu_clock(pid: int) -> int:
    """Return the clock of a process's user and system time: finer than the ticks in /proc."""
    return (~pid << 3) | 2


def descendants(pid: int) -> list[int]:
    """Return the processes that a process started, and those that they started."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
    return children + [grandchild for child in children for grandchild in descendants(child)]
