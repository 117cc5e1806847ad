"""The tree: what was tried at each information set, and how it went.

A node stands for a history of actions, whatever the hidden facts are: the same history in different imagined worlds
shares one node, so that no action is chosen by what its seat cannot know.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, TypeAlias

from warroom_bots.search.settings import Settings
from warroom_games.api import Seat

Key: TypeAlias = bytes
"""An action in canonical form."""


class Edge:
    """An action of one seat at a node."""

    __slots__ = ("action", "key", "offered", "total", "visits")

    def __init__(self, action: Any, key: Key) -> None:
        self.action = action
        self.key = key
        self.visits = 0
        self.total = 0.0
        """The sum of the values that the seat got."""
        self.offered = 0
        """How often it could have been chosen: not every imagined world allows it."""

    @property
    def mean(self) -> float:
        """The average value of the tries."""
        return self.total / self.visits


class Choice:
    """The actions of one seat at a node, most promising first."""

    __slots__ = ("edges", "total", "visits")

    def __init__(self) -> None:
        self.edges: dict[Key, Edge] = {}
        self.visits = 0
        self.total = 0.0

    def window(self, settings: Settings) -> int:
        """Return how many of the actions are considered at the next visit (progressive widening)."""
        return max(1, int(settings.widening * sqrt(self.visits + 1)))

    def add(self, action: Any, key: Key) -> Edge:
        """Append an action, unless it is known here."""
        return self.edges.setdefault(key, Edge(action, key))

    def keep(self, is_legal: Callable[[Any], bool]) -> None:
        """Forget the actions that are not legal: what is known of another world may contain some."""
        self.edges = {key: edge for key, edge in self.edges.items() if is_legal(edge.action)}

    def pick(self, legal: Sequence[Edge], settings: Settings) -> Edge:
        """Return the action to try among the *legal* ones of the window.

        Earlier actions are preferred until others prove better: the prior of an action falls with its place.
        """
        untried = (self.total / self.visits if self.visits else 0.5) - settings.caution
        best, most = legal[0], -1.0
        for place, edge in enumerate(legal, 1):
            edge.offered += 1
            known = edge.total / edge.visits if edge.visits else untried
            hope = known + settings.exploration * sqrt(edge.offered) / (place * (1 + edge.visits))
            if hope > most:
                best, most = edge, hope
        return best


class Node:
    """A history: a choice for each seat that was asked there, and the histories that follow."""

    __slots__ = ("children", "choices", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.choices: dict[Seat, Choice] = {}
        self.children: dict[tuple[Key, ...], Node] = {}

    def child(self, keys: tuple[Key, ...]) -> "Node":
        """Return the history after the actions of the seats that were asked, in their order."""
        if keys not in self.children:
            self.children[keys] = Node()
        return self.children[keys]
