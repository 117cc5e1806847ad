"""Names of things, and the nearest known name for an unknown one: docs/rules/thardferr.md, section 1."""

from collections.abc import Collection, Iterable, Mapping
from difflib import SequenceMatcher

from warroom_games.api import RulesError

_COMPARED_CHARS = 64
"""Longer than any name. Longer texts are not compared, because the time grows faster than the length."""


class UnknownNameError(RulesError):
    """The name is unknown; the message has the nearest known name, and all of them."""  # §1.3

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        self.nearest = _nearest(name, self.known)
        super().__init__(f"unknown {kind} {name!r}; did you mean {self.nearest!r}? (known: {', '.join(self.known)})")


def known_name(kind: str, name: str, known: Collection[str], also: Mapping[str, str] | None = None) -> str:
    """Return the name as *known* has it, with other spellings in *also*; raise `UnknownNameError`."""
    if name in known:
        return name
    meant = also.get(name) if also else None
    if meant is not None and meant in known:
        return meant
    raise UnknownNameError(kind, name, known)


def _nearest(name: str, known: tuple[str, ...]) -> str:
    meant = name[:_COMPARED_CHARS].lower()
    return max(known, key=lambda other: SequenceMatcher(None, meant, other.lower()).ratio())
