"""Actions and events of any game as a line of text."""

from collections.abc import Sequence

from warroom_games.api import View

_SEATS = frozenset({"seat", "by", "winner"})
"""Fields that hold a seat in every game that has them."""


def in_words(thing: View, names: Sequence[str] = ()) -> str:
    """Return an action or event in its plain form (a map with a `type`) as `type: whose, field value, ...`.

    Seats are called by *names* where there are any.
    """
    if not isinstance(thing, dict):
        return _value(thing)
    whose = [_named(thing["seat"], names)] if "seat" in thing else []
    fields = [_field(str(key), value, names) for key, value in thing.items() if key not in {"type", "seat"}]
    kind = str(thing.get("type", "")).replace("_", " ")
    return ": ".join(part for part in (kind, ", ".join(whose + fields)) if part)


def _field(key: str, value: View, names: Sequence[str]) -> str:
    return f"{key.replace('_', ' ')} {_named(value, names) if key in _SEATS else _value(value)}"


def _named(value: View, names: Sequence[str]) -> str:
    if isinstance(value, int) and 0 <= value < len(names) and names[value]:
        return names[value]
    return "-" if value is None else f"seat {value}"


def _value(value: View) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case dict():
            return "(" + in_words(value) + ")"
        case list() | tuple():
            return " ".join(map(_value, value)) or "-"
        case _:
            return str(value)


def called(names: Sequence[str], seat: int, otherwise: str, *, width: int) -> str:
    """Return the player name of a seat in exactly *width* characters; *otherwise* if there is none."""
    name = (names[seat] if seat < len(names) else "") or otherwise
    return f"{name[: width - 1]}…" if len(name) > width else name.ljust(width)


def plural(number: int, one: str, many: str | None = None) -> str:
    """Format a count: `1 tile`, `2 tiles`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def seat_range(fewest: int, most: int) -> str:
    """Format the number of seats: `2`, or `2 to 6`."""
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def printable(text: str) -> str:
    """Return text that is safe on a terminal: a player's name cannot move the cursor."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
