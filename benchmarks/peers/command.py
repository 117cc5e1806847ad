"""Measure Warroom beside Colyseus, boardgame.io and a C server that does the least: `./dev bench peers`.

All servers stay up and are measured in turn, round by round; a ratio compares the servers' CPU time within one round.
Then Warroom alone: clocks, resumes, games, growth, and where its time goes.
"""

import argparse
import resource
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import msgspec

from benchmarks.peers.alone import FULL as ALONE_FULL
from benchmarks.peers.alone import LOADS as ALONE_LOADS
from benchmarks.peers.alone import QUICK as ALONE_QUICK
from benchmarks.peers.alone import Alone, measure_alone
from benchmarks.peers.contestants import Contestant, all_contestants, pin_load
from benchmarks.peers.document import write_documents
from benchmarks.peers.generator import LoadError
from benchmarks.peers.machine import describe_machine, describe_versions, has_c_part
from benchmarks.peers.results import RATIOS, Run, ratio_of
from benchmarks.peers.rounds import Comparison, Effort, compare
from benchmarks.peers.tables import TITLES, all_tables, as_text
from benchmarks.peers.tools import HERE, ToolError, compiled, install_peers
from benchmarks.processes import ServerError
from benchmarks.tiles49 import SEATS

FULL = Effort(5, 5, {"rooms": 4, "single": 2, "fanout": 2})
QUICK = Effort(3, 5, {"rooms": 2, "single": 1, "fanout": 1})
NODE_PEERS = ("colyseus", "boardgameio")
DOCS = HERE.parent.parent / "docs"
MOST_ROUNDS = 100
STARTED_S = time.monotonic()


def main(arguments: Sequence[str]) -> int:
    """Measure, or show an earlier run; return the exit code."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _stop)
    try:
        run = _load(options.show) if options.show else measure(options)
        if options.json:
            options.json.write_bytes(msgspec.json.format(msgspec.json.encode(run)) + b"\n")
        if options.write_docs:
            write_documents(run, DOCS)
        print("\n\n".join([*map(as_text, all_tables(run)), *run.notes]))
    except (ToolError, LoadError, ServerError, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("bench: interrupted", file=sys.stderr)
        return 130
    return 0


def measure(options: argparse.Namespace) -> Run:
    """Run what the options ask for."""
    compiled("load")  # before anything that takes long
    machine = describe_machine()
    _raise_open_files()
    pin_load()
    notes: list[str] = []
    found, alone = Comparison(), Alone()
    effort = QUICK if options.quick else FULL
    chosen = {load: seconds for load, seconds in effort.seconds.items() if _is_wanted(load, options.load)}
    if chosen:
        effort = Effort(options.rounds or effort.rounds, effort.warm_up_s, chosen)
        found = compare(_contestants(options.only, notes), effort, senders=options.senders, say=say)
    wanted = [load for load in ALONE_LOADS if _is_wanted(load, options.load) and (options.load or not options.only)]
    if wanted:
        alone = measure_alone(ALONE_QUICK if options.quick else ALONE_FULL, wanted, say)
    return summarize(found, alone, machine, _command(options), notes + alone.failures)


def summarize(found: Comparison, alone: Alone, machine: dict[str, str], command: str, notes: list[str]) -> Run:
    """Return everything that was measured as one run."""
    memory = found.kb_per_connection.get("warroom_memory")
    figures = {
        "kb_per_connection": None if memory is None else round(memory, 2),
        "lateness_p99_ms": None if alone.deadlines is None else alone.deadlines.p99_ms,
        "resumes_s": None if alone.resumes is None else round(alone.resumes.all_back_s, 3),
        "verdict_ms_over_append": found.verdict_ms_over_append(),
    }
    return Run(
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        command=command,
        machine=machine,
        versions=describe_versions(),
        notes=notes,
        ratios={ratio.name: ratio_of(ratio, found.samples) for ratio in RATIOS},
        figures=figures,
        servers=found.costs(),
        append_ms=found.append_ms(),
        deadlines=alone.deadlines,
        resumes=alone.resumes,
        games=alone.games,
        playouts=alone.playouts,
        growth=alone.growth,
        profile=alone.profile,
    )


def say(text: str) -> None:
    """Report progress, with the seconds since the start."""
    print(f"{time.monotonic() - STARTED_S:5.0f} s  {text}", file=sys.stderr, flush=True)


def _contestants(only: Sequence[str], notes: list[str]) -> list[Contestant]:
    """Return the servers to measure, without those whose packages cannot be installed."""
    contestants = all_contestants()
    wanted = list(only or contestants)
    if not has_c_part() and {"warroom_memory", "warroom_python"} <= set(wanted):
        notes.append("Warroom's C part is not built here: with and without C is the same build.")
        say(notes[-1])
    if set(wanted) & set(NODE_PEERS):
        try:
            say("installing Colyseus and boardgame.io, unless they are installed")
            install_peers()
        except ToolError as error:
            notes.append(f"Colyseus and boardgame.io were left out: {error}.")
            say(notes[-1])
            wanted = [name for name in wanted if name not in NODE_PEERS]
    return [contestants[name] for name in contestants if name in wanted]


def _is_wanted(load: str, only: Sequence[str]) -> bool:
    return not only or load in only


def _load(path: Path) -> Run:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Run)
    except msgspec.DecodeError as error:
        raise ToolError(f"{path} is not the JSON of a run: {error}") from error


def _command(options: argparse.Namespace) -> str:
    """Return the command that measures the same; where its output went does not matter."""
    words = ["./dev bench peers", *(["--quick"] if options.quick else [])]
    words += [f"--rounds {options.rounds}"] if options.rounds else []
    words += [f"--senders {options.senders}"] if options.senders != SEATS else []
    words += [f"--load {load}" for load in options.load] + [f"--only {name}" for name in options.only]
    return " ".join(words)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev bench peers", description=__doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="3 short rounds, under 6 minutes on a quiet machine")
    add("--json", type=_writable, metavar="FILE", help="write everything to FILE, too")
    add("--write-docs", action="store_true", help="write tables and plot into docs/")
    add("--show", type=Path, metavar="FILE", help="show the run in FILE, written by --json, and measure nothing")
    add("--rounds", type=_rounds, metavar="N", help="measure N rounds")
    loads = (*FULL.seconds, *ALONE_LOADS)
    add("--load", action="append", default=[], choices=loads, help="run only this load (repeatable)")
    add("--only", action="append", default=[], choices=tuple(TITLES), help="start only this server (repeatable)")
    add(
        "--senders",
        type=int,
        default=SEATS,
        choices=range(1, SEATS + 1),
        help="how many seats of a room act (default: 5)",
    )
    return parser


def _rounds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_ROUNDS:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST_ROUNDS}, got {text!r}")
    return int(text)


def _writable(text: str) -> Path:
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text} cannot be written: it is a folder, or its folder does not exist")
    return path


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _raise_open_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
