"""Names that are shown: those that people choose, with nothing invisible or misleading in them, and the server's."""

import unicodedata

MAX_LENGTH = 24
_MAX_MARKS = 2


def server_name(version: str) -> str:
    """Return what a server of that version calls itself in `welcome`."""
    return f"warroom/{version}"


def clean_name(wish: str, fallback: str) -> str:
    """Return *wish* as it may be shown, or *fallback* if nothing visible is left of it.

    Control, format (among them those that turn the direction of writing), private and unassigned characters go, white
    space becomes single spaces, marks do not pile up, and the rest is in composed form (NFC), at most 24 characters.
    """
    visible = "".join(" " if character.isspace() else character for character in wish if _is_shown(character))
    # Composed last: what was between a letter and its mark may have gone just now.
    composed = unicodedata.normalize("NFC", visible)
    name = " ".join(_without_piles(composed).split())[:MAX_LENGTH].rstrip()
    return name if any(not _is_mark(character) for character in name) else fallback


def _is_shown(character: str) -> bool:
    return character.isspace() or not unicodedata.category(character).startswith("C")


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
