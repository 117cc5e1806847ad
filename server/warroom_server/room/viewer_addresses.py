"""Viewers of a room: a connection of this node, a connection of another node, or the feed."""

from typing import Final, TypeAlias

from msgspec import Struct


class Local(Struct, frozen=True, gc=False, array_like=True, tag="local"):
    """A connection of this node."""

    connection: int


class Remote(Struct, frozen=True, gc=False, array_like=True, tag="remote"):
    """A connection of another node. That node gives each *entry* into a room a new number."""

    node: str
    entry: int


class Feed(Struct, frozen=True, gc=False, array_like=True, tag="feed"):
    """The feed: a spectator that is not a person. It is not counted and keeps no room alive."""


class RemoteSpectators(Struct, frozen=True, gc=False, array_like=True, tag="spectators"):
    """All spectators on another node that get the same messages: one destination for all of them."""

    node: str


Viewer: TypeAlias = Local | Remote | Feed
Destination: TypeAlias = Viewer | RemoteSpectators
"""Where a room sends a message."""

FEED: Final = Feed()
