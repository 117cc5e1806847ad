"""The ports and options of a node."""

from collections.abc import Mapping

from msgspec import Struct

from warroom_protocol.topics import DEFAULT_PREFIX
from warroom_server.cluster.lease import LeaseOptions
from warroom_server.cluster.messages import Links
from warroom_server.ports.connections import Broadcast, HttpResponse
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.feed import Feed
from warroom_server.ports.listings import Listings
from warroom_server.ports.records import Records
from warroom_server.ports.store import Store
from warroom_server.ports.time import Clock, Timers
from warroom_server.session.limits import Limits


class NodePorts(Struct, frozen=True):
    """What a node needs from outside: stores, time, randomness, and ways to send."""

    store: Store
    records: Records
    directory: Listings
    clock: Clock
    timers: Timers
    entropy: Entropy
    broadcast: Broadcast
    peers: Links
    files: Mapping[str, HttpResponse] = {}
    """By path, the files that never change while the server runs."""
    feed: Feed | None = None
    """The connection to a broker; None: no feed."""


class NodeOptions(Struct, frozen=True, kw_only=True):
    """The options of a node, by its operator; *owner* is random."""

    owner: str
    version: str
    limits: Limits
    keep_s: int
    max_rooms: int
    rooms_per_player: int
    rooms_per_address: int
    idle_ms: int
    feed_prefix: str = DEFAULT_PREFIX
    lease: LeaseOptions = LeaseOptions()
