"""What a node is given by its settings: games, limits, a store, a line to a broker."""

import logging
import ssl
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct

from warroom_games.registry import Registry, RegistryError, load_games
from warroom_protocol.brokers import parse_broker
from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.entropy import SystemEntropy
from warroom_server.adapters.memory.directory import MemoryDirectory
from warroom_server.adapters.memory.records import MemoryRecords
from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.adapters.redis.commands import Wait
from warroom_server.adapters.redis.directory import RedisDirectory
from warroom_server.adapters.redis.records import RedisRecords
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.config import Settings, flag_of
from warroom_server.loop.retry import Backoff
from warroom_server.node.options import NodeOptions
from warroom_server.ports.directory import Directory
from warroom_server.ports.feed import Feed
from warroom_server.ports.records import Records
from warroom_server.ports.store import Store, StoreError
from warroom_server.session.limits import Limits

logger = logging.getLogger(__name__)

SECRET_BYTES = 32
OWNER_BYTES = 8
MEMORY_URL = "memory://"
_DAY_S = 86_400


class StartError(Exception):
    """The server cannot start; says why, in one line."""


class Kept(Struct, frozen=True):
    """Where everything is kept: running rooms, what is left of finished matches, and what lists show."""

    store: Store
    records: Records
    directory: Directory


def policy_of(settings: Settings) -> NodeOptions:
    """Return what the operator and chance decided about a node."""
    return NodeOptions(
        owner=SystemEntropy().bytes(OWNER_BYTES).hex(),
        version=version("warroom"),
        limits=Limits(
            messages_per_s=settings.messages_per_s,
            messages_burst=settings.messages_burst,
            bytes_per_s=settings.bytes_per_s,
            bytes_burst=settings.bytes_burst,
            rooms=settings.rooms_per_connection,
        ),
        keep_s=settings.replay_days * _DAY_S,
        max_rooms=settings.max_rooms,
        rooms_per_player=settings.rooms_per_player,
        rooms_per_address=settings.rooms_per_address,
        idle_ms=settings.idle_s * 1000,
        feed_prefix=settings.mqtt_prefix,
        is_alone=settings.redis in ("", MEMORY_URL),
    )


def registry_of(settings: Settings) -> Registry:
    """Return the games that are to be offered."""
    try:
        registry = load_games(settings.games)
    except RegistryError as error:
        raise StartError(str(error)) from error
    for reason in registry.left_out.values():
        logger.warning("left out: %s", reason)
    return registry


def kept_of(settings: Settings) -> Kept:
    """Return where everything is to be kept."""
    if settings.redis == MEMORY_URL:
        return Kept(MemoryStore(), MemoryRecords(), MemoryDirectory())
    if not settings.redis:
        embedded = EmbeddedStore(Path(settings.data))
        return Kept(embedded, RedisRecords(embedded.url), RedisDirectory(embedded.url))
    try:
        wait = _wait(settings)
        records = RedisRecords(settings.redis, wait=wait)
        return Kept(RedisStore(settings.redis, wait=wait), records, RedisDirectory(settings.redis))
    except ValueError as error:
        raise StartError(f"{flag_of('redis')}: expected redis://host:port/0, {error}") from error


def _wait(settings: Settings) -> Wait:
    replicas = None if settings.redis_wait == "auto" else int(settings.redis_wait)
    return Wait(replicas, settings.redis_wait_ms)


def feed_of(settings: Settings, owner: str) -> Feed | None:
    """Return the line to the broker, if there is to be one."""
    if not settings.mqtt:
        return None
    # Only now: who has no broker need not wait for its client to be imported.
    from warroom_server.adapters.mqtt import MqttFeed

    broker = parse_broker(settings.mqtt)
    try:
        tls = ssl.create_default_context(cafile=settings.mqtt_ca or None) if broker.is_tls else None
    except (OSError, ssl.SSLError) as error:
        raise StartError(f"{flag_of('mqtt_ca')}: cannot read certificates from {settings.mqtt_ca}: {error}") from error
    return MqttFeed(broker, identifier=f"warroom-{owner}", tls=tls)


async def open_kept(kept: Kept, stack: AsyncExitStack, backoff: Backoff) -> bytes:
    """Start the store and return the cluster's secret."""
    try:
        secret = await open_store(kept.store, stack, backoff)
        stack.push_async_callback(kept.records.close)
        stack.push_async_callback(kept.directory.close)
    except StoreError as error:
        raise StartError(str(error)) from error
    return secret


async def open_store(store: Store, stack: AsyncExitStack, backoff: Backoff) -> bytes:
    """Start a store, once it is there, and return the cluster's secret."""
    if isinstance(store, EmbeddedStore):
        await store.start()  # which is this process's own doing, and nobody else mends it
    else:
        await backoff.ask(store.start)
    stack.push_async_callback(store.close)
    candidate = SystemEntropy().bytes(SECRET_BYTES)
    return await backoff.ask(lambda: store.secret(candidate))
