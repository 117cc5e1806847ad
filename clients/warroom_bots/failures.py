"""What went wrong in a bot, in one line that names its file."""

import re
from collections.abc import Callable
from pathlib import PurePath
from traceback import extract_tb
from typing import Final, TypeAlias

from warroom_bots.api import Bot

LONGEST: Final = 200
"""The longest message of an error, in characters."""

FRAME: Final = re.compile(r'File "(.+)", line (\d+)')
"""A frame in the text of a traceback, which is all that another process sends."""
LIBRARY: Final = re.compile(
    r"[/\\](?:site-packages|dist-packages|python3\.\d+|warroom_(?:bots|client|games|protocol))[/\\]|^<"
)
"""Files that a bot uses rather than consists of."""

Place: TypeAlias = tuple[str, int]
"""A file and a line in it."""


class BotFailedError(Exception):
    """A bot failed in a match without a clock, which cannot go on; the message is one line."""


class GameFailedError(Exception):
    """The rules of a game do not come back; the message is one line."""


def in_one_line(error: BaseException, bot: Bot | None = None) -> str:
    """Return an error and the line that raised it: in the file of the *bot*, if it is known, or of its author."""
    name, text = type(error).__name__, told(error)
    return located(name if text == name else f"{name}: {text}", error, bot)


def located(what: str, error: BaseException, bot: Bot | None = None) -> str:
    """Return a text and the line that raised an error, as `in_one_line` does."""
    places = _places(error)
    home = None if bot is None else _home(bot)
    own = [place for place in places if (home and place[0] == home[0]) or not LIBRARY.search(place[0])]
    return _with_place(what, [*own[-1:], *([home] if home else []), *places[-1:]])


def at_home(what: str, bot: Bot) -> str:
    """Return what a bot did wrong, and the line at which its choice begins."""
    home = _home(bot)
    return _with_place(what, [home] if home else [])


def told(error: BaseException) -> str:
    """Return the message of an error in one short line; the name of its type if it has none."""
    return " ".join(_text(error).split())[:LONGEST] or type(error).__name__


def _text(error: BaseException) -> str:
    """Return the whole message of an error; nothing if it cannot be told."""
    try:
        return "".join(str(error))  # an own kind of string becomes a plain one
    except BaseException:  # noqa: BLE001 - a stranger's error may raise anything, even SystemExit
        return ""


def _places(error: BaseException) -> list[Place]:
    """Return the frames of an error, which may have been raised in another process."""
    if error.__cause__ is not None and (found := FRAME.findall(_text(error.__cause__))):
        return [(file, int(line)) for file, line in found]
    return [(frame.filename, frame.lineno or 0) for frame in extract_tb(error.__traceback__)]


def _home(bot: Bot) -> Place | None:
    """Return where the code begins that chooses; None if it is not Python."""
    choose: Callable[..., object] = getattr(bot, "function", bot.choose)
    code = getattr(choose, "__code__", None)
    return None if code is None else (code.co_filename, code.co_firstlineno)


def _with_place(what: str, places: list[Place]) -> str:
    return f"{what} ({PurePath(places[0][0]).name}, line {places[0][1]})" if places else what
