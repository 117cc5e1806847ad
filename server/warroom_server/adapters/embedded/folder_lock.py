"""Locks on files in a data folder. A lock ends with the last process that holds it, however that process ends."""

import fcntl
import os
from pathlib import Path


class FolderLock:
    """An exclusive lock on one file, held from `acquire` until `release`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def acquire(self) -> bool:
        """Take the lock if it is free, and write the id of this process to the file."""
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        os.truncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        self._file = file
        return True

    def fileno(self) -> int:
        """Return the descriptor; a child that inherits it holds the lock too, beyond this process's `release`."""
        if self._file is None:
            raise ValueError(f"{self.path} is not locked")
        return self._file

    def release(self) -> None:
        """Release the lock; harmless if it is not held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def holder(self) -> str:
        """Return the process id of the holder, or `unknown`."""
        try:
            return self.path.read_text().strip() or "unknown"
        except OSError:
            return "unknown"
