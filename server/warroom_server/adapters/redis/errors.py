"""What is the matter with a Redis server, told from what it says, or does not say."""

import os
import re

from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ClusterError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)

from warroom_server.ports.store import Trouble, UnavailableError

_KINDS: tuple[tuple[type[Exception], Trouble], ...] = (
    (AuthenticationError, Trouble.PASSWORD),
    (AuthorizationError, Trouble.PASSWORD),
    (NoPermissionError, Trouble.PASSWORD),
    (BusyLoadingError, Trouble.LOADING),
    (OutOfMemoryError, Trouble.FULL),
    (ReadOnlyError, Trouble.READ_ONLY),
    (ClusterError, Trouble.CLUSTER),
    (TryAgainError, Trouble.CLUSTER),
    (TimeoutError, Trouble.SLOW),
    (OSError, Trouble.AWAY),
)

_WORDS: tuple[tuple[str, Trouble], ...] = (
    ("MISCONF", Trouble.DISK),
    ("NOREPLICAS", Trouble.REPLICAS),
    ("-OOM", Trouble.FULL),
    ("-READONLY", Trouble.READ_ONLY),
)
"""What has no class of its own; before Redis 7 an error inside a script is told in the text of another one."""

_REFUSED = re.compile(r"Error (\d+) connecting to ")
"""How redis-py begins to tell of a connection that failed; what follows depends on the event loop."""


def trouble_of(error: BaseException) -> Trouble:
    """Return the kind of trouble that *error* tells of."""
    for kind, trouble in _KINDS:
        if isinstance(error, kind):
            return trouble
    text = str(error)
    return next((trouble for word, trouble in _WORDS if word in text), Trouble.AWAY)


def is_of_wrong_type(reply: object) -> bool:
    """Whether somebody else wrote over a key: that is the matter with the key, and not with the server."""
    return isinstance(reply, ResponseError) and "WRONGTYPE" in str(reply)


def unavailable(name: str, error: BaseException) -> UnavailableError:
    """Return what to raise for an *error* of the server called *name*."""
    refused = _REFUSED.match(str(error))
    # The number of a failed TLS handshake is none of the system's, and its words say what is wrong.
    if refused is not None and "ssl" not in str(error).lower():
        return UnavailableError(f"{name} cannot be reached: {os.strerror(int(refused[1]))}", Trouble.AWAY)
    return UnavailableError(f"{name}: {error}", trouble_of(error))
