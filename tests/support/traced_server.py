"""Servers in a thread of their own whose function calls a test records."""

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar

import uvloop

import warroom_server
from warroom_server.app import Server
from warroom_server.config import Settings
from warroom_server.loop.tasks import Supervisor

T = TypeVar("T")

STARTED_WITHIN_S = 30.0
SERVER = Path(warroom_server.__file__).parent


class CallRecorder:
    """Notes each Python function that the server's thread calls."""

    def __init__(self) -> None:
        self._codes: list[CodeType] = []

    def hear(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take a profile event."""
        if event == "call":
            self._codes.append(frame.f_code)

    def take(self) -> list[CodeType]:
        """Return the calls so far, and begin anew."""
        codes, self._codes = self._codes, []
        return codes


class TracedServers:
    """Nodes that share one loop in one thread, so that a single trace shows what passes between them.

    The clients run in the test's own thread. The profiler does not see them.
    """

    def __init__(self, recorder: CallRecorder) -> None:
        self._loop = uvloop.new_event_loop()
        self._recorder = recorder
        self._stacks: list[AsyncExitStack] = []
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def open(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop all servers and the thread."""
        for stack in reversed(self._stacks):
            self._run(stack.aclose)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(STARTED_WITHIN_S)
        self._loop.close()

    def start(self, settings: Settings) -> Server:
        """Start a server on free ports."""
        stack = AsyncExitStack()
        self._stacks.append(stack)
        return self._run(lambda: Server.start(settings, stack, Supervisor(asyncio.Event())))

    def do(self, callback: Callable[[], None]) -> None:
        """Run *callback* in the thread of the servers."""

        async def run() -> None:
            callback()

        self._run(run)

    @contextmanager
    def recording(self) -> Iterator[CallRecorder]:
        """Record calls until the block ends."""
        self.do(lambda: sys.setprofile(self._recorder.hear))
        self._recorder.take()
        try:
            yield self._recorder
        finally:
            self.do(lambda: sys.setprofile(None))

    def _run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(STARTED_WITHIN_S)


@contextmanager
def traced_servers(recorder: CallRecorder | None = None) -> Iterator[TracedServers]:
    """Return a place for servers, and stop them at the end."""
    servers = TracedServers(recorder or CallRecorder())
    servers.open()
    try:
        yield servers
    finally:
        servers.close()


def module_of(code: CodeType) -> str | None:
    """Return the module of a function below the server's package, such as `room.room`; None for other code."""
    path = Path(code.co_filename)
    if not path.is_relative_to(SERVER):
        return None
    return ".".join(path.relative_to(SERVER).with_suffix("").parts)


def name_of(code: CodeType) -> str | None:
    """Return a function of the server as `module.function`; None for other code, lambdas and comprehensions."""
    module = module_of(code)
    return None if module is None or code.co_name.startswith("<") else f"{module}.{code.co_name}"
