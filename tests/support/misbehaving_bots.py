"""Bots that behave oddly while they think; in their own module, so that other processes can load them."""

import os
import time

from warroom_bots.api import Action, BotKind, Decision
from warroom_games.rng import Rng


class Counting:
    """Counts its decisions, and records where it made them."""

    def __init__(self, rng: Rng) -> None:
        self._count = 0

    def choose(self, decision: Decision) -> Action:
        """Return the count, the process and its priority."""
        self._count += 1
        return {"count": self._count, "process": os.getpid(), "nice": os.nice(0)}


class Sluggish(Counting):
    """Takes longer than a worker's loop allows."""

    def choose(self, decision: Decision) -> Action:
        """Return the same, a little later."""
        time.sleep(0.02)
        return super().choose(decision)


class Laborious(Counting):
    """Computes for some time."""

    def choose(self, decision: Decision) -> Action:
        """Return the same, after 0.3 s of CPU time."""
        until_s = time.process_time() + 0.3
        self._count += 10  # an interrupt leaves this behind
        while time.process_time() < until_s:
            pass
        return super().choose(decision)


class Endless(Counting):
    """Never decides."""

    def choose(self, decision: Decision) -> Action:
        """Think until the process ends."""
        while True:
            time.sleep(1)


class Deadly(Counting):
    """Kills its process."""

    def choose(self, decision: Decision) -> Action:
        """End the process."""
        os._exit(7)


def kind(make: type[Counting], *, is_slow: bool = False) -> BotKind:
    """Return one of these bots as a package would offer it."""
    return BotKind(name=make.__name__, game=None, summary="odd", make=make, is_slow=is_slow)
