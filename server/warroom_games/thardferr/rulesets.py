"""The two rulesets of the battle: docs/rules/thardferr.md, section 7."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.thardferr.strategies import ALL_STRATEGIES, BERSERKER

RulesetName: TypeAlias = Literal["document", "calculator"]

_ARCHERS = frozenset(
    {"Archer", "EliteArcher", "LightCrossbowman", "HeavyCrossbowman", "PhantomArcher", "Slinger", "AxeThrower"}
)


class Ruleset(Struct, frozen=True, kw_only=True):
    """The differences between the two rulesets."""

    name: RulesetName
    knows_all_units: bool
    """Whether an unknown unit is refused; otherwise it fights without stats (§7.5)."""
    retreat_halves_stats: bool
    """Whether Quick Retreat halves the attacks of its user a second time (§7.1)."""
    retreat_halves_both: bool
    """Whether one user of Quick Retreat halves the damage of both sides (§7.1)."""
    cuts_defence_twice: bool
    """Whether Infantry Attack and Shield Line reduce the defence of the exposed stack once more (§7.2)."""
    cloak: float
    """What Cloacking adds to the reduction of Shadow Warriors (§7.3)."""
    screened: frozenset[str]
    """The archers that Archer Protection covers (§7.4)."""
    effective_strategies: frozenset[str]
    """The strategies that have an effect (§7.6)."""


RULESETS: Mapping[RulesetName, Ruleset] = {
    "document": Ruleset(
        name="document",
        knows_all_units=True,
        retreat_halves_stats=True,
        retreat_halves_both=False,
        cuts_defence_twice=False,
        cloak=0.15,
        screened=_ARCHERS | {"MountedArcher"},
        effective_strategies=frozenset(ALL_STRATEGIES),
    ),
    "calculator": Ruleset(
        name="calculator",
        knows_all_units=False,
        retreat_halves_stats=False,
        retreat_halves_both=True,
        cuts_defence_twice=True,
        cloak=-0.15,
        screened=_ARCHERS,
        effective_strategies=frozenset(ALL_STRATEGIES) - {BERSERKER},
    ),
}
