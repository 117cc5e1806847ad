"""Graph Battle, by docs/rules/graph_battle.md; the section marks in this package point there."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.bounds import Bounds
from warroom_games.codec import check_seats
from warroom_games.graph_battle.actions import Action, Attack, EndTurn
from warroom_games.graph_battle.attacking import check_attack, list_attacks, make_attack
from warroom_games.graph_battle.board import BOARDS
from warroom_games.graph_battle.bounds import bounds_of
from warroom_games.graph_battle.conservation import changes, quantities
from warroom_games.graph_battle.deal import deal
from warroom_games.graph_battle.drawing import draw_table
from warroom_games.graph_battle.evaluation import evaluate
from warroom_games.graph_battle.events import Eliminated, GameEvent
from warroom_games.graph_battle.notes import note_on
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.order import ORDERS
from warroom_games.graph_battle.reinforcement import capitals, check_capital
from warroom_games.graph_battle.sentences import SENTENCES
from warroom_games.graph_battle.state import COLORS, State, Table
from warroom_games.graph_battle.turns import end_turn, settle
from warroom_games.graph_battle.victory import rank
from warroom_games.rng import Rng

_END_TURN = EndTurn()
_NOBODY: frozenset[Seat] = frozenset()
_ASKED = tuple(frozenset({seat}) for seat in range(len(COLORS)))


class GraphBattle:
    """The rules of Graph Battle, in contract order."""

    info = GameInfo(
        id="graph_battle",
        name="Graph Battle",
        summary="Conquer every node of a graph, coin flip by coin flip",
        rules_version=2,
        min_seats=2,
        max_seats=5,
        usual_seats=5,
        turn_ms=20_000,
        complete=True,
        has_draws=True,
    )
    state_type = State
    view_type = Table
    private_view_type = None
    event_type = GameEvent
    action_type = Action
    options_type = Options
    sentences = SENTENCES

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Make the board, deal the nodes and their strength, and begin the first turn."""
        check_seats(self, seats)  # §2.1
        board, rng = BOARDS[options.board](seats, rng)
        order, rng = ORDERS[options.order](range(seats), rng)
        nodes, rng = deal(len(board.positions), order, rng, handicap=options.handicap)
        table = Table(options=options, board=board, nodes=nodes, colors=COLORS[:seats], order=order, seat=order[0])
        return settle(State(table, rng), [])

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""
        table = state.table
        return _NOBODY if table.ended else _ASKED[table.seat]

    def turn(self, state: State) -> int:
        """Return the number of the turn."""
        return state.table.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return all attacks by source, then target; then the end of the turn, also with each capital."""
        table = state.table
        if seat != table.seat or table.ended:
            return []
        actions: list[Action] = list_attacks(table)
        actions.append(_END_TURN)
        if table.options.reinforcement == "capital":
            actions += map(EndTurn, capitals(table))  # §5.6
        return actions

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse an action out of turn, an attack that section 4 forbids, and a capital that section 5 forbids."""
        table = state.table
        if table.ended:
            raise IllegalActionError("match.over", "the match is over")  # §6.5
        if seat != table.seat:
            raise IllegalActionError("turn.not_yours", f"it is {table.colors[table.seat]}'s turn")  # §3.1
        if isinstance(action, Attack):
            check_attack(table, action)
        elif action.capital is not None:
            check_capital(table, action.capital)

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Fight an attack, or end the turn."""
        events: list[Event] = []
        if isinstance(action, Attack):
            state = make_attack(state, action, events)  # §3.2
        else:
            state = end_turn(state, "declined", events, action.capital)  # §3.3
        return Step(settle(state, events), tuple(events))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the end of the turn."""  # §3.6
        return _END_TURN

    def remove(self, state: State, seat: Seat) -> Step:
        """Leave the seat's nodes on the board: they take no turn and can be conquered."""  # §7.1
        table = state.table
        if table.ended or seat in table.out:
            return Step(state)
        events = [Event(Eliminated(seat, None))]
        state = State(replace(table, out=(*table.out, seat)), state.rng)
        return Step(settle(state, events), tuple(events))

    def result(self, state: State) -> Result | None:
        """Return the ranking once the match has ended."""
        table = state.table
        return rank(table, table.ended) if table.ended else None

    def public(self, state: State) -> View:
        """Return the table: nothing on it is hidden."""
        return state.table

    def private(self, state: State, seat: Seat) -> View | None:
        """Return None: nothing is hidden."""
        return None

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Return the table with another generator."""
        coins, _ = rng.spawn()
        return State(msgspec.convert(public, Table), coins)

    def evaluate(self, public: View, private: View | None, seat: Seat) -> int:
        """Return how the seat's nodes and strength compare with those of its strongest rival."""
        return evaluate(msgspec.convert(public, Table), seat)

    def draw(self, public: View, private: View | None) -> str:
        """Return the graph with its colours and strengths, and the standings."""
        return self.draw_for(public, private, ())

    def draw_for(self, public: View, private: View | None, names: Sequence[str]) -> str:
        """Return the same picture with names."""
        return draw_table(msgspec.convert(public, Table), names)

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        """Return the odds of each attack."""  # §4.9
        table = msgspec.convert(public, Table)
        return [note_on(table, action) for action in msgspec.convert(actions, list[Action])]

    def conserved(self, state: State) -> Mapping[str, int]:
        """Return all nodes and strength."""
        return quantities(state)

    def sources(self, state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
        """Return the changes that these events report."""
        return changes(state, events)

    def bounds(self, seats: int, options: Options) -> Bounds:
        """Return the bounds of a match for programs that learn."""
        return bounds_of(seats, options)


GAME = GraphBattle()
