"""The loads of Warroom alone, and how large they are in a full and in a quick run."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks import rules
from benchmarks.peers.deadlines import Lateness, measure_deadlines
from benchmarks.peers.games import Played, measure_games
from benchmarks.peers.generator import LoadError
from benchmarks.peers.growth import cost_by_entries, cost_by_rooms
from benchmarks.peers.hot_modules import Profile, measure_profile
from benchmarks.peers.results import Growth, Playouts
from benchmarks.peers.resumes import Resumes, measure_resumes
from benchmarks.processes import ServerError

Say = Callable[[str], None]


@dataclass(frozen=True)
class Extent:
    """How much of each load is run."""

    clocks: int
    clock_s: float
    resumes: int
    game_rooms: int
    game_s: float
    playout_rounds: int
    entries: Sequence[int]
    rooms: Sequence[int]


FULL = Extent(10_000, 15, 2000, 40, 4, 10, (500, 8000), (10, 1000, 10_000))
QUICK = Extent(10_000, 5, 2000, 20, 1, 2, (500, 8000), (10, 1000))


@dataclass
class Alone:
    """What was found; what was not asked for is empty."""

    deadlines: Lateness | None = None
    resumes: Resumes | None = None
    games: list[Played] = field(default_factory=list)
    playouts: list[Playouts] = field(default_factory=list)
    growth: Growth = field(default_factory=Growth)
    profile: Profile | None = None
    failures: list[str] = field(default_factory=list)


def measure_alone(extent: Extent, loads: Sequence[str], say: Say) -> Alone:
    """Run the loads of Warroom alone; one that fails is noted and leaves its figures empty."""
    found = Alone()
    for load in loads:
        try:
            LOADS[load](extent, found, say)
        except (LoadError, ServerError, OSError, statistics.StatisticsError) as error:
            found.failures.append(f"The load {load} failed: {error or type(error).__name__}.")
            say(found.failures[-1])
    return found


def _deadlines(extent: Extent, found: Alone, say: Say) -> None:
    say(f"deadlines: opening {extent.clocks} rooms with clocks of five seconds")
    found.deadlines = measure_deadlines(extent.clocks, extent.clock_s)


def _resumes(extent: Extent, found: Alone, say: Say) -> None:
    say(f"resumes: {extent.resumes} clients come back at once")
    found.resumes = measure_resumes(extent.resumes)


def _games(extent: Extent, found: Alone, say: Say) -> None:
    for played in measure_games(extent.game_rooms, extent.game_s):
        say(f"games: {played.game}: {played.us_per_action:.0f} us per action")
        found.games.append(played)


def _playouts(extent: Extent, found: Alone, say: Say) -> None:
    for game in rules.rules_of_warroom(extent.playout_rounds, ()):
        say(f"play-outs: {game.game}: {game.matches_per_s:.0f} a second")
        found.playouts.append(Playouts(game.game, game.matches_per_s, game.actions_per_s))


def _growth(extent: Extent, found: Alone, say: Say) -> None:
    found.growth = Growth(cost_by_entries(extent.entries, say), cost_by_rooms(extent.rooms, say))


def _profile(extent: Extent, found: Alone, say: Say) -> None:
    say("profile: all rooms play")
    found.profile = measure_profile()


LOADS: dict[str, Callable[[Extent, Alone, Say], None]] = {
    "deadlines": _deadlines,
    "resumes": _resumes,
    "games": _games,
    "playouts": _playouts,
    "growth": _growth,
    "profile": _profile,
}
