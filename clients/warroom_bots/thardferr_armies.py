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
    # Axes strike hardest of all that Training Centers make, and in a Shield Line no arrow reaches them.
    "dwarf": ArmyPlan(
        {"AxeMan": 50, "Shieldbearer": 27, "HammerWheilder": 13, "Runner": 10}, (HEAVY_ARMOUR, SHARPER_BLADES)
    ),
    # Twice as much infantry as each sort of archers, whom Archer Protection then keeps from all harm.
    "elf": ArmyPlan({"Swordman": 34, "EliteArcher": 24, "Archer": 24, "Lanceman": 18}, (BOW_RANGE, SHARPER_BLADES)),
    # A crowd of which each center turns out ten a day, and Far Fighting makes every stone count twice.
    "gnome": ArmyPlan({"RockThrower": 100}, (BOW_RANGE,)),
    # A bit of everything: cheap infantry to bear the blows, and pikes against riders.
    "human": ArmyPlan(
        {"Infantry": 30, "Archer": 20, "HeavyInfantry": 20, "Knight": 15, "Pikeman": 15}, (LIGHT_ARMOUR, SHARPER_BLADES)
    ),
    # Nothing is as cheap as a Slinger; wolves and axes make an end of what the stones leave.
    "orc": ArmyPlan(
        {"Slinger": 40, "Rusher": 20, "AxeThrower": 20, "WolfMaster": 10, "Slother": 10, "ShadowWarrior": 10},
        (SHARPER_BLADES, BOW_RANGE),
    ),
    # Soldiers who eat nothing: archers, pikes before them, and riders with much defence.
    "undead": ArmyPlan(
        {"PhantomArcher": 35, "WraithRider": 24, "WraithPikeman": 18, "SkeletalLegion": 12, "DarkKnight": 12},
        (SHARPER_BLADES, LIGHT_ARMOUR),
    ),
}
"""By race. Shares above a hundred in total are trained as far as there is room."""
