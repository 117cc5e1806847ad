"""The search as a bot: it plays the action that it tried most often, and keeps what is still true of its tree."""

from typing import Any

from warroom_bots.api import Action, Decision
from warroom_bots.search.budget import Budget
from warroom_bots.search.guide import guide_for
from warroom_bots.search.search import Search
from warroom_bots.search.settings import Settings, settings_for
from warroom_bots.search.tree import Node
from warroom_games.api import AnyGame
from warroom_games.rng import Rng
from warroom_protocol.canonical import canonical, plain


class SearchBot:
    """Searches each decision within its limit."""

    def __init__(self, game: AnyGame, rng: Rng, *, most: int | None = None, settings: Settings | None = None) -> None:
        self._game = game
        self._taste, self._rng = rng.spawn()
        self._most = most
        self._settings = settings or settings_for(game.info.id)
        self._root = Node()
        self._expected: frozenset[bytes] = frozenset()
        """The views at which the tree goes on, as bytes."""
        self._turn = -1
        self._been: frozenset[bytes] = frozenset()
        """The views of the decisions of this turn."""

    def choose(self, decision: Decision) -> Action:
        """Return the best action that the search finds within the limit of the decision."""
        if len(decision.legal) == 1 and decision.complete:
            return decision.legal[0]
        budget = Budget.of(decision, self._most)
        own, self._rng = self._rng.spawn()
        root = self._root if self._is_expected(decision) else Node()
        guide = guide_for(self._game.info.id, self._settings.guide)
        search = Search(self._game, decision, own, taste=self._taste, guide=guide, settings=self._settings, root=root)
        search.run(budget)
        self._remember(decision, self._game.turn(search.worlds[0]))
        edge = search.best(lambda action: self._is_circle(search, decision, action))
        self._root = root.child((edge.key,))
        self._expected = frozenset(self._following(search, decision, edge.action))
        return plain(edge.action)

    def visits(self, decision: Decision) -> int:
        """Return how many simulations the tree already holds for a decision."""
        return self._root.visits if self._is_expected(decision) else 0

    def _remember(self, decision: Decision, turn: int) -> None:
        earlier = self._been if turn == self._turn else frozenset()
        self._turn, self._been = turn, earlier | {_sight(decision.public, decision.private)}

    def _is_circle(self, search: Search, decision: Decision, action: Any) -> bool:
        """Whether an action leads back to where the seat was in this turn: nothing but a clock would end that."""
        following = self._following(search, decision, action)
        return bool(following) and following <= self._been

    def _is_expected(self, decision: Decision) -> bool:
        return _sight(decision.public, decision.private) in self._expected

    def _following(self, search: Search, decision: Decision, action: Any) -> set[bytes]:
        """Return the views that the seat may have at its next action in the same turn."""
        game, seat = self._game, decision.seat
        states = [game.apply(world, seat, action).state for world in search.worlds]
        return {_sight(game.public(state), game.private(state, seat)) for state in states if seat in game.to_act(state)}


def _sight(public: object, private: object) -> bytes:
    return canonical((public, private))
