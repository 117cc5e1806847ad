"""The laws about what a viewer can know. They alter what it cannot know, by `imagine`, and look for a difference."""

from typing import Any

from warroom_games.api import AnyGame, Seat, Step, View
from warroom_games.codec import decode_state, encode, tag_of
from warroom_games.law import LawBrokenError, hold, refusal, viewers
from warroom_games.playthrough import Playthrough
from warroom_games.rng import Rng
from warroom_protocol.canonical import canonical, plain

_SAMPLE = 8
_WANDER = 4
_DREAMS = 16
_ALIKE = 3


def imagined_worlds_look_the_same(match: Playthrough) -> None:
    """An imagined state has the very views it was imagined from, the same turn, and goes on or is over alike."""
    game = match.game
    for state, viewer, world in _worlds(match):
        if _sight(game, world, viewer) != _sight(game, state, viewer):
            raise LawBrokenError(f"viewer {viewer} sees another world: {world}")
        hold(game.turn(world) == game.turn(state), f"turn {game.turn(state)} is not public")
        hold((game.result(world) is None) == (game.result(state) is None), "that the match is over is not public")
        if decode_state(game, encode(world)) != world:
            raise LawBrokenError(f"{world} does not survive its encoding")


def answers_depend_on_views_alone(match: Playthrough) -> None:
    """Whatever is hidden from it, a seat is offered and refused the same actions in the same words."""
    actions = _actions(match)
    for state, viewer, world in _worlds(match):
        if viewer is not None:
            _hold_answers(match.game, state, world, viewer, actions)


def hidden_steps_stay_hidden(match: Playthrough) -> None:
    """Steps that show a seat nothing change none of its answers, in this world or in an imagined one.

    Its own equal step is taken in both worlds as well, for as long as both show it the same.
    """
    game, rng = match.game, Rng(match.key)
    actions = _actions(match)
    for state, viewer, world in _worlds(match):
        if viewer is None:
            continue
        here, rng = _wander(game, state, viewer, rng)
        there, rng = _wander(game, world, viewer, rng)
        _hold_answers(game, here, there, viewer, actions)
        if viewer in game.to_act(here):
            action, rng = rng.choice(list(game.legal_actions(here, viewer)))
            here, there = (game.apply(place, viewer, action).state for place in (here, there))
            if _sight(game, here, viewer) == _sight(game, there, viewer):
                _hold_answers(game, here, there, viewer, actions)


def events_tell_no_more_than_views(match: Playthrough) -> None:
    """Actions of one kind that show a viewer nothing have the same events for it, whatever is hidden.

    A card that is laid face down must not be named: whichever it is, here or in an imagined world, the others are told
    the same, and so are spectators. What every seat saw happen may be told to spectators, even where the public view
    cannot keep it; so they are asked about actions of which some other seat saw nothing.
    """
    game, rng = match.game, Rng(match.key)
    for state, viewer, world in _worlds(match):
        others = sorted((game.to_act(state) & game.to_act(world)) - {viewer})
        if not others:
            continue
        seat, rng = rng.choice(others)
        lead, rng = rng.choice(list(game.legal_actions(state, seat)))
        told: dict[bytes, object] = {}
        for place in (state, world):
            alike = [action for action in game.legal_actions(place, seat) if tag_of(action) == tag_of(lead)]
            picked, rng = rng.sample(alike, min(len(alike), _ALIKE))
            for action in picked:
                step = game.apply(place, seat, action)
                if _is_unseen(match, place, step, seat, viewer):
                    told.setdefault(encode(_shown(step, viewer)), action)
        who = "a spectator" if viewer is None else f"seat {viewer}"
        hold(len(told) <= 1, f"{who} sees nothing of {list(told.values())}, but their events tell them apart")


def hidden_things_can_be_otherwise(match: Playthrough) -> None:
    """Where seats have private views, a spectator can imagine other ones: else the public view tells them."""
    game = match.game
    if game.private(match.opening, 0) is None:
        return
    rng = Rng(match.key)
    for state in match.sample(_SAMPLE):
        for _ in range(_DREAMS):
            dreams, rng = rng.spawn()
            world = game.imagine(plain(game.public(state)), None, None, dreams)
            if any(_sight(game, state, seat) != _sight(game, world, seat) for seat in range(match.seats)):
                return
    raise LawBrokenError("the public view tells what every seat holds")


def _worlds(match: Playthrough) -> list[tuple[Any, Seat | None, Any]]:
    """Return states of the match, each with a viewer and a world that this viewer can imagine."""
    game, rng, worlds = match.game, Rng(match.key), []
    for state in match.sample(_SAMPLE):
        for viewer in viewers(match.seats):
            dreams, rng = rng.spawn()
            private = None if viewer is None else plain(game.private(state, viewer))
            worlds.append((state, viewer, game.imagine(plain(game.public(state)), private, viewer, dreams)))
    return worlds


def _sight(game: AnyGame, state: Any, viewer: Seat | None) -> tuple[bytes, bytes]:
    private = None if viewer is None else game.private(state, viewer)
    return canonical(game.public(state)), canonical(private)


def _actions(match: Playthrough) -> list[Any]:
    """Return some actions of the match to ask about."""
    return [move.action for move in match.moves[:: max(len(match.moves) // 20, 1)]]


def _hold_answers(game: AnyGame, one: Any, other: Any, seat: Seat, actions: list[Any]) -> None:
    here, there = (_answers(game, state, seat, actions) for state in (one, other))
    if here != there:
        raise LawBrokenError(f"seat {seat} sees the same and is answered {here} here and {there} there")


def _answers(game: AnyGame, state: Any, seat: Seat, actions: list[Any]) -> list[object]:
    """Return all that a seat can learn by asking."""
    is_asked = seat in game.to_act(state)
    refusals = [refusal(game, state, seat, action) for action in actions]
    return [
        is_asked,
        [encode(action) for action in game.legal_actions(state, seat)],
        encode(game.default_action(state, seat)) if is_asked else None,
        [refused and (refused.code, refused.detail) for refused in refusals],
    ]


def _is_unseen(match: Playthrough, state: Any, step: Step, actor: Seat, viewer: Seat | None) -> bool:
    """Whether a step shows nothing to a seat, or, if the viewer is a spectator, to some seat that did not act."""
    game = match.game
    blind = [seat for seat in range(match.seats) if seat != actor] if viewer is None else [viewer]
    return any(_sight(game, step.state, seat) == _sight(game, state, seat) for seat in blind)


def _shown(step: Step, viewer: Seat | None) -> list[View]:
    """Return what a viewer is told of a step."""
    forms = [(event.public, *(form for seat, form in event.private if seat == viewer)) for event in step.events]
    return [form for event in forms for form in event if form is not None]


def _wander(game: AnyGame, state: Any, viewer: Seat, rng: Rng) -> tuple[Any, Rng]:
    """Take random steps of the other seats, as long as they show the viewer nothing."""
    sight = _sight(game, state, viewer)
    for _ in range(_WANDER):
        others = sorted(game.to_act(state) - {viewer})
        if not others:
            break
        seat, rng = rng.choice(others)
        action, rng = rng.choice(list(game.legal_actions(state, seat)))
        step = game.apply(state, seat, action)
        if not _shown(step, viewer) and _sight(game, step.state, viewer) == sight:
            state = step.state
    return state, rng
