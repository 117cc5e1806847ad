"""Information-set Monte-Carlo tree search: one simulation after another, each in a world that the seat can imagine."""

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from warroom_bots.api import BotKind, Decision
from warroom_bots.search.budget import Budget
from warroom_bots.search.guide import Players
from warroom_bots.search.settings import Settings
from warroom_bots.search.tree import Choice, Edge, Key, Node
from warroom_bots.search.valuation import Valuation, Values, seat_count, value_of
from warroom_games.api import AnyGame, IllegalActionError, Seat
from warroom_games.codec import encode
from warroom_games.rng import Rng

LONGEST: Final = 400
"""Maximum number of actions of a roll-out."""
MOST_WORLDS: Final = 4
"""Number of imagined worlds that are kept, to see whether the next decision follows from this one."""

_Line: TypeAlias = list[tuple[Seat, Choice, Edge]]


class _Deal(NamedTuple):
    """What chance decides before a line of play."""

    world: Any
    luck: Rng
    """The generator of the roll-out."""


class Search:
    """The search of one decision, from a *root* that may know something already."""

    def __init__(
        self,
        game: AnyGame,
        decision: Decision,
        rng: Rng,
        *,
        taste: Rng,
        guide: BotKind | None,
        settings: Settings,
        root: Node,
    ) -> None:
        self._game = game
        self._decision = decision
        self._rng = rng
        self._taste = taste
        self._guide = guide
        self._settings = settings
        self._root = root
        self._valuation = Valuation(game)
        self._deals: list[_Deal] = []
        self._tries: Counter[Key] = Counter()
        world = self._deal(0).world
        self._seats = seat_count(game, world)
        self._until = game.turn(world) + self._horizon()
        self._choice = root.choices.setdefault(decision.seat, Choice())
        self._choice.keep(lambda action: self._is_legal(world, decision.seat, action))
        if not self._choice.edges:
            self._guided(self._choice, world, decision.seat)

    def run(self, budget: Budget) -> None:
        """Simulate until the budget is spent, or no longer suffices to refute a trusted guide."""
        while budget.spend():
            self._simulate(budget)
            if self._settings.trust and self._lead() > budget.left():
                return

    @property
    def worlds(self) -> list[Any]:
        """Some of the imagined worlds."""
        return [deal.world for deal in self._deals[:MOST_WORLDS]]

    def best(self, is_circle: Callable[[Any], bool] = lambda _: False) -> Edge:
        """Return the action that was tried most often, with some trust in the guide's; the better one among equals.

        If all that is known leads in a circle, return another action, if there is one.
        """
        ranked = self._ranked()
        edge = next((edge for edge in ranked if not is_circle(edge.action)), None)
        if edge is None:
            self._widen(self._choice, self._deal(0).world, self._decision.seat)
            edge = next((edge for edge in self._ranked() if not is_circle(edge.action)), None)
        return edge or ranked[0]

    def _ranked(self) -> list[Edge]:
        guided, *_ = edges = self._choice.edges.values()
        trust = self._settings.trust
        return sorted(edges, key=lambda edge: (edge.visits + trust * (edge is guided), edge.total), reverse=True)

    def _lead(self) -> int:
        """Return how many tries another action needs to be played in place of the guide's."""
        guided, *others = self._choice.edges.values()
        return guided.visits + self._settings.trust - max([edge.visits for edge in others], default=0)

    def _horizon(self) -> int:
        if self._settings.horizon is not None:
            return self._settings.horizon * self._seats // 2
        if not self._valuation.can_estimate:
            return LONGEST
        return 2 * self._seats if self._guide else 0

    def _deal(self, number: int) -> _Deal:
        """Return a world and the luck of the line that is played in it.

        The n-th try of each action gets the n-th deal, so that no action seems better because it had more luck.
        """
        while len(self._deals) <= number:
            dream, self._rng = self._rng.spawn()
            luck, self._rng = self._rng.spawn()
            seen = self._decision
            self._deals.append(_Deal(self._game.imagine(seen.public, seen.private, seen.seat, dream), luck))
        return self._deals[number]

    def _players(self, rng: Rng) -> Players:
        return Players(self._game, self._guide, rng, is_typed=self._settings.is_typed)

    def _simulate(self, budget: Budget) -> None:
        """Follow the tree to a new history, play on from there, and remember the result along the way."""
        game, node, seat, line = self._game, self._root, self._decision.seat, _Line()
        first = self._tried(node, self._deal(0).world, seat)
        state, luck = self._deal(self._tries[first[1].key])
        self._tries[first[1].key] += 1
        chosen = {seat: first}
        while (asked := game.to_act(state)) and (node.visits or node is self._root):
            node.visits += 1
            tries = [(each, *(chosen.pop(each, None) or self._tried(node, state, each))) for each in sorted(asked)]
            state = self._played(state, tries)
            line += tries
            node = node.child(tuple([edge.key for _, _, edge in tries]))
        node.visits += 1
        values = self._value(state, luck, budget)
        if values is not None:
            for each, choice, edge in line:
                choice.visits += 1
                choice.total += values[each]
                edge.visits += 1
                edge.total += values[each]

    def _tried(self, node: Node, state: Any, seat: Seat) -> tuple[Choice, Edge]:
        """Return what a seat tries. Seats that are asked together choose without knowing of each other."""
        choice = node.choices.setdefault(seat, Choice())
        window = choice.window(self._settings)
        legal = self._known(choice, state, seat, window)
        if 1 < window > len(legal):
            self._widen(choice, state, seat)
            legal = self._known(choice, state, seat, window)
        if not legal:  # nothing was tried here, or only what the seat cannot do in this world
            legal = [self._guided(choice, state, seat)]
        return choice, choice.pick(legal, self._settings)

    def _known(self, choice: Choice, state: Any, seat: Seat, most: int) -> list[Edge]:
        """Return the first known actions that are legal in a world."""
        return list(islice((edge for edge in choice.edges.values() if self._is_legal(state, seat, edge.action)), most))

    def _guided(self, choice: Choice, state: Any, seat: Seat) -> Edge:
        """Add what the guide plays, always by the same taste, so that its actions go together."""
        action = self._players(self._taste).action(state, seat)
        return choice.add(action, encode(action))

    def _widen(self, choice: Choice, state: Any, seat: Seat) -> None:
        """Add the listed actions, those first after which the seat stands best."""
        actions = {encode(action): action for action in self._game.legal_actions(state, seat)}
        new = [key for key in actions if key not in choice.edges]
        if self._valuation.can_estimate:
            worth = {key: self._valuation.worth(self._game.apply(state, seat, actions[key]).state, seat) for key in new}
            new.sort(key=lambda key: -worth[key])
        elif len(new) > 1:
            order, self._rng = self._rng.shuffle(new)
            new = list(order)
        for key in new:
            choice.add(actions[key], key)

    def _settled(self, state: Any) -> Values:
        result = self._game.result(state)
        return value_of(result) if result else self._valuation.estimate(state, self._seats)

    def _is_legal(self, state: Any, seat: Seat, action: Any) -> bool:
        try:
            self._game.check(state, seat, action)
        except IllegalActionError:
            return False
        return True

    def _played(self, state: Any, tries: _Line) -> Any:
        for number, (seat, _, edge) in enumerate(tries):
            # An action of another seat may have ended the turn for all.
            if not number or (seat in self._game.to_act(state) and self._is_legal(state, seat, edge.action)):
                state = self._game.apply(state, seat, edge.action).state
        return state

    def _value(self, state: Any, luck: Rng, budget: Budget) -> Values | None:
        """Return the value of a line of play after a roll-out; None if there is no time for it."""
        game, players = self._game, self._players(luck)
        until = max(self._until, game.turn(state))
        for _ in range(LONGEST):
            asked = game.to_act(state)
            if not asked or game.turn(state) >= until:
                break
            if budget.is_late():
                return None
            seat = min(asked)
            state = game.apply(state, seat, players.action(state, seat)).state
        return self._settled(state)
