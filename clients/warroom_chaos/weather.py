"""What is wrong with some lines right now."""

from collections.abc import Iterator
from contextlib import contextmanager


class Weather:
    """The state of all lines to one place; those who hold it look at it with every piece of data."""

    def __init__(self) -> None:
        self.delay_s = 0.0
        self.is_frozen = False
        """Whether nothing gets through, although no line breaks."""
        self.refuses = False
        """Whether new lines are cut at once."""

    @contextmanager
    def delayed(self, delay_ms: int) -> Iterator[None]:
        """Let everything take longer, in each direction."""
        self.delay_s = delay_ms / 1000
        try:
            yield
        finally:
            self.delay_s = 0.0
