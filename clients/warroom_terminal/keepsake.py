"""What a player keeps from one visit to the next: tokens, and the seats to come back to.

Several servers may answer at one address, one after the other: each knows only the tokens that it made itself. So what
is kept for an address is a list, and a token that one server refuses waits for the other.
"""

import fcntl
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TextIO

import msgspec
from msgspec import Struct

SLOTS: Final = 64
"""How many players of one name this machine keeps apart."""
SERVERS: Final = 8
"""On how many servers at one address a player is remembered; the one that was visited longest ago is forgotten."""


class Keepsake(Struct, frozen=True):
    """A player's id and token on one server, and the room there (with its game and key) where a seat waits."""

    player: str
    token: str
    game: str | None = None
    room: int | None = None
    key: str | None = None


class KeepsakeError(Exception):
    """The file cannot be read or written."""


class KeepsakeFile:
    """One player's file, which only one process holds at a time; use it as a context manager.

    *kept* holds what is known of each server, the one that was visited last first.
    """

    def __init__(self, path: Path, lock: TextIO, slot: int) -> None:
        self.slot = slot
        """Which of the players of this name it is, from 1 on."""
        self._path = path
        self._lock = lock
        self.kept = _read(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.close()

    def keep(self, keepsake: Keepsake) -> None:
        """Write what is to be known next time, readable for nobody else; it takes the place of that player's last."""
        others = [other for other in self.kept if other.player != keepsake.player]
        kept = (keepsake, *others)[:SERVERS]
        if kept == self.kept:
            return
        fresh = self._path.with_suffix(".new")
        try:
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(msgspec.json.encode(kept))
            fresh.replace(self._path)
        except OSError as error:
            raise KeepsakeError(f"cannot write {self._path}: {error.strerror}") from error
        self.kept = kept


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder in which the user's programs keep their state."""
    base = environment.get("XDG_STATE_HOME") or Path(environment.get("HOME") or Path.home(), ".local", "state")
    return Path(base, "warroom", "players")


def open_keepsake(folder: Path, url: str, name: str) -> KeepsakeFile:
    """Return the file of the first player of this name, on this server, that no other process plays as.

    So whoever starts the same command twice is two players, and whoever starts it again is the same one.
    """
    label = _label(url, name)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for slot in range(1, SLOTS + 1):
            lock = open(folder / f"{label}-{slot}.lock", "a", encoding="utf-8")  # noqa: SIM115 - held while playing
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                continue
            return KeepsakeFile(folder / f"{label}-{slot}.json", lock, slot)
    except OSError as error:
        raise KeepsakeError(f"cannot use {folder}: {error.strerror}") from error
    raise KeepsakeError(f"{SLOTS} players called {name!r} play on this machine already")


def read_keepsakes(folder: Path, url: str, name: str) -> tuple[Keepsake, ...]:
    """Return what the first player of this name keeps, also while another process plays as that player."""
    return _read(folder / f"{_label(url, name)}-1.json")


def _label(url: str, name: str) -> str:
    return sha256(f"{url}\n{name}".encode()).hexdigest()[:16]


def _read(path: Path) -> tuple[Keepsake, ...]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[Keepsake, ...])
    except (OSError, msgspec.MsgspecError):
        # Nothing was kept, or nothing that can be read: a new player then.
        return ()
