"""Tile Blitz in a room: other hands and another deck are the same bytes for viewers who cannot see them."""

from hypothesis import given
from hypothesis import strategies as st
from room_table import ALICE, CAROL, SPECTATOR, Table

from warroom_games.rng import Rng
from warroom_games.tile_blitz.actions import Action, BuildTank
from warroom_games.tile_blitz.cards import DECK, card
from warroom_games.tile_blitz.options import Options
from warroom_games.tile_blitz.rules import GAME, TileBlitz
from warroom_games.tile_blitz.selection import first_pair
from warroom_games.tile_blitz.state import Secret, State
from warroom_server.room.commands import Legal, Resync
from warroom_server.room.viewer_addresses import Local

SEATS = 3
OPTIONS: dict[str, object] = {"rotate_first": False}
NEWCOMER = 200


class Dealt(TileBlitz):
    """Tile Blitz with the first deck dealt differently to everybody except Carol."""

    def __init__(self, turned: int) -> None:
        self._turned = turned

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Exchange the cards that the others draw, as long as nobody is out."""
        state = super().setup(seats, options, rng)
        cards = [held.id for held in state.secrets[ALICE].hand] + list(state.deck)
        hidden = [place for place in range(DECK) if place // 2 % seats != CAROL]
        dealt = list(cards)
        for place, source in zip(hidden, hidden[self._turned :] + hidden[: self._turned], strict=True):
            dealt[place] = cards[source]
        secrets = (Secret(tuple(map(card, dealt[:2]))), *state.secrets[1:])
        return State(state.table, secrets, tuple(dealt[2:]), state.rng)


def state_of(table: Table) -> State:
    state = table.room.match.state
    assert isinstance(state, State)
    return state


def counterpart(state: State, seat: int, action: Action) -> Action | None:
    """Return the action that looks like *action* to others if a seat has these cards; None if there is none."""
    if seat == CAROL or not isinstance(action, BuildTank):
        return action
    pair = first_pair(state.secrets[seat])
    return pair and BuildTank(action.tile, pair)


def play_alike(one: Table, other: Table, choice: int) -> None:
    """Play a listed action, and in the other world one that looks the same."""
    state = state_of(one)
    seat = state.table.seat
    legal = list(GAME.legal_actions(state, seat))
    action = legal[choice % len(legal)]
    twin = counterpart(state_of(other), seat, action)
    if twin is not None:
        one.act(seat, action, id=choice)
        other.act(seat, twin, id=choice)


def ask_everything(table: Table, ref: int) -> None:
    """Let the viewers ask, try illegal actions, and enter again."""
    table.tell(Legal(Local(CAROL), ref, notes=True))
    table.act(CAROL, BuildTank(13, (0, ref)), id=10_000 + ref)
    table.tell(Resync(Local(CAROL), ref, ""))
    table.watch(NEWCOMER + ref)


@given(turned=st.integers(1, DECK // 2), choices=st.lists(st.integers(1, 9_999), max_size=40, unique=True))
def test_other_hands_and_another_deck_leave_no_trace(turned: int, choices: list[int]) -> None:
    one, other = (Table.playing(game, SEATS, options=OPTIONS) for game in (GAME, Dealt(turned)))
    for table in (one, other):
        table.watch()
    assert state_of(one).deck != state_of(other).deck
    for number, choice in enumerate(choices):
        if state_of(one).table.out:
            break  # from here on Carol draws cards that were not kept for her
        play_alike(one, other, choice)
        for table in (one, other):
            ask_everything(table, number % 3)
    for viewer in (CAROL, SPECTATOR, NEWCOMER, NEWCOMER + 1, NEWCOMER + 2):
        assert one.payloads[viewer] == other.payloads[viewer]
    assert one.payloads[ALICE] != other.payloads[ALICE]
