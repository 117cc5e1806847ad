"""Measure Warroom on this machine: `./dev bench peers`, `rules`, `learning`, `page` or `work`.

`peers` compares the server with Colyseus, boardgame.io and a C server (`./dev bench peers --help`); `rules` plays
random matches of every game on one core; `learning` steps the environments for programs that learn; `page` opens the
page in a browser; `work` counts what a room does per action.

Figures of one machine at one moment are noisy: compare them as ratios within one run.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "clients" / "js" / "tools"))
sys.path.insert(2, str(Path(__file__).resolve().parent.parent / "clients" / "web" / "tools"))

from benchmarks import learning, page, rules
from benchmarks.peers import command as peers
from benchmarks.work import count_work


def main(arguments: Sequence[str]) -> int:
    """Run one benchmark; return the exit code."""
    if arguments[:1] == ["peers"]:
        return peers.main(arguments[1:])
    parser = argparse.ArgumentParser(
        prog="./dev bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("peers", "rules", "learning", "page", "work"))
    parser.add_argument("--quick", action="store_true", help="a fifth of the time")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    options = parser.parse_args(arguments)
    if options.what == "rules":
        rules.report(rounds=rules.QUICK_ROUNDS if options.quick else rules.ROUNDS, as_json=options.json)
        return 0
    if options.what == "learning":
        rounds = learning.QUICK_ROUNDS if options.quick else learning.ROUNDS
        learning.report(rounds=rounds, as_json=options.json)
        return 0
    if options.what == "page":
        return page.report(visits=page.VISITS // 4 if options.quick else page.VISITS, as_json=options.json)
    _show_work(as_json=options.json)
    return 0


def _show_work(*, as_json: bool) -> None:
    counted = count_work()
    if as_json:
        print(json.dumps(counted.as_dict()))
        return
    print(f"the work of a room of five, counted over a match of {counted.actions} actions")
    for name, value in counted.as_dict().items():
        if name != "actions":
            print(f"  {value:>10}  {name.replace('_', ' ')} per action")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
