"""What a server in a process of its own has done and holds, seen from outside."""

import re
from pathlib import Path

from server_process import ServerProcess


def memory_bytes(pid: int) -> int:
    """Return how much memory a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return 1024 * int(found[1])


def counted(server: ServerProcess, name: str) -> float:
    """Return what a server has counted so far."""
    return _metric(server, f"{name}_total")


def gauge(server: ServerProcess, name: str) -> float:
    """Return how many there are of something now."""
    return _metric(server, name)


def _metric(server: ServerProcess, name: str) -> float:
    found = re.search(rf"^warroom_{name} (\S+)", server.metrics(), re.MULTILINE)
    assert found is not None, name
    return float(found[1])
