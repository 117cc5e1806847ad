"""Limits on the size of messages."""

from typing import Final

MAX_CLIENT_BYTES: Final = 4096
"""The largest message of a client."""

MAX_SERVER_BYTES: Final = 1 << 20
"""The largest message of a server."""

SCAN_ABOVE_BYTES: Final = 256
"""The types bound shorter messages well enough."""

MAX_VALUES: Final = 1024
"""Values in a client's message, counting every element, key and container."""

MAX_DEPTH: Final = 6
"""The nesting of a client's message, the message itself included."""

MAX_INTEGER: Final = 2**53 - 1
"""The largest integer that every client can hold exactly."""

MAX_PATH: Final = 32
"""Steps in the path of a patch; deeper values are replaced as a whole."""

MAX_OPERATIONS: Final = 4096
"""Operations in one patch; a larger change replaces the whole view."""
