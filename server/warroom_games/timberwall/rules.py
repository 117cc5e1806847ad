"""Timberwall, by docs/rules/timberwall.md; the section marks in this package point there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

import msgspec
from msgspec.structs import replace

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.bounds import Bounds
from warroom_games.codec import check_seats
from warroom_games.rng import Rng
from warroom_games.timberwall.actions import (
    Action,
    Attack,
    BuildWall,
    Convert,
    ConvertAll,
    Deploy,
    Ending,
    HitWall,
    Merge,
    Move,
    Pass,
    Preparing,
    RemoveWall,
)
from warroom_games.timberwall.bounds import bounds_of
from warroom_games.timberwall.combat import check_attack, make_attack
from warroom_games.timberwall.conservation import changes, quantities
from warroom_games.timberwall.cropping import crop
from warroom_games.timberwall.drawing import draw_views
from warroom_games.timberwall.economy import check_convert, check_deploy, convert, convertible, deploy
from warroom_games.timberwall.evaluation import evaluate, stores
from warroom_games.timberwall.events import GameEvent
from warroom_games.timberwall.ground import Ground, survey, survey_views
from warroom_games.timberwall.imagination import imagine
from warroom_games.timberwall.joint import joint_board
from warroom_games.timberwall.listing import listed
from warroom_games.timberwall.moving import check_merge, check_move, make_merge, make_move
from warroom_games.timberwall.notes import note_on
from warroom_games.timberwall.opening import open_match
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.sentences import SENTENCES
from warroom_games.timberwall.state import Holding, Knowledge, State, Table, knowledge, rival_of
from warroom_games.timberwall.turns import end_match, end_turn
from warroom_games.timberwall.walls import build_wall, check_build, check_hit, check_remove, hit_wall, remove_wall


class Timberwall:
    """The rules of Timberwall, in contract order."""

    info = GameInfo(
        id="timberwall",
        name="Timberwall",
        summary="Hold the forests or break the base, behind walls and in the fog",
        rules_version=3,
        min_seats=2,
        max_seats=2,
        usual_seats=2,
        turn_ms=30_000,
        complete=False,
        has_draws=True,
        watch="all",  # §10.8
        delay=2,
    )
    state_type = State
    view_type = Table
    private_view_type = Knowledge | None
    event_type = GameEvent
    action_type = Action
    options_type = Options
    sentences = SENTENCES

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Place the forests and their walls, deploy the first units, and draw who begins."""
        check_seats(self, seats)
        return open_match(options, rng)

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""  # §3.1
        return frozenset() if state.table.ended else frozenset((state.table.seat,))

    def turn(self, state: State) -> int:
        """Return the number of the turn."""
        return state.table.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return the legal actions as far as the seat knows, at most 512."""  # §13.2
        if seat not in self.to_act(state):
            return []
        return listed(survey(state.table, knowledge(state, seat)))

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse an action out of turn, and one that the rules forbid as far as the seat knows."""
        if state.table.ended:
            raise IllegalActionError("match.over", "the match is over")  # §9.5
        if seat != state.table.seat:
            raise IllegalActionError("turn.not_yours", f"it is {state.table.colors[state.table.seat]}'s turn")  # §3.1
        _check(survey(state.table, knowledge(state, seat)), action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Play the action, and end the turn if it is an ending one."""  # §3.2, §3.3
        events: list[Event] = []
        if isinstance(action, Ending):
            state = end_turn(_ended_by(state, seat, action, events), events)
        else:
            state = _prepared(state, seat, action, events)
        return Step(state, tuple(events))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the pass."""  # §3.4
        return Pass()

    def remove(self, state: State, seat: Seat) -> Step:
        """Declare the other seat the winner; the board does not change."""  # §9.6
        if state.table.ended:
            return Step(state)
        events: list[Event] = []
        return Step(end_match(state, "left", rival_of(seat), events), tuple(events))

    def result(self, state: State) -> Result | None:
        """Return the ranking once the match has ended."""
        table = state.table
        if table.ended is None:
            return None
        return Result(table.ranks, "cap" if table.ended == "cap" else "victory")

    def public(self, state: State) -> View:
        """Return the table, with the board on it if the fog is off."""  # §10.1, §10.6
        return state.table if state.memories else replace(state.table, board=state.board)

    def private(self, state: State, seat: Seat) -> View | None:
        """Return what the seat has, sees and remembers; None if the fog is off."""  # §10.1
        return knowledge(state, seat) if state.memories else None

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Return a position that fits the views, with possible units and walls in the fog."""  # §10.7
        return imagine(public, private, seat, rng)

    def evaluate(self, public: View, private: View | None, seat: Seat) -> int:
        """Return how the seat stands by bases, forests, units and stores, as far as it knows."""
        table = msgspec.convert(public, Table)
        own: Knowledge | Holding
        own = table.board.holdings[seat] if table.board else msgspec.convert(private, Knowledge)
        return evaluate(table, seat, units=own.units, stores=stores(own.reserves, own.wood))

    def draw(self, public: View, private: View | None) -> str:
        """Return the board with its walls and its fog, and the standings."""
        return self.draw_for(public, private, ())

    def draw_for(self, public: View, private: View | None, names: Sequence[str]) -> str:
        """Return the same picture with names."""
        known = None if private is None else msgspec.convert(private, Knowledge)
        return draw_views(msgspec.convert(public, Table), known, names)

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        """Return the possible outcome of each attack or hit."""  # §6.7, §7.7
        table = msgspec.convert(public, Table)
        if table.board is None and private is None:
            return [""] * len(actions)
        ground = survey_views(public, private, table.seat)
        return [note_on(ground, action) for action in msgspec.convert(actions, list[Action])]

    def crop(self, picture: Sequence[str], rows: int, columns: int) -> list[str]:
        """Return the most important part of a large board, and its place."""
        return crop(picture, rows, columns)

    def draw_all(self, public: View, secrets: Sequence[View], names: Sequence[str]) -> str:
        """Return the board as both players together know it."""
        table = msgspec.convert(public, Table)
        if table.board is not None:
            return draw_views(table, None, names)
        green, red = (msgspec.convert(secret, Knowledge) for secret in secrets)
        return draw_views(replace(table, board=joint_board(green, red)), None, names)

    def conserved(self, state: State) -> Mapping[str, int]:
        """Return all points, wood and walls."""
        return quantities(state)

    def sources(self, state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
        """Return the changes that these events report."""
        return changes(state, events)

    def bounds(self, seats: int, options: Options) -> Bounds:
        """Return the bounds of a match for programs that learn."""
        return bounds_of(seats, options)


def _check(ground: Ground, action: Action) -> None:
    match action:
        case Move():
            check_move(ground, action)
        case Attack():
            check_attack(ground, action)
        case Merge():
            check_merge(ground, action)
        case HitWall():
            check_hit(ground, action)
        case Deploy():
            check_deploy(ground, action)
        case Convert() | ConvertAll():
            check_convert(ground)
        case BuildWall():
            check_build(ground, action)
        case RemoveWall():
            check_remove(ground, action)
        case Pass():
            pass
        case _:
            assert_never(action)


def _ended_by(state: State, seat: Seat, action: Ending, events: list[Event]) -> State:
    match action:
        case Move():
            return make_move(state, seat, action, events)
        case Attack():
            return make_attack(state, seat, action, events)
        case Merge():
            return make_merge(state, seat, action, events)
        case HitWall():
            return hit_wall(state, seat, action, events)
        case Pass():
            return state
        case _:
            assert_never(action)


def _prepared(state: State, seat: Seat, action: Preparing, events: list[Event]) -> State:
    match action:
        case Deploy():
            return deploy(state, seat, action, events)
        case Convert():
            return convert(state, seat, 1, events)
        case ConvertAll():
            return convert(state, seat, convertible(state, seat), events)
        case BuildWall():
            return build_wall(state, seat, action, events)
        case RemoveWall():
            return remove_wall(state, seat, action, events)
        case _:
            assert_never(action)


GAME = Timberwall()
