"""The law of conservation: cards, pieces, points, land, or any other quantity that a game names."""

from collections.abc import Iterator
from typing import Any

from warroom_games.api import AnyGame, Conserving, Sourced, Step
from warroom_games.law import hold
from warroom_games.playthrough import Playthrough
from warroom_games.rng import KEY_BYTES, Rng

_SAMPLE = 12


def conserved_quantities_are_conserved(match: Playthrough) -> None:
    """Each step leaves all conserved quantities unchanged, except for changes that its events report.

    A step is an action of a player or of the clock, or a seat that leaves.
    """
    game: object = match.game
    if not isinstance(game, Conserving):
        return
    names = set(game.conserved(match.opening))
    hold(names, "the game says that something is conserved, but names nothing")
    for state, step, what in _steps(match):
        before, after = game.conserved(state), game.conserved(step.state)
        hold(set(after) == names, f"{sorted(names)} were counted at first, and {sorted(after)} after {what}")
        come = game.sources(state, step.events) if isinstance(game, Sourced) else {}
        hold(set(come) <= names, f"{sorted(set(come) - names)} change by {what}, but are not counted")
        for name in sorted(names):
            due = before[name] + come.get(name, 0)
            hold(after[name] == due, f"{name}: {before[name]} before {what}, {after[name]} after it, expected {due}")


def conserved_names(game: AnyGame) -> list[str]:
    """Return the quantities that a game conserves; none if it names none."""
    counted: object = game
    if not isinstance(counted, Conserving):
        return []
    opening = game.setup(game.info.usual_seats, game.options_type(), Rng(bytes(KEY_BYTES)))
    return sorted(counted.conserved(opening))


def _steps(match: Playthrough) -> Iterator[tuple[Any, Step, str]]:
    """Yield the steps of the match, and at some states the steps of time-outs and of leaving players."""
    game = match.game
    for move in match.moves:
        yield move.state, move.step, f"{move.action} of seat {move.seat}"
    for state in match.sample(_SAMPLE):
        for seat in sorted(game.to_act(state)):
            action = game.default_action(state, seat)
            yield state, game.apply(state, seat, action), f"{action} of the clock for seat {seat}"
        for seat in range(match.seats):
            yield state, game.remove(state, seat), f"seat {seat} has left"
