"""A bot for Strata that looks one action ahead."""

from warroom_bots.api import Action, BotKind, Decision
from warroom_games.api import Seat
from warroom_games.codec import decode_action, encode
from warroom_games.rng import Rng
from warroom_games.strata.board import GRAVITY, NEIGHBOURS, REQUIRED, VERTICES, WORTH
from warroom_games.strata.force import NEED, exerted_force, raw_force
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import Stack, State, stacks_of

_WIN = 1_000_000
_KINDS = tuple((WORTH[layer], REQUIRED[layer] * GRAVITY[layer]) for layer in range(3))
"""What a vertex of each kind of layer is worth, and the pieces times energy that occupy it."""
_WORTH = tuple(WORTH[vertex.layer] for vertex in VERTICES)


class GreedyBot:
    """Plays the action after which it likes the board best, drawn among equals."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return the best action, by the look of the board right after it."""
        state = GAME.imagine(decision.public, None, decision.seat, self._rng)
        worths = [_outcome(state, decision.seat, action) for action in decision.legal]
        best = max(worths)
        choices = [action for action, worth in zip(decision.legal, worths, strict=True) if worth == best]
        action, self._rng = self._rng.choice(choices)
        return action


def _outcome(state: State, seat: Seat, action: Action) -> int:
    following = GAME.apply(state, seat, decode_action(GAME, encode(action))).state
    result = GAME.result(following)
    if result is not None and result.reason == "victory":
        return _WIN if result.ranks[seat] == 1 else -_WIN
    return rate(following, seat)


def rate(state: State, seat: Seat) -> int:
    """Return how much better the board is for a seat than for its rival."""
    own, other = stacks_of(state.vertices, seat), stacks_of(state.vertices, 1 - seat)
    value = sum(_value(stack, vertex) for vertex, stack in own) - sum(_value(stack, vertex) for vertex, stack in other)
    return value - sum(_value(stack, vertex) for vertex, stack in own if _is_in_danger(state, stack, vertex))


def _value(stack: Stack, vertex: int) -> int:
    """Rate a stack: what it holds, the vertex that it occupies, and how near it is to occupying each kind of layer."""
    power = stack.pieces * stack.energy
    held = 30 * _WORTH[vertex] if raw_force(stack, vertex) >= NEED[vertex] else 0
    promise = sum(15 * worth * min(power, needed) // needed for worth, needed in _KINDS)
    return held + promise + 4 * (stack.pieces + stack.energy)


def _is_in_danger(state: State, stack: Stack, vertex: int) -> bool:
    """Tell whether an enemy next to a stack exerts more force than it does."""
    force = exerted_force(stack, vertex)
    for other in NEIGHBOURS[vertex]:
        enemy = state.vertices[other]
        if enemy is not None and enemy.seat != stack.seat and exerted_force(enemy, other) > force:
            return True
    return False


BOT = BotKind(name="greedy", game="strata", summary="plays what makes the board look best at once", make=GreedyBot)
