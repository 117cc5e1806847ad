"""Turns and rounds: docs/rules/tile_blitz.md, sections 2 and 3.

Each stage returns the next state and appends to *events*.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Event, Seat
from warroom_games.tile_blitz.cards import draw_cards
from warroom_games.tile_blitz.events import CardsDrawn, DeckRenewed, Ended, TurnBegan, TurnEnded
from warroom_games.tile_blitz.state import Player, Secret, State, Table
from warroom_games.tile_blitz.victory import is_won, rank

TURN_GOLD = 2
TURN_STAMINA = 1
MAX_STAMINA = 2
TURN_CARDS = 2
SHOWN_TURNS = 2


class Course(Struct, frozen=True, gc=False):
    """The current seat of a round, and the seat that began the round."""

    seat: Seat
    first: Seat
    round: int


def begin_turn(state: State, course: Course, events: list[Event], *, turn: int) -> State:
    """Begin a seat's turn with gold, stamina and cards. Only the seat itself learns which cards."""  # §3.2
    table, seat = state.table, course.seat
    drawn = draw_cards(TURN_CARDS, state.deck, table.decks, state.rng)
    if drawn.decks > table.decks:
        events.append(Event(DeckRenewed(drawn.decks)))  # §4.3
    player = table.players[seat]
    rested = min(TURN_STAMINA, MAX_STAMINA - player.stamina)
    hand = state.secrets[seat].hand + drawn.cards
    richer = Player(player.color, player.gold + TURN_GOLD, player.stamina + rested, len(hand))
    public = TurnBegan(seat, turn, course.round, TURN_GOLD, rested, TURN_CARDS)
    events.append(Event(public, ((seat, CardsDrawn(drawn.cards)),)))
    players = (*table.players[:seat], richer, *table.players[seat + 1 :])
    secrets = (*state.secrets[:seat], Secret(hand), *state.secrets[seat + 1 :])
    where = {"seat": seat, "turn": turn, "first": course.first, "round": course.round}
    table = replace(table, players=players, deck=len(drawn.deck), decks=drawn.decks, **where)
    return State(_foreseen(table), secrets, drawn.deck, drawn.rng)


def end_turn(state: State, reason: Literal["declined", "resigned"], events: list[Event]) -> State:
    """End the turn and begin the next one, or end the match after the last round."""
    table = state.table
    events.append(Event(TurnEnded(table.seat, table.turn, reason)))
    course = _following(table, Course(table.seat, table.first, table.round))
    if course is None:
        return end_match(state, "cap", events)  # §9.4
    return begin_turn(state, course, events, turn=table.turn + 1)


def settle(state: State, events: list[Event]) -> State:
    """End the match if it is won, or the turn of a seat that is out of play."""
    table = state.table
    if is_won(table):
        return end_match(state, "victory", events)  # §9.3
    if table.seat in table.out:
        return end_turn(state, "resigned", events)  # §10.1
    foreseen = _foreseen(table)
    return state if foreseen is table else State(foreseen, state.secrets, state.deck, state.rng)


def end_match(state: State, reason: Literal["victory", "cap"], events: list[Event]) -> State:
    """End the match with its ranking."""
    table = replace(state.table, ended=reason, upcoming=())
    events.append(Event(Ended(rank(table, reason).ranks, reason)))
    return State(table, state.secrets, state.deck, state.rng)


def upcoming(table: Table) -> tuple[Seat, ...]:
    """Return the next two seats if all stay in play; none after the last round."""  # §2.6
    seats: list[Seat] = []
    course: Course | None = Course(table.seat, table.first, table.round)
    while course is not None and len(seats) < SHOWN_TURNS:
        course = _following(table, course)
        seats += () if course is None else (course.seat,)
    return tuple(seats)


def _foreseen(table: Table) -> Table:
    """Return the table with updated next seats."""
    seats = upcoming(table)
    # The same object if nothing changed: a diff skips it.
    return table if seats == table.upcoming else replace(table, upcoming=seats)


def _following(table: Table, course: Course) -> Course | None:
    """Return the turn after *course*; None after the last turn of the match."""  # §2.2, §2.3
    seats = len(table.players)
    played = (course.seat - course.first) % seats + 1
    for place in range(played, seats):
        seat = (course.first + place) % seats
        if seat not in table.out:
            return Course(seat, course.first, course.round)
    if course.round >= table.options.max_rounds:
        return None  # §9.4
    first = _next_first(table, course.first)
    return Course(first, first, course.round + 1)


def _next_first(table: Table, first: Seat) -> Seat:
    """Return the first seat of the next round: with `rotate_first` the next seat in play after *first*."""  # §2.4
    seats = len(table.players)
    start = first + table.options.rotate_first
    return next(seat % seats for seat in range(start, start + seats) if seat % seats not in table.out)
