"""The rate limit of one connection: two token buckets, for messages and for bytes."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from warroom_protocol import messages

COSTS: Final[Mapping[type, int]] = {
    **dict.fromkeys((messages.Create, messages.Fill, messages.Quick), 10),
    **dict.fromkeys((messages.Games, messages.Rooms, messages.Older, messages.Matches, messages.Replay), 5),
    **dict.fromkeys((messages.Ranking, messages.Offer, messages.Leave, messages.Kick), 5),
    **dict.fromkeys((messages.Join, messages.Legal, messages.Resync, messages.Watch), 2),
}
"""The cost of requests whose answers take more work, in messages; any other request costs one."""


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of one connection. A bucket holds *burst* and refills at *per_s*."""

    messages_per_s: int = 100
    messages_burst: int = 200
    bytes_per_s: int = 64 * 1024
    bytes_burst: int = 128 * 1024
    rooms_per_connection: int = 256
    """How many rooms one connection may follow at a time."""
