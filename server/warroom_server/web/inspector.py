"""The inspector of the page, for debugging: questions about local matches, which exist in their questions alone."""

import asyncio
from typing import Final

from warroom_games.inspection import answer
from warroom_games.registry import Registry
from warroom_server.ports.connections import Connection

_PAUSE_MS: Final = 10
"""How long nothing is read after a question, so that one connection cannot take all threads."""


class Inspector:
    """The handler of connections to the inspector. Rules may take long for an odd state, so threads ask them."""

    def __init__(self, games: Registry) -> None:
        self._games = games

    def received(self, connection: Connection, message: bytes, arrived: int, now: int) -> int:
        """Answer one question, as soon as the rules have."""
        asked = asyncio.get_running_loop().run_in_executor(None, answer, message, self._games)
        asked.add_done_callback(lambda found: connection.send(found.result()))
        return _PAUSE_MS

    def opened(self, connection: Connection) -> None:
        """Do nothing: nothing is known of a connection."""

    def drained(self, connection: Connection) -> None:
        """Do nothing."""

    def measured(self, connection: Connection, rtt_ms: int) -> None:
        """Do nothing."""

    def closed(self, connection: Connection) -> None:
        """Do nothing: an answer that is under way is dropped."""
