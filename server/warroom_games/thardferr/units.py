"""The units of the six races: docs/rules/thardferr.md, section 1.

Flags: `i` infantry, `p` pikeman, `m` mounted. Training: in a `T` Training Center or an `A` Advanced Training Center,
the number of buildings needed, and the units a day that they train (§12.2).
"""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

Race: TypeAlias = Literal["dwarf", "elf", "gnome", "human", "orc", "undead"]

RACES: tuple[Race, ...] = ("dwarf", "elf", "gnome", "human", "orc", "undead")
"""The races, in the default order of seats (§8.2)."""

WeaponType: TypeAlias = Literal["blade", "bow"]
ArmourType: TypeAlias = Literal["light", "heavy"]
Trainer: TypeAlias = Literal["training_center", "advanced_training_center"]


class Unit(Struct, frozen=True, kw_only=True):
    """The kind, stats, price and training of a unit."""

    race: Race
    name: str
    melee: int
    short: int
    range: int
    defence: int
    gold: int
    iron: int
    wood: int
    half_gold_upkeep: int
    """Twice its daily cost in gold."""
    food_upkeep: int
    """Its daily food."""
    weight: float
    """Its share of the damage that its army takes."""
    weapon: WeaponType | None
    armour: ArmourType | None
    is_infantry: bool
    is_pikeman: bool
    is_mounted: bool
    trainer: Trainer
    centers: int
    """The number of training buildings that it needs."""
    per_day: int
    """The units a day that this number of buildings trains."""


# fmt: off
_TABLE = """
race   unit                 melee short range defence  gold iron wood upkeep food weight weapon armour flags trained
dwarf  Shieldbearer             0     0     0      20   925    6    0     13    4      3 -      heavy  -     A 4  1
dwarf  HammerWheilder           7     0     0       7   635    8    1      7    3      2 blade  heavy  i     T 4  1
dwarf  AxeMan                   9     0     0      11  1090    8    1     10    4      2 blade  heavy  i     T 5  1
dwarf  Runner                   6     2     0       3   510    8    4     15    4      1 blade  -      -     A 5  1
dwarf  LightCrossbowman         0     0     2       5   480    3    3      8    2      2 bow    light  m     T 3  1
dwarf  HeavyCrossbowman         0     0     3       6   830    3    3     10    3      1 bow    light  -     A 5  1
elf    Mage                     3     0     7       2  1900    0    0     30    2      1 -      -      -     A 7  1
elf    Swordman                 4     0     0       3   225    8    1      8    2      3 blade  light  i     T 3  1
elf    Lanceman                 3     0     0       3   220    5    3     10    2      3 blade  light  ip    T 4  1
elf    Caragous                 0     0     0       1  1295   13    5     12    4      2 blade  heavy  m     A 5  1
elf    Archer                   0     0     3       2   390    0    4      4    1      3 bow    -      -     T 2  1
elf    EliteArcher              0     0     5       3   730    0    8      8    3    1.5 bow    -      -     A 3  1
gnome  Catapult                 0     0    15      25  3480   14  210     40   10      1 -      -      m     A 8  1
gnome  Infantry                 2     0     0       2   210    4    4      4    1      2 blade  light  i     T 3  1
gnome  Militia                  1     0     0       1   100    2    3      1    1    2.5 blade  -      ip    T 1 10
gnome  Rider                    6     0     0       6   835    6    3      7    3      2 blade  heavy  m     A 5  1
gnome  RockThrower              0     0     1       1   115    1    1      1    1    2.5 bow    -      -     T 1 10
gnome  Balista                  5     0    10      15  2380    9  135     22    6      1 -      -      m     A 7  1
human  Knight                   8     1     0      11  1080   14    0     18    5      1 blade  heavy  m     A 6  1
human  Infantry                 3     0     0       5   240    6    0      4    2      3 blade  light  i     T 3  1
human  Pikeman                  4     0     0       3   280    5    3      4    2      3 blade  light  ip    T 4  1
human  HeavyInfantry            7     0     0       8   680   13    0      7    3    2.5 blade  heavy  -     A 5  1
human  Archer                   0     0     2       3   235    3    3      3    3      2 bow    light  -     T 3  1
human  MountedArcher            3     0     2       7   800    7    3     11    3      1 bow    light  m     A 4  1
orc    ShadowWarrior            8     0     0       3   820    3    2     15    4      1 blade  light  -     A 6  1
orc    Rusher                   4     0     0       3   210    3    2      4    3      3 blade  light  im    T 3  1
orc    Slother                  2     0     0       2   105    1    3      2    2      3 blade  -      ipm   T 2  1
orc    WolfMaster               6     0     1       3   595    4    2      5    3      2 blade  heavy  m     A 5  1
orc    Slinger                  0     0     2       2    65    1    1      2    1    2.5 bow    -      -     T 3  1
orc    AxeThrower               3     0     3       2   310    7    4      4    3    1.5 blade  light  -     A 5  1
undead DarkKnight               8     0     1      11  1186   11    0     21    0      1 blade  heavy  m     A 6  1
undead SkeletalLegion           1     0     0       1    79    2    0    1.5    0    1.5 blade  -      i     T 3  1
undead WraithPikeman            4     0     0       4   285    4    3      6    0      2 blade  light  ip    T 4  1
undead AbominationCaragous      4     0     0       3  1486   11    3     14    0      2 blade  heavy  m     A 5  1
undead PhantomArcher            0     0     2       3   485    3    2      5    0      2 bow    -      -     T 3  1
undead WraithRider              3     0     2       7   745    6    2     13    0      1 blade  light  m     A 4  1
"""
# fmt: on

_TRAINERS: Mapping[str, Trainer] = {"T": "training_center", "A": "advanced_training_center"}
_WEAPONS: Mapping[str, WeaponType] = {"blade": "blade", "bow": "bow"}
_ARMOURS: Mapping[str, ArmourType] = {"light": "light", "heavy": "heavy"}


def _read(row: str) -> Unit:
    race, name, *stats = row.split()
    melee, short, range_, defence, gold, iron, wood = map(int, stats[:7])
    upkeep, food, weight, weapon, armour, flags, trainer, centers, per_day = stats[7:]
    return Unit(
        race=RACES[RACES.index(race)],
        name=name,
        melee=melee,
        short=short,
        range=range_,
        defence=defence,
        gold=gold,
        iron=iron,
        wood=wood,
        half_gold_upkeep=int(2 * float(upkeep)),
        food_upkeep=int(food),
        weight=float(weight),
        weapon=_WEAPONS.get(weapon),
        armour=_ARMOURS.get(armour),
        is_infantry="i" in flags,
        is_pikeman="p" in flags,
        is_mounted="m" in flags,
        trainer=_TRAINERS[trainer],
        centers=int(centers),
        per_day=int(per_day),
    )


def _by_race(units: Iterable[Unit]) -> dict[Race, dict[str, Unit]]:
    table: dict[Race, dict[str, Unit]] = {race: {} for race in RACES}
    for unit in units:
        table[unit.race][unit.name] = unit
    return table


UNITS: Mapping[Race, Mapping[str, Unit]] = _by_race(map(_read, _TABLE.strip().splitlines()[1:]))
"""The six units of each race by name, in the order of armies."""

TEXT_NAMES: Mapping[str, str] = {
    "MountedArchers": "MountedArcher",
    "SkeletonWarrior": "SkeletalLegion",
    "Abomination": "AbominationCaragous",
}
"""Names of three units in the original text (§1.2)."""
