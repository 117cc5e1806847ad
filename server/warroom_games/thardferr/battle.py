"""The battle, a pure function with a full report: docs/rules/thardferr.md, section 6."""

from collections.abc import Iterable
from math import floor

from warroom_games.thardferr.costs import army_tegc, efficiency
from warroom_games.thardferr.damage import Host, strike
from warroom_games.thardferr.forces import Force, Side, muster
from warroom_games.thardferr.reports import (
    PHASES,
    BattleReport,
    Efficiencies,
    Ending,
    Pair,
    Phase,
    PhaseReport,
    Stack,
    Strengths,
    Winner,
)
from warroom_games.thardferr.rulesets import RULESETS, Ruleset, RulesetName
from warroom_games.thardferr.strategies import QUICK_RETREAT
from warroom_games.thardferr.strength import kingdom_strength

CASTLE_FACTORS: tuple[tuple[int, float], ...] = ((20, 0.7), (10, 0.75), (2, 0.8), (0, 1.0))
"""By number of castles: the part of the defender's army that fights (§6.1)."""
HEALING: tuple[tuple[float, float], ...] = ((1.0, 0.2), (0.5, 0.1))
"""By Medical Centers per land: the part of the losses that recovers (§6.11)."""
RETREAT_AT = 0.2
QUICK_RETREAT_AT = 0.4


def battle(attacker: Force, defender: Force, *, ruleset: RulesetName = "document", max_rounds: int = 1) -> BattleReport:
    """Fight; raise `UnknownNameError` for an unknown name."""
    rules = RULESETS[ruleset]
    return fight(muster(attacker, rules), muster(defender, rules), rules, max_rounds=max_rounds)


def fight(attacker: Side, defender: Side, ruleset: Ruleset, *, max_rounds: int = 1) -> BattleReport:
    """Fight with two sides whose names are known."""
    scaled = castle_scaled(defender)
    ours = Host("attacker", attacker, list(attacker.army.values()), ruleset)
    theirs = Host("defender", defender, scaled, ruleset)
    starts = (ours.army(), theirs.army())
    phases, verdict = _rounds(ours, theirs, max_rounds)
    winner, ending = verdict or (_winner(ours, theirs), "casualties")
    healed = [healing(host.side, start, host.army()) for host, start in zip((ours, theirs), starts, strict=True)]
    return BattleReport(
        ruleset=ruleset.name,
        winner=winner,
        ended_by=ending,
        rounds=phases[-1].round,
        scaled_defender_army=starts[1],
        phases=tuple(phases),
        attacker_before_healing=ours.army(),
        defender_before_healing=theirs.army(),
        attacker_healing=healed[0],
        defender_healing=healed[1],
        attacker_final=_added(ours.army(), healed[0]),
        defender_final=_added(theirs.army(), healed[1]),
        ks=Pair(side_strength(attacker), side_strength(defender)),
        tegc=Pair(side_tegc(attacker), side_tegc(defender)),
        stats=Strengths(ours.fighting_stats(), theirs.fighting_stats()),
        efficiency=Efficiencies(
            {unit.name: efficiency(unit) for unit in attacker.units},
            {unit.name: efficiency(unit) for unit in defender.units},
        ),
    )


def castle_scaled(defender: Side) -> list[int]:
    """Return how many of each stack fight for a defender with this many castles."""  # §6.1
    castles = defender.buildings.get("Castle", 0)
    factor = next(factor for least, factor in CASTLE_FACTORS if castles >= least)
    return [floor(count * factor) for count in defender.army.values()]


def side_strength(side: Side) -> int:
    """Return the KS of a side."""  # §5.5
    castles = side.buildings.get("Castle", 0)
    return kingdom_strength(
        units=sum(side.army.values()),
        buildings=sum(side.buildings.values()) - castles,
        castles=castles,
        levels=sum(side.techs.values()),
    )


def side_tegc(side: Side) -> int:
    """Return the total effective gold cost of a side's army."""  # §5.3
    return army_tegc(side.units, side.army.values())


# --- rounds and phases ------------------------------------------------------------------------------------------


def _rounds(ours: Host, theirs: Host, max_rounds: int) -> tuple[list[PhaseReport], tuple[Winner, Ending] | None]:
    """Fight all rounds; return the phases, and the winner if the other side retreated."""  # §6.2
    starts = (ours.total, theirs.total)
    phases: list[PhaseReport] = []
    for number in range(1, max_rounds + 1):
        if number > 1 and (verdict := _retreat(ours, theirs, starts)):
            return phases, verdict
        phases.extend(_phase(ours, theirs, number, phase) for phase in PHASES)
    return phases, None


def _phase(ours: Host, theirs: Host, number: int, phase: Phase) -> PhaseReport:
    """Let both sides strike at once, then take the losses."""
    armies = (ours.army(), theirs.army())
    # Both strikes count the units before the phase, so it does not matter which side comes first.
    to_us, to_them = strike(theirs, ours, phase), strike(ours, theirs, phase)
    return PhaseReport(number, phase, *armies, _suffer(ours, to_us), _suffer(theirs, to_them), (*to_us, *to_them))


def _suffer(host: Host, stacks: Iterable[Stack]) -> dict[str, int]:
    """Subtract the losses from an army, and return them."""
    losses = {stack.unit: stack.lost for stack in stacks}
    host.counts = [count - losses.get(name, 0) for name, count in zip(host.side.army, host.counts, strict=True)]
    return losses


def _retreat(ours: Host, theirs: Host, starts: tuple[int, int]) -> tuple[Winner, Ending] | None:
    """Return the winner if a side wins or retreats before the next round."""
    shares = (_share(starts[0], ours.total), _share(starts[1], theirs.total))
    if ours.strategy == QUICK_RETREAT and shares[1] >= QUICK_RETREAT_AT and shares[0] < shares[1]:
        return "attacker", "quick_retreat"
    if theirs.strategy == QUICK_RETREAT and shares[0] >= QUICK_RETREAT_AT and shares[1] < shares[0]:
        return "defender", "quick_retreat"
    gives_up = [share >= _threshold(host) for host, share in zip((ours, theirs), shares, strict=True)]
    if all(gives_up):
        return _lower(shares), "retreat"
    if any(gives_up):
        return ("defender" if gives_up[0] else "attacker"), "retreat"
    return None


def _threshold(host: Host) -> float:
    return QUICK_RETREAT_AT if host.strategy == QUICK_RETREAT else RETREAT_AT


# --- the end ----------------------------------------------------------------------------------------------------


def _winner(ours: Host, theirs: Host) -> Winner:
    """Return the side with the lower share of losses, including units that castles kept out of the battle."""  # §6.10
    armies = (sum(ours.side.army.values()), sum(theirs.side.army.values()))
    shares = (_share(armies[0], ours.total), _share(armies[1], theirs.total))
    if min(shares) >= 1:
        return "draw"
    by_share = _lower(shares)
    return by_share if by_share != "draw" else _lower((-ours.total, -theirs.total))


def _lower(values: tuple[float, float]) -> Winner:
    ours, theirs = values
    if ours == theirs:
        return "draw"
    return "attacker" if ours < theirs else "defender"


def _share(start: int, left: int) -> float:
    """Return the lost part of an army; an empty army counts as lost."""
    return (start - left) / start if start else 1.0


def healing(side: Side, start: dict[str, int], left: dict[str, int]) -> dict[str, int]:
    """Return the units that Medical Centers recover, without zeros."""  # §6.11
    ratio = side.buildings.get("Medical Center", 0) / side.land if side.land else 0.0
    part = next((part for least, part in HEALING if ratio >= least), 0.0)
    healed = {name: floor((count - left[name]) * part) for name, count in start.items()}
    return {name: count for name, count in healed.items() if count}


def _added(army: dict[str, int], healed: dict[str, int]) -> dict[str, int]:
    return {name: count + healed.get(name, 0) for name, count in army.items()}
