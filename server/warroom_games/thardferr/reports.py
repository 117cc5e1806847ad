"""The report of a battle: docs/rules/thardferr.md, section 6.12."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.thardferr.costs import Efficiency
from warroom_games.thardferr.rulesets import RulesetName
from warroom_games.thardferr.stats import Stats

SideName: TypeAlias = Literal["attacker", "defender"]
Winner: TypeAlias = Literal["attacker", "defender", "draw"]
Phase: TypeAlias = Literal["range", "short", "melee"]
Ending: TypeAlias = Literal["casualties", "retreat", "quick_retreat"]

PHASES: tuple[Phase, ...] = ("range", "short", "melee")


class Stack(Struct, frozen=True, gc=False):
    """What happened to one stack in one phase."""

    side: SideName
    unit: str
    count: int
    """Units at the start of the phase."""
    raw: float
    """The damage allotted to it, including the pikemen's bonus."""
    mitigation: float
    """The damage that its side's buildings absorb."""
    reduction: float
    """The part of the rest that does not reach it."""
    damage: float
    """The damage that reaches it."""
    defence: float
    """The damage that kills one of its units."""
    lost: int
    effects: tuple[str, ...]


class PhaseReport(Struct, frozen=True):
    """One phase of one round."""

    round: int
    phase: Phase
    attacker_army: Mapping[str, int]
    """Both armies at the start of the phase."""
    defender_army: Mapping[str, int]
    attacker_losses: Mapping[str, int]
    defender_losses: Mapping[str, int]
    stacks: tuple[Stack, ...]
    """Every stack that existed, the attacker's first."""


class Pair(Struct, frozen=True):
    """One number per side."""

    attacker: int
    defender: int


class Strengths(Struct, frozen=True):
    """The stats of each unit with technologies and strategy, without effects of numbers or of the phase."""

    attacker: Mapping[str, Stats]
    defender: Mapping[str, Stats]


class Efficiencies(Struct, frozen=True):
    """Gold per point of each stat, by unit of each side."""

    attacker: Mapping[str, Efficiency]
    defender: Mapping[str, Efficiency]


class BattleReport(Struct, frozen=True, kw_only=True):
    """A whole battle."""

    ruleset: RulesetName
    winner: Winner
    ended_by: Ending
    rounds: int
    scaled_defender_army: Mapping[str, int]
    """The defender's army after castle scaling."""
    phases: tuple[PhaseReport, ...]
    attacker_before_healing: Mapping[str, int]
    defender_before_healing: Mapping[str, int]
    attacker_healing: Mapping[str, int]
    """Units that recovered, without zeros."""
    defender_healing: Mapping[str, int]
    attacker_final: Mapping[str, int]
    defender_final: Mapping[str, int]
    ks: Pair
    """Kingdom strength before the battle."""
    tegc: Pair
    """Total effective gold cost of the armies before the battle."""
    stats: Strengths
    efficiency: Efficiencies
