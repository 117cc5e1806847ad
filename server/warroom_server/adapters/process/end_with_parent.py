"""Ends this process with its parent, however that ends."""

import os
import signal
import threading
from typing import Final

LAST_WORDS_S: Final = 30.0
"""How long this process may take to stop when its parent is gone."""


def end_with_starter() -> None:
    """Stop when standard input ends: it is a pipe from the parent."""
    threading.Thread(target=_watch, name="starter", daemon=True).start()


def _watch() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(LAST_WORDS_S)  # usually the process ends before that
    os._exit(1)
