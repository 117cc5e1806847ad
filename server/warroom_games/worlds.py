"""Worlds that look the same to a viewer, for the laws about secrets."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from warroom_games.api import AnyGame, Seat, Step, View
from warroom_games.codec import encode
from warroom_games.law import viewers
from warroom_games.playthrough import Playthrough
from warroom_games.rng import Rng
from warroom_protocol.canonical import canonical, plain

SAMPLE = 8
"""Maximum number of states of a match that the laws check, besides the opening and the end."""


def worlds(match: Playthrough) -> list[tuple[Any, Seat | None, Any]]:
    """Return states of the match, each with a viewer and a world that this viewer can imagine."""
    rng, found = Rng(match.key), []
    for state in match.sample(SAMPLE):
        for viewer in viewers(match.seats):
            fresh, rng = rng.spawn()
            found.append((state, viewer, imagined(match.game, state, viewer, fresh)))
    return found


def hides_something(match: Playthrough) -> bool:
    """Whether a seat has a private view, or a viewer can imagine a world that differs in more than its generator."""
    game, seats = match.game, range(match.seats)
    if any(game.private(state, seat) is not None for state in match.sample(SAMPLE) for seat in seats):
        return True
    return any(differ(with_generators(world, generators(state)), state) for state, _, world in worlds(match))


def differ(here: Any, there: Any) -> bool:
    """Whether two worlds differ."""
    return encode(here) != encode(there)


def imagined(game: AnyGame, state: Any, viewer: Seat | None, rng: Rng) -> Any:
    """Return a world that a viewer of *state* can imagine."""
    private = None if viewer is None else plain(game.private(state, viewer))
    return game.imagine(plain(game.public(state)), private, viewer, rng)


def sight(game: AnyGame, state: Any, viewer: Seat | None) -> tuple[bytes, bytes]:
    """Return both views of a viewer, as bytes."""
    private = None if viewer is None else game.private(state, viewer)
    return canonical(game.public(state)), canonical(private)


def told(step: Step, seat: Seat) -> list[tuple[str, View]]:
    """Return the events of a step for a seat: each form, and whether it is public or private."""
    forms = [(("public", event.public), ("private", dict(event.private).get(seat))) for event in step.events]
    return [form for event in forms for form in event if form[1] is not None]


class PlayedAction(Struct, frozen=True):
    """An action of a seat, or its removal (None)."""

    seat: Seat
    action: Any

    def step(self, game: AnyGame, state: Any) -> Step:
        """Play it in a world."""
        return game.remove(state, self.seat) if self.action is None else game.apply(state, self.seat, self.action)

    def __str__(self) -> str:
        return f"the removal of seat {self.seat}" if self.action is None else f"{self.action} of seat {self.seat}"


def generators(value: Any) -> Iterator[Rng]:
    """Yield the generators inside a state, in field order."""
    if isinstance(value, Rng):
        yield value
    else:
        for part in _parts(value):
            yield from generators(part)


def with_generators(value: Any, others: Iterator[Rng]) -> Any:
    """Return a state with other generators, as far as there are *others*."""
    if isinstance(value, Rng):
        return next(others, value)
    old = _parts(value)
    new = tuple([with_generators(part, others) for part in old])
    if all(one is other for one, other in zip(old, new, strict=True)):
        return value
    if isinstance(value, tuple):
        return new
    return msgspec.structs.replace(value, **dict(zip(value.__struct_fields__, new, strict=True)))


def _parts(value: Any) -> tuple[Any, ...]:
    """Return the parts of a state's Struct or tuple; other values have none."""
    if isinstance(value, Struct):
        return msgspec.structs.astuple(value)
    return value if isinstance(value, tuple) else ()
