"""The law about what events tell: nothing that the views before and after a step do not tell.

The law takes two worlds that look the same to a seat, walks on in both, and compares what the seat is told on the way.
A world is imagined, or comes about because the other seats do different things out of its sight.
"""

from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import Any, TypeVar

from warroom_games.api import AnyGame, Seat, Step, View
from warroom_games.codec import encode, tag_of
from warroom_games.drawn_secrets import hold_drawn_secrets
from warroom_games.fields import differences, event_type, field_name
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import Playthrough
from warroom_games.rng import Rng
from warroom_games.worlds import SAMPLE, Deed, generators, imagined, sight, told, with_generators
from warroom_protocol.canonical import plain

T = TypeVar("T")

_STEPS = 3
"""So many steps a walk through two worlds takes at most."""
_VIEWERS = 3
"""So many seats look at each state."""
_DEEDS = 5
"""So many deeds are compared before each of them."""
_DRIFTS = 3
"""So often the others try to do different things that look the same."""
_DREAMS = 4
"""Of so many imagined worlds the two are taken that have most in common with the real one."""


def events_tell_no_more_than_views(match: Playthrough) -> None:
    """Two worlds whose views are equal for a seat before and after a step tell it of the step in equal events.

    Both worlds have the same chance, and the same action is played in both; where a step of another seat leaves the
    views as they were, every action of its kind counts as the same. So a card laid face down is not named. What chance
    brings to another seat in the step is not told either. All this holds for public forms and for the seat's own.
    A spectator may be told what the views of every seat tell: public forms are told to every seat, and so kept to it.
    """
    game, rng = match.game, Rng(match.key)
    for state in match.sample(SAMPLE)[:-1]:
        seats, rng = rng.sample(range(match.seats), min(match.seats, _VIEWERS))
        for seat in seats:
            dreams, rng = rng.spawn()
            choices, rng = rng.spawn()
            walk = _Walk(match, seat, choices)
            walk.through(state, state)
            if game.private(state, seat) is None:
                continue  # nothing is hidden, so there is no other world
            for here, there in pairwise((state, *_dreams(game, state, seat, dreams))):
                if sight(game, there, seat) == sight(game, here, seat):
                    walk.through(here, there)
            walk.hold_drawn_secrets(state)


class _Walk:
    """Walks through two worlds that look the same to a seat."""

    def __init__(self, match: Playthrough, viewer: Seat, rng: Rng) -> None:
        self._game = match.game
        self._seats = range(match.seats)
        self._compared = match.compared
        self._viewer = viewer
        self._rng = rng
        self._hides = match.game.private(match.opening, viewer) is not None

    def through(self, here: Any, there: Any) -> None:
        """Compare what may happen next; then let something happen that looks the same, and go on from there."""
        for _ in range(_STEPS):
            there = with_generators(there, generators(here))
            ways = self._drifts(here, there)
            # Equal worlds have nothing to compare, unless the match hides nothing, so that there are no others.
            if not self._hides or encode(here) != encode(there):
                ways += self._same_deeds(here, there)
            if not ways:
                return
            here, there = self._choice(ways)

    def hold_drawn_secrets(self, state: Any) -> None:
        """Hold what may happen in a state to what chance may bring the other seats by it."""
        for deed in self._deeds(state, state):
            dreams, self._rng = self._rng.spawn()
            hold_drawn_secrets(self._game, state, self._viewer, deed, seats=len(self._seats), rng=dreams)

    def _same_deeds(self, here: Any, there: Any) -> list[tuple[Any, Any]]:
        """Do some of what can be done in both worlds, and return where that looks the same."""
        ways = []
        for deed in self._deeds(here, there):
            one, other = (deed.step(self._game, state) for state in (here, there))
            if self._sight(one.state) == self._sight(other.state):
                self._hold_same(one, other, str(deed))
                ways.append((one.state, other.state))
        return ways

    def _deeds(self, here: Any, there: Any) -> list[Deed]:
        """Return some deeds that are possible in both worlds: actions, of many kinds, and that a seat leaves."""
        game = self._game
        kinds: dict[tuple[Seat, str], list[Any]] = {}
        for seat in sorted(game.to_act(here) & game.to_act(there)):
            for action in _shared_actions(game, here, there, seat):
                kinds.setdefault((seat, tag_of(action)), []).append(action)
        some, self._rng = self._rng.sample(sorted(kinds), min(len(kinds), _DEEDS))
        deeds = [Deed(seat, self._choice(kinds[seat, kind])) for seat, kind in some]
        return [*deeds, Deed(self._choice(self._seats), None)]

    def _drifts(self, here: Any, there: Any) -> list[tuple[Any, Any]]:
        """Let another seat do things of one kind in both worlds, and return where that looks the same."""
        game, before = self._game, self._sight(here)
        ways: list[tuple[Any, Any]] = []
        others = sorted((game.to_act(here) & game.to_act(there)) - {self._viewer})
        for _ in range(_DRIFTS if others else 0):
            seat = self._choice(others)
            deed = Deed(seat, self._choice(list(game.legal_actions(here, seat))))
            alike = [action for action in game.legal_actions(there, seat) if tag_of(action) == tag_of(deed.action)]
            twin = Deed(seat, self._choice(alike)) if alike else deed
            if twin == deed:
                continue
            one, other = deed.step(game, here), twin.step(game, there)
            if (after := self._sight(one.state)) == self._sight(other.state):
                if after == before:
                    self._hold_same(one, other, f"{deed} as after {twin}")
                ways.append((one.state, other.state))
        return ways

    def _hold_same(self, one: Step, other: Step, deeds: str) -> None:
        """Hold the events of two steps to each other that look the same to the viewer."""
        here, there = told(one, self._viewer), told(other, self._viewer)
        if encode(here) != encode(there):
            found = _difference(here, there, f"seat {self._viewer}")
            raise LawBrokenError(f"{found}, and sees the same before and after {deeds}")
        self._compared.update(event_type(form) for _, form in here)

    def _sight(self, state: Any) -> tuple[bytes, bytes]:
        return sight(self._game, state, self._viewer)

    def _choice(self, items: Sequence[T]) -> T:
        item, self._rng = self._rng.choice(items)
        return item


def _dreams(game: AnyGame, state: Any, seat: Seat, rng: Rng) -> list[Any]:
    """Return two imagined worlds; where others are to act, those where they can do most of what they can do here."""
    others = sorted(game.to_act(state) - {seat})
    dreams = []
    for _ in range(_DREAMS if others else 2):
        fresh, rng = rng.spawn()
        dreams.append(imagined(game, state, seat, fresh))
    shared = [sum(len(_shared_actions(game, state, dream, other)) for other in others) for dream in dreams]
    best = sorted(range(len(dreams)), key=lambda number: -shared[number])
    return [dreams[number] for number in best[:2]]


def _shared_actions(game: AnyGame, here: Any, there: Any, seat: Seat) -> list[Any]:
    """Return what a seat is offered in both worlds, and what the clock plays for it in both."""
    offered = [_offered(game, state, seat) for state in (here, there)]
    return [action for data, action in offered[0].items() if data in offered[1]]


def _offered(game: AnyGame, state: Any, seat: Seat) -> dict[bytes, Any]:
    if seat not in game.to_act(state):
        return {}
    return {encode(action): action for action in (*game.legal_actions(state, seat), game.default_action(state, seat))}


def _difference(here: list[tuple[str, View]], there: list[tuple[str, View]], viewer: str) -> str:
    """Say which event and field differ first in what a viewer is told."""
    pairs = zip_longest(here, there, fillvalue=("", None))
    (way, form), (other_way, other) = next(pair for pair in pairs if encode(pair[0]) != encode(pair[1]))
    if form is None or other is None or event_type(form) != event_type(other):
        only, missing = (other, "here") if form is None else (form, "there")
        return f"event {event_type(only)!r}, all fields: {viewer} is not told of it {missing}"
    if way != other_way:
        return f"event {event_type(form)!r}, all fields: {viewer} is told of it as {way} here and as {other_way} there"
    path, one, another = next(differences(plain(form), plain(other)))
    field = f"event {event_type(form)!r} ({way}), field {field_name(path)}"
    return f"{field}: {viewer} is told {one!r} here and {another!r} there"
