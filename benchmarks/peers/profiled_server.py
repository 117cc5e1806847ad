"""Run a Python program with a profiler that the first SIGUSR1 starts and the second one ends.

profiled_server.py OUTPUT PROGRAM ARGUMENTS...
"""

import cProfile
import runpy
import signal
import sys


def main() -> None:
    """Run the program; write the profile when it ends."""
    output, program = sys.argv[1:3]
    profiler = cProfile.Profile()
    starts = iter([profiler.enable, profiler.disable])

    def switch(number: int, frame: object) -> None:
        next(starts, profiler.disable)()

    signal.signal(signal.SIGUSR1, switch)
    sys.argv = sys.argv[2:]
    try:
        runpy.run_path(program, run_name="__main__")
    finally:
        profiler.dump_stats(output)


if __name__ == "__main__":
    main()
