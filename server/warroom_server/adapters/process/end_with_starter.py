"""Ends a process with its starter. As a script, which uses only the standard library, it runs a program and ends it.

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
    end_with_starter(child, GRACE_S)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def end_with_starter(process: int, grace_s: float) -> None:
    """Ask a process to stop when standard input ends, and kill it if it still runs after *grace_s* seconds."""
    threading.Thread(target=_watch, args=(process, grace_s), name="starter", daemon=True).start()


def _watch(process: int, grace_s: float) -> None:
    while os.read(0, 1):
        pass
    os.kill(process, signal.SIGTERM)
    threading.Event().wait(grace_s)  # this process has ended long before, unless the other one hangs
    os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.exit(code if code >= 0 else 128 - code)
