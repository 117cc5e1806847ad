"""The best army of each Thardferr race, by the battle rules of docs/rules/thardferr.md, section 6.

For dwarfs, elves, undead and humans a dozen armies each were tested against all others, attacking and defending, and
for gnomes a handful; the best is here. The orcs' army is a first guess that won from the start.
"""

from collections.abc import Mapping

from msgspec import Struct

from warroom_games.thardferr.technologies import BOW_RANGE, HEAVY_ARMOUR, LIGHT_ARMOUR, SHARPER_BLADES
from warroom_games.thardferr.units import Race


class ArmyPlan(Struct, frozen=True):
    """What a race trains and researches."""

    army: Mapping[str, int]
    """Target share of the soldier room per unit, in percent."""
    research: tuple[str, ...]
    """Technologies for this army, best first."""


ARMY_PLANS: Mapping[Race, ArmyPlan] = {
    # Of the units from Training Centers, axemen hit hardest, and a Shield Line protects them from arrows.
    "dwarf": ArmyPlan(
        {"AxeMan": 50, "Shieldbearer": 27, "HammerWheilder": 13, "Runner": 10}, (HEAVY_ARMOUR, SHARPER_BLADES)
    ),
    # Twice as much infantry as archers of either kind, so that Archer Protection keeps the archers safe.
    "elf": ArmyPlan({"Swordman": 34, "EliteArcher": 24, "Archer": 24, "Lanceman": 18}, (BOW_RANGE, SHARPER_BLADES)),
    # Each center trains ten a day, and Far Fighting doubles the effect of every stone.
    "gnome": ArmyPlan({"RockThrower": 100}, (BOW_RANGE,)),
    # A mix: cheap infantry absorbs the losses, pikemen stop riders.
    "human": ArmyPlan(
        {"Infantry": 30, "Archer": 20, "HeavyInfantry": 20, "Knight": 15, "Pikeman": 15}, (LIGHT_ARMOUR, SHARPER_BLADES)
    ),
    # Slingers are the cheapest unit; wolves and axes finish the survivors.
    "orc": ArmyPlan(
        {"Slinger": 40, "Rusher": 20, "AxeThrower": 20, "WolfMaster": 10, "Slother": 10, "ShadowWarrior": 10},
        (SHARPER_BLADES, BOW_RANGE),
    ),
    # Undead need no food: archers, pikemen in front of them, and riders with high defence.
    "undead": ArmyPlan(
        {"PhantomArcher": 35, "WraithRider": 24, "WraithPikeman": 18, "SkeletalLegion": 12, "DarkKnight": 12},
        (SHARPER_BLADES, LIGHT_ARMOUR),
    ),
}
"""The army of each race. If the shares exceed a hundred in total, units are trained as far as there is room."""
