"""The law about events: they reveal nothing that the views before and after a step do not show.

The law takes two worlds that look the same to a seat, plays on in both, and compares the events that the seat gets. The
other world is imagined, or it differs because the other seats play different actions that the seat cannot see.

Public forms need no law of their own. Every seat gets them, so the views of each seat must show their contents. A
spectator therefore learns from events only what every seat knows.
"""

from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import Any, TypeVar

from warroom_games.api import AnyGame, Seat, Step, View
from warroom_games.codec import encode, tag_of
from warroom_games.drawn_secrets import hold_drawn_secrets
from warroom_games.fields import differences, event_type, field_name, leaves
from warroom_games.law import LawBrokenError
from warroom_games.playthrough import Playthrough
from warroom_games.rng import Rng
from warroom_games.worlds import (
    SAMPLE,
    PlayedAction,
    differ,
    generators,
    hides_something,
    imagined,
    sight,
    told,
    with_generators,
)
from warroom_protocol.canonical import plain

T = TypeVar("T")

_STEPS = 3
"""Maximum steps of one walk."""
_VIEWERS = 3
"""Maximum seats that look at one state."""
_SAME_ACTIONS = 5
"""Maximum actions that are played in both worlds before each step of a walk."""
_DIFFERENT_ACTIONS = 3
"""How often another seat tries different actions before each step of a walk."""
_IMAGINED = 4
"""Number of imagined worlds; the two that have most in common with the real one are used."""


def events_tell_no_more_than_views(match: Playthrough) -> None:
    """If two worlds look the same to a seat before and after a step, the seat gets the same events.

    Both worlds have the same chance. The action is the same in both, or another seat plays two of one kind unseen. So
    events do not name a card laid face down, whether or not a view counts it, and do not reveal what chance brings to
    another seat. This holds for the seat's own forms and for public forms. A match without secrets has only one world,
    so nothing is compared.
    """
    match.compared.counts.update(dict.fromkeys(_types(match), 0))
    if not hides_something(match):
        return
    match.compared.hidden = True
    game, rng = match.game, Rng(match.key)
    for state in match.sample(SAMPLE)[:-1]:
        seats, rng = rng.sample(range(match.seats), min(match.seats, _VIEWERS))
        for seat in seats:
            fresh, rng = rng.spawn()
            choices, rng = rng.spawn()
            walk = _Walk(match, seat, choices)
            walk.through(state, state)
            for here, there in pairwise((state, *_imagined(game, state, seat, fresh))):
                if sight(game, there, seat) == sight(game, here, seat):
                    walk.through(here, there)
            walk.hold_drawn_secrets(state)


class _Walk:
    """Walks through two worlds that look the same to a seat."""

    def __init__(self, match: Playthrough, viewer: Seat, rng: Rng) -> None:
        self._game = match.game
        self._seats = range(match.seats)
        self._counts = match.compared.counts
        self._viewer = viewer
        self._rng = rng

    def through(self, here: Any, there: Any) -> None:
        """Compare the possible next steps; then take a step that looks the same, and continue there."""
        for _ in range(_STEPS):
            there = with_generators(there, generators(here))
            pairs = self._after_different_actions(here, there)
            if differ(here, there):
                pairs += self._after_same_actions(here, there)
            if not pairs:
                return
            here, there = self._choice(pairs)

    def hold_drawn_secrets(self, state: Any) -> None:
        """Compare the possible steps in a state with what chance may bring the other seats."""
        for played in self._shared(state, state):
            fresh, self._rng = self._rng.spawn()
            hold_drawn_secrets(self._game, state, self._viewer, played, seats=len(self._seats), rng=fresh)

    def _after_same_actions(self, here: Any, there: Any) -> list[tuple[Any, Any]]:
        """Play some actions that are possible in both worlds, and return those that look the same."""
        pairs = []
        for played in self._shared(here, there):
            one, other = (played.step(self._game, state) for state in (here, there))
            if self._look_same(one, other):
                self._hold_same(one, other, str(played))
                pairs.append((one.state, other.state))
        return pairs

    def _shared(self, here: Any, there: Any) -> list[PlayedAction]:
        """Return some steps that are possible in both worlds: actions of many kinds, and a seat that leaves."""
        game = self._game
        kinds: dict[tuple[Seat, str], list[Any]] = {}
        for seat in sorted(game.to_act(here) & game.to_act(there)):
            for action in _shared_actions(game, here, there, seat):
                kinds.setdefault((seat, tag_of(action)), []).append(action)
        some, self._rng = self._rng.sample(sorted(kinds), min(len(kinds), _SAME_ACTIONS))
        actions = [PlayedAction(seat, self._choice(kinds[seat, kind])) for seat, kind in some]
        return [*actions, PlayedAction(self._choice(self._seats), None)]

    def _after_different_actions(self, here: Any, there: Any) -> list[tuple[Any, Any]]:
        """Let another seat play two actions of one kind, one in each world, and return those that look the same."""
        game = self._game
        pairs: list[tuple[Any, Any]] = []
        others = sorted((game.to_act(here) & game.to_act(there)) - {self._viewer})
        for _ in range(_DIFFERENT_ACTIONS if others else 0):
            seat = self._choice(others)
            played = PlayedAction(seat, self._choice(list(game.legal_actions(here, seat))))
            alike = [action for action in game.legal_actions(there, seat) if tag_of(action) == tag_of(played.action)]
            twin = PlayedAction(seat, self._choice(alike)) if alike else played
            if twin == played:
                continue
            one, other = played.step(game, here), twin.step(game, there)
            if self._look_same(one, other):
                hidden = self._named_in_secret(played, twin, told(one, self._viewer), told(other, self._viewer))
                if self._sight(here) == self._sight(one.state) or hidden - self._seen(here, one.state):
                    self._hold_same(one, other, f"{played} as after {twin}")
                pairs.append((one.state, other.state))
        return pairs

    def _named_in_secret(self, played: PlayedAction, twin: PlayedAction, here: Any, there: Any) -> set[object]:
        """Return the values that the events copy from two different actions and that tell them apart, such as a card.

        Mere consequences of the action may differ: which unit was attacked in the open, and the outcome.
        """
        one, other = ({value for _, value in leaves(plain(each.action))} for each in (played, twin))
        found = differences(plain(here), plain(there))
        copied = ((a, b) for _, *sides in found for (_, a), (_, b) in zip(*map(leaves, sides), strict=False))
        return {value for a, b in copied if a in one and b in other for value in (a, b)}

    def _seen(self, *states: Any) -> set[object]:
        """Return every value in the viewer's views of some states."""
        game, viewer = self._game, self._viewer
        views = [view for state in states for view in (game.public(state), game.private(state, viewer))]
        return {value for view in views for _, value in leaves(plain(view))}

    def _sight(self, state: Any) -> tuple[bytes, bytes]:
        return sight(self._game, state, self._viewer)

    def _hold_same(self, one: Step, other: Step, played: str) -> None:
        """Compare the events of two steps that look the same to the viewer."""
        here, there = told(one, self._viewer), told(other, self._viewer)
        if encode(here) != encode(there):
            found = _difference(here, there, f"seat {self._viewer}")
            raise LawBrokenError(f"{found}, and sees the same before and after {played}")
        self._counts.update(event_type(form) for _, form in here)

    def _look_same(self, one: Step, other: Step) -> bool:
        return self._sight(one.state) == self._sight(other.state)

    def _choice(self, items: Sequence[T]) -> T:
        item, self._rng = self._rng.choice(items)
        return item


def _types(match: Playthrough) -> set[str]:
    """Return the types of all events of a match."""
    events = [event for move in match.moves for event in move.step.events]
    forms = [form for event in events for form in (event.public, *(own for _, own in event.private))]
    return {event_type(form) for form in forms if form is not None}


def _imagined(game: AnyGame, state: Any, seat: Seat, rng: Rng) -> list[Any]:
    """Return two imagined worlds. If others act, prefer worlds in which they have most of their real actions."""
    others = sorted(game.to_act(state) - {seat})
    found = []
    for _ in range(_IMAGINED if others else 2):
        fresh, rng = rng.spawn()
        found.append(imagined(game, state, seat, fresh))
    shared = [sum(len(_shared_actions(game, state, world, other)) for other in others) for world in found]
    best = sorted(range(len(found)), key=lambda number: -shared[number])
    return [found[number] for number in best[:2]]


def _shared_actions(game: AnyGame, here: Any, there: Any, seat: Seat) -> list[Any]:
    """Return the actions that a seat has in both worlds, including the default action."""
    offered = [_offered(game, state, seat) for state in (here, there)]
    return [action for data, action in offered[0].items() if data in offered[1]]


def _offered(game: AnyGame, state: Any, seat: Seat) -> dict[bytes, Any]:
    if seat not in game.to_act(state):
        return {}
    return {encode(action): action for action in (*game.legal_actions(state, seat), game.default_action(state, seat))}


def _difference(here: list[tuple[str, View]], there: list[tuple[str, View]], viewer: str) -> str:
    """Return the first event and field that differ."""
    pairs = zip_longest(here, there, fillvalue=("", None))
    (kind, form), (other_kind, other) = next(pair for pair in pairs if encode(pair[0]) != encode(pair[1]))
    if form is None or other is None or event_type(form) != event_type(other):
        only, missing = (other, "here") if form is None else (form, "there")
        return f"event {event_type(only)!r}, all fields: {viewer} is not told of it {missing}"
    if kind != other_kind:
        return (
            f"event {event_type(form)!r}, all fields: {viewer} is told of it as {kind} here and as {other_kind} there"
        )
    path, one, another = next(differences(plain(form), plain(other)))
    field = f"event {event_type(form)!r} ({kind}), field {field_name(path)}"
    return f"{field}: {viewer} is told {one!r} here and {another!r} there"
