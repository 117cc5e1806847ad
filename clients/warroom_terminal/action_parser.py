"""Parses typed words, values and action fields."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from warroom_games.forms import Field, Form, wanted
from warroom_protocol.limits import MAX_DEPTH, MAX_INTEGER
from warroom_protocol.messages import View

SHORT: Final = 32
"""Longest part of bad input that an error repeats."""
DIGITS: Final = len(str(MAX_INTEGER))
_PAIRS: Final = {"(": ")", "[": "]", "{": "}", '"': '"'}


class ParseError(Exception):
    """The input is not an action; the text says why and shows an example."""


def split_words(text: str) -> list[str]:
    """Split a line into words; quotes and brackets keep one together."""
    words, word, closing = [], "", ""
    for letter in text:
        if letter.isspace() and not closing:
            words += [word] if word else []
            word = ""
            continue
        word += letter
        if closing and letter == closing[-1]:
            closing = closing[:-1]
        elif letter in _PAIRS and closing[-1:] != '"':
            closing += _PAIRS[letter]
    return [*words, word] if word else words


def assign_fields(form: Form, words: Sequence[str]) -> dict[str, object]:
    """Assign *words* to fields, by name (`source=9`) or in order; raise `ParseError`.

    A word that does not fit the next field continues the text field before it, so a name of two words needs no quotes.
    """
    filled: dict[str, object] = {}
    names = [field.name for field in form]
    before: Field | None = None
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        name, equals, value = word.partition("=")
        if equals and name.isidentifier():
            if name not in names:
                raise ParseError(f"no field {short(name)}")
            before = form[names.index(name)]
            filled[name] = _read(before, value)
            continue
        field = next((field for field in form if field.name not in filled), None)
        if before is not None and before.is_text and (field is None or not _may_be(field, word)):
            filled[before.name] = f"{filled[before.name]} {value_of(word)}"
            continue
        if field is None:
            raise ParseError(f"{short(word)} is one value too many")
        more = field.words - 1 if field.words > 1 and isinstance(value_of(word), int) else 0
        parts, waiting = waiting[:more], waiting[more:]
        before = field
        filled[field.name] = _read(field, ",".join([word, *parts]))
    return filled


def check(form: Form, filled: Mapping[str, object]) -> None:
    """Raise `ParseError` for a missing or invalid field."""
    for field in form:
        if field.name not in filled:
            if field.is_required:
                raise ParseError(f"{field.name} is missing")
        elif not _fits(field, filled[field.name]):
            allowed = f" ({', '.join(field.choices)})" if field.choices else ""
            raise ParseError(f"{short(shown(filled[field.name]))} is not a valid {field.name}{allowed}")


def with_expected_fields(kind: str, form: Form, error: ParseError, example: str | None) -> ParseError:
    """Add the fields of the action and an example to an error."""
    such_as = f"; for example: {example}" if example else ""
    return ParseError(f"{error}; {kind} takes {wanted(form)}{such_as}")


def value_of(text: str) -> object:
    """Parse a value: commas, or brackets as in (0; 1, 2), make a list; anything that is not JSON is text."""
    if text[:1] == "(" and text[-1:] == ")":
        text = f"{text[1:-1].replace(';', ',')},"
    if "," in text and text[0] not in '[{"':
        return [value_of(each.strip()) for each in text.split(",") if each.strip()]
    try:
        value: object = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
    return value


def whole(text: str) -> int | None:
    """Parse a typed number; None if it is not one or does not fit the wire format."""
    # Check the length first: `int` raises a different error for thousands of digits.
    if not text.isdecimal() or len(text) > DIGITS or int(text) > MAX_INTEGER:
        return None
    return int(text)


def shown(value: View) -> str:
    """Return a value as it can be typed."""
    match value:
        case str():
            return value if value and value == value.strip() and not _is_split(value) else _json(value)
        case [_, _, *_] if all(isinstance(each, int | str) for each in value):
            return ",".join(map(shown, value))
        case dict() if value and all(
            isinstance(each, int) and not set(key) & set(":,{}") for key, each in value.items()
        ):
            text = ",".join(f"{key}:{each}" for key, each in value.items())
            return _json(text) if " " in text else text
        case _:
            return _json(value)


def short(typed: str) -> str:
    """Shorten bad input for an error message."""
    return repr(typed if len(typed) <= SHORT else f"{typed[: SHORT - 1]}…")


def _read(field: Field, typed: str) -> object:
    value = value_of(typed)
    if field.is_map and isinstance(value, str | list):
        value = dict(_pairs(value, typed))
    if field.is_text and isinstance(value, int | list) and typed[:1] not in "[{":
        value = typed
    return _sendable(value, typed)


def _pairs(value: str | list[object], typed: str) -> Iterator[tuple[str, object]]:
    """Parse `archers:10,pikemen:5`."""
    for part in value if isinstance(value, list) else value.split(","):
        key, colon, count = str(part).rpartition(":")
        if not colon:
            raise ParseError(f"{short(typed)}: write name:number pairs, separated by commas")
        yield key.strip(), value_of(count.strip())


def _may_be(field: Field, word: str) -> bool:
    return field.words > 1 or _fits(field, value_of(word))


def _fits(field: Field, value: object) -> bool:
    try:
        msgspec.convert(value, field.kind)
    except msgspec.ValidationError:
        return False
    return True


def _sendable(value: object, typed: str, depth: int = 0) -> object:
    """Return a typed value, unless no message can hold it."""
    match value:
        case list() | dict() if depth >= MAX_DEPTH:
            raise ParseError(f"{short(typed)}: brackets are nested too deep")
        case float():
            raise ParseError(f"{short(typed)}: only whole numbers are allowed")
        case int() if abs(value) > MAX_INTEGER:
            raise ParseError(f"{short(typed)}: the number is too large")
        case list():
            return [_sendable(each, typed, depth + 1) for each in value]
        case dict():
            return {key: _sendable(each, typed, depth + 1) for key, each in value.items()}
        case _:
            return value


def _is_split(text: str) -> bool:
    return split_words(text) != [text] or value_of(text) != text or "=" in text


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
