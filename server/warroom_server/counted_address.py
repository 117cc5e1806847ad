"""Addresses of clients: what the connections and rooms of one person are counted under, and which are near."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address

_NETWORK_BITS = 64
"""The network part of an IPv6 address; people choose the rest themselves."""


def address_of(peer: str) -> str:
    """Return what to count *peer* (host:port) under; empty if it is unknown."""
    return network_of(peer.rpartition(":")[0].strip("[]"))


@lru_cache(1024)
def network_of(host: str) -> str:
    """Return what to count *host* under: an IPv4 address itself, of IPv6 the network."""
    host = host.partition("%")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> (128 - _NETWORK_BITS) << (128 - _NETWORK_BITS)))


def is_loopback(host: str) -> bool:
    """Whether *host*, a name or an address, is this machine for its own programs only."""
    try:
        return host in ("localhost", "::1") or ip_address(network_of(host)).is_loopback
    except ValueError:
        return False
