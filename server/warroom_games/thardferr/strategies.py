"""The strategies: docs/rules/thardferr.md, section 2."""

from collections.abc import Mapping

from warroom_games.thardferr.units import RACES, Race

ARCHER_PROTECTION = "Archer Protection"
INFANTRY_ATTACK = "Infantry Attack"
QUICK_RETREAT = "Quick Retreat"
ANTI_CAVALRY = "Anti-Cavalry"
SHIELD_LINE = "Dwarf Shield Line"
ENERGY_GATHERING = "Elf Energy Gathering"
FAR_FIGHTING = "Gnome Far Fighting"
CHARGING = "Human Charging!"
SURROUNDING = "Orc Surrounding"
BERSERKER = "Orc Berserker"
SWARM = "Skeleton Swarm"

GENERAL: tuple[str, ...] = (ARCHER_PROTECTION, INFANTRY_ATTACK, QUICK_RETREAT, ANTI_CAVALRY)
"""The strategies of every race."""

_OWN: Mapping[Race, tuple[str, ...]] = {
    "dwarf": (SHIELD_LINE,),
    "elf": (ENERGY_GATHERING,),
    "gnome": (FAR_FIGHTING,),
    "human": (CHARGING,),
    "orc": (SURROUNDING, BERSERKER),
    "undead": (SWARM,),
}

STRATEGIES: Mapping[Race, tuple[str, ...]] = {race: GENERAL + _OWN[race] for race in RACES}
"""The strategies of each race in the kingdom game (§2.2)."""

ALL_STRATEGIES: tuple[str, ...] = GENERAL + tuple(name for race in RACES for name in _OWN[race])

TEXT_NAMES: Mapping[str, str] = {"Berserker": BERSERKER, "Human Charging": CHARGING, "Charging": CHARGING}
"""Accepted short spellings."""
