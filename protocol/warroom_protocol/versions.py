"""Which protocol versions this package speaks, and how two sides agree on one."""

from collections.abc import Iterable
from typing import Final

from warroom_protocol.errors import VersionError

VERSION: Final = 1
SUPPORTED: Final = frozenset({VERSION})


def choose_version(offered: Iterable[int]) -> int:
    """Return the highest version that both sides speak."""
    versions = list(offered)
    common = SUPPORTED.intersection(versions)
    if not common:
        raise VersionError(mismatch(server=SUPPORTED, client=versions))
    return max(common)


def mismatch(*, server: Iterable[int], client: Iterable[int]) -> str:
    """Say which versions each side speaks and which one is out of date; short enough for a close reason."""
    servers, clients = sorted(set(server)), sorted(set(client))
    older = "client" if max(clients) < max(servers) else "server"
    return f"the server speaks protocol {_listed(servers)}, the client {_listed(clients)}: update the {older}"


def _listed(versions: list[int]) -> str:
    return ", ".join(map(str, versions))
