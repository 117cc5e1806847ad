"""The state of a match. A kingdom is its ledger, which only its owner knows; its standing is public."""

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from warroom_games.api import Seat
from warroom_games.thardferr.buildings import BuildingId
from warroom_games.thardferr.courses import Course
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.reports import Winner
from warroom_games.thardferr.strength import kingdom_strength
from warroom_games.thardferr.units import Race

LEAST_LAND = 5
"""The minimum land; a kingdom with less has fallen (§16.7)."""

Reason: TypeAlias = Literal["victory", "cap"]


class Buildings(Struct, frozen=True, kw_only=True, gc=False):
    """The number of buildings of each kind."""

    castle: int = 0
    house: int = 0
    farm: int = 0
    mine: int = 0
    mill: int = 0
    forge: int = 0
    market: int = 0
    guard_house: int = 0
    school: int = 0
    guard_towers: int = 0
    medical_center: int = 0
    training_center: int = 0
    advanced_training_center: int = 0

    def count(self, kind: BuildingId) -> int:
        """Return the number of one kind."""
        number: int = getattr(self, kind)
        return number

    @property
    def on_slots(self) -> int:
        """The slots of land that they take: castles take none (§10.2)."""
        return self.total - self.castle

    @property
    def total(self) -> int:
        """The total number, including castles."""
        number: int = sum(astuple(self))
        return number


class Stores(Struct, frozen=True, kw_only=True, gc=False):
    """Gold and goods."""

    gold: int = 0
    iron: int = 0
    wood: int = 0
    food: int = 0


class Workers(Struct, frozen=True, kw_only=True, gc=False):
    """The number of peasants in each job."""

    mine: int = 0
    lumber: int = 0
    agriculture: int = 0
    blacksmithing: int = 0

    @property
    def total(self) -> int:
        """The number of all workers."""
        return self.mine + self.lumber + self.agriculture + self.blacksmithing


class Troop(Struct, frozen=True, gc=False):
    """The units of one kind: those present, and those that arrive at the start of the next turn."""

    unit: str
    count: int
    training: int = 0


class Learned(Struct, frozen=True, gc=False):
    """A technology and its level."""

    technology: str
    level: int


class Project(Struct, frozen=True, gc=False):
    """A technology under research."""

    technology: str
    days_left: int


class Kingdom(Struct, frozen=True, kw_only=True):
    """The ledger of a kingdom."""

    race: Race
    land: int
    buildings: Buildings
    army: tuple[Troop, ...]
    """The six units of the race, always in the same order."""
    stores: Stores
    workers: Workers
    technologies: tuple[Learned, ...] = ()
    """The known technologies, in the order of first learning."""
    project: Project | None = None
    strategy: str | None = None
    """The strategy of its defence."""
    can_train: bool = True
    """False in a turn whose upkeep could not be paid (§11.8)."""

    def level(self, technology: str) -> int:
        """Return the level of a technology, 0 if it is unknown."""
        for known in self.technologies:
            if known.technology == technology:
                return known.level
        return 0

    @property
    def units(self) -> int:
        """The number of units, without those in training."""
        return sum(troop.count for troop in self.army)

    @property
    def strength(self) -> int:
        """Its KS (§5.5)."""
        return kingdom_strength(
            units=self.units,
            buildings=self.buildings.on_slots,
            castles=self.buildings.castle,
            levels=sum(known.level for known in self.technologies),
        )

    @property
    def is_standing(self) -> bool:
        """Whether it has not fallen."""
        return self.land >= LEAST_LAND


class Tally(Struct, frozen=True, gc=False):
    """The fate of one kind of unit in a battle."""

    unit: str
    army: int
    """The number that its side had before the battle."""
    field: int
    """The number that fought: castles keep some of the defender's units out of it."""
    lost: int
    """The number that fell."""
    healed: int
    """The number of these that recovered."""


class Record(Struct, frozen=True, kw_only=True):
    """A battle as both kingdoms remember it."""

    turn: int
    attacker: Seat
    target: Seat
    attacker_strategy: str | None
    target_strategy: str | None
    outcome: Winner
    land: int
    """The land that changed hands."""
    attackers: tuple[Tally, ...]
    defenders: tuple[Tally, ...]


class Battle(Struct, frozen=True, gc=False):
    """The public part of a battle."""  # §15.1

    turn: int
    attacker: Seat
    target: Seat
    outcome: Winner
    land: int


class State(Struct, frozen=True, kw_only=True):
    """The match; nothing in it is random."""

    options: Options
    picks: tuple[Race | None, ...]
    """The race of each seat; None until it is picked."""
    kingdoms: tuple[Kingdom, ...] = ()
    """By seat; empty before all races are picked."""
    out: tuple[Seat, ...] = ()
    """The seats that are out of play, in the order of leaving."""
    seat: Seat | None = None
    """Whose turn it is; None while races are picked."""
    turn: int = 0
    round: int = 0
    scouted: Seat | None = None
    """The kingdom that the current seat looks at."""
    records: tuple[tuple[Record, ...], ...]
    """By seat, its latest battles, the newest last."""
    courses: tuple[Course | None, ...]
    """By seat, the course of its last battle."""
    latest: Battle | None = None
    """The latest battle of all."""
    ended: Reason | None = None

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.picks)

    @property
    def is_peace(self) -> bool:
        """Whether nobody may attack yet (§16.9)."""
        return self.round <= self.options.peace_rounds

    @property
    def seats_in_play(self) -> list[Seat]:
        """The seats that are not out."""
        return [seat for seat in range(len(self.picks)) if seat not in self.out]

    @property
    def order(self) -> list[Seat]:
        """All seats, in the order of this round."""  # §9.1
        first = (self.round - 1) % self.seats if self.options.order == "rotating" and self.seats > 2 else 0
        return [*range(first, self.seats), *range(first)]
