"""Real set-ups of several redis-servers: a cluster of three primaries, and a primary with a replica and Sentinels."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path

from redis_server import RedisServer, free_port, redis_server

from warroom_server.adapters.redis.checks import parse_info

SLOTS = 16_384
PRIMARIES = 3
PATIENCE_S = 30.0


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Return as soon as *condition* holds."""
    until_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until_s, f"{what} took longer than {PATIENCE_S:g} s"
        time.sleep(0.02)


# --- a cluster ------------------------------------------------------------------------------------------------


class RedisCluster:
    """Three primaries that share the slots evenly."""

    def __init__(self, servers: list[RedisServer]) -> None:
        self.servers = servers
        self.ids = [_text(server.raw("CLUSTER", "MYID")) for server in servers]
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{server.port}" for server in servers)

    def flush(self) -> None:
        """Forget every key."""
        for server in self.servers:
            server.raw("FLUSHALL")

    def owner_of(self, slot: int) -> RedisServer:
        """Return the primary that has a slot."""
        for server in self.servers:
            for line in server.raw("CLUSTER", "NODES").decode().splitlines():
                if "myself" in line and any(_has(part, slot) for part in line.split()[8:]):
                    return server
        raise AssertionError(f"nobody has slot {slot}")

    def move(self, slot: int, *, pause: Callable[[], None] = lambda: None) -> RedisServer:
        """Move a slot with its keys to the next primary, as `redis-cli --cluster reshard` does; return that.

        *pause* is called while some of the keys have moved and others have not.
        """
        source = self.owner_of(slot)
        target = self.servers[(self.servers.index(source) + 1) % PRIMARIES]
        from_id, to_id = self.ids[self.servers.index(source)], self.ids[self.servers.index(target)]
        target.raw("CLUSTER", "SETSLOT", str(slot), "IMPORTING", from_id)
        source.raw("CLUSTER", "SETSLOT", str(slot), "MIGRATING", to_id)
        while keys := _texts(source.raw("CLUSTER", "GETKEYSINSLOT", str(slot), "1")):
            reply = source.raw("MIGRATE", "127.0.0.1", str(target.port), keys[0], "0", "2000")
            assert reply.startswith((b"+OK", b"+NOKEY")), reply
            pause()
        for server in (target, source, *self.servers):
            server.raw("CLUSTER", "SETSLOT", str(slot), "NODE", to_id)
        return target


@contextmanager
def redis_cluster(*options: str) -> Iterator[RedisCluster]:
    """Run a cluster for the length of a block."""
    with ExitStack() as stack:
        servers = [stack.enter_context(_cluster_node(*options)) for _ in range(PRIMARIES)]
        cluster = RedisCluster(servers)
        for number, server in enumerate(servers):
            server.raw("CLUSTER", "SET-CONFIG-EPOCH", str(number + 1))
            first, last = SLOTS * number // PRIMARIES, SLOTS * (number + 1) // PRIMARIES - 1
            server.raw("CLUSTER", "ADDSLOTSRANGE", str(first), str(last))
            _introduce(server, servers[:number])
        wait_for(lambda: all(_knows(server, PRIMARIES) for server in servers), "making a cluster")
        yield cluster


@contextmanager
def cluster_replica(cluster: RedisCluster, primary: RedisServer) -> Iterator[RedisServer]:
    """Run a replica of one primary for the length of a block; it takes that one's place if it dies."""
    with _cluster_node("--repl-diskless-sync-delay", "0") as replica:
        _introduce(replica, cluster.servers)
        wait_for(lambda: _knows(replica, PRIMARIES + 1), "meeting a replica")
        reply = replica.raw("CLUSTER", "REPLICATE", cluster.ids[cluster.servers.index(primary)])
        assert reply.startswith(b"+OK"), reply
        wait_for(lambda: b"state=online" in primary.raw("INFO", "replication"), "following the primary")
        yield replica


def is_promoted(replica: RedisServer) -> bool:
    """Whether a replica has become a primary."""
    with suppress(OSError):  # at that very moment it hangs up on everybody
        return b"role:master" in replica.raw("INFO", "replication")
    return False


def _cluster_node(*options: str) -> AbstractContextManager[RedisServer]:
    return redis_server(
        "--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--cluster-node-timeout", "2000", *options
    )


def _introduce(server: RedisServer, others: Sequence[RedisServer]) -> None:
    for other in others:
        bus = other.options[other.options.index("--cluster-port") + 1]
        server.raw("CLUSTER", "MEET", "127.0.0.1", str(other.port), bus)


def _knows(server: RedisServer, nodes: int) -> bool:
    info = parse_info(server.raw("CLUSTER", "INFO").decode())
    return info.get("cluster_state") == "ok" and int(info["cluster_known_nodes"]) >= nodes


def _has(part: str, slot: int) -> bool:
    first, _, last = part.partition("-")
    return first.isdecimal() and int(first) <= slot <= int(last or first)


# --- Sentinels ------------------------------------------------------------------------------------------------

SERVICE = "war"


class Watched:
    """A primary, its replica, and three Sentinels of which two have to agree."""

    def __init__(self, primary: RedisServer, replica: RedisServer, sentinels: list[RedisServer]) -> None:
        self.primary = primary
        self.replica = replica
        self.sentinels = sentinels
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in sentinels)
        self.url = f"redis+sentinel://{hosts}/{SERVICE}"

    def until_promoted(self) -> None:
        """Return once the replica is the primary."""
        wait_for(lambda: is_promoted(self.replica), "promoting the replica")


@contextmanager
def replicated(*options: str, binary: Path | None = None) -> Iterator[tuple[RedisServer, RedisServer]]:
    """Run a primary and a replica that follows it for the length of a block."""
    options = ("--repl-diskless-sync-delay", "0", *options)
    with ExitStack() as stack:
        primary = stack.enter_context(redis_server(*options, binary=binary))
        follow = ("--replicaof", "127.0.0.1", str(primary.port))
        replica = stack.enter_context(redis_server(*options, *follow, binary=binary))
        wait_for(lambda: b"state=online" in primary.raw("INFO", "replication"), "following the primary")
        yield primary, replica


@contextmanager
def watched(*options: str) -> Iterator[Watched]:
    """Run a primary and a replica under Sentinels for the length of a block."""
    with ExitStack() as stack:
        primary, replica = stack.enter_context(replicated(*options))
        sentinels = [stack.enter_context(_sentinel(primary)) for _ in range(3)]
        wait_for(lambda: all(_knows_all(sentinel) for sentinel in sentinels), "the Sentinels' finding each other")
        yield Watched(primary, replica, sentinels)


@contextmanager
def _sentinel(primary: RedisServer) -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="warroom-sentinel-") as folder:
        config = Path(folder) / "sentinel.conf"
        config.write_text(
            f"sentinel monitor {SERVICE} 127.0.0.1 {primary.port} 2\n"
            f"sentinel down-after-milliseconds {SERVICE} 700\n"
            f"sentinel failover-timeout {SERVICE} 3000\n"
        )
        sentinel = RedisServer(Path(folder))
        sentinel.start(str(config), "--sentinel")
        try:
            yield sentinel
        finally:
            sentinel.kill()


def _knows_all(sentinel: RedisServer) -> bool:
    fields = _texts(sentinel.raw("SENTINEL", "MASTER", SERVICE))
    known = dict(zip(fields[::2], fields[1::2], strict=False))
    return known.get("num-slaves") == "1" and known.get("num-other-sentinels") == "2"


def _text(reply: bytes) -> str:
    return _texts(reply)[0]


def _texts(reply: bytes) -> list[str]:
    """Return the texts in a reply that is one text or a flat list of them."""
    lines = reply.decode().split("\r\n")
    return [text for length, text in pairwise(lines) if length.startswith("$") and length != "$-1"]
