"""Connect Four, by RULES.md beside this module; the section marks point there."""

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.codec import check_seats
from warroom_games.hints import HIDDEN, stacks
from warroom_games.rng import Rng
from warroom_games.sentences import sentence

LINE = 4
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Drop(Struct, frozen=True, tag_field="type", tag="drop", forbid_unknown_fields=True):
    """Drop a disc into a column; columns are counted from 0."""

    column: Annotated[int, Meta(ge=0, le=9)]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a room may choose."""

    columns: Annotated[int, Meta(ge=4, le=10, description="columns of the board")] = 7
    rows: Annotated[int, Meta(ge=4, le=10, description="rows of the board")] = 6


class State(Struct, frozen=True):
    """All that is true. Nothing of it is hidden, so it is the public view, too."""

    options: Options
    stacks: Annotated[tuple[tuple[Seat, ...], ...], stacks(rows=("options", "rows"))]
    """The discs in each column, from the bottom."""
    winner: Annotated[Seat | None, HIDDEN] = None

    @property
    def discs(self) -> int:
        """The number of discs on the board."""
        return sum(map(len, self.stacks))

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or the board is full."""
        return self.winner is not None or self.discs == self.options.columns * self.options.rows


class ConnectFour:
    """The rules, in the order of the contract."""

    info = GameInfo(
        id="connect_four",
        name="Connect Four",
        summary="Drop discs, and be the first with four in a line",
        rules_version=1,
        min_seats=2,
        max_seats=2,
        usual_seats=2,
        turn_ms=20_000,
        complete=True,
        has_draws=True,
    )
    state_type = State
    view_type = State
    action_type = Drop
    options_type = Options
    sentences = (
        sentence("dropped", "{@seat drops} a disc into column {column}"),
        sentence("left", "{@seat leaves}"),
    )

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Return the empty board."""  # §1.1
        check_seats(self, seats)
        return State(options, ((),) * options.columns)

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""  # §2.1
        return frozenset() if state.is_over else frozenset((state.discs % 2,))

    def turn(self, state: State) -> int:
        """Return the number of the turn: every disc is one."""
        return state.discs + 1

    def legal_actions(self, state: State, seat: Seat) -> Iterator[Drop]:
        """Yield every column that is not full."""
        if seat in self.to_act(state):
            yield from (Drop(column) for column, stack in enumerate(state.stacks) if len(stack) < state.options.rows)

    def check(self, state: State, seat: Seat, action: Drop) -> None:
        """Refuse a disc out of turn, beside the board or into a full column."""
        if state.is_over:
            raise IllegalActionError("match.over", "the match is over")
        if seat not in self.to_act(state):
            raise IllegalActionError("turn.not_yours", "it is the other player's turn")  # §2.1
        if action.column >= len(state.stacks):
            raise IllegalActionError("drop.off", f"columns go to {len(state.stacks) - 1}, not {action.column}")  # §2.2
        if len(state.stacks[action.column]) == state.options.rows:
            raise IllegalActionError("drop.full", f"column {action.column} is full")  # §2.2

    def apply(self, state: State, seat: Seat, action: Drop) -> Step:
        """Drop the disc, and see whether it makes a line."""
        column, stacks = action.column, state.stacks
        stacks = (*stacks[:column], (*stacks[column], seat), *stacks[column + 1 :])
        row = len(stacks[column]) - 1
        winner = seat if _makes_line(stacks, column, row) else None  # §3.1
        event = Event({"type": "dropped", "seat": seat, "column": column, "row": row})
        return Step(State(state.options, stacks, winner), (event,))

    def default_action(self, state: State, seat: Seat) -> Drop:
        """Return the first column that is not full."""  # §2.3
        return next(self.legal_actions(state, seat))

    def remove(self, state: State, seat: Seat) -> Step:
        """Let the other seat win."""  # §3.3
        if state.is_over:
            return Step(state)
        return Step(State(state.options, state.stacks, winner=1 - seat), (Event({"type": "left", "seat": seat}),))

    def result(self, state: State) -> Result | None:
        """Rank the winner first; a full board without one is a draw."""  # §3.1, §3.2
        if not state.is_over:
            return None
        ranks = {None: (1, 1), 0: (1, 2), 1: (2, 1)}[state.winner]
        return Result(ranks, "cap" if state.winner is None else "victory")

    def public(self, state: State) -> View:
        """Return everything: there is nothing to hide."""
        return state

    def private(self, state: State, seat: Seat) -> View | None:
        """Return None: no seat knows more than another."""
        return None

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Return the state that was shown: nothing else can be true."""
        return msgspec.convert(public, State)

    def draw(self, public: View, private: View | None) -> str:
        """Return the board as rows of discs, the columns numbered below."""
        state = msgspec.convert(public, State)
        rows = [
            " ".join("XO"[stack[row]] if row < len(stack) else "." for stack in state.stacks)
            for row in reversed(range(state.options.rows))
        ]
        return "\n".join([*rows, " ".join(map(str, range(state.options.columns)))])


def _makes_line(stacks: tuple[tuple[Seat, ...], ...], column: int, row: int) -> bool:
    """Whether four discs in a line, in any direction, include the one in this column and row."""
    return any(
        1 + _reach(stacks, column, row, (x, y)) + _reach(stacks, column, row, (-x, -y)) >= LINE for x, y in DIRECTIONS
    )


def _reach(stacks: tuple[tuple[Seat, ...], ...], column: int, row: int, step: tuple[int, int]) -> int:
    """Count the equal discs that follow each other from this one in one direction."""
    seat, reach = stacks[column][row], 0
    while True:
        column, row = column + step[0], row + step[1]
        if not (0 <= column < len(stacks) and 0 <= row < len(stacks[column]) and stacks[column][row] == seat):
            return reach
        reach += 1


GAME = ConnectFour()
