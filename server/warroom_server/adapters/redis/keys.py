"""The keys of the Redis store.

The keys of one room share a hash tag, and so do the keys of all nodes, so that each script finds its keys on one
primary of a cluster. No script spans the two: see `rooms_by_owner`.
"""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from warroom_protocol.rooms import room_code

SECRET: Final = "warroom:secret"
GENERATIONS: Final = "warroom:generations"
"""A hash: how often each player has invalidated earlier tokens, and the nonce of the last time."""
PROBE: Final = "warroom:probe"
NODES: Final = "warroom:{nodes}:all"
"""The set of nodes that have or had a lease or rooms."""
RELEASED: Final = "warroom:{nodes}:released"
"""The set of those that gave up their lease."""
SUSPECTED: Final = "warroom:{nodes}:suspected"
"""A hash: how often other nodes found a node without a lease, and began to claim its rooms."""


class RoomKeys(Struct, frozen=True):
    """The keys of one room."""

    code: str
    """The room in the set of its owner."""
    record: str
    """A hash: owner, epoch, the nonce of its creation, and the hand-over state."""
    log: str
    """A stream: entry n has the id n-0."""
    snapshots: tuple[str, str]
    """Two hashes: rev and snapshot."""
    replay: str
    """A hash that expires: the replay, and the nonce of the room's creation."""
    last_owner: str
    """A string that expires soon: epoch and owner of a room whose match is over."""


@lru_cache(maxsize=16_384)
def room_keys(room: int) -> RoomKeys:
    """Return the keys of one room."""
    code = room_code(room)
    tag = f"warroom:{{{code}}}"
    return RoomKeys(
        code=code,
        record=f"{tag}:record",
        log=f"{tag}:log",
        snapshots=(f"{tag}:snapshot:0", f"{tag}:snapshot:1"),
        replay=f"{tag}:replay",
        last_owner=f"{tag}:last_owner",
    )


def lease_key(owner: str) -> str:
    """Return the key that is the lease of a node; its value has the address and facts of the node."""
    return f"warroom:{{nodes}}:lease:{owner}"


def rooms_key(owner: str) -> str:
    """Return the key of the set of rooms of a node."""
    return f"warroom:{{nodes}}:rooms:{owner}"
