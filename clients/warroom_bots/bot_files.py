"""Imports bots from files that are in no package, under names that every process understands.

The name of such a module contains the path of its file. So a bot can be sent to another process, which imports the same
file when it unpickles the bot.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import Final

PREFIX: Final = "warroom_bot_file_"


class BotFileError(ValueError):
    """A file cannot be imported; the message is one line."""


class _Finder(MetaPathFinder):
    """Finds the file that the name of a module contains."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(PREFIX):
            return None
        file = Path(bytes.fromhex(fullname.removeprefix(PREFIX)).decode())
        if str(file.parent) not in sys.path:
            sys.path.append(str(file.parent))  # last: its neighbours must not hide installed packages
        return spec_from_file_location(fullname, file)


sys.meta_path.append(_Finder())


def import_file(file: Path) -> ModuleType:
    """Import a Python file, once per process; raise `BotFileError` whatever goes wrong."""
    if not file.is_file():
        raise BotFileError(f"{file} is a folder, not a file" if file.is_dir() else f"there is no file {file}")
    path = file.resolve()
    try:
        return import_module(PREFIX + str(path).encode().hex())
    except SyntaxError as error:
        raise BotFileError(f"{error.filename or file}, line {error.lineno}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        # Importing runs somebody's code, which may raise anything; the message says where.
        what = " ".join(f"{type(error).__name__}: {error}".split())
        lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)]
        where = f"{file}, line {lines[-1]}" if lines else str(file)
        raise BotFileError(f"{where}: {what}") from error
