"""A bot for Graph Battle that weighs every attack by its exact odds and by what it would win."""

from functools import cache

from warroom_bots.api import Action, BotKind, Decision
from warroom_games.codec import decode_action, encode
from warroom_games.graph_battle.actions import Attack
from warroom_games.graph_battle.combat import attack_rule
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.reinforcement import largest_territories
from warroom_games.graph_battle.rules import GAME
from warroom_games.graph_battle.state import Node, Table
from warroom_games.rng import Rng

_LAST_NODE = 4
"""What it is worth to put a rival out of play, in conquered nodes."""
_FAIR_ODDS = 0.3
"""The odds from which an attack is made that does not make the largest territory larger; such a one is made at any."""


class GreedyBot:
    """Attacks where odds times prize are highest, and ends the turn when no attack is worth it.

    The coin is fair, so an attack costs both sides about the same: what it may win is all that counts.
    """

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return the action that promises most, drawn among equals."""
        table = GAME.imagine(decision.public, None, decision.seat, self._rng).table
        worths = [_worth(table, action) for action in decision.legal]
        best = max(worths)
        choices = [action for action, worth in zip(decision.legal, worths, strict=True) if worth == best]
        action, self._rng = self._rng.choice(choices)
        return action


def _worth(table: Table, action: Action) -> float:
    """Rate an action: attacks that are worth it above 0, then ends of the turn, then the other attacks."""
    match decode_action(GAME, encode(action)):
        case Attack(source, target):
            odds = _odds(table.options, table.nodes[source].strength, table.nodes[target].strength)
            growth = _growth(table, target)
            is_worth_it = growth > 0 or odds >= _FAIR_ODDS
            return odds * (1 + growth + _LAST_NODE * _is_last(table, target)) if is_worth_it else -2
        case end:
            # The stronger the capital, the better; and any is better than none.
            return -1 if end.capital is None else -1 / (1 + table.nodes[end.capital].strength)


def _growth(table: Table, target: int) -> int:
    """Return by how many nodes the largest territory would grow with one more node."""
    own = table.colors[table.seat]
    before = largest_territories(table.board, table.nodes, own)
    nodes = (*table.nodes[:target], Node(own, 1), *table.nodes[target + 1 :])
    return len(largest_territories(table.board, nodes, own)[0]) - len(before[0])


def _is_last(table: Table, target: int) -> bool:
    """Tell whether a node is the last one of its colour."""
    color = table.nodes[target].color
    return sum(node.color == color for node in table.nodes) == 1


@cache
def _odds(options: Options, attacker: int, defender: int) -> float:
    return float(attack_rule(options).odds(attacker, defender))


BOT = BotKind(
    name="greedy", game="graph_battle", summary="weighs each attack by its odds and its prize", make=GreedyBot
)
