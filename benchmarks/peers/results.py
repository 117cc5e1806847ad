"""What a run found, as it is written to JSON and shown in tables."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from msgspec import Struct

from benchmarks.peers.deadlines import Lateness
from benchmarks.peers.games import Played
from benchmarks.peers.generator import Window
from benchmarks.peers.hot_modules import Profile
from benchmarks.peers.resumes import Resumes

Samples = Mapping[str, Mapping[str, Sequence[Window]]]
"""The windows of each load and server, one a round."""


class Spread(Struct, frozen=True):
    """A figure over the rounds."""

    median: float
    low: float
    high: float
    rounds: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Summarize the values of all rounds."""
        middle, low, high = (round(value, 3) for value in (statistics.median(values), min(values), max(values)))
        return cls(middle, low, high, len(values))


class LoadCost(Struct, frozen=True):
    """What one load cost one server."""

    us_per_action: Spread
    store_us_per_action: Spread
    us_per_update: Spread
    bytes_per_update: Spread
    actions_per_s: Spread
    answer_p50_ms: Spread
    answer_p99_ms: Spread

    @classmethod
    def of(cls, windows: Sequence[Window]) -> "LoadCost":
        """Summarize the windows of all rounds."""
        return cls(
            us_per_action=Spread.of([window.us_per_action for window in windows]),
            store_us_per_action=Spread.of([window.store_us_per_action for window in windows]),
            us_per_update=Spread.of([window.us_per_update for window in windows]),
            bytes_per_update=Spread.of([window.bytes_per_update for window in windows]),
            actions_per_s=Spread.of([window.accepted / window.seconds for window in windows]),
            answer_p50_ms=Spread.of([window.answer_p50_us / 1000 for window in windows]),
            answer_p99_ms=Spread.of([window.answer_p99_us / 1000 for window in windows]),
        )


class ServerCost(Struct, frozen=True):
    """What one server cost."""

    kb_per_connection: float
    """What each further connection takes, with its fifth of a room."""
    loads: dict[str, LoadCost]


class Playouts(Struct, frozen=True):
    """Random matches of one game on one core, without a server."""

    game: str
    matches_per_s: float
    actions_per_s: float


class Growth(Struct, frozen=True):
    """Microseconds per action by the length of the match and by the number of rooms."""

    by_entries: dict[int, float] = {}
    by_rooms: dict[int, float] = {}


class Run(Struct, frozen=True):
    """One run of the benchmark."""

    date: str
    command: str
    machine: dict[str, str]
    versions: dict[str, str]
    notes: list[str]
    ratios: dict[str, Spread | None]
    figures: dict[str, float | None]
    servers: dict[str, ServerCost]
    append_ms: float | None = None
    deadlines: Lateness | None = None
    resumes: Resumes | None = None
    games: list[Played] = []
    playouts: list[Playouts] = []
    growth: Growth = Growth()
    profile: Profile | None = None


@dataclass(frozen=True)
class Goal:
    """At most this now, and at most that later."""

    now: float
    later: float


@dataclass(frozen=True)
class Ratio:
    """Warroom's cost under a load, divided by that of another server within the same round."""

    name: str
    title: str
    load: str
    ours: str
    theirs: str
    goal: Goal | None
    cost: Callable[[Window], float] = attrgetter("us_per_action")


MEMORY, EMBEDDED, PYTHON, COLYSEUS = "warroom_memory", "warroom_embedded", "warroom_python", "colyseus"
RATIOS = (
    Ratio("rooms_vs_colyseus", "200 rooms, memory / Colyseus", "rooms", MEMORY, COLYSEUS, Goal(0.8, 0.6)),
    Ratio("rooms_durable_vs_colyseus", "200 rooms, embedded / Colyseus", "rooms", EMBEDDED, COLYSEUS, Goal(0.8, 0.55)),
    Ratio("rooms_python_vs_colyseus", "200 rooms, without C / Colyseus", "rooms", PYTHON, COLYSEUS, Goal(1.2, 0.95)),
    Ratio("single_vs_colyseus", "one at a time, memory / Colyseus", "single", MEMORY, COLYSEUS, Goal(1.0, 0.7)),
    Ratio(
        "single_durable_vs_colyseus", "one at a time, embedded / Colyseus", "single", EMBEDDED, COLYSEUS, Goal(1.3, 0.9)
    ),
    Ratio("rooms_vs_boardgameio", "200 rooms, memory / boardgame.io", "rooms", MEMORY, "boardgameio", Goal(0.15, 0.1)),
    Ratio(
        "fanout_vs_colyseus",
        "1,000 viewers / Colyseus",
        "fanout",
        MEMORY,
        COLYSEUS,
        Goal(0.6, 0.55),
        attrgetter("us_per_update"),
    ),
    Ratio(
        "fanout_vs_limit",
        "1,000 viewers / C limit",
        "fanout",
        MEMORY,
        "limit",
        Goal(1.2, 1.1),
        attrgetter("us_per_update"),
    ),
    Ratio(
        "update_bytes_vs_colyseus",
        "bytes of an update / Colyseus",
        "rooms",
        MEMORY,
        COLYSEUS,
        None,
        attrgetter("bytes_per_update"),
    ),
)


@dataclass(frozen=True)
class Figure:
    """A figure of Warroom alone."""

    name: str
    title: str
    goal: Goal


FIGURES = (
    Figure("kb_per_connection", "kB of memory per connection", Goal(6, 3)),
    Figure("lateness_p99_ms", "ms after deadline and credit, 10,000 clocks, p99", Goal(5, 2)),
    Figure("resumes_s", "s until 2,000 clients that reconnect at once are back", Goal(3, 1.5)),
    Figure("verdict_ms_over_append", "ms from action to verdict, above a bare append", Goal(1, 0.5)),
)


def ratio_of(ratio: Ratio, samples: Samples) -> Spread | None:
    """Return a ratio over the rounds; None if one of the two servers was not measured."""
    load = samples.get(ratio.load, {})
    if ratio.ours not in load or ratio.theirs not in load:
        return None
    pairs = zip(load[ratio.ours], load[ratio.theirs], strict=True)
    return Spread.of([ratio.cost(ours) / ratio.cost(theirs) for ours, theirs in pairs])
