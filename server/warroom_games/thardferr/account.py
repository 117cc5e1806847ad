"""A battle report as text, for people."""

from collections.abc import Iterable, Mapping, Sequence

from warroom_games.thardferr.costs import Efficiency
from warroom_games.thardferr.forces import Side
from warroom_games.thardferr.reports import BattleReport, PhaseReport

_OUTCOMES = {
    "attacker": "The attacker wins",
    "defender": "The defender wins",
    "draw": "Nobody wins",
}
_ENDINGS = {
    "casualties": "by the share of casualties",
    "retreat": "because the other side retreats",
    "quick_retreat": "by a Quick Retreat in time",
}


def tell(report: BattleReport, attacker: Side, defender: Side) -> str:
    """Return the whole battle as plain text."""
    parts = [
        _opening(report, attacker, defender),
        *_stats(report),
        *(_phase(phase) for phase in report.phases),
        _outcome(report),
        *_armies(report, attacker, defender),
        *_prices(report, attacker, defender),
    ]
    return "\n\n".join(parts)


def _opening(report: BattleReport, attacker: Side, defender: Side) -> str:
    title = f"{_named(attacker)} attacks {_named(defender)}   (ruleset {report.ruleset})"
    fielded = (sum(attacker.army.values()), sum(defender.army.values()))
    rows = [
        ("", "attacker", "defender"),
        ("units", str(fielded[0]), str(fielded[1])),
        ("in the field", str(fielded[0]), str(sum(report.scaled_defender_army.values()))),
        ("castles", str(attacker.buildings.get("Castle", 0)), str(defender.buildings.get("Castle", 0))),
        ("land", str(attacker.land), str(defender.land)),
        ("KS", str(report.ks.attacker), str(report.ks.defender)),
        ("TEGC", str(report.tegc.attacker), str(report.tegc.defender)),
        ("technologies", _listed(attacker.techs), _listed(defender.techs)),
    ]
    return "\n".join([title, "", *_table(rows)])


def _named(side: Side) -> str:
    return f"{side.race} ({side.strategy or 'no strategy'})"


def _listed(levels: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {level}" for name, level in levels.items() if level) or "none"


def _stats(report: BattleReport) -> list[str]:
    rows: list[tuple[str, ...]] = [("Stats", "unit", "range", "short", "melee", "defence")]
    rows += [
        (side, unit, *(f"{number:.2f}" for number in (stats.range, stats.short, stats.melee, stats.defence)))
        for side, units in (("attacker", report.stats.attacker), ("defender", report.stats.defender))
        for unit, stats in units.items()
    ]
    return ["\n".join(_table(rows, left=(0, 1)))] if rows[1:] else []


def _phase(phase: PhaseReport) -> str:
    rows = [("", "unit", "count", "raw", "mitigated", "reduced", "defence", "lost", "left", "effects")]
    rows += [
        (
            stack.side,
            stack.unit,
            str(stack.count),
            f"{stack.raw:.1f}",
            f"{stack.mitigation:.1f}",
            f"{stack.reduction:.0%}",
            f"{stack.defence:.2f}",
            str(stack.lost),
            str(stack.count - stack.lost),
            "; ".join(stack.effects),
        )
        for stack in phase.stacks
    ]
    body = _table(rows, left=(0, 1, 9)) if phase.stacks else ["  nobody is there"]
    return "\n".join([f"Round {phase.round}, {phase.phase}", *body])


def _outcome(report: BattleReport) -> str:
    how = "" if report.winner == "draw" else f" {_ENDINGS[report.ended_by]}"
    return f"{_OUTCOMES[report.winner]}{how}."


def _armies(report: BattleReport, attacker: Side, defender: Side) -> list[str]:
    sides = (
        ("Attacker", attacker.army, attacker.army, report.attacker_before_healing, report.attacker_healing),
        (
            "Defender",
            defender.army,
            report.scaled_defender_army,
            report.defender_before_healing,
            report.defender_healing,
        ),
    )
    return [_army(*side) for side in sides]


def _army(
    title: str, army: Mapping[str, int], field: Mapping[str, int], left: Mapping[str, int], healed: Mapping[str, int]
) -> str:
    stacks = [
        (count, field[unit], field[unit] - left[unit], healed.get(unit, 0), left[unit] + healed.get(unit, 0))
        for unit, count in army.items()
    ]
    numbers = dict(zip([*army, "all"], [*stacks, [sum(column) for column in zip(*stacks, strict=True)]], strict=True))
    rows = [[unit, *map(str, row)] for unit, row in numbers.items() if row]
    body = _table([[title, "army", "in the field", "lost", "healed", "left"], *rows])
    return "\n".join(body if army else [f"  {title}: no army"])


def _prices(report: BattleReport, attacker: Side, defender: Side) -> list[str]:
    sides = ((attacker.race, report.efficiency.attacker), (defender.race, report.efficiency.defender))
    units = {f"{race} {unit}": ratios for race, side in sides for unit, ratios in side.items()}
    rows = [("Gold per point of", "melee", "defence", "range")]
    rows += [(unit, *_points(ratios)) for unit, ratios in units.items()]
    return ["\n".join(_table(rows))] if units else []


def _points(ratios: Efficiency) -> tuple[str, str, str]:
    melee, defence, range_ = (
        "-" if ratio is None else f"{ratio:.1f}" for ratio in (ratios.melee, ratios.defence, ratios.range)
    )
    return melee, defence, range_


def _table(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> list[str]:
    """Return rows as aligned lines; columns not named in *left* are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    flush = set(left)
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if column in flush else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return lines
