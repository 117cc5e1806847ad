"""`warroom serve --reload`: a server in a child process, which is restarted when the files of a game change.

The store has the rooms, so a restarted server continues those that its rules still fit, and clients resume. Before a
restart the games are loaded in another process: while one of them does not load, the old server runs on.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import IO, Final

import msgspec

from warroom_server.adapters.process.kept_child import WARROOM, plain_environment
from warroom_server.adapters.process.own_address import Address
from warroom_server.cli import FAILED
from warroom_server.commands.loaded_games import LoadedGames, look
from warroom_server.commands.watched_files import WatchedFiles
from warroom_server.config import Settings, as_variables

POLL_S: Final = 0.3
"""How often the files are looked at."""
SETTLED_S: Final = 0.1
"""How long they must stay unchanged before a restart: editors and tools write several files one after another."""
STOP_S: Final = 30.0
NAMED: Final = 3
"""The limit of changed files that one line names."""


class ReloadingServer:
    """Runs one server after the other, until SIGTERM or SIGINT; a second signal ends the server at once.

    *announce* is called once, when the first server is ready. All servers listen on its ports.
    """

    def __init__(self, settings: Settings, announce: Callable[[Address], None]) -> None:
        self._settings = settings
        self._announce = announce
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> int:
        """Serve, and return the exit code."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._be_asked_to_stop)
        games = look(self._settings.games)
        if games.error is not None:
            return self._complain(games.error)
        files = WatchedFiles(map(Path, games.roots))
        address = self._start()
        if address is None:
            return self._end()
        self._settings = msgspec.structs.replace(
            self._settings, port=address.port, admin_port=address.admin_port
        )  # the next one listens where clients know it
        self._announce(address)
        print(f"Restarts when files change in {_listed(games.roots)}", flush=True)
        while not self._stopping.wait(POLL_S):
            self._note_end()
            if changed := self._settled(files):
                games = self._reload(games, files, changed)
        return self._end()

    def _settled(self, files: WatchedFiles) -> list[Path]:
        """Return the changed files, once they do not change any more."""
        changed = set(more := files.changed())
        while more and not self._stopping.wait(SETTLED_S):
            changed |= set(more := files.changed())
        return sorted(changed)

    def _reload(self, before: LoadedGames, files: WatchedFiles, changed: Sequence[Path]) -> LoadedGames:
        """Restart the server, unless it would lose a game; return what it has loaded."""
        began_s = monotonic()
        games = look(self._settings.games)
        lost = [why for name, why in games.broken.items() if name not in before.broken]
        if games.error is not None or lost:
            what = "; ".join(lost) if games.error is None else games.error
            self._complain(f"not reloaded: {what}")
            return before
        files.watch(map(Path, games.roots))
        self._end()
        if self._stopping.is_set():
            return games
        if self._start() is None:
            self._complain("the server did not start again; it is tried after the next change")
            return before
        print(f"Reloaded in {monotonic() - began_s:.1f} s: {_listed([str(path) for path in changed])}", flush=True)
        return games

    def _start(self) -> Address | None:
        """Start a server, and return its address once it is ready; None if it ends before."""
        variables = as_variables(msgspec.structs.replace(self._settings, tied=True))
        self._process = subprocess.Popen(
            [sys.executable, *WARROOM, "serve"], env=plain_environment() | variables,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            # A Ctrl-C at the terminal is for this process, which stops its server itself.
            start_new_session=True,
        )  # fmt: skip
        if self._stopping.is_set():
            self._signal(signal.SIGTERM)  # the signal came before there was a process to pass it on to
        assert self._process.stdout is not None
        output = self._process.stdout
        address = _await_address(output)
        # From here on, only this thread uses the pipe, which must not fill up.
        threading.Thread(target=_pass_on, args=(output,), daemon=True).start()
        return address

    def _end(self) -> int:
        """Stop the server gracefully, and return its exit code."""
        process = self._process
        if process is None:
            return FAILED
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            code = process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        self._process = None  # not before: until here, a second signal ends it at once
        assert process.stdin is not None
        process.stdin.close()
        # A server that is asked to stop before it can listen to signals has done nothing yet.
        return 0 if self._stopping.is_set() and code == -signal.SIGTERM else code

    def _note_end(self) -> None:
        """Say that a server ended by itself; the next change starts another one."""
        if self._process is not None and (code := self._process.poll()) is not None:
            self._end()
            self._complain(f"the server ended with code {code}; it is started again after the next change")

    def _be_asked_to_stop(self, number: int, frame: FrameType | None) -> None:
        self._signal(signal.SIGKILL if self._stopping.is_set() else signal.SIGTERM)
        self._stopping.set()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    def _complain(self, what: str) -> int:
        print(f"warroom serve: {what}", file=sys.stderr, flush=True)
        return FAILED


def _await_address(output: IO[bytes]) -> Address | None:
    """Return the address that a server prints, or None if it ends before; what games print goes to stderr."""
    for line in output:
        try:
            return msgspec.json.decode(line[max(0, line.rfind(b"{")) :], type=Address)
        except (msgspec.DecodeError, UnicodeDecodeError):
            _tell(line)
    return None


def _pass_on(output: IO[bytes]) -> None:
    """Pass on what games print, until the end."""
    with output:
        for line in output:
            _tell(line)


def _tell(line: bytes) -> None:
    with suppress(OSError):  # nobody listens, but the server must not wait
        os.write(sys.stderr.fileno(), line)


def _listed(paths: Sequence[str]) -> str:
    """Name paths in one line, below the working directory where they are."""
    here = Path.cwd()
    shown = [os.path.relpath(path) if Path(path).is_relative_to(here) else path for path in paths[:NAMED]]
    more = [f"{len(paths) - NAMED} more"] if len(paths) > NAMED else []
    return ", ".join([*shown, *more])
