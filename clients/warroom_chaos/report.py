"""The result of a run, as a value and as text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from warroom_chaos.audit import Count, Damage
from warroom_chaos.fault_injector import InjectedFault

COUNTS: Final[tuple[Count, ...]] = ("lost", "doubled", "aborted", "unverified", "self_takeovers")
"""The kinds of damage; a run is well if all counts are 0."""
AROUND_S: Final = 5.0
"""The report names the faults up to this long before a damage."""
PERCENTILE: Final = 0.99


class Figures(Struct, frozen=True, kw_only=True):
    """The figures of a run."""

    seed: int
    nodes: int
    tables: int
    seconds: float
    matches: int
    actions: int
    refused: int
    """Refused actions; a refusal may cost another attempt, but nothing is lost."""
    duplicated: int
    lost_messages: int
    """Messages between nodes that the proxies dropped, each with its connection."""
    expired: int
    late_leases: int
    """How often a node renewed its lease too late without a fault."""
    takeover_ms: Sequence[int]
    drain_pause_ms: Sequence[int]
    placed: int = 0
    """Number of new rooms handed to a less loaded node."""


class Report(Struct, frozen=True):
    """The result of a run."""

    figures: Figures
    damages: Sequence[Damage]
    faults: Sequence[InjectedFault]
    folder: str

    @property
    def counts(self) -> dict[str, int]:
        """The number of damages of each kind."""
        found = Counter(damage.count for damage in self.damages)
        return {count: found[count] for count in COUNTS}

    @property
    def is_well(self) -> bool:
        """Whether nothing was damaged."""
        return not self.damages

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        figures = self.figures
        return {
            "ok": self.is_well,
            "seed": figures.seed,
            "nodes": figures.nodes,
            "tables": figures.tables,
            "seconds": figures.seconds,
            "matches": figures.matches,
            "actions": figures.actions,
            **self.counts,
            "refused": figures.refused,
            "duplicated": figures.duplicated,
            "lost_messages": figures.lost_messages,
            "expired": figures.expired,
            "late_leases": figures.late_leases,
            "takeovers": len(figures.takeover_ms),
            "takeover_ms_p99": percentile(figures.takeover_ms),
            "drain_pause_ms_p99": percentile(figures.drain_pause_ms),
            "placed": figures.placed,
            "faults": len(self.faults),
            "faults_by_kind": dict(sorted(Counter(each.fault.kind for each in self.faults).items())),
            "damages": [self._row(damage) for damage in self.damages],
            **({} if self.is_well else {"logs": self.folder}),
        }

    def as_text(self) -> str:
        """Return the report as text."""
        figures = self.figures
        lines = [
            f"{figures.matches} matches at {figures.tables} tables on {_counted(figures.nodes, 'node')},"
            f" {figures.actions} actions, {_counted(len(self.faults), 'fault')}, seed {figures.seed}",
            "  " + ", ".join(f"{count} {number}" for count, number in self.counts.items()),
            f"  {figures.duplicated} actions sent twice, {figures.lost_messages} messages between nodes lost",
            f"  99th percentile: take-over {_shown(figures.takeover_ms)}, drain pause {_shown(figures.drain_pause_ms)}",
        ]
        if self.is_well:
            return "\n".join([*lines, "Nothing was lost."])
        return "\n".join([*lines, *(self._words(damage) for damage in self.damages), f"The logs are in {self.folder}"])

    def _row(self, damage: Damage) -> dict[str, Any]:
        row = {name: getattr(damage, name) for name in damage.__struct_fields__ if getattr(damage, name) is not None}
        return {**row, "faults": [_told(each) for each in self._around(damage)]}

    def _words(self, damage: Damage) -> str:
        where = f"room {damage.room}" if damage.room else "all rooms"
        seat = "" if damage.seat is None else f", seat {damage.seat}"
        action = "" if damage.action_id is None else f", action {damage.action_id}"
        sent = "" if damage.sent_s is None else f", sent at {damage.sent_s:.3f} s"
        judged = "" if damage.judged_s is None else f", answered at {damage.judged_s:.3f} s"
        faults = "; ".join(_told(each) for each in self._around(damage)) or "no fault near it"
        return f"{damage.count}: {where}{seat}{action}{sent}{judged}: {damage.why}\n    {faults}"

    def _around(self, damage: Damage) -> Iterable[InjectedFault]:
        """Yield the faults that may have caused a damage."""
        begin_s = 0.0 if damage.sent_s is None else damage.sent_s - AROUND_S
        end_s = damage.judged_s if damage.judged_s is not None else (damage.sent_s or 0.0) + 2 * AROUND_S
        for each in self.faults:
            if each.began_s <= end_s and (each.ended_s is None or each.ended_s >= begin_s):
                yield each


def percentile(values: Sequence[int]) -> int | None:
    """Return the 99th percentile; None without values."""
    if not values:
        return None
    return sorted(values)[min(len(values) - 1, int(len(values) * PERCENTILE))]


def _told(each: InjectedFault) -> str:
    until = "still going on" if each.ended_s is None else f"until {each.ended_s:.1f} s"
    return f"{each.began_s:.1f} s {each.fault}, {until}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _shown(values: Sequence[int]) -> str:
    worst = percentile(values)
    return "none" if worst is None else f"{worst} ms"
