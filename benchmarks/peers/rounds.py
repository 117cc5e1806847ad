"""The rounds: every load on every server in turn, while all servers stay up."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from benchmarks.peers.appends import append_ms
from benchmarks.peers.arena import LOADS, Arena, Size, open_arena
from benchmarks.peers.contestants import Contestant
from benchmarks.peers.generator import Window
from benchmarks.peers.results import LoadCost, ServerCost

Say = Callable[[str], None]
DURABLE = "warroom_embedded"
WITHOUT_VIEWERS = frozenset({"boardgameio", "warroom_python"})
"""Servers that no ratio of the fan-out asks for."""


@dataclass(frozen=True)
class Effort:
    """How long the servers are measured; *seconds* has the loads to run."""

    rounds: int
    warm_up_s: float
    seconds: Mapping[str, float]


@dataclass
class Comparison:
    """What the rounds found so far."""

    samples: dict[str, dict[str, list[Window]]] = field(default_factory=dict)
    kb_per_connection: dict[str, float] = field(default_factory=dict)
    appends_ms: list[float] = field(default_factory=list)
    """The median of bare appends to the store of the durable server, one a round."""

    def costs(self) -> dict[str, ServerCost]:
        """Return what each server cost."""
        return {
            name: ServerCost(
                round(kb, 2),
                {load: LoadCost.of(windows[name]) for load, windows in self.samples.items() if name in windows},
            )
            for name, kb in self.kb_per_connection.items()
        }

    def append_ms(self) -> float | None:
        """Return what a bare append takes."""
        return statistics.median(self.appends_ms) if self.appends_ms else None

    def verdict_ms_over_append(self) -> float | None:
        """Return how much longer than a bare append of the same round a verdict takes."""
        verdicts = self.samples.get("single", {}).get(DURABLE, [])
        if not verdicts or not self.appends_ms:
            return None
        pairs = zip(verdicts, self.appends_ms, strict=True)
        return statistics.median(window.answer_p50_us / 1000 - append for window, append in pairs)


def compare(contestants: Sequence[Contestant], effort: Effort, *, senders: int, say: Say) -> Comparison:
    """Start the servers, warm them up and measure them in rounds."""
    found = Comparison()
    with ExitStack() as stack:
        arenas = []
        for contestant in contestants:
            say(f"{contestant.name}: starting and filling the rooms")
            has_viewers = "fanout" in effort.seconds and contestant.name not in WITHOUT_VIEWERS
            size = Size(senders=senders, viewers=Size.viewers if has_viewers else 0)
            arena = stack.enter_context(open_arena(contestant, size))
            found.kb_per_connection[contestant.name] = arena.kb_per_connection
            arenas.append(arena)
        for arena in arenas:
            say(f"{arena.contestant.name}: warming up")
            _warm_up(arena, effort)
        for number in range(1, effort.rounds + 1):
            say(f"round {number} of {effort.rounds}")
            _measure_round(arenas, effort, found, say)
    return found


def _warm_up(arena: Arena, effort: Effort) -> None:
    arena.rooms(effort.warm_up_s)
    for load in effort.seconds:
        if load != "rooms" and _has(arena, load):
            LOADS[load](arena, effort.warm_up_s / 10)


def _has(arena: Arena, load: str) -> bool:
    return load != "fanout" or arena.size.viewers > 0


def _measure_round(arenas: Sequence[Arena], effort: Effort, found: Comparison, say: Say) -> None:
    """Measure one load on all servers before the next one: what is compared is close in time."""
    for load, seconds in effort.seconds.items():
        for arena in arenas:
            if not _has(arena, load):
                continue
            name = arena.contestant.name
            window = LOADS[load](arena, seconds)
            found.samples.setdefault(load, {}).setdefault(name, []).append(window)
            cost, unit = (window.us_per_update, "update") if load == "fanout" else (window.us_per_action, "action")
            say(f"  {load}, {name}: {cost:.1f} us per {unit}")
            if load == "single" and name == DURABLE and arena.server.folder is not None:
                found.appends_ms.append(append_ms(arena.server.folder))
