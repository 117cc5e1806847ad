"""The names of everything the Redis store keeps.

The keys of one room share a hash tag, and so do those of all nodes, so that each script finds its keys on one primary
of a cluster. Nothing spans the two: a room is listed under its owner before it is created or claimed and unlisted after
it is gone, so the lists may name a room too many, never one too few.
"""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from warroom_protocol.rooms import room_code

SECRET: Final = "warroom:secret"
GENERATIONS: Final = "warroom:generations"
"""A hash: for each player who ever made earlier tokens void, how often, and under which nonce the last time."""
PROBE: Final = "warroom:probe"
NODES: Final = "warroom:{nodes}:all"
"""The set of nodes that hold, or held, a lease or rooms."""
RELEASED: Final = "warroom:{nodes}:released"
"""The set of those among them that gave their lease up."""
SUSPECTED: Final = "warroom:{nodes}:suspected"
"""A hash: how often others found a node without a lease, and set out to claim its rooms."""


class RoomKeys(Struct, frozen=True):
    """The keys of one room."""

    code: str
    """What the owner's set calls the room."""
    record: str
    """A hash: owner, epoch, the nonce it was made under, and what its owner left when it gave the room up."""
    log: str
    """A stream: entry n has the id n-0."""
    snapshots: tuple[str, str]
    """Two hashes: rev and snapshot."""
    replay: str
    """A hash that expires: the replay, and the nonce its room was made under."""
    last_owner: str
    """A text that expires soon: epoch and owner of a room whose match is over."""


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
    """Return the key whose life is the lease of a node; its value says what the node tells of itself."""
    return f"warroom:{{nodes}}:lease:{owner}"


def rooms_key(owner: str) -> str:
    """Return the key of the set of a node's rooms."""
    return f"warroom:{{nodes}}:rooms:{owner}"
