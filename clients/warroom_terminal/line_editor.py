"""Edits the input line, independent of printed output; does no I/O."""

import codecs
from collections import deque
from enum import Enum
from typing import Final

HISTORY: Final = 100


class _Mode(Enum):
    PLAIN = "plain"
    ESCAPED = "escaped"
    SEQUENCE = "sequence"


class LineEditor:
    """Takes keys and yields whole lines; None means end of input (Ctrl-D on an empty line)."""

    def __init__(self) -> None:
        self.text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._mode = _Mode.PLAIN
        self._past: deque[str] = deque(maxlen=HISTORY)
        self._back = 0

    def feed(self, keys: bytes) -> list[str | None]:
        """Process keys and return the completed lines."""
        done: list[str | None] = []
        for letter in self._decoder.decode(keys):
            match self._mode:
                case _Mode.PLAIN:
                    self._type(letter, done)
                case _Mode.ESCAPED:
                    self._mode = _Mode.SEQUENCE if letter in "[O" else _Mode.PLAIN
                case _Mode.SEQUENCE:
                    self._finish(letter)
        return done

    def _type(self, letter: str, done: list[str | None]) -> None:
        match letter:
            case "\r" | "\n":
                if self.text.strip():
                    self._past.append(self.text)
                done.append(self.text)
                self._set("", 0)
            case "\x7f" | "\b":
                self.text = self.text[:-1]
            case "\x15":  # Ctrl-U
                self.text = ""
            case "\x17":  # Ctrl-W
                self.text = self.text.rstrip().rpartition(" ")[0]
            case "\x04":  # Ctrl-D
                if not self.text:
                    done.append(None)
            case "\x1b":
                self._mode = _Mode.ESCAPED
            case _:
                self.text += letter if letter.isprintable() else ""

    def _finish(self, letter: str) -> None:
        """Handle an escape sequence such as an arrow key; up and down move through the history."""
        if not "@" <= letter <= "~":
            return
        self._mode = _Mode.PLAIN
        if letter == "A" and self._back < len(self._past):
            self._set(self._past[-self._back - 1], self._back + 1)
        elif letter == "B" and self._back:
            self._set(self._past[-self._back + 1] if self._back > 1 else "", self._back - 1)

    def _set(self, text: str, back: int) -> None:
        self.text, self._back = text, back
