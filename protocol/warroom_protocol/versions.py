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
        raise VersionError(f"this server speaks {sorted(SUPPORTED)}, the client offered {versions}")
    return max(common)
