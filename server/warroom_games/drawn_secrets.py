"""Secrets that a step draws: dice that everybody rolls again, told in the very step that rolls them.

Two worlds with the same chance draw the same secrets, so they cannot show that one is told. Here chance differs. An
event may tell what chance brought, like a roll and what came of it; that alone is no secret. But it is one if all that
differs, while the own views are equal, are fields that are always the same as fields of another seat's private view.
"""

from collections.abc import Iterator
from typing import Any

from warroom_games.api import AnyGame, Seat, Step
from warroom_games.fields import Path, event_type, field_name, leaves
from warroom_games.law import LawBrokenError
from warroom_games.rng import Rng
from warroom_games.worlds import Deed, generators, sight, told, with_generators
from warroom_protocol.canonical import plain

_CHANCES = 16
"""So often chance brings something else: fields that agree all the time do not agree by luck."""


def hold_drawn_secrets(game: AnyGame, state: Any, viewer: Seat, deed: Deed, *, seats: int, rng: Rng) -> None:
    """Raise `LawBrokenError` if a deed draws something for another seat's view alone, and tells it to the viewer."""
    first = deed.step(game, state)
    if list(generators(first.state)) == list(generators(state)):
        return
    steps = [first, *_other_steps(game, state, deed, rng)]
    forms = [dict(leaves(plain(told(step, viewer)))) for step in steps]
    suspects = list(_untold_by_views(game, steps, viewer, forms))
    if not suspects:
        return
    others = [other for other in range(seats) if other != viewer]
    views = [{path: part for other in others for path, part in _seen(game, step, other)} for step in steps]
    origins = [_origin([form[path] for form in forms], views) for path in suspects]
    if origins[0] is not None and None not in origins:
        place, (way, form) = origins[0], told(first, viewer)[int(suspects[0][0])]
        raise LawBrokenError(
            f"event {event_type(form)!r} ({way}), field {field_name(suspects[0][2:])}: seat {viewer} is told by {deed}"
            f" what only seat {place[0]} sees, in {field_name(place[1:])}"
        )


def _seen(game: AnyGame, step: Step, seat: Seat) -> Iterator[tuple[Path, object]]:
    """Yield the fields of a seat's private view after a step, with the seat before their path."""
    return leaves(plain(game.private(step.state, seat)), (seat,))


def _origin(values: list[object], views: list[dict[Path, object]]) -> Path | None:
    """Return a field that holds these values in these views."""
    pairs = list(zip(values, views, strict=True))
    return next((path for path in views[0] if all(path in view and view[path] == value for value, view in pairs)), None)


def _other_steps(game: AnyGame, state: Any, deed: Deed, rng: Rng) -> Iterator[Step]:
    """Yield what the same deed becomes with other chances."""
    for _ in range(_CHANCES):
        fresh, rng = rng.spawn()
        yield deed.step(game, with_generators(state, _spawned(fresh)))


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
