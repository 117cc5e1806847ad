"""Sends to many sockets in one call, past their transports."""

import os
from collections.abc import Iterable
from contextlib import suppress


def send_many(fds: Iterable[int], data: bytes, /) -> list[tuple[int, int]]:
    """Send the same bytes once to each socket; return (index, bytes sent) of those that did not take all.

    The sockets are non-blocking. The caller writes `data[sent:]` of the others through their transports, which also
    find out whether a socket is full (0 were sent) or broken (0 as well). A socket whose transport still has
    something to write must not be among them: these bytes would overtake it.
    """
    return [(index, sent) for index, fd in enumerate(fds) if (sent := _send(fd, data)) < len(data)]


def send_each(fds: Iterable[int], chunks: Iterable[bytes], /) -> list[tuple[int, int]]:
    """Do the same with bytes of its own for each socket."""
    pairs = zip(fds, chunks, strict=True)
    return [(index, sent) for index, (fd, data) in enumerate(pairs) if (sent := _send(fd, data)) < len(data)]


def _send(fd: int, data: bytes) -> int:
    try:
        return os.write(fd, data)  # Python ignores SIGPIPE
    except OSError:
        return 0


python_send_many, python_send_each = send_many, send_each
HAS_SPEEDUPS = False
"""Whether the functions here are those in C, which cost less than a write to each transport."""

with suppress(ImportError):  # not built without a compiler
    from warroom_protocol.speedups import send_each, send_many

    HAS_SPEEDUPS = True
