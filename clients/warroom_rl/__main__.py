"""Prints the spaces of an environment: `python -m warroom_rl GAME [--seats N] [--option KEY=VALUE]`."""

import sys
from argparse import ArgumentParser

from warroom_bots.commands.options import add_option, positive
from warroom_rl.description import described
from warroom_rl.errors import SetupError
from warroom_rl.setting import setting_of


def main() -> int:
    """Print the spaces; return the exit code."""
    parser = ArgumentParser(prog="python -m warroom_rl", description="print the spaces of a learning environment")
    parser.add_argument("game", metavar="GAME", help="the id of an installed game, or MODULE:OBJECT")
    parser.add_argument("--seats", type=positive, metavar="N", help="number of seats (default: the usual number)")
    add_option(parser)
    arguments = parser.parse_args()
    try:
        setting = setting_of(arguments.game, arguments.seats, dict(arguments.options))
    except SetupError as error:
        sys.stderr.write(f"python -m warroom_rl: {error}\n")
        return 2
    sys.stdout.writelines(f"{line}\n" for line in described(setting))
    return 0


if __name__ == "__main__":
    sys.exit(main())
