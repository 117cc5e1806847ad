"""A greedy bot for Strata: it weighs the gain of each action against the rival's best answer."""

from collections.abc import Iterable

import msgspec

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.games.strata_evaluation import Evaluation
from warroom_games.rng import Rng
from warroom_games.strata import actions as rules
from warroom_games.strata.board import INDEX
from warroom_games.strata.evaluation import worth
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import Stack, State

_OTHER_FEARS = 53
"""Weight of the other dangers besides the greatest, in percent: the rival attacks only once per turn."""


class GreedyBot:
    """Plays the action with the greatest gain, random among equals."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return the best action by its gain this turn and the rival's best answer next turn."""
        state = GAME.imagine(decision.public, None, decision.seat, self._rng)
        actions = msgspec.convert(decision.legal, tuple[rules.Action, ...])
        worths = rate(state, actions)
        best = max(worths)
        choices = [action for action, worth in zip(decision.legal, worths, strict=True) if worth == best]
        action, self._rng = self._rng.choice(choices)
        return action


def rate(state: State, actions: Iterable[rules.Action]) -> list[int]:
    """Return the gain of each action for the seat to move, in points."""
    rater = _ActionRater(state)
    return [rater.rate(action) for action in actions]


class _Ranking:
    """A multiset of numbers that answers what its maximum is after one replacement."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self.total = 0
        self._first = self._second = 0
        for number in numbers:
            self.total += number
            if number > self._first:
                self._first, self._second = number, self._first
            elif number > self._second:
                self._second = number

    def greatest(self, old: int, new: int) -> int:
        """Return the maximum after *old* becomes *new*."""
        others = self._second if old == self._first else self._first
        return max(others, new)


class _ActionRater:
    """Compares the actions of one decision; it evaluates only the stacks that an action changes."""

    def __init__(self, state: State) -> None:
        self._evaluation = evaluation = Evaluation(state, state.seat)
        self._is_moved = state.moved
        own = evaluation.own.items()
        self._worths = {vertex: self._worth(stack.pieces, stack.energy, vertex) for vertex, stack in own}
        self._dangers = {vertex: evaluation.danger(stack.pieces, stack.energy, vertex) for vertex, stack in own}
        self._attacks = {vertex: self._reach(stack.pieces, stack.energy, vertex) for vertex, stack in own}
        self._fears, self._chances = _Ranking(self._dangers.values()), _Ranking(self._attacks.values())
        self._fear = self._feared(0, 0)

    def rate(self, action: rules.Action) -> int:
        """Return the gain of an action; ending the turn gains nothing."""
        match action:
            case rules.Place():
                return self._grown(INDEX[action.vertex], pieces=1)
            case rules.Infuse():
                return self._grown(INDEX[action.vertex], energy=1)
            case rules.Move():
                return self._moved(INDEX[action.source], INDEX[action.target])
            case rules.Attack():
                return self._attacked(INDEX[action.source], INDEX[action.target])
            case _:
                return 0

    def _grown(self, vertex: int, *, pieces: int = 0, energy: int = 0) -> int:
        stack = self._evaluation.own.get(vertex, Stack(self._evaluation.seat, 0, 0))
        pieces, energy = stack.pieces + pieces, stack.energy + energy
        return self._changed(vertex, vertex, pieces, energy) + self._chances.greatest(
            self._attacks.get(vertex, 0), self._reach(pieces, energy, vertex)
        )

    def _moved(self, source: int, target: int) -> int:
        stack = self._evaluation.own[source]
        return self._changed(source, target, stack.pieces, stack.energy) + self._chances.greatest(
            self._attacks[source], self._evaluation.assault(stack.pieces, stack.energy, target)
        )

    def _changed(self, source: int, target: int, pieces: int, energy: int) -> int:
        """Return the gain if a stack looks like this now, also on the target."""
        fear = self._feared(self._dangers.get(source, 0), self._evaluation.danger(pieces, energy, target))
        return self._worth(pieces, energy, target) - self._worths.get(source, 0) - fear + self._fear

    def _attacked(self, source: int, target: int) -> int:
        """Return the gain of an attack, with the rival's answer to the winner included."""
        evaluation, stack = self._evaluation, self._evaluation.own[source]
        left = evaluation.victor(stack.pieces, stack.energy, source, target)
        hope = evaluation.hope(left.pieces, left.energy, target) - evaluation.hope(stack.pieces, stack.energy, source)
        charge = evaluation.charge(stack.pieces, stack.energy, source, target)
        return charge + hope - self._feared(self._dangers[source], 0) + self._fear

    def _feared(self, old: int, new: int) -> int:
        """Return the total danger after one danger becomes another."""
        greatest = self._fears.greatest(old, new)
        return greatest + (self._fears.total - old + new - greatest) * _OTHER_FEARS // 100

    def _worth(self, pieces: int, energy: int, vertex: int) -> int:
        evaluation = self._evaluation
        return worth(evaluation.seat, pieces, energy, vertex) + evaluation.hope(pieces, energy, vertex)

    def _reach(self, pieces: int, energy: int, vertex: int) -> int:
        return self._evaluation.reach(pieces, energy, vertex, is_moved=self._is_moved)


BOT = BotKind(name="greedy", game="strata", summary="besieges the rival's home corners", make=GreedyBot)
