"""Display names: those of people, without invisible or misleading characters, and the server's."""

import re
import unicodedata

MAX_LENGTH = 24
"""How long a name may be."""
MAX_LINE = 300
"""How long a chat line may be."""
_MAX_MARKS = 2
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Characters that are blank although Unicode calls them letters, marks or symbols."""


def server_name(version: str) -> str:
    """Return the name of a server of that version, for `welcome`."""
    return f"warroom/{version}"


def clean_name(wish: str, fallback: str) -> str:
    """Return *wish* cleaned, at most 24 characters, or *fallback* if nothing visible is left."""
    return _clean(wish, MAX_LENGTH) or fallback


def clean_line(text: str) -> str:
    """Return a chat line cleaned, at most 300 characters; empty if nothing visible is left."""
    return _clean(text, MAX_LINE)


def _clean(text: str, length: int) -> str:
    """Return *text* without invisible or misleading characters.

    Removes control, format (such as changes of the writing direction), private, unassigned and blank characters and
    surplus combining marks, turns white space into single spaces, and composes the rest (NFC).
    """
    visible = "".join(" " if character.isspace() else character for character in text if _is_shown(character))
    # Composed last: characters between a letter and its mark may just have been removed.
    composed = unicodedata.normalize("NFC", visible)
    line = " ".join(_without_piles(composed).split())[:length].rstrip()
    return line if any(not _is_mark(character) for character in line) else ""


def _is_shown(character: str) -> bool:
    is_visible = character.isspace() or not unicodedata.category(character).startswith("C")
    return is_visible and not _BLANK.match(character)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me")


def _without_piles(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if _is_mark(character) else 0
        if marks <= _MAX_MARKS:
            kept.append(character)
    return "".join(kept)
