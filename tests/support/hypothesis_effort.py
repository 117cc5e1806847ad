"""How hard a property tries whose examples are heavy."""

import os

from hypothesis import settings


def fewer(by: int, *, steps: int | None = None) -> settings:
    """Return settings with one in *by* of the examples that others get; the long run makes them all.

    *steps* is how long a schedule of a state machine is.
    """
    usual = settings()
    count = usual.max_examples if os.environ.get("HYPOTHESIS_PROFILE") == "long" else usual.max_examples // by
    return settings(usual, max_examples=count, stateful_step_count=steps or usual.stateful_step_count)
