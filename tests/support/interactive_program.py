"""Runs a program that a test talks to; it ends with the block, and nothing of it stays open."""

import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def program(command: Sequence[str], *, within_s: float, cwd: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """Run *command* with its output in pipes; whoever waits for a line of it waits *within_s* at the most.

    Its output is buffered as in a user's pipe, whatever the environment of the tests says.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=cwd, env=environment, stdout=pipe, stderr=pipe, text=True) as running:
        deadline = threading.Timer(within_s, running.kill)
        deadline.start()
        try:
            yield running
        finally:
            deadline.cancel()
            deadline.join()
            running.kill()
