"""Checks whether a Redis server is fit to store rooms."""

from collections.abc import Mapping

from warroom_server.adapters.redis.address import Kind

OLDEST_VERSION = (6, 2)


def parse_info(text: str) -> dict[str, str]:
    """Return the fields of an INFO reply."""
    lines = (line.strip() for line in text.splitlines())
    fields = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in fields}


def objections(info: Mapping[str, str], kind: Kind = "single") -> list[str]:
    """Return what is wrong with a server, each with what was found and what is expected; empty if it is fit."""
    if info.get("redis_mode") == "sentinel":
        return ["it is a Sentinel, expected a server, or redis+sentinel://host:port/service"]
    checks = (_version(info), _role(info), _cluster(info, kind), _eviction(info))
    return [objection for objection in checks if objection]


def is_forgetful(info: Mapping[str, str]) -> bool:
    """Whether the server keeps no log of its writes, so that a crash loses acknowledged ones."""
    return info.get("aof_enabled") == "0"


def is_loading(info: Mapping[str, str]) -> bool:
    """Whether the server is still loading its data."""
    return info.get("loading", "0") != "0"


def replicas_online(info: Mapping[str, str]) -> int:
    """Return how many replicas follow the server, without those that are still syncing."""
    slaves = (info.get(f"slave{number}", "") for number in range(int(info.get("connected_slaves", "0"))))
    return sum("state=online" in slave for slave in slaves)


def _version(info: Mapping[str, str]) -> str | None:
    found = info.get("redis_version", "unknown")
    parts = tuple(int(part) for part in found.split(".")[:2] if part.isdecimal())
    if len(parts) == 2 and parts >= OLDEST_VERSION:
        return None
    return f"its version is {found}, expected {'.'.join(map(str, OLDEST_VERSION))} or later"


def _role(info: Mapping[str, str]) -> str | None:
    found = info.get("role", "unknown")
    return None if found == "master" else f"its role is {found}, expected master"


def _cluster(info: Mapping[str, str], kind: Kind) -> str | None:
    is_cluster = info.get("cluster_enabled", "0") != "0"
    if is_cluster == (kind == "cluster"):
        return None
    if is_cluster:
        return "it is part of a cluster, expected a single server, or redis+cluster://host:port"
    return "it is a single server, expected a node of a cluster, or redis://host:port"


def _eviction(info: Mapping[str, str]) -> str | None:
    if info.get("maxmemory") == "0":
        return None
    found = info.get("maxmemory_policy", "unknown")
    if found == "noeviction":
        return None
    return f"its maxmemory-policy is {found}, which lets it throw rooms away, expected noeviction or maxmemory 0"
