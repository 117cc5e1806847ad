"""The process that started this one, and the pipe from it that ends when it does, however it ends."""

import os
import signal
import threading
from typing import Final

LAST_WORDS_S: Final = 30.0
"""How long this process may take to stop when its starter is gone."""


def end_with_starter() -> None:
    """From now on stop when standard input ends: the other end of that pipe is the starter's."""
    threading.Thread(target=_watch, name="starter", daemon=True).start()


def _watch() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(LAST_WORDS_S)  # the process is gone before, unless something hangs
    os._exit(1)
