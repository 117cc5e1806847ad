"""How large a message may be."""

from typing import Final

MAX_CLIENT_BYTES: Final = 4096
"""What a client may send in one message."""

MAX_SERVER_BYTES: Final = 1 << 20
"""What a server may send in one message."""

SCAN_ABOVE_BYTES: Final = 256
"""Shorter messages are so small that their types bound them well enough."""

MAX_VALUES: Final = 1024
"""Values in a client's message, counting every element, key and container."""

MAX_DEPTH: Final = 6
"""Containers around any value of a client's message, the message itself included."""

MAX_INTEGER: Final = 2**53 - 1
"""The largest integer that every client can hold exactly."""

MAX_PATH: Final = 32
"""Steps in the path of a patch; what lies deeper is replaced as a whole."""

MAX_OPERATIONS: Final = 4096
"""Operations in one patch; a larger change replaces the whole view."""
