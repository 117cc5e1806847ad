"""Thardferr in a room: other ledgers are the same bytes for viewers who cannot see them."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from room_table import ALICE, CAROL, SPECTATOR, Table

from warroom_games.api import IllegalActionError
from warroom_games.rng import Rng
from warroom_games.thardferr.actions import Action, Attack, Build, Scout
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME, Thardferr
from warroom_games.thardferr.state import Kingdom, State
from warroom_games.thardferr.strategies import STRATEGIES
from warroom_server.room.commands import Legal, Resync
from warroom_server.room.viewer_addresses import Local

SEATS = 3
OPTIONS: dict[str, object] = {"race_1": "human", "race_2": "orc", "race_3": "elf"}
NEWCOMER = 200


class Otherwise(Thardferr):
    """Thardferr with other ledgers of everybody except Carol, which look the same from outside."""

    def __init__(self, more: int) -> None:
        self._more = more

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Change what nobody else can see of the first two kingdoms."""
        state = super().setup(seats, options, rng)
        changed = tuple(self._changed(kingdom) for kingdom in state.kingdoms[:CAROL])
        return replace(state, kingdoms=(*changed, *state.kingdoms[CAROL:]))

    def _changed(self, kingdom: Kingdom) -> Kingdom:
        stores, buildings = kingdom.stores, kingdom.buildings
        strategies = STRATEGIES[kingdom.race]
        return replace(
            kingdom,
            stores=replace(stores, gold=stores.gold + self._more, wood=stores.wood + self._more),
            buildings=replace(buildings, house=buildings.house - 5, guard_house=buildings.guard_house + 5),
            strategy=strategies[self._more % len(strategies)],
        )


def state_of(table: Table) -> State:
    state = table.room.match.state
    assert isinstance(state, State)
    return state


def may(state: State, seat: int, action: Action) -> bool:
    try:
        GAME.check(state, seat, action)
    except IllegalActionError:
        return False
    return True


def is_quiet(action: Action) -> bool:
    """Whether an action reveals nothing hidden to anybody."""
    return not isinstance(action, Attack | Scout)


def play_alike(one: Table, other: Table, choice: int) -> None:
    """Play one of the listed actions in both worlds, unless one of them refuses it."""
    seat = state_of(one).seat
    assert seat is not None
    quiet = [action for action in GAME.legal_actions(state_of(one), seat) if is_quiet(action)]
    action = quiet[-1 - choice % len(quiet)]
    if may(state_of(other), seat, action):
        for table in (one, other):
            table.act(seat, action, id=choice)


def ask_everything(table: Table, ref: int) -> None:
    """Let the viewers ask, try illegal actions, and enter again."""
    table.tell(Legal(Local(CAROL), ref, notes=True))
    table.act(CAROL, Build("castle", 900 + ref), id=10_000 + ref)
    table.tell(Resync(Local(CAROL), ref, ""))
    table.watch(NEWCOMER + ref)


@given(more=st.integers(1, 90_000), choices=st.lists(st.integers(1, 9_999), max_size=40, unique=True))
def test_other_ledgers_leave_no_trace(more: int, choices: list[int]) -> None:
    one, other = (Table.playing(game, SEATS, options=OPTIONS) for game in (GAME, Otherwise(more)))
    for table in (one, other):
        table.watch()
    for number, choice in enumerate(choices):
        play_alike(one, other, choice)
        for table in (one, other):
            ask_everything(table, number % 3)
    for viewer in (CAROL, SPECTATOR, NEWCOMER, NEWCOMER + 1, NEWCOMER + 2):
        assert one.payloads[viewer] == other.payloads[viewer]
    assert one.payloads[ALICE] != other.payloads[ALICE]
