"""One side strikes the other in one phase: docs/rules/thardferr.md, sections 6.4 to 6.9."""

from collections.abc import Sequence
from math import floor

from warroom_games.thardferr.forces import Side
from warroom_games.thardferr.reports import Phase, SideName, Stack
from warroom_games.thardferr.rulesets import Ruleset
from warroom_games.thardferr.stats import INFANTRY_CUT, SHIELD_CUT, Stats, effective_stats
from warroom_games.thardferr.strategies import (
    ANTI_CAVALRY,
    ARCHER_PROTECTION,
    BERSERKER,
    ENERGY_GATHERING,
    FAR_FIGHTING,
    INFANTRY_ATTACK,
    QUICK_RETREAT,
    SHIELD_LINE,
    SURROUNDING,
    SWARM,
)
from warroom_games.thardferr.technologies import CLOACKING, FORTIFICATION, HEAVY_ARMOUR, LIGHT_ARMOUR
from warroom_games.thardferr.units import Unit

TOWER_POOL = 40
TOWER_CAP = 2
CENTER_POOL_DEFENDING, CENTER_CAP_DEFENDING = 75, 2
CENTER_POOL_ATTACKING, CENTER_CAP_ATTACKING = 50, 1

HIDING = 0.75
PIKE_BONUS, CAVALRY_BONUS = 2, 7

_WOLF_RIDERS = frozenset({"Rusher", "Slother"})


class Host:
    """An army on the field: a side, its stats, and the remaining units of each stack."""

    def __init__(self, name: SideName, side: Side, counts: Sequence[int], ruleset: Ruleset) -> None:
        self.name = name
        self.side = side
        self.ruleset = ruleset
        self.strategy = side.strategy if side.strategy in ruleset.effective_strategies else None
        self.counts = list(counts)
        self.stats = effective_stats(side, ruleset)
        self.notes = [self._note(unit) for unit in side.units]
        self.is_cloaked = side.techs.get(CLOACKING, 0) > 0
        self.wolves = next((index for index, unit in enumerate(side.units) if unit.name == "WolfMaster"), None)

    def _note(self, unit: Unit) -> tuple[str, ...]:
        """Return the changes to the defence of a stack that last for the whole battle."""
        armour = {"light": LIGHT_ARMOUR, "heavy": HEAVY_ARMOUR}.get(unit.armour or "")
        level = self.side.techs.get(armour, 0) if armour else 0
        notes = (f"{armour}: +{level} defence",) if level else ()
        return (*notes, f"{BERSERKER}: defence x0.5") if self.strategy == BERSERKER else notes

    @property
    def total(self) -> int:
        """The number of remaining units."""
        return sum(self.counts)

    def army(self) -> dict[str, int]:
        """Return the remaining number of each unit."""
        return dict(zip(self.side.army, self.counts, strict=True))

    def fighting_stats(self) -> dict[str, Stats]:
        """Return the stats of each unit with technologies and strategy."""
        return {name: fighting for name, (fighting, _) in zip(self.side.army, self.stats, strict=True)}

    def defence_cut(self, unit: Unit) -> float | None:
        """Return the factor on a unit's defence if the strategy exposes it for the others; None otherwise."""  # §6.8
        if self.strategy == INFANTRY_ATTACK and unit.is_infantry:
            return INFANTRY_CUT
        if self.strategy == SHIELD_LINE and unit.name == "Shieldbearer":
            return SHIELD_CUT
        return None


def strike(attacker: Host, target: Host, phase: Phase) -> list[Stack]:
    """Return the effect of a phase on each stack of *target*, without changing anything."""
    units = target.total
    total, pikes = raw_damage(attacker, units, phase)
    total, pikes, notes = _scaled(attacker, target, phase, (total, pikes))
    pool, building = mitigation_pool(target, phase, units)
    if pool:
        notes = (*notes, building)
    weights = [unit.weight * count for unit, count in zip(target.side.units, target.counts, strict=True)]
    weighted = sum(weights)
    enemies = attacker.total
    shared = redistributed(target)
    bonus = CAVALRY_BONUS if attacker.strategy == ANTI_CAVALRY else PIKE_BONUS
    stacks = []
    for index, count in enumerate(target.counts):
        if count:
            raw = total * (weights[index] / weighted)
            effects = [*notes, *target.notes[index]]
            if pikes > 0 and target.side.units[index].is_mounted:  # §6.6
                raw += raw * (pikes / total) * (bonus - 1)
                effects.append(f"pikemen x{bonus} against mounted")
            mitigation = pool * (count / units)
            reduction = damage_reduction(target, index, phase, effects)
            defence = stack_defence(target, index, phase, (enemies, shared), effects)
            damage = max(0.0, raw - mitigation) * (1 - reduction)
            lost = min(count, floor(damage / defence)) if defence > 0 else count  # §6.9
            unit = target.side.units[index].name
            stacks.append(
                Stack(target.name, unit, count, raw, mitigation, reduction, damage, defence, lost, tuple(effects))
            )
    return stacks


# --- the attackers ----------------------------------------------------------------------------------------------


def raw_damage(attacker: Host, enemies: int, phase: Phase) -> tuple[float, float]:
    """Return the damage of a whole army and the pikemen's part of it, before scaling."""  # §6.4
    total = pikes = 0.0
    is_surrounding = attacker.strategy == SURROUNDING and phase == "short"
    for index, count in enumerate(attacker.counts):
        if count:
            unit, stats = attacker.side.units[index], attacker.stats[index][0]
            attack: float = getattr(stats, phase)
            if phase == "melee" and unit.name == "Caragous":
                attack += caragous_bonus(count, enemies)
            elif phase == "short" and unit.name in _WOLF_RIDERS:
                attack += wolf_bonus(attacker, count)
            elif is_surrounding and unit.name == "ShadowWarrior":
                attack += stats.melee + stats.range
            total += count * attack
            if unit.is_pikeman:
                pikes += count * attack
    return total, pikes


def caragous_bonus(caragous: int, enemies: int) -> float:
    """Return the gain of the Caragous in melee and defence from their number: up to 10, in steps of 0.1."""  # §6.3
    share = min(1.0, caragous / enemies) if enemies else 1.0
    return floor(share * 100) / 10


def wolf_bonus(attacker: Host, riders: int) -> float:
    """Return the gain of each Rusher or Slother in the short phase from the Wolf Masters."""  # §6.3
    return attacker.counts[attacker.wolves] / riders if attacker.wolves is not None else 0.0


def _scaled(
    attacker: Host, target: Host, phase: Phase, damage: tuple[float, float]
) -> tuple[float, float, tuple[str, ...]]:
    """Return the damage and the pikemen's part after scaling, and notes about it."""  # §6.4
    total, pikes = damage
    notes: tuple[str, ...] = ()
    users = [attacker.strategy, target.strategy] if attacker.ruleset.retreat_halves_both else [attacker.strategy]
    if QUICK_RETREAT in users:  # §7.1
        total, pikes, notes = total * 0.5, pikes * 0.5, (f"{QUICK_RETREAT}: damage x0.5",)
    if phase == "range" and FAR_FIGHTING in (attacker.strategy, target.strategy):
        total, pikes, notes = total * 2, pikes * 2, (*notes, f"{FAR_FIGHTING}: damage x2")
    if target.name == "defender" and target.side.techs.get(FORTIFICATION, 0) > 0:
        total, pikes, notes = total * 0.95, pikes * 0.95, (*notes, f"{FORTIFICATION}: damage x0.95")
    return total, pikes, notes


# --- the target -------------------------------------------------------------------------------------------------


def mitigation_pool(target: Host, phase: Phase, units: int) -> tuple[int, str]:
    """Return the damage that the target's buildings absorb, and which buildings do."""  # §6.5
    buildings, is_defending = target.side.buildings, target.name == "defender"
    if phase == "range" and is_defending:
        return min(buildings.get("Guard Towers", 0) * TOWER_POOL, units * TOWER_CAP), "Guard Towers"
    if phase == "melee":
        per_center = CENTER_POOL_DEFENDING if is_defending else CENTER_POOL_ATTACKING
        cap = CENTER_CAP_DEFENDING if is_defending else CENTER_CAP_ATTACKING
        return min(buildings.get("Medical Center", 0) * per_center, units * cap), "Medical Center"
    return 0, ""


def damage_reduction(target: Host, index: int, phase: Phase, effects: list[str]) -> float:
    """Return the part of the damage that does not reach a stack, and append the reason to *effects*."""  # §6.7
    name = target.side.units[index].name
    if name == "Mage" and phase != "range" and target.strategy != ENERGY_GATHERING:
        effects.append("Mage: immune")
        return 1.0
    if name == "SkeletalLegion" and phase == "range" and target.strategy == SWARM:
        effects.append(f"{SWARM}: immune")
        return 1.0
    if name == "ShadowWarrior" and phase != "range":
        return _hiding(target, effects)
    if target.strategy == ARCHER_PROTECTION and name in target.ruleset.screened:
        return _screen(target, index, effects)
    if target.strategy == SHIELD_LINE and phase == "range":
        return _shields(target, effects)
    return 0.0


def _hiding(target: Host, effects: list[str]) -> float:
    is_surrounding = target.strategy == SURROUNDING
    reduction = 0.0 if is_surrounding else HIDING
    effects.append(f"{SURROUNDING}: no hiding" if is_surrounding else "hiding: damage x0.25")
    if target.is_cloaked:
        reduction += target.ruleset.cloak  # §7.3
        effects.append(f"{CLOACKING}: reduction {target.ruleset.cloak:+g}")
    return reduction


def _screen(target: Host, index: int, effects: list[str]) -> float:
    stacks = zip(target.side.units, target.counts, strict=True)
    infantry = sum(count for unit, count in stacks if unit.is_infantry)
    reduction = min(1.0, 0.5 * infantry / target.counts[index])
    if reduction:
        effects.append(f"{ARCHER_PROTECTION}: reduction {reduction:.3g}")
    return reduction


def _shields(target: Host, effects: list[str]) -> float:
    stacks = zip(target.side.units, target.counts, strict=True)
    bearers = sum(count for unit, count in stacks if unit.name == "Shieldbearer")
    reduction = min(1.0, 2 * (bearers / target.total))
    if reduction:
        effects.append(f"{SHIELD_LINE}: reduction {reduction:.3g}")
    return reduction


def redistributed(target: Host) -> float:
    """Return the additional defence of each unit that the strategy does not expose."""  # §6.8
    if target.strategy not in (INFANTRY_ATTACK, SHIELD_LINE):
        return 0.0
    lost, others = 0.0, 0
    for index, count in enumerate(target.counts):
        cut = target.defence_cut(target.side.units[index])
        if cut is None:
            others += count
        else:
            lost += count * target.stats[index][1].defence * (1 - cut)
    return lost / others if others else 0.0


def stack_defence(target: Host, index: int, phase: Phase, field: tuple[int, float], effects: list[str]) -> float:
    """Return the defence of each unit of a stack, and append its changes to *effects*.

    *field* holds the number of enemies, and the defence that is redistributed.
    """  # §6.8
    enemies, shared = field
    unit, defence = target.side.units[index], target.stats[index][0].defence
    if unit.name == "Caragous":
        bonus = caragous_bonus(target.counts[index], enemies)
        defence += bonus
        effects.append(f"Caragous: +{bonus:g} defence")
    if unit.name == "Mage" and phase != "range" and target.strategy == ENERGY_GATHERING:
        defence += 2
        effects.append(f"{ENERGY_GATHERING}: +2 defence")
    cut = target.defence_cut(unit)
    if cut is not None:
        if target.ruleset.cuts_defence_twice:  # §7.2
            defence *= cut
            cut *= cut
        effects.append(f"{target.strategy}: defence x{cut:g}")
    elif shared:
        defence += shared
        effects.append(f"{target.strategy}: +{shared:.3g} defence")
    return defence
