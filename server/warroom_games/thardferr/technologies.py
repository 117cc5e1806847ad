"""The technologies: docs/rules/thardferr.md, section 3."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from warroom_games.thardferr.units import Race

SHARPER_BLADES = "Sharper Blades"
BOW_RANGE = "Improve Bow Range"
LIGHT_ARMOUR = "Tougher Light Armor"
HEAVY_ARMOUR = "Tougher Heavy Armor"
FORTIFICATION = "Fortification"
CLOACKING = "Cloacking"
HABITATION = "Habitation"
BARRACK = "Barrack"
COMMERCE = "Commerce"
IRRIGATION = "Irrigation"
MACHINERY = "Machinery"
WOOD_RECYCLING = "Wood Recycling"
ETIQUETTE = "Thane\u2019s Table Etiquette"

STRENGTH_ONLY = "1000 KS a level, nothing else"
"""The effect of a level of most technologies; the others add as much KS besides (§5.5)."""


class Technology(Struct, frozen=True, kw_only=True):
    """The price of a technology per level, in gold and days, and its conditions."""

    name: str
    max_level: int
    gold: int
    days: int
    after: str | None = None
    """The entry before it in its tree, which must be known first (§13.3)."""
    race: Race | None = None
    """The only race that has it."""
    effect: str = STRENGTH_ONLY
    """The effect of a level, in a few words."""  # §3.1 to §3.3


_TREES: tuple[tuple[tuple[str, int, int, int], ...], ...] = (
    (
        ("Field-glass", 1, 50_000, 30),
        ("Convertion", 1, 300_000, 50),
        ("Transport", 1, 500_000, 60),
        ("Leadership", 1, 400_000, 40),
        ("Improved Law System", 1, 500_000, 70),
        ("Tactical Knowledge", 1, 2_500_000, 100),
    ),
    (
        (HABITATION, 1, 200_000, 40),
        (COMMERCE, 1, 300_000, 60),
        ("Animal training", 1, 100_000, 15),
        ("Blacksmithing", 1, 100_000, 15),
        ("Carpentry", 1, 400_000, 60),
        (BARRACK, 1, 300_000, 50),
        ("Training techniques", 1, 1_000_000, 100),
        (FORTIFICATION, 1, 400_000, 125),
    ),
    (
        (IRRIGATION, 1, 50_000, 150),
        (MACHINERY, 1, 200_000, 175),
        (WOOD_RECYCLING, 1, 300_000, 240),
    ),
    (
        ("New Spells", 4, 150_000, 50),
        ("Insight", 1, 100_000, 150),
        ("Magical Instruments", 1, 2_000_000, 100),
    ),
)
"""The trees, each in its order: name, levels, gold and days a level."""

_FREE: tuple[tuple[str, int, int, int], ...] = (
    (SHARPER_BLADES, 3, 200_000, 60),
    (BOW_RANGE, 1, 200_000, 100),
    (LIGHT_ARMOUR, 4, 100_000, 100),
    (HEAVY_ARMOUR, 2, 120_000, 75),
    ("Castle Loss Immunity", 5, 100_000, 20),
    (ETIQUETTE, 1, 250_000, 48),
)
"""Those outside the trees."""

_OWN: Mapping[str, Race] = {
    "True Silver": "dwarf",
    "Magic Field": "elf",
    "Explosive powder": "gnome",
    "Clerical Magic": "human",
    CLOACKING: "orc",
}

OWN_GOLD = 100_000
OWN_DAYS = 50

_EFFECTS: Mapping[str, str] = {
    HABITATION: "15 more peasants in each House",
    COMMERCE: "Markets bring a tenth more gold",
    BARRACK: "room for 25 more soldiers in each Guard House",
    FORTIFICATION: "enemies who attack you do 5 % less damage",
    IRRIGATION: "each Farm makes 15 more food a day",
    MACHINERY: "a Mine does best with 85 workers, not 100",
    WOOD_RECYCLING: "each Mill makes 1.5 more wood a day",
    SHARPER_BLADES: "1 more melee for units with blades",
    BOW_RANGE: "half as much range again for units with bows",
    LIGHT_ARMOUR: "1 more defence for units in light armour",
    HEAVY_ARMOUR: "1 more defence for units in heavy armour",
    CLOACKING: "ShadowWarriors evade 15 % more of short and melee",
}
"""All technologies with an effect besides the kingdom's strength."""


def _all() -> Iterator[Technology]:
    for tree in _TREES:
        before = None
        for name, levels, gold, days in tree:
            yield Technology(name=name, max_level=levels, gold=gold, days=days, after=before, effect=_effect(name))
            before = name
    for name, levels, gold, days in _FREE:
        yield Technology(name=name, max_level=levels, gold=gold, days=days, effect=_effect(name))
    for name, race in _OWN.items():
        yield Technology(name=name, max_level=1, gold=OWN_GOLD, days=OWN_DAYS, race=race, effect=_effect(name))


def _effect(name: str) -> str:
    return _EFFECTS.get(name, STRENGTH_ONLY)


TECHNOLOGIES: Mapping[str, Technology] = {technology.name: technology for technology in _all()}
"""Every technology by name: the trees in order, the free ones, then each race's own."""

TEXT_NAMES: Mapping[str, str] = {"Thane's Table Etiquette": ETIQUETTE, "Cloaking": CLOACKING}
"""Accepted other spellings."""
