"""The Python SDK: play and watch from a program.

A bot in ten lines:

    import asyncio
    from warroom_client import Client, Prompted

    async def play(code: str) -> None:
        async with Client("ws://127.0.0.1:8000/ws", name="first-legal") as client:
            room = await client.join(code)
            async for event in room:
                if isinstance(event, Prompted):
                    legal = await room.legal()
                    await room.act(legal.actions[0], turn=legal.turn)

    asyncio.run(play("0abc123"))
"""

from warroom_client.client import DEFAULT_URL, Client
from warroom_client.errors import ClientError, DisconnectedError, RejectedError, VersionError
from warroom_client.events import (
    Disconnected,
    Drifted,
    Ended,
    Event,
    Judged,
    Noticed,
    Paused,
    Prompted,
    Reconnected,
    Refreshed,
    SeatsChanged,
    Skipped,
    TimedOut,
    Unpaused,
    Updated,
)
from warroom_client.mirror import Mirror, Reception
from warroom_client.room import Room
from warroom_protocol.messages import Created, GameList, LegalList, RoomListing, SeatState, Verdict

__all__ = [
    "DEFAULT_URL",
    "Client",
    "ClientError",
    "Created",
    "Disconnected",
    "DisconnectedError",
    "Drifted",
    "Ended",
    "Event",
    "GameList",
    "Judged",
    "LegalList",
    "Mirror",
    "Noticed",
    "Paused",
    "Prompted",
    "Reception",
    "Reconnected",
    "Refreshed",
    "RejectedError",
    "Room",
    "RoomListing",
    "SeatState",
    "SeatsChanged",
    "Skipped",
    "TimedOut",
    "Unpaused",
    "Updated",
    "Verdict",
    "VersionError",
]
