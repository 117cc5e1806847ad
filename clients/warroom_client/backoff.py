"""Delays between attempts to connect."""

from collections.abc import Callable, Iterator
from secrets import SystemRandom

FIRST_S = 0.1
LONGEST_S = 5.0

_uniform = SystemRandom().uniform


def backoff(uniform: Callable[[float, float], float] = _uniform, *, longest_s: float = LONGEST_S) -> Iterator[float]:
    """Yield delays in seconds: they double up to *longest_s*, and each is drawn from its upper half.

    The jitter keeps a thousand clients of a restarted server from reconnecting in the same instant.
    """
    delay = FIRST_S
    while True:
        yield uniform(delay / 2, delay)
        delay = min(longest_s, delay * 2)
