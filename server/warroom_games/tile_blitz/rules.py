"""Tile Blitz, by docs/rules/tile_blitz.md; the section marks in this package point there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

import msgspec

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.bounds import Bounds
from warroom_games.codec import check_seats
from warroom_games.rng import Rng
from warroom_games.tile_blitz.actions import Action, Attack, BuildInfantry, BuildTank, EndTurn, March, Move
from warroom_games.tile_blitz.attacking import check_attack, make_attack
from warroom_games.tile_blitz.board import COLORS, opening
from warroom_games.tile_blitz.bounds import bounds_of
from warroom_games.tile_blitz.building import check_infantry, check_tank, make_infantry, make_tank
from warroom_games.tile_blitz.conservation import changes, quantities
from warroom_games.tile_blitz.drawing import draw_table
from warroom_games.tile_blitz.elimination import without_seat, without_tiles
from warroom_games.tile_blitz.evaluation import evaluate
from warroom_games.tile_blitz.events import Eliminated, GameEvent
from warroom_games.tile_blitz.imagining import imagine_state
from warroom_games.tile_blitz.moving import check_march, check_move, make_march, make_move
from warroom_games.tile_blitz.notes import note_on
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.selection import END_TURN, select
from warroom_games.tile_blitz.sentences import SENTENCES
from warroom_games.tile_blitz.state import Player, Secret, State, Table
from warroom_games.tile_blitz.turns import Course, begin_turn, end_turn, settle
from warroom_games.tile_blitz.victory import rank

_NOBODY: frozenset[Seat] = frozenset()
_ASKED = tuple(frozenset({seat}) for seat in range(max(COLORS)))


class TileBlitz:
    """The rules of Tile Blitz, in contract order."""

    info = GameInfo(
        id="tile_blitz",
        name="Tile Blitz",
        summary="Five-second turns on 49 tiles, with tanks from pairs of secret cards",
        rules_version=2,
        min_seats=2,
        max_seats=5,
        usual_seats=5,
        turn_ms=5_000,
        complete=False,
        spared_turns=2,
    )
    state_type = State
    view_type = Table
    private_view_type = Secret
    event_type = GameEvent
    action_type = Action
    options_type = Options
    sentences = SENTENCES

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Set the board up and begin the first turn."""
        check_seats(self, seats)  # §2.1
        colors = COLORS[seats]
        players = tuple(Player(color, options.purple_gold if color == "purple" else 0) for color in colors)  # §3.5
        table = Table(options=options, tiles=opening(colors), players=players, deck=0, decks=0)
        first = 0
        if options.beginner == "lot":
            first, rng = rng.below(seats)  # §2.5
        return begin_turn(State(table, (Secret(),) * seats, (), rng), Course(first, first, 1), [], turn=1)

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""
        table = state.table
        return _NOBODY if table.ended else _ASKED[table.seat]

    def turn(self, state: State) -> int:
        """Return the number of the turn."""
        return state.table.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return attacks, tanks, infantry, moves and marches as section 13 selects them, then the end of the turn."""
        table = state.table
        if seat != table.seat or table.ended:
            return []
        return select(table, state.secrets[seat])

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse an action out of turn, and one that sections 5 to 8 forbid."""
        table = state.table
        if table.ended:
            raise IllegalActionError("match.over", "the match is over")  # §9.6
        if seat != table.seat:
            raise IllegalActionError("turn.not_yours", f"it is {table.players[table.seat].color}'s turn")  # §3.1
        match action:
            case Attack():
                check_attack(table, action)
            case Move():
                check_move(table, action)
            case BuildInfantry():
                check_infantry(table, action)
            case BuildTank():
                check_tank(table, state.secrets[seat], action)
            case March():
                check_march(table, action)
            case EndTurn():
                pass
            case _:
                assert_never(action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Play the action, and begin the next turn if it ends the current one."""
        events: list[Event] = []
        match action:
            case Attack():
                state = settle(make_attack(state, action, events), events)
            case Move():
                state = make_move(state, action, events)
            case BuildInfantry():
                state = make_infantry(state, action, events)
            case BuildTank():
                state = make_tank(state, action, events)
            case March():
                state = make_march(state, action, events)
            case EndTurn():
                state = end_turn(state, "declined", events)  # §3.3
            case _:
                assert_never(action)
        return Step(state, tuple(events))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the end of the turn."""  # §3.4
        return END_TURN

    def remove(self, state: State, seat: Seat) -> Step:
        """Turn the seat's tiles neutral and remove it from play."""  # §10.1
        table = state.table
        if table.ended or seat in table.out:
            return Step(state)
        state, tiles = without_tiles(state, seat)
        events = [Event(Eliminated(seat, None, tiles))]
        return Step(settle(without_seat(state, seat), events), tuple(events))

    def result(self, state: State) -> Result | None:
        """Return the ranking once the match has ended."""
        table = state.table
        return rank(table, table.ended) if table.ended else None

    def public(self, state: State) -> View:
        """Return the table: everything except the faces of the cards."""
        return state.table

    def private(self, state: State, seat: Seat) -> View | None:
        """Return the seat's hand."""
        return state.secrets[seat]

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Deal the unseen cards again."""
        return imagine_state(public, private, seat, rng)

    def evaluate(self, public: View, private: View | None, seat: Seat) -> int:
        """Return how the seat's tiles, units, gold and cards compare with those of its strongest rival."""
        return evaluate(msgspec.convert(public, Table), seat)

    def draw(self, public: View, private: View | None) -> str:
        """Return the board, the standings, and the hand of the viewer."""
        return self.draw_for(public, private, ())

    def draw_for(self, public: View, private: View | None, names: Sequence[str]) -> str:
        """Return the same picture with names."""
        secret = None if private is None else msgspec.convert(private, Secret)
        return draw_table(msgspec.convert(public, Table), secret, names)

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        """Return the cost of each attack."""  # §8.7
        table = msgspec.convert(public, Table)
        return [note_on(table, action) for action in msgspec.convert(actions, list[Action])]

    def conserved(self, state: State) -> Mapping[str, int]:
        """Return all cards, tiles, troops, tanks and gold."""
        return quantities(state)

    def sources(self, state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
        """Return the changes that these events report."""
        return changes(state, events)

    def bounds(self, seats: int, options: Options) -> Bounds:
        """Return the bounds of a match for programs that learn."""
        return bounds_of(seats, options)


GAME = TileBlitz()
