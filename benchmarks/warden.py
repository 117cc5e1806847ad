"""What each rule of the document costs Timberwall's warden: matches against `greedy` without one rule at a time.

The same seed plays the same matches on every machine. Each map is played twice, once from either seat.

    .venv/bin/python benchmarks/warden.py --matches 200 --write docs/rules/BALANCE.md
"""

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from warroom_bots.api import BotKind
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_bots.games.timberwall.warden import WardenBot
from warroom_bots.registry import find_bot
from warroom_bots.simulation import simulate
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State

BEGIN, END = "<!-- study: warden -->", "<!-- end of study -->"
"""Between these lines `--write` puts the table."""


class Outcome(NamedTuple):
    """How a match ended for the warden: its share of the victory, and why."""

    won: float
    ended: str


def warden(ignored: frozenset[Rule]) -> BotKind:
    """Return a warden without some of its rules."""
    return BotKind(name="warden", game="timberwall", summary="", make=lambda _: WardenBot(ignored))


def played(ignored: frozenset[Rule], seed: str, number: int) -> Outcome:
    """Play one match: the numbers 2n and 2n + 1 have the same map and the warden in another seat."""
    seat = number % 2
    bots = [warden(ignored), find_bot("timberwall", "greedy")]
    match = simulate(GAME, bots if seat == 0 else bots[::-1], seed=f"{seed} {number // 2}").match
    state = match.state
    assert match.result is not None
    assert isinstance(state, State)
    own, other = match.result.ranks[seat], match.result.ranks[1 - seat]
    return Outcome((1 + (own < other) - (own > other)) / 2, str(state.table.ended))


def row(name: str, outcomes: list[Outcome]) -> str:
    """Return a line of the table: victories by reason, and defeats by reason."""
    ends = Counter((outcome.ended, outcome.won) for outcome in outcomes)
    won = sum(outcome.won for outcome in outcomes)
    counts = [ends[reason, share] for share in (1.0, 0.0) for reason in ("base", "forests", "cap")]
    return "| " + " | ".join([name, f"{won / len(outcomes):.1%}", *map(str, counts)]) + " |"


def table(rules: list[frozenset[Rule]], matches: int, seed: str, processes: int) -> str:
    """Play all matches and return the table."""
    rows = []
    with ProcessPoolExecutor(processes) as pool:
        for ignored in rules:
            outcomes = list(pool.map(partial(played, ignored, seed), range(matches), chunksize=4))
            rows.append(row("without " + ", ".join(sorted(ignored)) if ignored else "every rule", outcomes))
            print(rows[-1], flush=True)
    doubt = 1 / sqrt(matches)
    head = [
        f"{matches} matches a line against `greedy`, seed `{seed}`; chance moves a share by ± {doubt:.1%}.",
        "",
        "| Rules | won | by base | by forests | at the cap | lost by base | by forests | at the cap |",
        "|---" * 8 + "|",
    ]
    return "\n".join([*head, *rows])


def write(path: Path, text: str) -> None:
    """Put a table into its place on a page."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"{path} has no lines {BEGIN} and {END}")
    path.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def main() -> None:
    """Play the study."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=200, metavar="N", help="matches a line (default: 200)")
    parser.add_argument("--seed", default="1", metavar="TEXT", help="the same seed plays the same matches (default: 1)")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("--whole", action="store_true", help="only the warden with every rule")
    parser.add_argument(
        "--without", type=Rule, action="append", metavar="RULE", help="only this rule switched off (repeatable)"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into its place in FILE")
    args = parser.parse_args()
    chosen: list[Rule] = args.without or ([] if args.whole else list(Rule))
    lines = [frozenset[Rule](), *(frozenset({rule}) for rule in chosen)]
    text = table(lines, args.matches, args.seed, args.processes)
    if args.write is not None:
        write(args.write, text)


if __name__ == "__main__":
    main()
