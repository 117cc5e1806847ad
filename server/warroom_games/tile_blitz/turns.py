"""How turns and rounds follow each other: docs/rules/tile_blitz.md, sections 2 and 3.

Each stage returns the state after it and adds what happened to *events*.
"""

from typing import Literal

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


def begin_turn(state: State, seat: Seat, events: list[Event], *, turn: int, first: Seat, round_: int) -> State:
    """Give a seat its turn with gold, stamina and cards; only the seat itself is told which cards."""  # §3.2
    table = state.table
    drawn = draw_cards(TURN_CARDS, state.deck, table.decks, state.rng)
    if drawn.decks > table.decks:
        events.append(Event(DeckRenewed(drawn.decks)))  # §4.3
    player = table.players[seat]
    rested = min(TURN_STAMINA, MAX_STAMINA - player.stamina)
    hand = state.secrets[seat].hand + drawn.cards
    richer = Player(player.color, player.gold + TURN_GOLD, player.stamina + rested, len(hand))
    public = TurnBegan(seat, turn, round_, TURN_GOLD, rested, TURN_CARDS)
    events.append(Event(public, ((seat, CardsDrawn(drawn.cards)),)))
    players = (*table.players[:seat], richer, *table.players[seat + 1 :])
    secrets = (*state.secrets[:seat], Secret(hand), *state.secrets[seat + 1 :])
    course = {"seat": seat, "turn": turn, "first": first, "round": round_}
    table = replace(table, players=players, deck=len(drawn.deck), decks=drawn.decks, **course)
    return State(table, secrets, drawn.deck, drawn.rng)


def end_turn(state: State, reason: Literal["declined", "resigned"], events: list[Event]) -> State:
    """End the turn and begin the next one, or end the match with the last round."""
    table = state.table
    events.append(Event(TurnEnded(table.seat, table.turn, reason)))
    seat, turn = _following(table), table.turn + 1
    if seat is not None:
        return begin_turn(state, seat, events, turn=turn, first=table.first, round_=table.round)
    if table.round >= table.options.max_rounds:
        return end_match(state, "cap", events)  # §9.4
    seat = _next_first(table)
    return begin_turn(state, seat, events, turn=turn, first=seat, round_=table.round + 1)


def settle(state: State, events: list[Event]) -> State:
    """End the match if it is won, and the turn of a seat that is out of play."""
    table = state.table
    if is_won(table):
        return end_match(state, "victory", events)  # §9.3
    if table.seat in table.out:
        return end_turn(state, "resigned", events)  # §10.1
    return state


def end_match(state: State, reason: Literal["victory", "cap"], events: list[Event]) -> State:
    """End the match and say who came where."""
    table = replace(state.table, ended=reason)
    events.append(Event(Ended(rank(table, reason).ranks, reason)))
    return State(table, state.secrets, state.deck, state.rng)


def _following(table: Table) -> Seat | None:
    """Return who plays after the seat whose turn it is in this round; None if that was the last."""  # §2.2, §2.3
    seats = len(table.players)
    played = (table.seat - table.first) % seats + 1
    for place in range(played, seats):
        seat = (table.first + place) % seats
        if seat not in table.out:
            return seat
    return None


def _next_first(table: Table) -> Seat:
    """Return who begins the next round: the next seat in play, or the same without `rotate_first`."""  # §2.4
    seats = len(table.players)
    start = table.first + table.options.rotate_first
    return next(seat % seats for seat in range(start, start + seats) if seat % seats not in table.out)
