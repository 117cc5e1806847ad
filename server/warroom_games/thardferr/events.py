"""What happens in a match, told so that a client can animate it. Each event is a map whose `type` names it.

What a kingdom does at home only its owner is told; of a battle all learn the outcome and both sides the course.
Numbers of a battle that are not whole are given in thousandths.
"""

from typing import Literal

from msgspec import Struct

from warroom_games.api import Event, Seat, View
from warroom_games.thardferr.buildings import BuildingId
from warroom_games.thardferr.courses import Clash
from warroom_games.thardferr.reports import Ending, Winner
from warroom_games.thardferr.state import Reason, Record, Stores, Workers
from warroom_games.thardferr.units import Race


class Picked(Struct, frozen=True, tag_field="type", tag="pick"):
    """A seat has picked its race; which one, only its player is told yet (nil)."""

    seat: Seat
    race: Race | None


class Founded(Struct, frozen=True, tag_field="type", tag="founding"):
    """All races are picked, and the kingdoms stand."""

    races: tuple[Race, ...]


class TurnBegan(Struct, frozen=True, tag_field="type", tag="turn"):
    """The next seat's turn began."""

    seat: Seat
    turn: int
    round: int


class TurnEnded(Struct, frozen=True, tag_field="type", tag="turn_end"):
    """A seat's turn is over, because it said so, attacked, or gave up."""

    seat: Seat
    turn: int
    reason: Literal["ended", "attacked", "resigned"]


class Arrived(Struct, frozen=True, tag_field="type", tag="arrival"):
    """Units finished their training."""

    seat: Seat
    units: dict[str, int]


class Learnt(Struct, frozen=True, tag_field="type", tag="learning"):
    """A research is done."""

    seat: Seat
    technology: str
    level: int


class Produced(Struct, frozen=True, tag_field="type", tag="production"):
    """What the days of a turn brought in, and what the upkeep then took of it."""

    seat: Seat
    made: Stores
    paid: Stores


class Deserted(Struct, frozen=True, tag_field="type", tag="desertion"):
    """The upkeep could not be paid: what is missing, and which units left."""

    seat: Seat
    missing: Stores
    units: dict[str, int]


class Built(Struct, frozen=True, tag_field="type", tag="building"):
    """Buildings were put up."""

    seat: Seat
    building: BuildingId
    count: int


class Razed(Struct, frozen=True, tag_field="type", tag="razing"):
    """Buildings were pulled down."""

    seat: Seat
    building: BuildingId
    count: int


class Enlisted(Struct, frozen=True, tag_field="type", tag="training"):
    """Units began their training."""

    seat: Seat
    unit: str
    count: int


class Assigned(Struct, frozen=True, tag_field="type", tag="assignment"):
    """The peasants do other work."""

    seat: Seat
    workers: Workers


class Researching(Struct, frozen=True, tag_field="type", tag="research"):
    """A research began."""

    seat: Seat
    technology: str
    days: int


class Traded(Struct, frozen=True, tag_field="type", tag="trade"):
    """Something was bought or (negative numbers) sold."""

    seat: Seat
    good: str
    count: int
    gold: int


class Prepared(Struct, frozen=True, tag_field="type", tag="strategy"):
    """The kingdom will defend itself in another way."""

    seat: Seat
    strategy: str | None


class Spied(Struct, frozen=True, tag_field="type", tag="scouting"):
    """A seat looks into the ledger of another."""

    seat: Seat
    target: Seat


class Attacked(Struct, frozen=True, tag_field="type", tag="attack"):
    """A battle: who won, and how much land that took."""

    seat: Seat
    target: Seat
    outcome: Winner
    land: int
    is_bottom_feeding: bool


class Fought(Struct, frozen=True, tag_field="type", tag="battle"):
    """The course of a battle, for both sides of it."""

    seat: Seat
    target: Seat
    ended_by: Ending
    clashes: tuple[Clash, ...]
    record: Record


class Ruined(Struct, frozen=True, tag_field="type", tag="ruin"):
    """Buildings were lost with the land they stood on."""

    seat: Seat
    buildings: dict[str, int]


class Fell(Struct, frozen=True, tag_field="type", tag="fall"):
    """A kingdom has too little land left, by the hand of *by*."""

    seat: Seat
    by: Seat


class Resigned(Struct, frozen=True, tag_field="type", tag="resignation"):
    """A player left; the kingdom stands and defends itself."""

    seat: Seat


class Ended(Struct, frozen=True, tag_field="type", tag="end"):
    """The match is over: the rank of each seat, and whether by victory or by the limit of turns."""

    ranks: tuple[int, ...]
    reason: Reason


def secret(seat: Seat, told: View) -> Event:
    """Return an event that only one seat is told of."""
    return Event(None, ((seat, told),))
