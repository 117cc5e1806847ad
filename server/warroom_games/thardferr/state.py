"""All that is true of a match. A kingdom is its ledger, known to its owner; what all know of it is its standing."""

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
"""A kingdom with less land has fallen (§16.7)."""

Reason: TypeAlias = Literal["victory", "cap"]


class Buildings(Struct, frozen=True, kw_only=True, gc=False):
    """How many buildings of each kind there are."""

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
        """Return how many there are of one kind."""
        number: int = getattr(self, kind)
        return number

    @property
    def on_slots(self) -> int:
        """How many slots of the land they take: castles take none (§10.2)."""
        return self.total - self.castle

    @property
    def total(self) -> int:
        """How many there are, castles included."""
        number: int = sum(astuple(self))
        return number


class Stores(Struct, frozen=True, kw_only=True, gc=False):
    """Gold and goods."""

    gold: int = 0
    iron: int = 0
    wood: int = 0
    food: int = 0


class Workers(Struct, frozen=True, kw_only=True, gc=False):
    """How many peasants do which work."""

    mine: int = 0
    lumber: int = 0
    agriculture: int = 0
    blacksmithing: int = 0

    @property
    def total(self) -> int:
        """How many work at all."""
        return self.mine + self.lumber + self.agriculture + self.blacksmithing


class Troop(Struct, frozen=True, gc=False):
    """The units of one kind: those there are, and those who arrive at the start of the next turn."""

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
    """What is known, in the order in which it was first learned."""
    project: Project | None = None
    strategy: str | None = None
    """The strategy with which it defends itself."""
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
        """How many units there are, without those in training."""
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
    """How one kind of unit came through a battle."""

    unit: str
    army: int
    """How many its side had for the battle."""
    field: int
    """How many of them fought: castles keep some of the defender's out of it."""
    lost: int
    """How many fell."""
    healed: int
    """How many of these came back."""


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
    """What everybody knows of a battle."""  # §15.1

    turn: int
    attacker: Seat
    target: Seat
    outcome: Winner
    land: int


class State(Struct, frozen=True, kw_only=True):
    """The match; nothing in it is left to chance."""

    options: Options
    picks: tuple[Race | None, ...]
    """The race of each seat, None while it is still to be picked."""
    kingdoms: tuple[Kingdom, ...] = ()
    """By seat; none before all races are picked."""
    out: tuple[Seat, ...] = ()
    """The seats that are out of play, in the order in which they left it."""
    seat: Seat | None = None
    """Whose turn it is; None while races are picked."""
    turn: int = 0
    round: int = 0
    scouted: Seat | None = None
    """The kingdom that the seat whose turn it is looks into."""
    records: tuple[tuple[Record, ...], ...]
    """By seat, its latest battles, the last one last."""
    courses: tuple[Course | None, ...]
    """By seat, how its last battle went."""
    latest: Battle | None = None
    """The last battle of all."""
    ended: Reason | None = None

    @property
    def seats(self) -> int:
        """How many seats there are."""
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
        """All seats, in the order in which this round asks them."""  # §9.1
        first = (self.round - 1) % self.seats if self.options.order == "rotating" and self.seats > 2 else 0
        return [*range(first, self.seats), *range(first)]
