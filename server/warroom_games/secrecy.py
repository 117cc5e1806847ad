"""The laws about what a viewer can know. They change hidden facts with `imagine` and look for a difference."""

from typing import Any

from warroom_games.api import AnyGame, Seat
from warroom_games.codec import decode_state, encode
from warroom_games.law import LawBrokenError, hold, refusal
from warroom_games.playthrough import Playthrough
from warroom_games.rng import Rng
from warroom_games.worlds import SAMPLE, imagined, sight, told, worlds

_WANDER = 4
_DREAMS = 16


def imagined_worlds_look_the_same(match: Playthrough) -> None:
    """An imagined state has the views that it was imagined from and the same turn, and is over if the real one is."""
    game = match.game
    for state, viewer, world in worlds(match):
        if sight(game, world, viewer) != sight(game, state, viewer):
            raise LawBrokenError(f"viewer {viewer} sees another world: {world}")
        hold(game.turn(world) == game.turn(state), f"turn {game.turn(state)} is not public")
        hold((game.result(world) is None) == (game.result(state) is None), "the end of the match is not public")
        if decode_state(game, encode(world)) != world:
            raise LawBrokenError(f"{world} does not survive its encoding")


def answers_depend_on_views_alone(match: Playthrough) -> None:
    """Hidden facts change neither which actions a seat is offered or refused, nor the text of a refusal."""
    actions = _actions(match)
    for state, viewer, world in worlds(match):
        if viewer is not None:
            _hold_answers(match.game, state, world, viewer, actions)


def hidden_steps_stay_hidden(match: Playthrough) -> None:
    """Steps that a seat cannot see change none of the answers it gets, in the real world or an imagined one.

    The seat's own step is also taken in both worlds, as long as both look the same to it.
    """
    game, rng = match.game, Rng(match.key)
    actions = _actions(match)
    for state, viewer, world in worlds(match):
        if viewer is None:
            continue
        here, rng = _wander(game, state, viewer, rng)
        there, rng = _wander(game, world, viewer, rng)
        _hold_answers(game, here, there, viewer, actions)
        if viewer in game.to_act(here):
            action, rng = rng.choice(list(game.legal_actions(here, viewer)))
            here, there = (game.apply(place, viewer, action).state for place in (here, there))
            if sight(game, here, viewer) == sight(game, there, viewer):
                _hold_answers(game, here, there, viewer, actions)


def hidden_things_can_be_otherwise(match: Playthrough) -> None:
    """If seats have private views, a spectator can imagine others; otherwise the public view would reveal them."""
    game = match.game
    if game.private(match.opening, 0) is None:
        return
    rng = Rng(match.key)
    for state in match.sample(SAMPLE):
        for _ in range(_DREAMS):
            dreams, rng = rng.spawn()
            world = imagined(game, state, None, dreams)
            if any(sight(game, state, seat) != sight(game, world, seat) for seat in range(match.seats)):
                return
    raise LawBrokenError("the public view reveals what every seat holds")


def _actions(match: Playthrough) -> list[Any]:
    """Return some actions of the match to ask about."""
    return [move.action for move in match.moves[:: max(len(match.moves) // 20, 1)]]


def _hold_answers(game: AnyGame, one: Any, other: Any, seat: Seat, actions: list[Any]) -> None:
    here, there = (_answers(game, state, seat, actions) for state in (one, other))
    if here != there:
        raise LawBrokenError(f"seat {seat} sees the same but gets different answers: {here} and {there}")


def _answers(game: AnyGame, state: Any, seat: Seat, actions: list[Any]) -> list[object]:
    """Return everything that a seat can learn by asking."""
    is_asked = seat in game.to_act(state)
    refusals = [refusal(game, state, seat, action) for action in actions]
    return [
        is_asked,
        [encode(action) for action in game.legal_actions(state, seat)],
        encode(game.default_action(state, seat)) if is_asked else None,
        [refused and (refused.code, refused.detail) for refused in refusals],
    ]


def _wander(game: AnyGame, state: Any, viewer: Seat, rng: Rng) -> tuple[Any, Rng]:
    """Take random steps of the other seats, as long as the viewer sees no change."""
    before = sight(game, state, viewer)
    for _ in range(_WANDER):
        others = sorted(game.to_act(state) - {viewer})
        if not others:
            break
        seat, rng = rng.choice(others)
        action, rng = rng.choice(list(game.legal_actions(state, seat)))
        step = game.apply(state, seat, action)
        if not told(step, viewer) and sight(game, step.state, viewer) == before:
            state = step.state
    return state, rng
