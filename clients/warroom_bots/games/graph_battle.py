"""A bot for Graph Battle that attacks only with greater strength."""

import msgspec
from msgspec import Struct

from warroom_bots.api import Action, BotKind, Decision
from warroom_games.graph_battle import actions as rules
from warroom_games.rng import Rng


class _Node(Struct):
    """The fields of a node that the bot uses."""

    strength: int


class _Table(Struct):
    """The fields of the public view that the bot uses."""

    nodes: tuple[_Node, ...]


class SimpleBot:
    """Attacks where its strength exceeds the defender's most, and ends the turn if it exceeds none."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return the attack with the greatest advantage (random among equals), or else the end of the turn."""
        nodes = msgspec.convert(decision.public, _Table).nodes
        worths = [_worth(action, nodes) for action in decision.legal]
        best = max(worths)
        choices = [action for action, worth in zip(decision.legal, worths, strict=True) if worth == best]
        action, self._rng = self._rng.choice(choices)
        return action


def _worth(action: Action, nodes: tuple[_Node, ...]) -> tuple[int, bool]:
    """Rate an action by its advantage; without one, ending the turn beats attacking."""
    match msgspec.convert(action, rules.Action):
        case rules.Attack(source, target):
            return nodes[source].strength - nodes[target].strength, False
        case _:
            return 0, True


BOT = BotKind(
    name="simple", game="graph_battle", summary="attacks only with greater strength, best odds first", make=SimpleBot
)
