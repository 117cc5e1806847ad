"""The loops that the tests of this folder run on, and the servers that take a while to start."""

from collections.abc import Iterator

import pytest
from loop_factories import pytest_asyncio_loop_factories
from redis_topologies import RedisCluster, redis_cluster

__all__ = ["pytest_asyncio_loop_factories"]


@pytest.fixture(scope="session")
def running_cluster() -> Iterator[RedisCluster]:
    """A cluster that goes on with what it has when one of its primaries is away."""
    with redis_cluster(
        "--cluster-require-full-coverage", "no", "--appendonly", "yes", "--appendfsync", "always"
    ) as running:
        yield running


@pytest.fixture
def cluster(running_cluster: RedisCluster) -> RedisCluster:
    """The cluster, empty."""
    running_cluster.flush()
    return running_cluster
