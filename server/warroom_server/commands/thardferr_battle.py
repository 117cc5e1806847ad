"""`warroom thardferr battle`: the battle calculator."""

import json
import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from pathlib import Path

from warroom_games.api import RulesError
from warroom_games.invocation import program
from warroom_games.thardferr.account import tell
from warroom_games.thardferr.calculator import Duel, NoJsonError, decoded, fought, mustered, report_line
from warroom_games.thardferr.reports import BattleReport
from warroom_games.thardferr.rulesets import RULESETS, Ruleset

SUMMARY = "calculate Thardferr battles"
EXAMPLE = "warroom thardferr battle --json battles.jsonl"

_DESCRIPTION = """\
Fights battles written as JSON: a map with attacker, defender and, if there may
be more than one, max_rounds. A side has race and army, and may have strategy
(text), techs (levels by name), buildings (counts by name) and land."""

_EXAMPLES = """\
example:
  echo '{"attacker": {"race": "human", "army": {"Knight": 30},
    "strategy": "Quick Retreat"}, "defender": {"race": "orc",
    "army": {"Rusher": 100}, "techs": {"Fortification": 1},
    "buildings": {"Castle": 2}, "land": 20}}' | WARROOM thardferr battle

`WARROOM rules thardferr` explains every field and the report."""

_RULE = "=" * 100


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
    battle = tools.add_parser(
        "battle",
        help="calculate one or more battles",
        description=_DESCRIPTION,
        epilog=_EXAMPLES.replace("WARROOM", program(os.environ)),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    battle.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="one JSON object, or one per line (default: standard input)",
    )
    battle.add_argument("--ruleset", choices=tuple(RULESETS), default="document", help="(default: %(default)s)")
    battle.add_argument("--json", action="store_true", help="print one JSON line per battle")


def run(args: Namespace) -> int:
    """Print a report of each battle; print nothing if any input is invalid."""
    if args.file == "-" and sys.stdin.isatty():
        return _fail("name a FILE with a battle, or pipe one to standard input (--help has an example)", 2)
    ruleset = RULESETS[args.ruleset]
    try:
        text = sys.stdin.read() if args.file == "-" else Path(args.file).read_text(encoding="utf-8-sig")
        duels = [_parsed(line, value, ruleset) for line, value in _values(text)]
    except OSError as error:
        return _fail(f"cannot read {args.file}: {error.strerror}", 1)
    except UnicodeDecodeError as error:
        return _fail(f"{args.file} is not a text file: {error}", 2)
    except RulesError as error:
        return _fail(str(error), 2)
    if not duels:
        return _fail("the input has no battle", 2)
    for number, duel in enumerate(duels):
        report = fought(duel, ruleset)
        print(report_line(duel, report).decode() if args.json else _page(duel, report, is_first=number == 0))
    return 0


def _values(text: str) -> Iterator[tuple[int, object]]:
    """Yield each JSON value with its line number: one value over many lines, or one per line."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) > 1 and not _is_json(lines[0][1]):
        yield lines[0][0], _decoded(lines[0][0], "\n".join(text.split("\n")[lines[0][0] - 1 :]))
        return
    for number, line in lines:
        yield number, _decoded(number, line)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    except (ValueError, RecursionError):
        return True  # only this line is wrong
    return True


def _decoded(line: int, text: str) -> object:
    try:
        return decoded(text, first_line=line)
    except NoJsonError:
        raise
    except RulesError as error:
        raise RulesError(f"line {line}: {error}") from error


def _parsed(line: int, value: object, ruleset: Ruleset) -> Duel:
    try:
        return mustered(value, ruleset)
    except RulesError as error:
        raise RulesError(f"line {line}: {error}") from error


def _page(duel: Duel, report: BattleReport, *, is_first: bool) -> str:
    title = f"{duel.order.id}\n\n" if duel.order.id is not None else ""
    return ("" if is_first else f"\n{_RULE}\n\n") + title + tell(report, duel.attacker, duel.defender)


def _fail(message: str, code: int) -> int:
    print(f"warroom thardferr battle: {message}", file=sys.stderr)
    return code
