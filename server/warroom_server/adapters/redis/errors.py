"""Turns errors of Redis servers into kinds of trouble."""

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

_KINDS: tuple[tuple[type[Exception] | tuple[type[Exception], ...], Trouble], ...] = (
    ((AuthenticationError, AuthorizationError, NoPermissionError), Trouble.PASSWORD),
    (BusyLoadingError, Trouble.LOADING),
    (OutOfMemoryError, Trouble.FULL),
    (ReadOnlyError, Trouble.READ_ONLY),
    ((ClusterError, TryAgainError), Trouble.CLUSTER),
    (TimeoutError, Trouble.SLOW),
    (OSError, Trouble.AWAY),
)

_WORDS: tuple[tuple[str, Trouble], ...] = (
    ("MISCONF", Trouble.DISK),
    ("NOREPLICAS", Trouble.REPLICAS),
    ("-OOM", Trouble.FULL),
    ("-READONLY", Trouble.READ_ONLY),
)
"""Errors without a class of their own; before Redis 7 an error in a script is part of the text of another error."""

_REFUSED = re.compile(r"Error (\d+) connecting to ")
"""The beginning of the text of redis-py for a failed connection; the rest depends on the event loop."""


def trouble_of(error: BaseException) -> Trouble:
    """Return the kind of trouble of an error."""
    for kind, trouble in _KINDS:
        if isinstance(error, kind):
            return trouble
    text = str(error)
    return next((trouble for word, trouble in _WORDS if word in text), Trouble.AWAY)


def is_of_wrong_type(reply: object) -> bool:
    """Whether a key was overwritten by somebody else: the key is damaged, not the server."""
    return isinstance(reply, ResponseError) and "WRONGTYPE" in str(reply)


def unavailable(name: str, error: BaseException) -> UnavailableError:
    """Return the exception for an *error* of the server *name*."""
    refused = _REFUSED.match(str(error))
    # The number of a failed TLS handshake is not an errno, and its text says what is wrong.
    if refused is not None and "ssl" not in str(error).lower():
        return UnavailableError(f"{name} cannot be reached: {os.strerror(int(refused[1]))}", Trouble.AWAY)
    trouble = trouble_of(error)
    does = " refused the name or password" if trouble is Trouble.PASSWORD else ""
    return UnavailableError(f"{name}{does}: {error}", trouble)
