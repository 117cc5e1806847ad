"""Builds what the settings describe: games, limits, a store, a connection to a broker."""

import logging
import ssl
from collections.abc import Sequence
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path

import msgspec
from msgspec import Struct

from warroom_games.registry import Registry, load_games
from warroom_protocol.brokers import parse_broker
from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.entropy import SystemEntropy
from warroom_server.adapters.memory.listings import MemoryListings
from warroom_server.adapters.memory.records import MemoryRecords
from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.adapters.process.bot_worker import BotWorker, Expect
from warroom_server.adapters.redis.command_sender import Wait
from warroom_server.adapters.redis.listings import RedisListings
from warroom_server.adapters.redis.records import RedisRecords
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.cluster.lease import LeaseOptions
from warroom_server.config import MEMORY_URL, Settings, flag_of
from warroom_server.loop.wait_for_store import Backoff
from warroom_server.node.options import NodeOptions
from warroom_server.ports.feed import Feed
from warroom_server.ports.listings import Listings
from warroom_server.ports.records import Records
from warroom_server.ports.store import Store
from warroom_server.session.limits import Limits

logger = logging.getLogger(__name__)

SECRET_BYTES = 32
OWNER_BYTES = 8
_DAY_S = 86_400


class StartError(Exception):
    """The server cannot start; says why, in one line."""


class Stores(Struct, frozen=True):
    """The stores: running rooms, records of finished matches, and the directory of listed rooms."""

    store: Store
    records: Records
    directory: Listings


def options_of(settings: Settings) -> NodeOptions:
    """Return the options of a node, with a random id."""
    return NodeOptions(
        owner=SystemEntropy().bytes(OWNER_BYTES).hex(),
        version=version("warroom"),
        limits=msgspec.convert(settings, Limits, from_attributes=True),
        keep_s=settings.replay_days * _DAY_S,
        max_rooms=settings.max_rooms,
        rooms_per_player=settings.rooms_per_player,
        rooms_per_address=settings.rooms_per_address,
        idle_ms=settings.idle_s * 1000,
        feed_prefix=settings.mqtt_prefix,
        lease=LeaseOptions(is_alone=settings.redis in ("", MEMORY_URL)),
    )


def registry_of(settings: Settings) -> Registry:
    """Return the games to host."""
    registry = load_games(settings.games)
    for reason in registry.left_out.values():
        logger.warning("left out: %s", reason)
    return registry


def stores_of(settings: Settings) -> Stores:
    """Return the stores, not opened yet."""
    if settings.redis == MEMORY_URL:
        return Stores(MemoryStore(), MemoryRecords(), MemoryListings())
    if not settings.redis:
        embedded = EmbeddedStore(Path(settings.data))
        return Stores(embedded, RedisRecords(embedded.url), RedisListings(embedded.url))
    try:
        replicas = None if settings.redis_wait == "auto" else int(settings.redis_wait)
        wait = Wait(replicas, settings.redis_wait_ms)
        records = RedisRecords(settings.redis, wait=wait)
        return Stores(RedisStore(settings.redis, wait=wait), records, RedisListings(settings.redis))
    except ValueError as error:
        raise StartError(f"{flag_of('redis')}: expected redis://host:port/0, {error}") from error


def feed_of(settings: Settings, owner: str) -> Feed | None:
    """Return the connection to the broker, not opened yet; None without a broker."""
    if not settings.mqtt:
        return None
    # Imported here: a server without a broker starts faster without its client.
    from warroom_server.adapters.mqtt import MqttFeed

    broker = parse_broker(settings.mqtt)
    try:
        tls = ssl.create_default_context(cafile=settings.mqtt_ca or None) if broker.is_tls else None
    except (OSError, ssl.SSLError) as error:
        raise StartError(f"{flag_of('mqtt_ca')}: cannot read certificates from {settings.mqtt_ca}: {error}") from error
    return MqttFeed(broker, identifier=f"warroom-{owner}", tls=tls)


async def open_store(store: Store, stack: AsyncExitStack, backoff: Backoff) -> bytes:
    """Start a store, wait until it answers, and return the cluster's secret."""
    if isinstance(store, EmbeddedStore):
        await store.start()  # no retries: it is a child of this process, so nobody else repairs it
    else:
        await backoff.ask(store.start)
    stack.push_async_callback(store.close)
    candidate = SystemEntropy().bytes(SECRET_BYTES)
    return await backoff.ask(lambda: store.secret(candidate))


def start_bots(settings: Settings, key: str, urls: Sequence[str], stack: AsyncExitStack, expect: Expect) -> None:
    """Start a bot worker for the nodes at *urls*, if there is to be one; *stack* stops it."""
    if settings.bots:
        worker = BotWorker(urls=urls, key=key, think=settings.bot_think, expect=expect)
        worker.start()
        stack.push_async_callback(worker.stop)
