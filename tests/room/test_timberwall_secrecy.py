"""Timberwall in a room: what red has and does in the fog is the same bytes for green, until green sees it."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from room_table import ALICE, BOB, SPECTATOR, Table

from warroom_games.rng import Rng
from warroom_games.timberwall.actions import Ending, Move, Pass
from warroom_games.timberwall.opening import zone_spots
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME, Timberwall
from warroom_games.timberwall.sight import first_memories
from warroom_games.timberwall.state import Holding, State, Unit
from warroom_protocol.canonical import canonical
from warroom_server.room.commands import Legal, Resync
from warroom_server.room.viewer_addresses import Local

NEWCOMER = 200
OPTIONS: dict[str, object] = {"max_turns": 60}


class Elsewhere(Timberwall):
    """Timberwall with other units, stores and rolls behind the fog on red's side."""

    def __init__(self, turned: int, wood: int) -> None:
        self._turned = turned
        self._wood = wood

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Let red begin with three other units elsewhere in its zone, and the generator with another key."""
        state = super().setup(seats, options, rng)
        spots = zone_spots(options.size, BOB)
        places = [spots[(self._turned + step) % len(spots)] for step in (0, 1, 2)]
        units = tuple(Unit(*spot, points) for spot, points in zip(places, (50, 2, 10), strict=True))
        hidden = Holding(self._wood, 9, False, units)
        board = replace(state.board, holdings=(state.board.holdings[ALICE], hidden))
        return State(state.table, board, first_memories(state.table, board), Rng(b"another key here"))


def state_of(table: Table) -> State:
    state = table.room.match.state
    assert isinstance(state, State)
    return state


def sight(table: Table) -> bytes:
    state = state_of(table)
    return canonical((GAME.public(state), GAME.private(state, ALICE)))


def play_apart(one: Table, other: Table, choice: int) -> None:
    """Let green do the same in both worlds, and red something in one world and as little as possible in the other."""
    seat = state_of(one).table.seat
    legal = list(GAME.legal_actions(state_of(one), seat))
    action = legal[choice % len(legal)]
    one.act(seat, action, id=choice)
    if seat == ALICE:
        assert legal == list(GAME.legal_actions(state_of(other), seat))
        other.act(seat, action, id=choice)
    elif isinstance(action, Ending):
        other.act(seat, Pass(), id=choice)


def ask_everything(table: Table, ref: int) -> None:
    """Let green and a newcomer ask, and try illegal actions."""
    table.tell(Legal(Local(ALICE), ref, notes=True))
    table.act(ALICE, Move(9, ref % 10, "e"), id=10_000 + ref)
    table.tell(Resync(Local(ALICE), ref, ""))
    table.watch(NEWCOMER + ref)


@given(
    turned=st.integers(0, 14),
    wood=st.integers(0, 60),
    choices=st.lists(st.integers(1, 9_999), max_size=25, unique=True),
)
def test_what_happens_in_the_fog_leaves_no_trace(turned: int, wood: int, choices: list[int]) -> None:
    one, other = (Table.playing(game, 2, options=OPTIONS) for game in (GAME, Elsewhere(turned, wood)))
    viewers = (ALICE, SPECTATOR, NEWCOMER, NEWCOMER + 1, NEWCOMER + 2)
    for table in (one, other):
        table.watch()
    assert state_of(one).board != state_of(other).board
    for number, choice in enumerate(choices):
        play_apart(one, other, choice)
        if sight(one) != sight(other) or one.room.is_over:
            break  # from here on green sees, or may infer, where the worlds differ
        for table in (one, other):
            ask_everything(table, number % 3)
        for viewer in viewers:
            assert one.payloads[viewer] == other.payloads[viewer]
    assert one.payloads[BOB] != other.payloads[BOB]
