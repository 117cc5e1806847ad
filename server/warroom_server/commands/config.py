"""`warroom config`: every setting, where its value comes from, and what it is for."""

import os
import sys
from argparse import ArgumentParser, Namespace

import msgspec

from warroom_server.cli import USAGE
from warroom_server.config import Setting, SettingsError, resolve

SUMMARY = "show every setting: its value, where that comes from, and what it is for"
EXAMPLE = "WARROOM_PORT=9000 warroom config"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")


def run(args: Namespace) -> int:
    """Print the settings as `warroom serve` would take them from the environment."""
    try:
        settings = resolve(os.environ).explain()
    except SettingsError as error:
        print(f"warroom config: {error}", file=sys.stderr)
        return USAGE
    if args.json:
        print(msgspec.json.format(msgspec.json.encode(settings)).decode())
    else:
        print(_table(settings))
    return 0


def _table(settings: list[Setting]) -> str:
    head = ("VARIABLE", "FLAG", "VALUE", "FROM", "WHAT FOR")
    rows = [
        (setting.variable, setting.flag, _shown(setting.value), setting.source, setting.help) for setting in settings
    ]
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)
    )


def _shown(value: object) -> str:
    text = ",".join(value) if isinstance(value, tuple) else str(value)
    return text or "-"
