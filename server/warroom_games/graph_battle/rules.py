"""Graph Battle, by docs/rules/graph_battle.md; the section marks in this package point there."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.codec import check_seats
from warroom_games.graph_battle.actions import Action, Attack, EndTurn
from warroom_games.graph_battle.attacking import check_attack, make_attack
from warroom_games.graph_battle.board import BOARDS
from warroom_games.graph_battle.deal import deal
from warroom_games.graph_battle.drawing import draw_table
from warroom_games.graph_battle.events import Eliminated
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.state import COLORS, State, Table
from warroom_games.graph_battle.turns import end_turn, settle
from warroom_games.graph_battle.victory import rank
from warroom_games.rng import Rng


class GraphBattle:
    """The rules of Graph Battle, in contract order."""

    info = GameInfo(
        id="graph_battle",
        name="Graph Battle",
        summary="Conquer every node of a graph, coin flip by coin flip",
        rules_version=1,
        min_seats=2,
        max_seats=5,
        usual_seats=5,
        turn_ms=20_000,
        complete=True,
    )
    state_type = State
    action_type = Action
    options_type = Options

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Make the board, deal the nodes and their strength, and begin the first turn."""
        check_seats(self, seats)  # §2.1
        board, rng = BOARDS[options.board](seats, rng)
        nodes, rng = deal(len(board.positions), seats, rng, handicap=options.handicap)
        table = Table(options=options, board=board, nodes=nodes, colors=COLORS[:seats])
        return settle(State(table, rng), [])

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""
        table = state.table
        return frozenset() if table.ended else frozenset((table.seat,))

    def turn(self, state: State) -> int:
        """Return the number of the turn."""
        return state.table.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return every attack by source, then target; then the end of the turn."""
        table = state.table
        if seat != table.seat or table.ended:
            return []
        nodes, color = table.nodes, table.colors[seat]
        actions: list[Action] = [
            Attack(source, target)
            for source, node in enumerate(nodes)
            if node.strength >= 2 and node.color == color
            for target in table.board.neighbours[source]
            if nodes[target].color != color
        ]
        actions.append(EndTurn())
        return actions

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse an action out of turn, and an attack that section 4 does not allow."""
        table = state.table
        if table.ended:
            raise IllegalActionError("match.over", "the match is over")  # §6.5
        if seat != table.seat:
            raise IllegalActionError("turn.not_yours", f"it is the turn of {table.colors[table.seat]}")  # §3.1
        if isinstance(action, Attack):
            check_attack(table, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Fight an attack, or end the turn."""
        events: list[Event] = []
        if isinstance(action, Attack):
            state = make_attack(state, action, events)  # §3.2
        else:
            state = end_turn(state, "declined", events)  # §3.3
        return Step(settle(state, events), tuple(events))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the end of the turn."""  # §3.6
        return EndTurn()

    def remove(self, state: State, seat: Seat) -> Step:
        """Leave the seat's nodes as they are; they take no turn and can be conquered."""  # §7.1
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
        """Return the table: everybody sees all of it."""
        return state.table

    def private(self, state: State, seat: Seat) -> View | None:
        """Return None: nothing is hidden."""
        return None

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Return the table with coins of its own."""
        coins, _ = rng.spawn()
        return State(msgspec.convert(public, Table), coins)

    def draw(self, public: View, private: View | None) -> str:
        """Return the graph with its colours and strengths, and how the players stand."""
        return draw_table(msgspec.convert(public, Table))


GAME = GraphBattle()
