"""An event that several parts may subscribe to."""

from collections.abc import Callable
from typing import ParamSpec

P = ParamSpec("P")


class Signal(list[Callable[P, object]]):
    """The listeners of one event, called in the order in which they subscribed.

    The part that emits owns the signal. Others subscribe with `append` while they are constructed.
    """

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener."""
        for listener in self:
            listener(*args, **kwargs)
