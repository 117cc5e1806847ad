"""Information-set Monte-Carlo tree search: one simulation after another, each in a world that the seat can imagine."""

from itertools import islice
from typing import Any, Final, TypeAlias

from warroom_bots.api import BotKind, Decision
from warroom_bots.search.budget import Budget
from warroom_bots.search.guide import Players
from warroom_bots.search.settings import Settings
from warroom_bots.search.tree import Choice, Edge, Node
from warroom_bots.search.valuation import Valuation, Values, seat_count, value_of
from warroom_games.api import AnyGame, IllegalActionError, Seat
from warroom_games.codec import encode
from warroom_games.rng import Rng

LONGEST: Final = 400
"""Maximum number of actions of a roll-out."""
MOST_WORLDS: Final = 4
"""Number of imagined worlds that are kept, to see whether the next decision follows from this one."""

_Line: TypeAlias = list[tuple[Seat, Choice, Edge]]


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
        self.worlds = [self._imagined()]
        """Some of the imagined worlds."""
        world = self.worlds[0]
        self._seats = seat_count(game, world)
        self._until = game.turn(world) + self._horizon()
        self._choice = root.choices.setdefault(decision.seat, Choice())
        self._choice.keep(lambda action: self._is_legal(world, decision.seat, action))
        if not self._choice.edges:
            self._guided(self._choice, world, decision.seat)

    def run(self, budget: Budget) -> None:
        """Simulate until the budget is spent."""
        while budget.spend():
            world = self._imagined()
            if len(self.worlds) < MOST_WORLDS:
                self.worlds.append(world)
            self._simulate(world, budget)

    def best(self) -> Edge:
        """Return the action that was tried most often, with some trust in the guide's; the better one among equals."""
        guided, *_ = edges = self._choice.edges.values()
        trust = self._settings.trust
        return max(edges, key=lambda edge: (edge.visits + trust * (edge is guided), edge.total))

    def _horizon(self) -> int:
        if self._settings.horizon is not None:
            return self._settings.horizon * self._seats // 2
        if not self._valuation.can_estimate:
            return LONGEST
        return 2 * self._seats if self._guide else 0

    def _imagined(self) -> Any:
        fresh, self._rng = self._rng.spawn()
        return self._game.imagine(self._decision.public, self._decision.private, self._decision.seat, fresh)

    def _players(self, rng: Rng) -> Players:
        return Players(self._game, self._guide, rng, is_typed=self._settings.is_typed)

    def _simulate(self, state: Any, budget: Budget) -> None:
        """Follow the tree to a new history, play on from there, and remember the result along the way."""
        game, node, line = self._game, self._root, _Line()
        while (asked := game.to_act(state)) and (node.visits or node is self._root):
            node.visits += 1
            tries = [(seat, *self._tried(node, state, seat)) for seat in sorted(asked)]
            state = self._played(state, tries)
            line += tries
            node = node.child(tuple([edge.key for _, _, edge in tries]))
        node.visits += 1
        values = self._value(state, budget)
        if values is not None:
            for seat, choice, edge in line:
                choice.visits += 1
                choice.total += values[seat]
                edge.visits += 1
                edge.total += values[seat]

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

    def _value(self, state: Any, budget: Budget) -> Values | None:
        """Return the value of a line of play after a roll-out; None if there is no time for it."""
        fresh, self._rng = self._rng.spawn()
        game, players = self._game, self._players(fresh)
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
