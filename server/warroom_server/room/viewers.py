"""Who follows a room, as values: a connection of this node, one of another node, or the feed."""

from typing import Final, TypeAlias

from msgspec import Struct


class Local(Struct, frozen=True, array_like=True, tag="local"):
    """A connection of this node."""

    connection: int


class Remote(Struct, frozen=True, array_like=True, tag="remote"):
    """A connection of another node: its *entry* into the room, whose number that node never uses again."""

    node: str
    entry: int


class Feed(Struct, frozen=True, array_like=True, tag="feed"):
    """The feed: a spectator that is no person, so that it is not counted and keeps no room alive."""


class RemoteSpectators(Struct, frozen=True, array_like=True, tag="spectators"):
    """All spectators of a room on another node who are sent the same: one destination, however many they are."""

    node: str


Viewer: TypeAlias = Local | Remote | Feed
Destination: TypeAlias = Viewer | RemoteSpectators
"""Where a room sends something."""

FEED: Final = Feed()
