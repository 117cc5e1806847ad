"""Where the server's time goes under load: own time by module, from a profile of a real server."""

import os
import pstats
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

from msgspec import Struct

from benchmarks.peers.arena import Size, open_arena
from benchmarks.peers.contestants import warroom

LAUNCHER = Path(__file__).with_name("profiled_server.py")
ROOMS = 200
SECONDS = 4.0
LINES = 16


class Line(Struct, frozen=True):
    """One module's part."""

    module: str
    share: float
    """Of the profiled time, without what it calls."""
    calls_per_action: float


class Profile(Struct, frozen=True):
    """The modules that take most of the time. Profiling exaggerates small functions."""

    actions: int
    calls_per_action: float
    lines: list[Line]


def measure_profile() -> Profile:
    """Profile a server on the memory store while all rooms play."""
    with tempfile.TemporaryDirectory(prefix="warroom-bench-") as folder:
        output = Path(folder) / "profile"
        prefix = [sys.executable, str(LAUNCHER), str(output)]
        contestant = warroom("warroom_memory", "--redis", "memory://", prefix=prefix)
        with open_arena(contestant, Size(rooms=ROOMS, viewers=0)) as arena:
            before = arena.rooms(1).all_accepted
            os.kill(arena.server.pid, signal.SIGUSR1)
            actions = arena.rooms(SECONDS).all_accepted - before
            os.kill(arena.server.pid, signal.SIGUSR1)
            arena.single(0.1)  # the loop has turned, so the profile has ended
        return _summarize(pstats.Stats(str(output)), actions)


def _summarize(stats: pstats.Stats, actions: int) -> Profile:
    own: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    entries: dict[tuple[str, int, str], tuple[int, int, float, float, object]] = stats.stats  # type: ignore[attr-defined]
    for (file, _, function), (_, count, own_s, _, _) in entries.items():
        module = _module(file, function)
        own[module] += own_s  # type: ignore[assignment]
        calls[module] += count
    total = sum(own.values())
    lines = [
        Line(name, round(spent / total, 4), round(calls[name] / actions, 2)) for name, spent in own.most_common(LINES)
    ]
    return Profile(actions, round(sum(calls.values()) / actions, 1), lines)


def _module(file: str, function: str) -> str:
    """Return the module's path inside its package, or the name of the library or built-in function."""
    if file == "~":
        return f"built-in: {function.strip('<>').removeprefix('built-in method ').removeprefix('method ')}"
    parts = Path(file).with_suffix("").parts
    for at, part in enumerate(parts):
        if part.startswith("warroom_") or part == "benchmarks":
            return ".".join(parts[at:])
    return ".".join(parts[-2:])
