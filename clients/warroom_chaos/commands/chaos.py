"""`warroom chaos`: inject faults into a cluster while bots play on it, and check that nothing was lost."""

import asyncio
import logging
import shutil
import sys
import tempfile
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from warroom_chaos.event_loop import loop_factory
from warroom_chaos.fault_plan import KINDS, make_plan
from warroom_chaos.processes import ProcessError
from warroom_chaos.report import Report
from warroom_chaos.run import Progress, RunSettings
from warroom_chaos.run import run as run_cluster

SUMMARY = "inject faults into a cluster while bots play on it, and check that nothing was lost"
EXAMPLE = "warroom chaos --nodes 3 --matches 20 --seconds 30 --seed 7"

MOST_NODES: Final = 9
MOST_MATCHES: Final = 2_000
_EVERY_S: Final = 5.0
_CLEAR: Final = "\r\x1b[K"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "--nodes", type=_whole(1, MOST_NODES), default=3, metavar="N", help="number of nodes (default: 3)"
    )
    parser.add_argument(
        "--matches", type=_whole(1, MOST_MATCHES), default=20, metavar="M", help="concurrent matches (default: 20)"
    )
    parser.add_argument("--seconds", type=_seconds, default=30.0, metavar="S", help="duration (default: 30)")
    parser.add_argument("--seed", type=int, default=1, metavar="K", help="seed of the fault plan (default: 1)")
    parser.add_argument(
        "--only",
        type=_kinds,
        default=KINDS,
        metavar="KIND,...",
        help=f"only these faults (of: {', '.join(KINDS)}; default: all); lose_message drops one message between two"
        " nodes together with their connection",
    )
    parser.add_argument("--plan", action="store_true", help="only print the fault plan of the seed")
    parser.add_argument("--logs", metavar="DIR", help="keep the logs here (default: only after a failure)")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: Namespace) -> int:
    """Run, and return 0 only if nothing was damaged."""
    if args.plan:
        for fault in make_plan(args.seed, nodes=args.nodes, seconds=args.seconds, kinds=args.only):
            print(f"{fault.at_ms / 1000:6.1f} s  {fault}")
        return 0
    settings = RunSettings(
        nodes=args.nodes, matches=args.matches, seconds=args.seconds, seed=args.seed, kinds=args.only
    )
    folder = Path(args.logs or tempfile.mkdtemp(prefix="warroom-chaos-")).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    logging.getLogger("warroom_client").setLevel(logging.ERROR)  # broken connections are expected here
    show = _Live() if sys.stderr.isatty() else _Plain()
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            report = runner.run(run_cluster(settings, folder, show.tell))
    except ProcessError as error:
        print(f"warroom chaos: {error}", file=sys.stderr)
        return 1
    finally:
        show.end()
    return conclude(report, folder, as_json=args.json, keeps_logs=args.logs is not None)


def conclude(report: Report, folder: Path, *, as_json: bool, keeps_logs: bool) -> int:
    """Print and save the findings; return 0 only if nothing was damaged. Logs of a failed run are always kept."""
    (folder / "report.json").write_bytes(msgspec.json.encode(report.as_json()))
    _print(report, as_json=as_json)
    if report.is_well and not keeps_logs:
        shutil.rmtree(folder)
    return 0 if report.is_well else 1


def _print(report: Report, *, as_json: bool) -> None:
    if not as_json:
        print(report.as_text())
        return
    print(msgspec.json.encode(report.as_json()).decode())
    if not report.is_well:
        print(report.as_text(), file=sys.stderr)


class _Plain:
    """Prints a line every few seconds, for files and pipes."""

    def __init__(self) -> None:
        self._next_s = 0.0
        self._phase = ""

    def tell(self, progress: Progress) -> None:
        if progress.phase != self._phase or progress.at_s >= self._next_s:
            self._phase, self._next_s = progress.phase, progress.at_s + _EVERY_S
            print(_line(progress), file=sys.stderr, flush=True)

    def end(self) -> None:
        """Do nothing."""


class _Live:
    """Updates one line on a terminal."""

    def tell(self, progress: Progress) -> None:
        width = shutil.get_terminal_size().columns - 1
        print(f"{_CLEAR}{_line(progress)[:width]}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print(_CLEAR, end="", file=sys.stderr, flush=True)


def _line(progress: Progress) -> str:
    now = f"; now: {', '.join(progress.current)}" if progress.current else ""
    return (
        f"{progress.phase} {progress.at_s:5.1f} s  {progress.finished} matches over, "
        f"{progress.accepted} actions, {progress.faults} faults{now}"
    )


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ArgumentTypeError(f"expected a whole number from {least} to {most}, got {text!r}")
        return int(text)

    return read


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    for kind in kinds:
        if kind not in KINDS:
            raise ArgumentTypeError(f"unknown fault {kind!r}; choose from {', '.join(KINDS)}")
    return kinds


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError as error:
        raise ArgumentTypeError(f"expected seconds, got {text!r}") from error
    if not 1 <= seconds <= 86_400:
        raise ArgumentTypeError(f"expected from 1 to 86400 seconds, got {text!r}")
    return seconds
