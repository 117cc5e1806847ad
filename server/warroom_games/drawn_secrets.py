"""Secrets that a step draws, such as dice that all seats roll in secret and an event reveals in the same step.

Two worlds with the same chance draw the same secrets, so a comparison cannot show that one is revealed. Here chance
differs. An event may report what chance brought, such as a roll, and its consequences, such as the losses of a fight;
that alone is no secret. Each field is judged by itself. It breaks the law if it differs while the viewer's own views
are equal, always equals a part of another seat's private view, and does not follow from a roll that the event also
reports.

This is a heuristic. It compares each field with the values in private views in written form, and texts also with the
words of their lists. It does not find a secret in another form: a sum, another order, words without a gap between them,
several fields for one value, or only a part of a list. It ignores events that some chances leave out, and it takes a
field for a roll if no private view contains it.
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
"""Number of different chances. Fields that agree in all of them do not agree by luck."""
_WORDS = 2
"""Minimum number of words of a list that is searched in a text: single words often match by luck."""

_Words: TypeAlias = tuple[str, ...]


def hold_drawn_secrets(game: AnyGame, state: Any, viewer: Seat, played: PlayedAction, *, seats: int, rng: Rng) -> None:
    """Raise `LawBrokenError` if a step draws something for another seat's view alone and reveals it to the viewer."""
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
    """Whether one or two fields that only chance decides determine these values, often enough to rule out luck."""
    for fields in chain(combinations(by_chance, 1), combinations(by_chance, 2)):
        causes = list(zip(*fields, strict=True))
        count = len(set(causes))
        if count <= len(values) // 2 and len(set(zip(causes, values, strict=True))) == count:
            return True
    return False


def _seen(game: AnyGame, step: Step, seat: Seat) -> Iterator[tuple[Path, object]]:
    """Yield the fields and lists of a seat's private view after a step. Their paths begin with the seat."""
    view = plain(game.private(step.state, seat))
    yield from leaves(view, (seat,))
    yield from lists(view, (seat,))


def _origin(values: list[object], views: list[dict[Path, object]]) -> Path | None:
    """Return a part of these views that equals these values, each in its own view."""
    pairs = list(zip(values, views, strict=True))
    return next((path for path in views[0] if _varies(path, views) and all(_says(*pair, path) for pair in pairs)), None)


def _varies(path: Path, views: list[dict[Path, object]]) -> bool:
    """Whether all views have this part, and chance decides its value."""
    return all(path in view for view in views) and any(view[path] != views[0][path] for view in views)


def _says(value: object, view: dict[Path, object], path: Path) -> bool:
    """Whether a field equals a part of a view: the same value or, for a list, its words in order."""
    part = view[path]
    if not isinstance(part, list):
        return str(value) == str(part)
    words, text = _words(part), _words(value)
    runs = range(len(text) - len(words) + 1)
    return len(words) >= _WORDS and any(text[start : start + len(words)] == words for start in runs)


def _words(value: object) -> _Words:
    return tuple(re.findall(r"\w+", str(value)))


def _other_steps(game: AnyGame, state: Any, played: PlayedAction, rng: Rng) -> Iterator[Step]:
    """Yield the results of the same action with other chances."""
    for _ in range(_CHANCES):
        fresh, rng = rng.spawn()
        yield played.step(game, with_generators(state, _spawned(fresh)))


def _spawned(rng: Rng) -> Iterator[Rng]:
    """Yield fresh generators without end."""
    while True:
        fresh, rng = rng.spawn()
        yield fresh


def _untold_by_views(game: AnyGame, steps: list[Step], viewer: Seat, forms: list[dict[Path, object]]) -> Iterator[Path]:
    """Yield the fields of all steps that differ between two steps after which the viewer sees the same."""
    seen = sight(game, steps[0].state, viewer)
    twins = [form for step, form in zip(steps, forms, strict=True) if sight(game, step.state, viewer) == seen]
    for path, value in forms[0].items():
        if all(path in form for form in forms) and any(twin[path] != value for twin in twins):
            yield path
