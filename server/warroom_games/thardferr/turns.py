"""The start and the end of the match and its turns: docs/rules/thardferr.md, sections 8, 9, 11 and 17.

Each stage returns the next state and appends to *events*.
"""

from typing import Literal

from msgspec.structs import replace

from warroom_games.api import Event, Seat
from warroom_games.thardferr.economy import food_upkeep, gold_upkeep, produced
from warroom_games.thardferr.events import (
    Arrived,
    Deserted,
    Ended,
    Founded,
    Learnt,
    Produced,
    TurnBegan,
    TurnEnded,
    secret,
)
from warroom_games.thardferr.founding import found_all
from warroom_games.thardferr.research import progress
from warroom_games.thardferr.state import Kingdom, Reason, State, Stores, Troop
from warroom_games.thardferr.treasury import plus, times
from warroom_games.thardferr.victory import rank

DESERTERS = 20
"""One in this many units deserts when the upkeep is not paid (§11.8)."""


def settle(state: State, events: list[Event]) -> State:
    """End whatever needs no decision: the match, the picking of races, the turn of a seat that is out."""
    if len(state.seats_in_play) == 1:
        return end_match(state, "victory", events)  # §17.1
    if state.seat is None:
        return _founded(state, events)
    if state.seat in state.out:
        return end_turn(state, state.seat, "resigned", events)  # §17.5
    return state


def _founded(state: State, events: list[Event]) -> State:
    """Found the kingdoms once every seat in play has its race, and begin the first turn."""  # §8.2
    if any(state.picks[seat] is None for seat in state.seats_in_play):
        return state
    kingdoms = found_all(state.picks)
    picks = tuple(kingdom.race for kingdom in kingdoms)
    events.append(Event(Founded(picks)))
    state = replace(state, kingdoms=kingdoms, picks=picks, round=1)
    return _begin_round(state, events)


def _begin_round(state: State, events: list[Event]) -> State:
    return begin_turn(state, next(seat for seat in state.order if seat not in state.out), events)


def begin_turn(state: State, seat: Seat, events: list[Event]) -> State:
    """Begin a seat's turn: units arrive, days pass, goods are produced and upkeep is paid."""  # §9.2
    turn, days = state.turn + 1, state.options.days_per_turn
    events.append(Event(TurnBegan(seat, turn, state.round)))
    kingdom = state.kingdoms[seat]
    for stage in (_arrive, _learn, _produce):
        kingdom = stage(kingdom, seat, days, events)
    return replace(with_kingdom(state, seat, kingdom), seat=seat, turn=turn, scouted=None)


def end_turn(state: State, seat: Seat, reason: Literal["ended", "attacked", "resigned"], events: list[Event]) -> State:
    """End a seat's turn and begin the next one, or end the match."""  # §9.1, §17.2
    events.append(Event(TurnEnded(seat, state.turn, reason)))
    if len(state.seats_in_play) == 1:
        return end_match(state, "victory", events)
    order = state.order
    later = (other for other in order[order.index(seat) + 1 :] if other not in state.out)
    if (following := next(later, None)) is not None:
        return begin_turn(state, following, events)
    if state.round >= state.options.max_turns:
        return end_match(state, "cap", events)
    return _begin_round(replace(state, round=state.round + 1), events)


def end_match(state: State, reason: Reason, events: list[Event]) -> State:
    """End the match with its ranking."""
    state = replace(state, ended=reason, scouted=None)
    events.append(Event(Ended(rank(state, reason).ranks, reason)))
    return state


def with_kingdom(state: State, seat: Seat, kingdom: Kingdom) -> State:
    """Return the state with another ledger of one seat."""
    return replace(state, kingdoms=(*state.kingdoms[:seat], kingdom, *state.kingdoms[seat + 1 :]))


# --- the start of a turn ----------------------------------------------------------------------------------------


def _arrive(kingdom: Kingdom, seat: Seat, days: int, events: list[Event]) -> Kingdom:
    """Add the units that were trained last turn."""  # §12.1
    arrived = {troop.unit: troop.training for troop in kingdom.army if troop.training}
    if not arrived:
        return kingdom
    events.append(secret(seat, Arrived(seat, arrived)))
    return replace(kingdom, army=tuple(Troop(troop.unit, troop.count + troop.training) for troop in kingdom.army))


def _learn(kingdom: Kingdom, seat: Seat, days: int, events: list[Event]) -> Kingdom:
    """Continue the research."""  # §13.5
    kingdom, learned = progress(kingdom, days)
    if learned:
        events.append(secret(seat, Learnt(seat, learned.technology, learned.level)))
    return kingdom


def _produce(kingdom: Kingdom, seat: Seat, days: int, events: list[Event]) -> Kingdom:
    """Add the production, and pay the upkeep as far as possible."""  # §11.6, §11.7
    made = times(produced(kingdom), days)
    full = plus(kingdom.stores, made)
    due = Stores(gold=gold_upkeep(kingdom, days), food=food_upkeep(kingdom) * days)
    paid = Stores(gold=min(due.gold, full.gold), food=min(due.food, full.food))
    events.append(secret(seat, Produced(seat, made, paid)))
    is_paid = paid == due
    kingdom = replace(kingdom, stores=plus(full, times(paid, -1)), can_train=is_paid)
    return kingdom if is_paid else _desert(kingdom, seat, plus(due, times(paid, -1)), events)


def _desert(kingdom: Kingdom, seat: Seat, missing: Stores, events: list[Event]) -> Kingdom:
    """Remove units that were not paid or fed."""  # §11.8
    gone = {troop.unit: troop.count // DESERTERS for troop in kingdom.army if troop.count >= DESERTERS}
    events.append(secret(seat, Deserted(seat, missing, gone)))
    army = tuple(Troop(troop.unit, troop.count - gone.get(troop.unit, 0), troop.training) for troop in kingdom.army)
    return replace(kingdom, army=army)
