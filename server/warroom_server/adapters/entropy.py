"""Where secrets come from: the operating system."""

import secrets


class SystemEntropy:
    """Unpredictable bytes from the operating system."""

    def bytes(self, count: int) -> bytes:
        """Return *count* unpredictable bytes."""
        return secrets.token_bytes(count)
