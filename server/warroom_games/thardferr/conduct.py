"""The actions of a turn: checks and effects, by docs/rules/thardferr.md, sections 10 to 16."""

from typing import TypeAlias

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError, Seat, View
from warroom_games.thardferr import construction, research, training, treasury
from warroom_games.thardferr.actions import (
    Action,
    Assign,
    Attack,
    Build,
    Buy,
    EndTurn,
    PickRace,
    Raze,
    Research,
    Scout,
    Sell,
    SetStrategy,
    Train,
)
from warroom_games.thardferr.attacking import check_attack, make_attack, strategy_of
from warroom_games.thardferr.economy import peasants
from warroom_games.thardferr.events import (
    Assigned,
    Built,
    Enlisted,
    Prepared,
    Razed,
    Researching,
    Spied,
    Traded,
    secret,
)
from warroom_games.thardferr.state import Kingdom, State, Workers
from warroom_games.thardferr.turns import end_turn, with_kingdom

AtHome: TypeAlias = Build | Raze | Train | Research | Assign | SetStrategy | Buy | Sell
"""Actions that concern only the own kingdom."""

Deed: TypeAlias = AtHome | Scout | Attack | EndTurn
"""The actions of a turn."""


def check_action(state: State, seat: Seat, action: Action) -> None:
    """Refuse an illegal action of the current seat."""
    match action:
        case EndTurn():
            return
        case Attack():
            check_attack(state, seat, action)
        case Scout():
            _check_scout(state, seat, action)
        case PickRace():
            raise IllegalActionError("pick.over", "the kingdoms are already founded")  # §8.2
        case _:
            _check_at_home(state.kingdoms[seat], action, state.options.days_per_turn)


def _check_at_home(kingdom: Kingdom, action: AtHome, days: int) -> None:
    match action:
        case Build():
            construction.check_build(kingdom, action)
        case Raze():
            construction.check_raze(kingdom, action)
        case Train():
            training.check_train(kingdom, action, days)
        case Research():
            research.check_research(kingdom, action)
        case Assign():
            _check_assign(kingdom, action)
        case SetStrategy():
            strategy_of(kingdom.race, action.strategy)
        case Buy():
            treasury.check_price(kingdom.stores, treasury.purchase(action)[0])
        case _:
            treasury.check_sale(kingdom.stores, action)


def perform(state: State, seat: Seat, action: Deed, events: list[Event]) -> State:
    """Play a checked action, and append to *events*."""
    match action:
        case EndTurn():
            return end_turn(state, seat, "ended", events)  # §9.4
        case Attack():
            state = make_attack(state, seat, action, events)
            return end_turn(state, seat, "attacked", events)  # §16.1
        case Scout():
            events.append(secret(seat, Spied(seat, action.seat)))
            return replace(state, scouted=action.seat)  # §15.3
        case _:
            kingdom, told = _at_home(state.kingdoms[seat], seat, action)
            events.append(secret(seat, told))
            return with_kingdom(state, seat, kingdom)


def _at_home(kingdom: Kingdom, seat: Seat, action: AtHome) -> tuple[Kingdom, View]:
    """Return the ledger after an action that concerns only the own kingdom, and the event for the seat."""
    match action:
        case Build():
            kind = construction.kind_of(action.building)
            return construction.build(kingdom, kind, action.count), Built(seat, kind, action.count)
        case Raze():
            kind = construction.kind_of(action.building)
            return construction.raze(kingdom, kind, action.count), Razed(seat, kind, action.count)
        case Train():
            unit = training.unit_of(kingdom.race, action.unit)
            return training.train(kingdom, unit, action.count), Enlisted(seat, unit, action.count)
        case Research():
            technology = research.technology_of(action.technology)
            return research.begin(kingdom, technology), Researching(seat, technology.name, technology.days)
        case Assign():
            workers = Workers(
                mine=action.mine,
                lumber=action.lumber,
                agriculture=action.agriculture,
                blacksmithing=action.blacksmithing,
            )
            return replace(kingdom, workers=workers), Assigned(seat, workers)
        case SetStrategy():
            strategy = strategy_of(kingdom.race, action.strategy)
            return replace(kingdom, strategy=strategy), Prepared(seat, strategy)
        case _:
            return _traded(kingdom, seat, action)


def _traded(kingdom: Kingdom, seat: Seat, action: Buy | Sell) -> tuple[Kingdom, View]:
    given, taken = treasury.purchase(action) if isinstance(action, Buy) else treasury.proceeds(action)
    stores = treasury.plus(kingdom.stores, treasury.plus(taken, treasury.times(given, -1)))
    count = action.count if isinstance(action, Buy) else -action.count
    return replace(kingdom, stores=stores), Traded(seat, action.good, count, taken.gold - given.gold)


def _check_assign(kingdom: Kingdom, action: Assign) -> None:
    """Refuse more workers than peasants."""  # §11.2
    hands = action.mine + action.lumber + action.agriculture + action.blacksmithing
    have = peasants(kingdom)
    if hands > have:
        raise IllegalActionError("assign.peasants", f"you have only {have} peasants, not {hands}")


def _check_scout(state: State, seat: Seat, action: Scout) -> None:
    """Refuse a second look in a turn, and one without a target."""  # §15.3
    if action.seat >= state.seats:
        raise IllegalActionError("scout.no_kingdom", f"no seat {action.seat}; the seats are 0 to {state.seats - 1}")
    if action.seat == seat:
        raise IllegalActionError("scout.yourself", "you cannot scout your own kingdom")
    if not state.kingdoms[action.seat].is_standing:
        raise IllegalActionError("scout.fallen", f"the kingdom of seat {action.seat} has fallen")
    if state.scouted is not None:
        raise IllegalActionError("scout.again", f"you already scouted seat {state.scouted} this turn")
