"""Effective stats: docs/rules/thardferr.md, section 6.3. Technologies come first, then the own strategy."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.thardferr.forces import Side, stranger
from warroom_games.thardferr.rulesets import RULESETS, Ruleset, RulesetName
from warroom_games.thardferr.strategies import (
    ANTI_CAVALRY,
    ARCHER_PROTECTION,
    BERSERKER,
    CHARGING,
    ENERGY_GATHERING,
    INFANTRY_ATTACK,
    QUICK_RETREAT,
    SHIELD_LINE,
    SURROUNDING,
)
from warroom_games.thardferr.technologies import BOW_RANGE, HEAVY_ARMOUR, LIGHT_ARMOUR, SHARPER_BLADES
from warroom_games.thardferr.units import UNITS, Race, Unit

INFANTRY_CUT = 0.25
"""The factor of Infantry Attack on the infantry's defence."""
SHIELD_CUT = 0.5
"""The factor of Shield Line on the Shieldbearers' defence."""

Levels: TypeAlias = tuple[int, int, int, int]
"""The levels of Sharper Blades, the two armours and the bows."""


class Stats(Struct, frozen=True, gc=False):
    """The attack and defence of one unit of a stack, before effects of numbers."""

    range: float
    short: float
    melee: float
    defence: float


def effective_stats(side: Side, ruleset: Ruleset) -> list[tuple[Stats, Stats]]:
    """Return, for each stack, its stats with technologies and strategy, and those with technologies alone."""
    techs = side.techs
    levels = (
        techs.get(SHARPER_BLADES, 0),
        techs.get(LIGHT_ARMOUR, 0),
        techs.get(HEAVY_ARMOUR, 0),
        techs.get(BOW_RANGE, 0),
    )
    return [_stats(side.race, name, levels, side.strategy, ruleset.name) for name in side.army]


@lru_cache(maxsize=4096)
def _stats(race: Race, name: str, levels: Levels, strategy: str | None, ruleset: RulesetName) -> tuple[Stats, Stats]:
    unit = UNITS[race].get(name) or stranger(race, name)
    trained = _with_technologies(unit, levels)
    rules = RULESETS[ruleset]
    if strategy == QUICK_RETREAT and not rules.retreat_halves_stats:  # §7.1
        return trained, trained
    change = _STRATEGIES.get(strategy) if strategy in rules.effective_strategies else None
    return change(unit, trained) if change else trained, trained


def _with_technologies(unit: Unit, levels: Levels) -> Stats:
    blades, light, heavy, bows = levels
    return Stats(
        range=unit.range * (1 + 0.5 * bows) if unit.weapon == "bow" else float(unit.range),
        short=float(unit.short),
        melee=float(unit.melee + (blades if unit.weapon == "blade" else 0)),
        defence=float(unit.defence + {"light": light, "heavy": heavy, None: 0}[unit.armour]),
    )


# --- one strategy each ------------------------------------------------------------------------------------------


def _times(stats: Stats, factor: float) -> Stats:
    return Stats(stats.range * factor, stats.short * factor, stats.melee * factor, stats.defence)


def _charge(unit: Unit, stats: Stats) -> Stats:
    return replace(stats, melee=stats.melee * 1.5) if unit.name == "Knight" else stats


def _fight_cavalry(unit: Unit, stats: Stats) -> Stats:
    return stats if unit.is_pikeman else _times(stats, 0.9)


def _protect_archers(unit: Unit, stats: Stats) -> Stats:
    return _times(stats, 0.5) if unit.is_infantry else stats


def _form_line(unit: Unit, stats: Stats) -> Stats:
    cut = SHIELD_CUT if unit.name == "Shieldbearer" else 1.0
    return Stats(stats.range, stats.short * 0.9, stats.melee * 0.9, stats.defence * cut)


def _surround(unit: Unit, stats: Stats) -> Stats:
    if unit.name != "ShadowWarrior":
        return stats
    return replace(stats, short=stats.short + stats.melee + stats.range, melee=0.0)


def _gather_energy(unit: Unit, stats: Stats) -> Stats:
    return replace(stats, melee=stats.melee * 2, range=stats.range + 4) if unit.name == "Mage" else stats


def _retreat(unit: Unit, stats: Stats) -> Stats:
    return _times(stats, 0.5)


def _go_berserk(unit: Unit, stats: Stats) -> Stats:
    return Stats(stats.range + 3, stats.short + 3, stats.melee + 3, stats.defence / 2)


def _attack_with_infantry(unit: Unit, stats: Stats) -> Stats:
    return replace(stats, defence=stats.defence * INFANTRY_CUT) if unit.is_infantry else stats


_STRATEGIES: Mapping[str | None, Callable[[Unit, Stats], Stats]] = {
    CHARGING: _charge,
    ANTI_CAVALRY: _fight_cavalry,
    ARCHER_PROTECTION: _protect_archers,
    SHIELD_LINE: _form_line,
    SURROUNDING: _surround,
    ENERGY_GATHERING: _gather_energy,
    QUICK_RETREAT: _retreat,
    BERSERKER: _go_berserk,
    INFANTRY_ATTACK: _attack_with_infantry,
}
