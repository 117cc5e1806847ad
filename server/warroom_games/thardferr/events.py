"""The events of a match, with everything that a client needs to animate them. The `type` of each map names it.

Only the owner is told what a kingdom does at home. Everybody learns the outcome of a battle, and both sides its course.
Fractional numbers of a battle are given in thousandths.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Event, Seat, View
from warroom_games.thardferr.buildings import BuildingId
from warroom_games.thardferr.courses import Clash
from warroom_games.thardferr.reports import Ending, Winner
from warroom_games.thardferr.state import Reason, Record, Stores, Workers
from warroom_games.thardferr.units import Race


class Picked(Struct, frozen=True, tag_field="type", tag="pick"):
    """A seat has picked its race; the others do not learn yet which one (nil)."""

    seat: Seat
    race: Race | None


class Founded(Struct, frozen=True, tag_field="type", tag="founding"):
    """All races are picked, and the kingdoms exist."""

    races: tuple[Race, ...]


class TurnBegan(Struct, frozen=True, tag_field="type", tag="turn"):
    """The next seat's turn began."""

    seat: Seat
    turn: int
    round: int


class TurnEnded(Struct, frozen=True, tag_field="type", tag="turn_end"):
    """A seat's turn is over: it ended the turn, attacked, or resigned."""

    seat: Seat
    turn: int
    reason: Literal["ended", "attacked", "resigned"]


class Arrived(Struct, frozen=True, tag_field="type", tag="arrival"):
    """Units finished their training."""

    seat: Seat
    units: dict[str, int]


class Learnt(Struct, frozen=True, tag_field="type", tag="learning"):
    """A research is complete."""

    seat: Seat
    technology: str
    level: int


class Produced(Struct, frozen=True, tag_field="type", tag="production"):
    """The income of a turn's days, and the upkeep that was paid from it."""

    seat: Seat
    made: Stores
    paid: Stores


class Deserted(Struct, frozen=True, tag_field="type", tag="desertion"):
    """The upkeep could not be paid: what is missing, and which units left."""

    seat: Seat
    missing: Stores
    units: dict[str, int]


class Built(Struct, frozen=True, tag_field="type", tag="building"):
    """Buildings were built."""

    seat: Seat
    building: BuildingId
    count: int


class Razed(Struct, frozen=True, tag_field="type", tag="razing"):
    """Buildings were razed."""

    seat: Seat
    building: BuildingId
    count: int


class Enlisted(Struct, frozen=True, tag_field="type", tag="training"):
    """Units began their training."""

    seat: Seat
    unit: str
    count: int


class Assigned(Struct, frozen=True, tag_field="type", tag="assignment"):
    """The peasants have other jobs."""

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
    """The kingdom has another defence strategy."""

    seat: Seat
    strategy: str | None


class Spied(Struct, frozen=True, tag_field="type", tag="scouting"):
    """A seat looks at the ledger of another."""

    seat: Seat
    target: Seat


class Attacked(Struct, frozen=True, tag_field="type", tag="attack"):
    """A battle: the winner, and the land that it took."""

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
    """A kingdom has too little land left, because of *by*."""

    seat: Seat
    by: Seat


class Resigned(Struct, frozen=True, tag_field="type", tag="resignation"):
    """A player left; the kingdom stays and defends itself."""

    seat: Seat


class Ended(Struct, frozen=True, tag_field="type", tag="end"):
    """The match is over: the rank of each seat, and whether the victory rule or the limit of turns ended it."""

    ranks: tuple[int, ...]
    reason: Reason


GameEvent: TypeAlias = (
    Picked | Founded | TurnBegan | TurnEnded | Arrived | Learnt | Produced | Deserted | Built | Razed | Enlisted
    | Assigned | Researching | Traded | Prepared | Spied | Attacked | Fought | Ruined | Fell | Resigned | Ended
)  # fmt: skip
"""All events, in their public and private forms."""


def secret(seat: Seat, told: View) -> Event:
    """Return an event for one seat only."""
    return Event(None, ((seat, told),))
