"""The Python SDK: play and watch from a program.

A bot that makes a room, prints its code for the others, and plays until the match is over:

    import asyncio
    from warroom_client import Client, Ended, Prompted


    async def play(url: str, game: str) -> None:
        async with Client(url, name="first-legal") as client:
            created = await client.create(game, seats=2)
            print("room", created.code)
            room = await client.join(created.code)
            async for event in room:
                match event:
                    case Prompted():
                        legal = await room.legal()
                        if legal.actions:  # none: the clock was faster
                            await room.act(legal.actions[0], turn=legal.turn)
                    case Ended(ranks=ranks, reason=reason):
                        print(f"over: {reason}; ranks by seat: {ranks}")


    if __name__ == "__main__":
        asyncio.run(play("ws://127.0.0.1:8000/ws", "graph_battle"))

`client.join(code)` alone sits down in a room that is there, and `client.quick(game)` wherever somebody waits. A refusal
is raised as `RejectedError`, with its code.
"""

from warroom_client.client import DEFAULT_URL, Client
from warroom_client.errors import ClientError, DisconnectedError, RejectedError, UnsendableError, VersionError
from warroom_client.events import (
    Disconnected,
    Drifted,
    Ended,
    Event,
    Judged,
    Moved,
    Noticed,
    OffersChanged,
    Paused,
    Prompted,
    Reconnected,
    Refreshed,
    Said,
    SeatsChanged,
    Skipped,
    TimedOut,
    Unpaused,
    Updated,
)
from warroom_client.feed_room import FeedRoom, follow_feed
from warroom_client.legal_actions import LegalActions
from warroom_client.live_rooms import ListingChange, LiveRooms
from warroom_client.message_stream import MessageStream
from warroom_client.mirror import Mirror, Reception
from warroom_client.room import Room
from warroom_protocol.messages import (
    Created,
    GameList,
    MatchSummary,
    RankingList,
    Rated,
    Receipt,
    RoomListing,
    SeatState,
    Verdict,
)

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
    "FeedRoom",
    "GameList",
    "Judged",
    "LegalActions",
    "ListingChange",
    "LiveRooms",
    "MatchSummary",
    "MessageStream",
    "Mirror",
    "Moved",
    "Noticed",
    "OffersChanged",
    "Paused",
    "Prompted",
    "RankingList",
    "Rated",
    "Receipt",
    "Reception",
    "Reconnected",
    "Refreshed",
    "RejectedError",
    "Room",
    "RoomListing",
    "Said",
    "SeatState",
    "SeatsChanged",
    "Skipped",
    "TimedOut",
    "Unpaused",
    "UnsendableError",
    "Updated",
    "Verdict",
    "VersionError",
    "follow_feed",
]
