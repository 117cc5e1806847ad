"""The players of a program on one server: each is one identity on one connection, which may hold many rooms."""

import asyncio
from contextlib import AsyncExitStack, suppress

from msgspec import Struct

from warroom_bots.roster import Roster
from warroom_client import Client, ClientError


class _Player(Struct, frozen=True):
    client: Client
    lines: AsyncExitStack
    """What the player holds: the connection, and the identity."""


class Crew:
    """Players that sit down together, connected when they are needed.

    A room seats a player once, so a match needs as many players as bots; but each of them may play in many rooms.
    """

    def __init__(self, roster: Roster, *, rooms: int = 1) -> None:
        self.rooms = rooms
        """How many matches its players play at once."""
        self.sitting_down = asyncio.Lock()
        """Held while the players choose a room, so that no two of their matches choose the same one."""
        self._roster = roster
        self._players: list[_Player] = []

    async def players(self, count: int) -> list[Client]:
        """Return that many players, the same ones each time; raise `DisconnectedError` if there is no server.

        A player whose connection was lost for good connects again.
        """
        for lost in [player for player in self._players if player.client.has_failed]:
            self._players.remove(lost)
            await _close(lost)
        while len(self._players) < count:
            async with AsyncExitStack() as lines:
                client = await self._roster.connect(lines)
                self._players.append(_Player(client, lines.pop_all()))
        return [player.client for player in self._players[:count]]

    async def close(self) -> None:
        """Close all connections."""
        players, self._players = self._players, []
        for player in players:
            await _close(player)


async def _close(player: _Player) -> None:
    with suppress(ClientError):
        await player.lines.aclose()
