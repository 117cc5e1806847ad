"""Seeds: which match an environment plays."""

import secrets

from warroom_rl.errors import SetupError


class Seeds:
    """The seeds of the matches that an environment plays one after another, as the simulator takes them.

    After `reset(seed=n)` comes the match of `warroom simulate --seed n`, and after each `reset()` the next one of the
    sequence that began there. Without any seed the first one is drawn by the system.
    """

    def __init__(self) -> None:
        self._seed = 0
        self._played: int | None = None

    def next_seed(self, seed: int | None = None) -> str:
        """Return the seed of the next match."""
        if seed is not None:
            self._seed, self._played = checked(seed), 0
        elif self._played is None:
            self._seed, self._played = secrets.randbits(53), 0
        else:
            self._played += 1
        return seed_text(self._seed, self._played)


def seed_text(seed: int, match: int) -> str:
    """Return the seed of a match of the sequence that begins with *seed*, as `warroom simulate --seed` takes it."""
    return str(seed) if match == 0 else f"{seed}+{match}"


def checked(seed: int) -> int:
    """Return a seed; raise `SetupError` if it is not a whole number from 0."""
    try:
        number = seed.__index__()
    except AttributeError:
        raise SetupError(f"a seed is a whole number from 0, not {seed!r}") from None
    if number < 0:
        raise SetupError(f"a seed is a whole number from 0, not {seed}")
    return number
