"""The course of a battle as both sides see it: docs/rules/thardferr.md, sections 6.12 and 15.5.

Fractional numbers are given in thousandths.
"""

from msgspec import Struct

from warroom_games.thardferr.reports import BattleReport, Ending, Phase, SideName, Stack


class Blow(Struct, frozen=True, gc=False):
    """What happened to one stack in one phase; `raw` to `defence` in thousandths."""

    side: SideName
    unit: str
    count: int
    raw: int
    mitigation: int
    reduction: int
    damage: int
    defence: int
    lost: int
    effects: tuple[str, ...]


class Clash(Struct, frozen=True):
    """One phase of a battle."""

    round: int
    phase: Phase
    blows: tuple[Blow, ...]


class Course(Struct, frozen=True):
    """The course of a battle, phase by phase, and the reason of its end."""

    ended_by: Ending
    clashes: tuple[Clash, ...]


def course_of(report: BattleReport) -> Course:
    """Return the course of a battle."""
    clashes = tuple(
        Clash(phase.round, phase.phase, tuple(_blow(stack) for stack in phase.stacks)) for phase in report.phases
    )
    return Course(report.ended_by, clashes)


def _blow(stack: Stack) -> Blow:
    return Blow(
        side=stack.side,
        unit=stack.unit,
        count=stack.count,
        raw=round(1000 * stack.raw),
        mitigation=round(1000 * stack.mitigation),
        reduction=round(1000 * stack.reduction),
        damage=round(1000 * stack.damage),
        defence=round(1000 * stack.defence),
        lost=stack.lost,
        effects=stack.effects,
    )
