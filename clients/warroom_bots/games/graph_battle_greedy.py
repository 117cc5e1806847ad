"""A bot for Graph Battle that weighs every attack by its exact odds and its gain."""

from functools import cache

from warroom_bots.api import Action, BotKind, Decision
from warroom_games.codec import decode_action, encode
from warroom_games.graph_battle.actions import Attack
from warroom_games.graph_battle.combat import attack_rule
from warroom_games.graph_battle.evaluation import GROWTH, largest
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import Node, Table
from warroom_games.rng import Rng

_LAST_NODE = 4
"""Value of eliminating a rival, in nodes."""
_LEAST_ODDS = 0.1
"""Minimum odds of an attack."""


class GreedyBot:
    """Attacks where odds times gain are highest, and ends the turn when every attack is nearly hopeless.

    The coin is fair, so an attack costs both sides about the same; only the possible gain counts.
    """

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return the best action, random among equals."""
        table = GAME.imagine(decision.public, None, decision.seat, self._rng).table
        prizes = _Prizes(table)
        worths = [_worth(table, prizes, action) for action in decision.legal]
        best = max(worths)
        choices = [action for action, worth in zip(decision.legal, worths, strict=True) if worth == best]
        action, self._rng = self._rng.choice(choices)
        return action


class _Prizes(dict[int, int]):
    """What each node is worth to the seat to move. Several attacks may have the same target."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table
        self._sizes = {color: largest(table.board, table.nodes, color) for color in table.colors}

    def __missing__(self, target: int) -> int:
        """Rate a node by its gain for the own largest territory and the loss for its holder's."""
        table = self._table
        own, rival = table.colors[table.seat], table.nodes[target].color
        taken = (*table.nodes[:target], Node(own, 1), *table.nodes[target + 1 :])
        growth = largest(table.board, taken, own) - self._sizes[own]
        damage = self._sizes[rival] - largest(table.board, taken, rival)
        prize = self[target] = 1 + GROWTH * growth + damage + _LAST_NODE * _is_last(table, target)
        return prize


def _worth(table: Table, prizes: _Prizes, action: Action) -> float:
    """Rate an action: worthwhile attacks above 0, then ends of the turn, then the other attacks."""
    match decode_action(GAME, encode(action)):
        case Attack(source, target):
            odds = _odds(table.options, table.nodes[source].strength, table.nodes[target].strength)
            return odds * prizes[target] if odds >= _LEAST_ODDS else -2
        case end:
            # Prefer the strongest capital; any capital beats none.
            return -1 if end.capital is None else -1 / (1 + table.nodes[end.capital].strength)


def _is_last(table: Table, target: int) -> bool:
    """Whether a node is the last one of its colour."""
    color = table.nodes[target].color
    return sum(node.color == color for node in table.nodes) == 1


@cache
def _odds(options: Options, attacker: int, defender: int) -> float:
    return float(attack_rule(options).odds(attacker, defender))


BOT = BotKind(
    name="greedy", game="graph_battle", summary="weighs each attack by its odds and its prize", make=GreedyBot
)
