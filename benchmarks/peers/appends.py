"""What a bare append to a server's own store takes: the floor under every verdict of a durable server."""

import socket
import statistics
import time
from pathlib import Path

APPENDS = 300
REQUEST = b"*3\r\n$5\r\nRPUSH\r\n$5\r\nbench\r\n$64\r\n" + bytes(range(64)) + b"\r\n"


def append_ms(folder: Path, appends: int = APPENDS) -> float:
    """Append to a list of the embedded store in *folder*, one entry at a time; return the median in milliseconds."""
    times = []
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(folder / "store.sock"))
        for _ in range(appends):
            began_s = time.perf_counter()
            connection.sendall(REQUEST)
            answer = connection.recv(64)
            times.append((time.perf_counter() - began_s) * 1000)
            if not answer.startswith(b":"):
                raise ConnectionError(f"the store answered {answer!r} to an append")
    return statistics.median(times)
