"""Runs a Python program without the C module: `python benchmarks/without_speedups.py PROGRAM ARGUMENTS`.

It holds for this process alone; what the program starts has the module again.
"""

import runpy
import sys
from pathlib import Path

BLOCKED = "warroom_protocol.speedups"


def main() -> None:
    """Become the program."""
    program = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(program).resolve().parent)
    sys.modules[BLOCKED] = None  # type: ignore[assignment] # so Python is told that there is no such module
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
