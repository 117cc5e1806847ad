"""What a player may do, numbered for choosing, and what a player typed, read as an action."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
import msgspec.inspect

from warroom_games.api import AnyGame
from warroom_protocol.limits import MAX_DEPTH, MAX_INTEGER
from warroom_protocol.messages import View

PAGE_ROWS: Final = 12
WIDTH: Final = 100
SHORT: Final = 32
"""So much is repeated of what cannot be read."""
GAP: Final = 3
DIGITS: Final = len(str(MAX_INTEGER))


class UnreadableError(Exception):
    """What was typed is no action; says why, and what would be."""


class Choices:
    """The legal actions of one decision; number 1 is the first. *kinds* are those that the game knows at all."""

    def __init__(self, actions: Sequence[View], *, is_complete: bool, turn: int, kinds: Collection[str] = ()) -> None:
        self.turn = turn
        self._kinds = kinds
        self._actions = tuple(actions)
        self._texts = tuple(map(spelt, actions))
        self._is_complete = is_complete

    def __len__(self) -> int:
        return len(self._actions)

    def page(
        self, text: str = "", first: int = 0, width: int = WIDTH, rows: int = PAGE_ROWS
    ) -> tuple[list[str], int | None]:
        """Return the choices in which all words of *text* occur, from the *first* on, and where the next page begins.

        They stand in columns. The second value is None where there is nothing more.
        """
        words = text.lower().split()
        found = [
            f"{number:>3} {each}"
            for number, each in enumerate(self._texts, start=1)
            if all(word in each.lower() for word in words)
        ]
        shown = found[first:]
        across = max(1, width // (max(map(len, shown), default=1) + GAP))
        rest = first + rows * across if len(shown) > rows * across else None
        return _columns(shown[: rows * across], across), rest

    def count(self, text: str = "") -> int:
        """Return in how many choices all words of *text* occur."""
        words = text.lower().split()
        return sum(all(word in each.lower() for word in words) for each in self._texts)

    def read(self, text: str) -> View:
        """Return the action that was typed: its number, or its type with its fields, by name or in their order."""
        if text.isdecimal():
            return self._numbered(text)
        kind, *words = text.split()
        fields = self._fields(kind)
        action: dict[str, object] = {"type": kind}
        unnamed = iter(fields)
        for word in words:
            name, equals, value = word.partition("=")
            if not equals:
                name, value = next(unnamed, ""), word
            if not name:
                raise UnreadableError(f"{word!r}: write it as field=value")
            action[name] = _sendable(plain(value), word)
        return action

    def _numbered(self, text: str) -> View:
        number = whole(text)
        if number is None or not 1 <= number <= len(self._actions):
            raise UnreadableError(
                f"there is no choice {text[:DIGITS]}; /legal lists them, from 1 to {len(self._actions)}"
            )
        return self._actions[number - 1]

    def _fields(self, kind: str) -> tuple[str, ...]:
        """Return the fields of actions of a type, as far as they are known from the list."""
        kinds = {}
        for action in self._actions:
            if isinstance(action, dict):
                kinds[str(action.get("type"))] = tuple(str(key) for key in action if key != "type")
        if kind not in kinds and self._is_complete:
            raise UnreadableError(f"{_short(kind)} cannot be done now; there is {', '.join(kinds) or 'nothing'}")
        if kind not in kinds and self._kinds and kind not in self._kinds:
            raise UnreadableError(f"there is no action {_short(kind)}; there is {', '.join(self._kinds)}")
        return kinds.get(kind, ())


def action_kinds(game: AnyGame | None) -> tuple[str, ...]:
    """Return the types of all actions that a game has; nothing if it is not installed here."""
    if game is None:
        return ()
    found = msgspec.inspect.type_info(game.action_type)
    parts = found.types if isinstance(found, msgspec.inspect.UnionType) else (found,)
    return tuple(str(part.tag) for part in parts if isinstance(part, msgspec.inspect.StructType))


def spelt(action: View) -> str:
    """Return an action the way it can be typed: `attack source=9 target=2`."""
    if not isinstance(action, dict):
        return _value(action)
    fields = [f"{key}={_value(value)}" for key, value in action.items() if key != "type"]
    return " ".join([str(action.get("type", "")), *fields])


def plain(text: str) -> object:
    """Read a value: what is no JSON is text, and commas make a list."""
    if "," in text and text[0] not in '[{"':
        return [plain(each) for each in text.split(",") if each]
    try:
        value: object = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
    return value


def whole(text: str) -> int | None:
    """Read a number that was typed; None if it is none, or larger than any that can be sent."""
    # Counted first, for reading thousands of digits is refused with another error.
    if not text.isdecimal() or len(text) > DIGITS or int(text) > MAX_INTEGER:
        return None
    return int(text)


def _sendable(value: object, typed: str, depth: int = 0) -> object:
    """Return a value that was typed, unless it holds what no message can."""
    match value:
        case list() | dict() if depth >= MAX_DEPTH:
            raise UnreadableError(f"{_short(typed)}: there are too many brackets in brackets")
        case float():
            raise UnreadableError(f"{_short(typed)}: only whole numbers can be played")
        case int() if abs(value) > MAX_INTEGER:
            raise UnreadableError(f"{_short(typed)}: the number is too large")
        case list():
            return [_sendable(each, typed, depth + 1) for each in value]
        case dict():
            return {key: _sendable(each, typed, depth + 1) for key, each in value.items()}
        case _:
            return value


def _short(typed: str) -> str:
    return repr(typed if len(typed) <= SHORT else f"{typed[: SHORT - 1]}…")


def _value(value: View) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(each, int | str) for each in value) and len(value) > 1:
        return ",".join(map(str, value))
    return msgspec.json.encode(value).decode()


def _columns(texts: Sequence[str], across: int) -> list[str]:
    rows = -(-len(texts) // across)
    width = max(map(len, texts), default=0) + GAP
    return ["".join(text.ljust(width) for text in texts[row::rows]).rstrip() for row in range(rows)]
