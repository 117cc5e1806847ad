"""A server for the matches of an arena, which keeps nothing and ends with it."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import IO, Final

import msgspec
from msgspec import Struct

_COMMAND: Final = (sys.executable, "-P", "-c", "from warroom_server.cli import main; raise SystemExit(main())")
_SETTINGS: Final = {
    "WARROOM_REDIS": "memory://",
    "WARROOM_TIED": "1",
    "WARROOM_LOG_LEVEL": "warning",
    "WARROOM_MESSAGES_PER_S": "100000",
    "WARROOM_MESSAGES_BURST": "100000",
    "WARROOM_BYTES_PER_S": "10000000",
    "WARROOM_BYTES_BURST": "10000000",
}
"""In memory, bound to this process by its standard input, and without the limits for strangers."""
_STOP_S: Final = 20.0
_CHUNK: Final = 65_536


class ServerError(RuntimeError):
    """The server did not start."""


class _Address(Struct):
    host: str
    port: int


@contextmanager
def own_server(extra_games: Sequence[str]) -> Iterator[str]:
    """Run a server and yield its address for clients; raise `ServerError` if it does not start."""
    flags = [flag for game in extra_games for flag in ("--game", game)]
    command = [*_COMMAND, "serve", "--port", "0", "--admin-port", "0", "--no-bots", *flags]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}
    environment = {**inherited, **_SETTINGS, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    # Without a buffer, the output can be closed while it is read.
    with subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            address = _address(server.stdout)
            Thread(target=_discard, args=(server.stdout,), daemon=True).start()
            yield address
        finally:
            server.stdin.close()
            try:
                server.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                server.kill()


def _address(output: IO[bytes]) -> str:
    """Return the address that a server prints; games may print other lines before it."""
    for line in output:
        with suppress(msgspec.DecodeError):
            address = msgspec.json.decode(line, type=_Address)
            return f"ws://{address.host}:{address.port}/ws"
    raise ServerError("the server for the arena did not start")


def _discard(output: IO[bytes]) -> None:
    """Read what games print, which would stop the server once the pipe is full."""
    with suppress(OSError, ValueError):
        while output.read(_CHUNK):
            pass
