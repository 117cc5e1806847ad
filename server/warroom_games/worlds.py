"""Worlds that look the same to a viewer: what the laws about secrets compare."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from warroom_games.api import AnyGame, Seat, Step, View
from warroom_games.law import viewers
from warroom_games.playthrough import Playthrough
from warroom_games.rng import Rng
from warroom_protocol.canonical import canonical, plain

SAMPLE = 8
"""So many states of a match are looked at, besides the opening and the end."""


def worlds(match: Playthrough) -> list[tuple[Any, Seat | None, Any]]:
    """Return states of the match, each with a viewer and a world that this viewer can imagine."""
    rng, found = Rng(match.key), []
    for state in match.sample(SAMPLE):
        for viewer in viewers(match.seats):
            dreams, rng = rng.spawn()
            found.append((state, viewer, imagined(match.game, state, viewer, dreams)))
    return found


def imagined(game: AnyGame, state: Any, viewer: Seat | None, rng: Rng) -> Any:
    """Return a world that a viewer of *state* can imagine."""
    private = None if viewer is None else plain(game.private(state, viewer))
    return game.imagine(plain(game.public(state)), private, viewer, rng)


def sight(game: AnyGame, state: Any, viewer: Seat | None) -> tuple[bytes, bytes]:
    """Return both views of a viewer, as bytes."""
    private = None if viewer is None else game.private(state, viewer)
    return canonical(game.public(state)), canonical(private)


def told(step: Step, seat: Seat) -> list[tuple[str, View]]:
    """Return what a seat is told of a step: each form, and whether it is the public one or its own."""
    forms = [(("public", event.public), ("private", dict(event.private).get(seat))) for event in step.events]
    return [form for event in forms for form in event if form[1] is not None]


def with_chance_of(state: Any, world: Any) -> Any:
    """Return *world* with the generators of *state*, so that chance brings both the same."""
    generators = _generators(state)
    return _with_generators(world, generators)


def _generators(value: Any) -> Iterator[Rng]:
    """Yield the generators inside a state, in the order of its fields."""
    if isinstance(value, Rng):
        yield value
    else:
        for part in _parts(value):
            yield from _generators(part)


def _with_generators(value: Any, generators: Iterator[Rng]) -> Any:
    if isinstance(value, Rng):
        return next(generators, value)
    old = _parts(value)
    new = tuple([_with_generators(part, generators) for part in old])
    if all(one is other for one, other in zip(old, new, strict=True)):
        return value
    if isinstance(value, tuple):
        return new
    return msgspec.structs.replace(value, **dict(zip(value.__struct_fields__, new, strict=True)))


def _parts(value: Any) -> tuple[Any, ...]:
    """Return what a state's Struct or tuple holds; all else in a state has no parts."""
    if isinstance(value, Struct):
        return msgspec.structs.astuple(value)
    return value if isinstance(value, tuple) else ()
