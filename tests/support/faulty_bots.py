"""Bots that fail in every way that an arena must survive; in a module, so that other processes can load them."""

import os
import sys
import time
from contextlib import suppress

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.random_bot import RandomBot
from warroom_games.rng import Rng

FAILS_AT = 2
"""The decision at which they fail."""


class Faulty(RandomBot):
    """Plays at random, and fails at its second decision."""

    def __init__(self, rng: Rng) -> None:
        super().__init__(rng)
        self._count = 0

    def choose(self, decision: Decision) -> Action:
        """Return a random action, or fail."""
        self._count += 1
        return self.fail() if self._count == FAILS_AT else super().choose(decision)

    def fail(self) -> Action:
        """Fail in the own way."""
        raise NotImplementedError


class Crashing(Faulty):
    """Raises an exception."""

    def fail(self) -> Action:
        """Divide by zero."""
        return 1 // 0


class Leaving(Faulty):
    """Wants to end the program."""

    def fail(self) -> Action:
        """Exit."""
        sys.exit("enough")


class UntellableError(Exception):
    """Ends the program when somebody asks for its message."""

    def __str__(self) -> str:
        """Exit."""
        sys.exit("no message")


class Silent(Faulty):
    """Raises an exception that has no message, and so does its cause."""

    def fail(self) -> Action:
        """Raise it."""
        raise UntellableError from UntellableError()


class Cheating(Faulty):
    """Chooses what the rules do not know."""

    def fail(self) -> Action:
        """Return an unknown action."""
        return {"type": "win"}


class Mumbling(Faulty):
    """Returns what is no action at all."""

    def fail(self) -> Action:
        """Return an object that no message can carry."""
        return object()


class Hanging(Faulty):
    """Never answers."""

    def fail(self) -> Action:
        """Wait until the process ends."""
        while True:
            time.sleep(1)


class Stubborn(Faulty):
    """Never answers, and survives every interrupt."""

    def fail(self) -> Action:
        """Wait until the process is killed."""
        while True:
            with suppress(BaseException):
                time.sleep(1)


class Dying(Faulty):
    """Ends its process."""

    def fail(self) -> Action:
        """End the process at once."""
        os._exit(7)


class Unborn(RandomBot):
    """Fails before the match."""

    def __init__(self, rng: Rng) -> None:
        raise RuntimeError("no licence")


def _kind(make: type[RandomBot]) -> BotKind:
    return BotKind(name=make.__name__.lower(), game=None, summary="fails", make=make)


CRASHING, LEAVING, SILENT, CHEATING, MUMBLING, HANGING, STUBBORN, DYING, UNBORN = map(
    _kind, (Crashing, Leaving, Silent, Cheating, Mumbling, Hanging, Stubborn, Dying, Unborn)
)
NAMES = ("crashing", "leaving", "cheating", "mumbling", "hanging", "stubborn", "dying", "unborn")
