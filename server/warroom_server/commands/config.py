"""`warroom config`: every setting, its source and its purpose."""

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from textwrap import wrap

import msgspec

from warroom_server.cli import USAGE
from warroom_server.config import Setting, SettingsError, resolve

SUMMARY = "show every setting: its value, its source and its purpose"
EXAMPLE = "WARROOM_PORT=9000 warroom config"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of a table")


def run(args: Namespace) -> int:
    """Print the settings that `warroom serve` would read from the environment."""
    try:
        settings = resolve(os.environ).explain()
    except SettingsError as error:
        print(f"warroom config: {error}", file=sys.stderr)
        return USAGE
    if args.json:
        print(msgspec.json.format(msgspec.json.encode(settings)).decode())
    else:
        table = _table(settings)
        columns = shutil.get_terminal_size().columns
        is_too_wide = max(map(len, table.splitlines())) > columns
        print(_list(settings, columns) if is_too_wide and sys.stdout.isatty() else table)
    return 0


def _list(settings: list[Setting], columns: int) -> str:
    """Return the settings one below the other, for narrow terminals."""
    lines = []
    for setting in settings:
        lines.append(f"{setting.variable} ({setting.flag}) = {_shown(setting.value)}, from {setting.source}")
        lines += wrap(setting.help, columns, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def _table(settings: list[Setting]) -> str:
    head = ("VARIABLE", "FLAG", "VALUE", "FROM", "PURPOSE")
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
