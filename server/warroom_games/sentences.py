"""Events as sentences: each game describes its events as data that any client can use.

A sentence covers one event, or several in a row that are one thing to a reader. Its text may contain

    {tile}               the value of a field; `{attacker.force}` for a nested field
    {count tile tiles}   a number and its noun: `1 tile`, `3 tiles`
    {@seat takes}        a player and a verb: `Ada takes`, `you take`; `{@seat's}`: `Ada's`, `your`
    {&seat moves}        a further verb of that player: `Ada takes 4 and moves there`, `you take 4 and move there`
    {cards/value suit}   the named fields of each item of a list; other words stay as they are
    {+gold}              a number with its sign
    {gains.strength sum} the sum of a list; `{clashes size}` its length
    [, {lost} lost]      a part that is dropped if a value in it is nil, 0 or empty

A sentence with an empty text hides its events.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

from msgspec import Struct

from warroom_games.api import View
from warroom_games.words import in_words

_PART: Final = re.compile(r"\[([^\[\]]*)\]")
_HOLE: Final = re.compile(r"\{([^{}]*)\}")
_IRREGULAR: Final = {"is": "are", "has": "have", "goes": "go", "does": "do"}
_YOU: Final = "you"
_PLAYER: Final = ("@", "&")
"""The first characters of holes that speak of a player."""
_MARKS: Final = "@&+"


class Sentence(Struct, frozen=True):
    """The sentence for events of these types, in this order, if the fields of *when* have these values."""

    of: tuple[str, ...]
    text: str
    when: Mapping[str, View] = {}


@runtime_checkable
class Telling(Protocol):
    """Optional: the sentences of a game. The first match wins."""

    sentences: tuple[Sentence, ...]


def sentence(types: str, text: str, **when: View) -> Sentence:
    """Return a sentence for events of some *types*, separated by spaces."""
    return Sentence(tuple(types.split()), text, when)


def told(game: object, events: Sequence[View], names: Sequence[str]) -> Iterator[str]:
    """Yield the sentences for events, plain maps with a `type`; seats are called by *names*.

    The name `you` puts the verb in the second person. Events without a sentence are listed field by field.
    """
    sentences = game.sentences if isinstance(game, Telling) else ()
    start = 0
    while start < len(events):
        found = next((each for each in sentences if _fits(each, events[start:])), None)
        if found is None:
            yield in_words(events[start], names)
            start += 1
            continue
        count = len(found.of)
        line = _filled(found.text, _merged(events[start : start + count]), names)
        if line:
            yield line
        start += count


def _fits(sentence: Sentence, events: Sequence[View]) -> bool:
    count = len(sentence.of)
    types = tuple(event.get("type") if isinstance(event, dict) else None for event in events[:count])
    if types != sentence.of:
        return False
    fields = _merged(events[:count])
    return all(fields.get(name) == value for name, value in sentence.when.items())


def _merged(events: Sequence[View]) -> dict[str, View]:
    return {str(key): value for event in events if isinstance(event, dict) for key, value in event.items()}


def _filled(text: str, fields: Mapping[str, View], names: Sequence[str]) -> str:
    def part(found: re.Match[str]) -> str:
        holes = _HOLE.findall(found[1])
        # Seat 0 is a value, not a missing one.
        return found[1] if all(hole.startswith(_PLAYER) or _value(_path(hole), fields) for hole in holes) else ""

    return _HOLE.sub(lambda hole: _hole(hole[1], fields, names), _PART.sub(part, text)).strip()


def _path(hole: str) -> str:
    """Return the field that a hole refers to."""
    return re.split(r"[ /']", hole.lstrip(_MARKS), maxsplit=1)[0]


def _value(path: str, fields: View) -> View:
    value = fields
    for name in path.split("."):
        if isinstance(value, list | tuple):
            value = [each.get(name) if isinstance(each, dict) else None for each in value]
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


def _hole(hole: str, fields: Mapping[str, View], names: Sequence[str]) -> str:
    path = _path(hole)
    value, rest = _value(path, fields), hole.lstrip(_MARKS)[len(path) :]
    if hole.startswith("@"):
        return _person(value, rest, names)
    if hole.startswith("&"):
        return _spoken_to(rest.strip()) if _called(value, names) == _YOU else rest.strip()
    if hole.startswith("+"):
        return f"{value:+}" if isinstance(value, int) else _shown(value)
    if rest.startswith("/"):
        return ", ".join(_thing(each, rest[1:]) for each in value) if isinstance(value, list | tuple) else ""
    return _counted(value, rest.split())


def _person(value: View, rest: str, names: Sequence[str]) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_person(each, rest, names) for each in value)
    name = _called(value, names)
    if rest == "'s":
        return "your" if name == _YOU else f"{name}'s"
    verb, _, more = rest.strip().partition(" ")
    return " ".join(word for word in (name, _spoken_to(verb) if name == _YOU else verb, more) if word)


def _called(value: View, names: Sequence[str]) -> str:
    """Return the name of a seat."""
    return (names[value] if isinstance(value, int) and value < len(names) else "") or f"seat {value}"


def _spoken_to(verb: str) -> str:
    """Return a verb in the second person: `takes` becomes `take`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("ches", "shes", "sses", "xes")) else verb.removesuffix("s")


def _thing(value: View, words: str) -> str:
    fields = value if isinstance(value, dict) else {}
    return re.sub(r"\w+", lambda word: _shown(fields[word[0]]) if word[0] in fields else word[0], words)


def _counted(value: View, words: Sequence[str]) -> str:
    if words == ["sum"]:
        return str(sum(each for each in value if isinstance(each, int))) if isinstance(value, list | tuple) else "0"
    if words[:1] == ["size"]:
        value, words = len(value) if isinstance(value, list | tuple | dict) else 0, words[1:]
    if not words:
        return _shown(value)
    return f"{_shown(value)} {words[0] if value == 1 else words[-1]}"


def _shown(value: View) -> str:
    match value:
        case None:
            return "nothing"
        case dict():
            return ", ".join(f"{key} {each}" for key, each in value.items() if each) or "nothing"
        case list() | tuple():
            # In the form that can be typed.
            return ("," if all(isinstance(each, int) for each in value) else ", ").join(map(_shown, value))
        case _:
            return str(value)
