"""The simulated state of a network path."""

from collections.abc import Iterator
from contextlib import contextmanager


class NetworkConditions:
    """The state of all connections to one upstream; the proxy checks it for every piece of data."""

    def __init__(self) -> None:
        self.delay_s = 0.0
        self.is_frozen = False
        """Whether no data gets through although connections stay open."""
        self.refuses = False
        """Whether new connections are cut at once."""

    @contextmanager
    def delayed(self, delay_ms: int) -> Iterator[None]:
        """Delay all data in each direction."""
        self.delay_s = delay_ms / 1000
        try:
            yield
        finally:
            self.delay_s = 0.0
