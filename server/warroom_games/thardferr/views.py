"""The views: docs/rules/thardferr.md, sections 15 and 19."""

from functools import lru_cache

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.thardferr import economy
from warroom_games.thardferr.courses import Course
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.state import Battle, Kingdom, Reason, Record, State, Stores
from warroom_games.thardferr.training import capacity
from warroom_games.thardferr.treasury import times
from warroom_games.thardferr.units import Race


class Standing(Struct, frozen=True):
    """The public part of a kingdom."""  # §15.1

    race: Race
    land: int
    castles: int
    strength: int


class Table(Struct, frozen=True, kw_only=True):
    """The public view."""

    options: Options
    picked: tuple[bool, ...]
    """By seat, whether its race is chosen."""
    kingdoms: tuple[Standing, ...]
    """By seat; empty before all races are picked."""
    out: tuple[Seat, ...]
    seat: Seat | None
    turn: int
    round: int
    latest: Battle | None
    """The last battle."""
    ended: Reason | None


class Forecast(Struct, frozen=True, kw_only=True):
    """The results of a ledger, for the days of one turn."""

    income: Stores
    upkeep: Stores
    peasants: int
    soldier_room: int
    mage_room: int
    slots: int
    castle_cap: int
    capacity: dict[str, int]
    """The number of each unit that can be trained in a turn, including those already in training."""


class Glimpse(Struct, frozen=True):
    """The ledger of another kingdom, for the turn in which it was scouted."""  # §15.3

    seat: Seat
    kingdom: Kingdom


class Secret(Struct, frozen=True, kw_only=True):
    """The private view of a seat."""  # §15.2

    pick: Race | None
    kingdom: Kingdom | None
    """The own ledger; None before the kingdoms exist."""
    forecast: Forecast | None
    scouted: Glimpse | None
    records: tuple[Record, ...]
    """The latest battles of the seat, the newest last."""
    course: Course | None
    """The course of the last one."""


def public_view(state: State) -> Table:
    """Return the public view."""
    return Table(
        options=state.options,
        picked=tuple(race is not None for race in state.picks),
        kingdoms=tuple(map(standing, state.kingdoms)),
        out=state.out,
        seat=state.seat,
        turn=state.turn,
        round=state.round,
        latest=state.latest,
        ended=state.ended,
    )


def private_view(state: State, seat: Seat) -> Secret:
    """Return the private view of a seat."""
    kingdom = state.kingdoms[seat] if state.kingdoms else None
    scouted = state.scouted if state.seat == seat else None
    return Secret(
        pick=state.picks[seat],
        kingdom=kingdom,
        forecast=None if kingdom is None else forecast(kingdom, state.options.days_per_turn),
        scouted=None if scouted is None else Glimpse(scouted, state.kingdoms[scouted]),
        records=state.records[seat],
        course=state.courses[seat],
    )


def standing(kingdom: Kingdom) -> Standing:
    """Return the public part of a kingdom."""
    return Standing(kingdom.race, kingdom.land, kingdom.buildings.castle, kingdom.strength)


@lru_cache(maxsize=512)
def forecast(kingdom: Kingdom, days: int) -> Forecast:
    """Return what the next turn brings if nothing changes."""
    return Forecast(
        income=times(economy.produced(kingdom), days),
        upkeep=Stores(gold=economy.gold_upkeep(kingdom, days), food=economy.food_upkeep(kingdom) * days),
        peasants=economy.peasants(kingdom),
        soldier_room=economy.soldier_room(kingdom),
        mage_room=economy.mage_room(kingdom),
        slots=economy.slots(kingdom.land),
        castle_cap=economy.castle_cap(kingdom.land),
        capacity={troop.unit: capacity(kingdom, troop.unit, days) for troop in kingdom.army},
    )
