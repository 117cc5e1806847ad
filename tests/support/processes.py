"""What the system knows about the processes that a server has started."""

import os
import time
from pathlib import Path

POLL_S = 0.02


def commands_below(pid: int) -> dict[int, list[str]]:
    """Return the processes that *pid* started, and those that they did, each with its command line."""
    found: dict[int, list[str]] = {}
    for child in _children(pid):
        try:
            command = Path(f"/proc/{child}/cmdline").read_bytes().decode().split("\0")
        except FileNotFoundError:
            continue
        found |= {child: command, **commands_below(child)}
    return found


def worker_of(pid: int, *, but: int | None = None, within_s: float = 20.0) -> int:
    """Return the bot worker that the server *pid* has started, once there is one; *but* is not meant."""
    deadline_s = time.monotonic() + within_s
    while time.monotonic() < deadline_s:
        workers = [child for child, command in commands_below(pid).items() if "worker" in command and child != but]
        if workers:
            return workers[0]
        time.sleep(POLL_S)
    raise AssertionError(f"server {pid} has no worker")


def await_end(pid: int, within_s: float = 20.0) -> None:
    """Return once a process that is not ours is gone."""
    deadline_s = time.monotonic() + within_s
    while is_alive(pid):
        assert time.monotonic() < deadline_s, f"process {pid} still runs"
        time.sleep(POLL_S)


def _children(pid: int) -> list[int]:
    try:
        threads = os.listdir(f"/proc/{pid}/task")
        return [
            int(child)
            for thread in threads
            for child in Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        ]
    except FileNotFoundError:
        return []


def is_alive(pid: int) -> bool:
    """Whether a process runs: one that waits to be reaped does not, nor does one that has gone meanwhile."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
