"""Secrets that a step draws: dice that everybody rolls again, told in the very step that rolls them.

Two worlds with the same chance draw the same secrets, so they cannot show that one is told. Here chance differs. An
event may tell what chance brought, like a roll, and what came of it, like the losses of a fight; that alone is no
secret. Each field is judged by itself. It breaks the law if it differs while the own views are equal, always says the
same as a part of another seat's private view, and does not follow from a roll that the event tells as well.

This is a heuristic. It compares each field with the values in private views, written out, and texts also with the
words of their lists. It does not find a secret in another form: a sum, another order, words without a gap between
them, several fields for one value, or only a part of a list. It does not look at events that some chances leave out,
and it takes a field for a roll if no private view says the same.
"""

import re
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any, TypeAlias

from warroom_games.api import AnyGame, Seat, Step
from warroom_games.fields import Path, event_type, field_name, leaves, lists
from warroom_games.law import LawBrokenError
from warroom_games.rng import Rng
from warroom_games.worlds import PlayedAction, generators, sight, told, with_generators
from warroom_protocol.canonical import plain

_CHANCES = 16
"""How often chance differs. Fields that agree all the time do not agree by luck."""
_WORDS = 2
"""Fewest words of a list that is looked for in a text: a single one is often there by luck."""

_Words: TypeAlias = tuple[str, ...]


def hold_drawn_secrets(game: AnyGame, state: Any, viewer: Seat, played: PlayedAction, *, seats: int, rng: Rng) -> None:
    """Raise `LawBrokenError` if a step draws something for another seat's view alone, and tells it to the viewer."""
    first = played.step(game, state)
    if list(generators(first.state)) == list(generators(state)):
        return
    steps = [first, *_other_steps(game, state, played, rng)]
    forms = [dict(leaves(plain(told(step, viewer)))) for step in steps]
    suspects = list(_untold_by_views(game, steps, viewer, forms))
    if not suspects:
        return
    others = [other for other in range(seats) if other != viewer]
    views = [{path: part for other in others for path, part in _seen(game, step, other)} for step in steps]
    values = {path: [form[path] for form in forms] for path in suspects}
    origins = {path: _origin(values[path], views) for path in suspects}
    by_chance = [values[path] for path in suspects if origins[path] is None]
    for path, place in origins.items():
        if place is not None and not _follows(values[path], by_chance):
            kind, form = told(first, viewer)[int(path[0])]
            raise LawBrokenError(
                f"event {event_type(form)!r} ({kind}), field {field_name(path[2:])}: seat {viewer} is told by {played}"
                f" what only seat {place[0]} sees, in {field_name(place[1:])}"
            )


def _follows(values: list[object], by_chance: list[list[object]]) -> bool:
    """Whether one or two fields that only chance decides determine these values, often enough not to do so by luck."""
    for fields in chain(combinations(by_chance, 1), combinations(by_chance, 2)):
        causes = list(zip(*fields, strict=True))
        count = len(set(causes))
        if count <= len(values) // 2 and len(set(zip(causes, values, strict=True))) == count:
            return True
    return False


def _seen(game: AnyGame, step: Step, seat: Seat) -> Iterator[tuple[Path, object]]:
    """Yield the fields and lists of a seat's private view after a step, with the seat before their path."""
    view = plain(game.private(step.state, seat))
    yield from leaves(view, (seat,))
    yield from lists(view, (seat,))


def _origin(values: list[object], views: list[dict[Path, object]]) -> Path | None:
    """Return a part of these views that says the same as these values, each in its own view."""
    pairs = list(zip(values, views, strict=True))
    return next((path for path in views[0] if _varies(path, views) and all(_says(*pair, path) for pair in pairs)), None)


def _varies(path: Path, views: list[dict[Path, object]]) -> bool:
    """Whether all views have this part, and chance decides what it is."""
    return all(path in view for view in views) and any(view[path] != views[0][path] for view in views)


def _says(value: object, view: dict[Path, object], path: Path) -> bool:
    """Whether a field says what a part of a view holds: the same value or, for a list, its words in their order."""
    part = view[path]
    if not isinstance(part, list):
        return str(value) == str(part)
    words, text = _words(part), _words(value)
    runs = range(len(text) - len(words) + 1)
    return len(words) >= _WORDS and any(text[start : start + len(words)] == words for start in runs)


def _words(value: object) -> _Words:
    return tuple(re.findall(r"\w+", str(value)))


def _other_steps(game: AnyGame, state: Any, played: PlayedAction, rng: Rng) -> Iterator[Step]:
    """Yield what the same action becomes with other chances."""
    for _ in range(_CHANCES):
        fresh, rng = rng.spawn()
        yield played.step(game, with_generators(state, _spawned(fresh)))


def _spawned(rng: Rng) -> Iterator[Rng]:
    """Yield fresh generators without end."""
    while True:
        fresh, rng = rng.spawn()
        yield fresh


def _untold_by_views(game: AnyGame, steps: list[Step], viewer: Seat, forms: list[dict[Path, object]]) -> Iterator[Path]:
    """Yield the fields, told in all steps, that differ between two of them after which the viewer sees the same."""
    seen = sight(game, steps[0].state, viewer)
    twins = [form for step, form in zip(steps, forms, strict=True) if sight(game, step.state, viewer) == seen]
    for path, value in forms[0].items():
        if all(path in form for form in forms) and any(twin[path] != value for twin in twins):
            yield path
