"""A process that plays some rows of a batch in shared memory, and the parent's end of the line to it.

The process ends when the parent says so or is gone, whichever way it went.
"""

import signal
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from typing import Any, Literal, TypeAlias

import numpy as np

from warroom_rl.batch import Arrays, Batch, Order
from warroom_rl.errors import LearningError, WorkerError

PATIENCE_S = 5.0
"""How long a process may take to end before it is killed."""

Shared: TypeAlias = tuple[tuple[Any, tuple[int, ...], str], ...]
"""The shared memory, shape and type of each array."""

Request: TypeAlias = Sequence[int | None] | Literal["check", "step"]
"""Seeds to begin with, a look at the actions, or the next step."""


class BatchProcess:
    """The parent's end: asks for one thing at a time."""

    def __init__(self, context: BaseContext, order: Order, shared: Shared, rows: tuple[int, int]) -> None:
        self._line, theirs = context.Pipe()
        self._process: Any = context.Process(  # type: ignore[attr-defined]
            target=serve, args=(theirs, self._line, order, shared, rows), daemon=True
        )
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """The id of the process."""
        pid: int = self._process.pid
        return pid

    def ask(self, request: Request) -> None:
        """Let it begin its matches or play a step."""
        try:
            self._line.send(request)
        except OSError as error:
            raise self._gone() from error

    def wait(self) -> LearningError | None:
        """Wait until it is done; return the error that prevented it."""
        try:
            error: LearningError | None = self._line.recv()
        except (EOFError, OSError) as ended:
            raise self._gone() from ended
        return error

    def end(self) -> None:
        """End the process, whatever it does."""
        self._line.close()
        self._process.join(PATIENCE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()

    def _gone(self) -> WorkerError:
        self._process.join(PATIENCE_S)
        return WorkerError(f"a process that played matches has ended with exit code {self._process.exitcode}")


def serve(line: Connection, parents: Connection, order: Order, shared: Shared, rows: tuple[int, int]) -> None:
    """Do what is asked over *line* until it is closed."""
    parents.close()  # a copy, which would keep the line open without the parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    batch = Batch(order, order.setting(), attached(shared).rows(*rows))
    while True:
        try:
            request: Request = line.recv()
        except (EOFError, OSError):
            return
        line.send(done(batch, request))


def attached(shared: Shared) -> Arrays:
    """Return the arrays in shared memory."""
    return Arrays._make(np.frombuffer(memory, kind).reshape(shape) for memory, shape, kind in shared)


def done(batch: Batch, request: Request) -> LearningError | None:
    """Do what is asked; return the error that prevented it."""
    try:
        if request == "step":
            batch.step()
        elif request == "check":
            batch.check()
        else:
            batch.reset(request)
    except LearningError as error:
        return error
    return None
