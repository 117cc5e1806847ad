"""The players of a program on one server: each is one identity on one connection, which may hold many rooms."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

from warroom_client import Client, ClientError


class Crew:
    """Players that sit down together, connected when they are needed.

    A room seats a player once, so a match needs as many players as bots; but each of them may play in many rooms.
    """

    def __init__(self, url: str, bot: str, numbers: Iterator[int], *, rooms: int = 1) -> None:
        self.rooms = rooms
        """How many matches its players play at once."""
        self.sitting_down = asyncio.Lock()
        """Held while the players choose a room, so that no two of their matches choose the same one."""
        self._url = url
        self._bot = bot
        self._numbers = numbers
        self._clients: list[Client] = []

    async def players(self, count: int) -> list[Client]:
        """Return that many players, the same ones each time; raise `DisconnectedError` if there is no server.

        A player whose connection was lost for good is replaced by a new one.
        """
        self._clients = [client for client in self._clients if not client.has_failed]
        while len(self._clients) < count:
            client = Client(self._url, name=f"{self._bot} {next(self._numbers)}", bot=self._bot)
            await client.__aenter__()
            self._clients.append(client)
        return self._clients[:count]

    async def close(self) -> None:
        """Close all connections."""
        clients, self._clients = self._clients, []
        for client in clients:
            with suppress(ClientError):
                await client.close()
