"""Run a program that must not outlive its starter. This is a script of its own that uses only the standard library.

    python end_with_starter.py PROGRAM ARGUMENT…

Standard input is a pipe whose other end only the starter holds: it closes when the starter ends, however that happens.
Then the program gets SIGTERM, and SIGKILL if it does not end. If the program ends first, the guard ends with its code.
"""

import os
import signal
import sys
import threading

GRACE_S = 5.0


def main(command: list[str]) -> int:
    """Run *command* until it ends or the starter is gone; return its exit code."""
    no_input = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[no_input])
    # A signal to the whole process group must not leave the program without its guard.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_starter, args=(child,), daemon=True).start()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _end_with_starter(child: int) -> None:
    while os.read(0, 1):
        pass
    os.kill(child, signal.SIGTERM)
    threading.Event().wait(GRACE_S)  # the guard has ended long before, unless the program hangs
    os.kill(child, signal.SIGKILL)


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.exit(code if code >= 0 else 128 - code)
