"""Stores tokens and unfinished seats between runs of a program, for people and for bots.

Several servers may use one address, one after the other, and each knows only its own tokens. So each address keeps a
list, and a token that one server refuses stays stored for the other.
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

PLAYERS: Final = "players"
BOTS: Final = "bots"
"""Bots have a folder of their own, because one may have the name of a person."""
SLOTS: Final = 64
"""Number of players of one name on this machine."""
SERVERS: Final = 8
"""Number of servers remembered per address; the least recently visited is dropped first."""


class SavedIdentity(Struct, frozen=True):
    """A player's id and token on one server, and the room (with game and key) of an unfinished match."""

    player: str
    token: str
    game: str | None = None
    room: int | None = None
    key: str | None = None


class IdentityFileError(Exception):
    """The file cannot be read or written."""


class IdentityFile:
    """One player's file, locked by one process at a time; use it as a context manager.

    *kept* has one entry per server, most recently visited first.
    """

    def __init__(self, path: Path, lock: TextIO, slot: int) -> None:
        self.slot = slot
        """The number of this player among those of the same name, from 1."""
        self._path = path
        self._lock = lock
        self.kept: tuple[SavedIdentity, ...] = _read(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.close()

    def keep(self, identity: SavedIdentity) -> None:
        """Save an entry, readable by the user alone; it replaces the player's previous one."""
        others = [other for other in self.kept if other.player != identity.player]
        kept = (identity, *others)[:SERVERS]
        if kept == self.kept:
            return
        fresh = self._path.with_suffix(".new")
        try:
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(msgspec.json.encode(kept))
            fresh.replace(self._path)
        except OSError as error:
            raise IdentityFileError(f"cannot write {self._path}: {error.strerror}") from error
        self.kept = kept


def state_folder(environment: Mapping[str, str], whose: str) -> Path:
    """Return the folder of the user's state for `PLAYERS` or for `BOTS`."""
    base = environment.get("XDG_STATE_HOME") or Path(environment.get("HOME") or Path.home(), ".local", "state")
    return Path(base, "warroom", whose)


def open_identity_file(folder: Path, url: str, name: str) -> IdentityFile:
    """Lock the file of the first player of this name that no other process uses.

    Two processes at once are therefore two players, and a restarted process is the same player again.
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
            return IdentityFile(folder / f"{label}-{slot}.json", lock, slot)
    except OSError as error:
        raise IdentityFileError(f"cannot use {folder}: {error.strerror}") from error
    raise IdentityFileError(f"{SLOTS} players named {name!r} are already playing on this machine")


def read_identities(folder: Path, url: str, name: str) -> tuple[SavedIdentity, ...]:
    """Return the entries of the first player of this name, even while another process plays as that player."""
    return _read(folder / f"{_label(url, name)}-1.json")


def _label(url: str, name: str) -> str:
    return sha256(f"{url}\n{name}".encode()).hexdigest()[:16]


def _read(path: Path) -> tuple[SavedIdentity, ...]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[SavedIdentity, ...])
    except (OSError, msgspec.MsgspecError):
        # A missing or unreadable file means a new player.
        return ()
