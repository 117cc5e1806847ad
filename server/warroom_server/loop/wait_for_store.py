"""Retries while the store does not answer yet: nodes and their store may start at the same time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from warroom_server.ports.store import Trouble, UnavailableError

logger = logging.getLogger(__name__)

PATIENCE_S: Final = 30.0
RETRY_S: Final = 0.25

_PASSING: Final = frozenset({Trouble.AWAY, Trouble.SLOW, Trouble.LOADING, Trouble.CLUSTER, Trouble.REPLICAS})
"""Troubles that may end by themselves; all others need an operator."""

T = TypeVar("T")


class Backoff:
    """Repeats questions while that may help, for *within_s* seconds over all questions."""

    def __init__(self, *, within_s: float = PATIENCE_S, retry_s: float = RETRY_S) -> None:
        self._within_s = within_s
        self._retry_s = retry_s
        self._ends_s: float | None = None
        """When it gives up; None before the first retry."""
        self._told: Trouble | None = None

    async def ask(self, question: Callable[[], Awaitable[T]]) -> T:
        """Return the store's answer; raise the error if it lasts, or does not end by itself."""
        while True:
            try:
                answer = await question()
            except UnavailableError as error:
                if error.trouble not in _PASSING or self._is_over():
                    raise
                self._tell(error)
            else:
                if self._told is not None:
                    logger.info("store answers")
                    self._told = None
                return answer
            await asyncio.sleep(self._retry_s)

    def _is_over(self) -> bool:
        now_s = asyncio.get_running_loop().time()
        if self._ends_s is None:
            self._ends_s = now_s + self._within_s
        return now_s >= self._ends_s

    def _tell(self, error: UnavailableError) -> None:
        """Log the reason for waiting, once for each kind of trouble."""
        if error.trouble is not self._told:
            self._told = error.trouble
            logger.warning(
                "waiting for the store for up to %g s trouble=%s reason=%r", self._within_s, error.trouble, str(error)
            )
