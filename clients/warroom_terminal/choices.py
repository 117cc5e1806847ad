"""Numbers the legal actions of a decision and parses typed input into actions."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from warroom_games.api import AnyGame
from warroom_games.forms import Field, Form, forms_of
from warroom_protocol.messages import View
from warroom_terminal.action_parser import (
    DIGITS,
    ParseError,
    assign_fields,
    check,
    short,
    shown,
    split_words,
    whole,
    with_expected_fields,
)

PAGE_ROWS: Final = 12
WIDTH: Final = 100
GAP: Final = 3
NOTE: Final = " · "
"""Separates a choice from the game's note on it. The player may type it; the parser ignores it."""


class Choices:
    """The legal actions of one decision; number 1 is the first. *forms* describe the game's actions, if the game is
    installed.

    *notes* hold the cost or gain of each action; an empty note is not shown.
    """

    def __init__(
        self,
        actions: Sequence[View],
        *,
        is_complete: bool,
        turn: int,
        forms: Mapping[str, Form] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.turn = turn
        self._actions = tuple(actions)
        self._forms = forms or {}
        noted = zip_longest(actions, notes[: len(actions)], fillvalue="")
        self._texts = tuple(self._with_note(action, str(note)) for action, note in noted)
        self._is_complete = is_complete
        self._listed = {_kind(action): _form_of(action) for action in actions}

    def __len__(self) -> int:
        return len(self._actions)

    def page(
        self, text: str = "", first: int = 0, width: int = WIDTH, rows: int = PAGE_ROWS
    ) -> tuple[list[str], int | None]:
        """Return one page of the choices that contain every word of *text*, in columns, and the start of the next page.

        The second value is None on the last page.
        """
        words = text.lower().split()
        found = [
            f"{number:>3} {each}"
            for number, each in enumerate(self._texts, start=1)
            if all(word in each.lower() for word in words)
        ]
        across = _across(found[first:], width, rows)
        last = first + rows * across
        return _columns(found[first:last], across), last if len(found) > last else None

    def count(self, text: str = "") -> int:
        """Count the choices that contain every word of *text*."""
        words = text.lower().split()
        return sum(all(word in each.lower() for word in words) for each in self._texts)

    def read(self, text: str) -> View:
        """Parse an action: its number, or its type with fields by name or in order."""
        text = text.partition(NOTE)[0]
        if text.isdecimal():
            return self._numbered(text)
        kind, *words = split_words(text)
        form = self._form(kind)
        try:
            filled = assign_fields(form, words)
            check(form, filled)
        except ParseError as error:
            raise with_expected_fields(kind, form, error, self._example(kind, words)) from error
        return {"type": kind, **filled}

    def spelt(self, action: View) -> str:
        """Return an action as the list shows it."""
        return spelt(action, self._forms.get(_kind(action), ()))

    def _with_note(self, action: View, note: str) -> str:
        """Return an action for the list. An action with a note drops its field names to save room."""
        return f"{briefly(action, self._forms.get(_kind(action), ()))}{NOTE}{note}" if note else self.spelt(action)

    def _numbered(self, text: str) -> View:
        number = whole(text)
        if number is None or not 1 <= number <= len(self._actions):
            raise ParseError(f"no choice {text[:DIGITS]}; choose 1 to {len(self._actions)} (/legal lists them)")
        return self._actions[number - 1]

    def _form(self, kind: str) -> Form:
        """Return the form of an action type."""
        if kind in self._forms:
            return self._forms[
                kind
            ]  # An unlisted type passes too: the rules give a better reason than this parser could.
        if self._forms:
            raise ParseError(f"unknown action {short(kind)}; the actions are: {', '.join(self._forms)}")
        if kind not in self._listed and self._is_complete:
            raise ParseError(f"{short(kind)} is not possible now; you can: {', '.join(self._listed) or 'nothing'}")
        return self._listed.get(kind, ())

    def _example(self, kind: str, words: Sequence[str]) -> str | None:
        """Return a choice of this type as it can be typed, preferring one that starts like *words*."""
        examples = [briefly(action, self._form(kind)) for action in self._actions if _kind(action) == kind]
        alike = " ".join([kind, *words[:1], ""])
        return next((each for each in examples if each.startswith(alike)), examples[0] if examples else None)


def action_forms(game: AnyGame | None) -> Mapping[str, Form]:
    """Return the form of each action type; empty if the game is not installed."""
    return {} if game is None else forms_of(game.action_type)


def spelt(action: View, form: Form = ()) -> str:
    """Return an action as it can be typed, with field names: `attack source=9 target=2`."""
    if not isinstance(action, dict):
        return shown(action)
    said = dict(_fields(action))
    ordered = {field.name: said[field.name] for field in form if field.name in said} | said
    return " ".join([_kind(action), *(f"{key}={shown(value)}" for key, value in ordered.items())])


def briefly(action: View, form: Form) -> str:
    """Return an action in its shortest typed form: `attack 9 2`."""
    said = dict(_fields(action))
    words = [_kind(action)]
    for position, field in enumerate(form):
        if field.name in said:
            has_all_before = len(words) == position + 1
            words.append(f"{'' if has_all_before else f'{field.name}='}{shown(said[field.name])}")
    return " ".join(words)


def _kind(action: View) -> str:
    return str(action.get("type", "")) if isinstance(action, dict) else ""


def _fields(action: View) -> list[tuple[str, View]]:
    return [(str(key), value) for key, value in action.items() if key != "type"] if isinstance(action, dict) else []


def _form_of(action: View) -> Form:
    """Return the form that an example action implies."""
    return tuple(
        Field(key, Any, is_required=False, words=1, is_text=isinstance(value, str), is_map=False, choices=())
        for key, value in _fields(action)
    )


def _across(texts: Sequence[str], width: int, rows: int) -> int:
    """Return the largest number of columns that fits."""
    if not texts:
        return 1
    most = max(1, width // (min(map(len, texts)) + GAP))
    fits = (
        across for across in range(most, 1, -1) if across * (max(map(len, texts[: rows * across])) + GAP) <= width + GAP
    )
    return next(fits, 1)


def _columns(texts: Sequence[str], across: int) -> list[str]:
    rows = -(-len(texts) // across)
    width = max(map(len, texts), default=0) + GAP
    return ["".join(text.ljust(width) for text in texts[row::rows]).rstrip() for row in range(rows)]
