"""Measure the server: `./dev bench`, or `./dev bench --quick` for a first look, `--json` for machines.

`./dev bench rules` measures the rules of the games instead, `./dev bench page` the page in a browser.

Figures of one machine at one moment are noisy: compare them as ratios within one run.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Coroutine
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "clients" / "web" / "tools"))

from benchmarks import page, rules
from benchmarks.loads import Measured, room_with_crowd, rooms_at_play
from benchmarks.work import Counted, count_work

SHOWN = (
    ("actions_per_s", "actions/s", ",.0f"),
    ("cpu_share", "server CPU, of one core", ".0%"),
    ("cpu_us_per_action", "µs of CPU per action", ",.0f"),
    ("cpu_us_per_update", "µs of CPU per delivered update", ",.1f"),
    ("store_cpu_us_per_action", "µs of the store's CPU per action", ",.0f"),
    ("bytes_per_update", "bytes per update", ",.0f"),
    ("memory_kb_per_connection", "kB of memory per connection", ",.1f"),
    ("matches_ended", "matches played to the end", ","),
    ("refused", "actions refused", ","),
)


def main() -> int:
    """Run every load, one after another."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__)
    parser.add_argument(
        "what", nargs="?", choices=("server", "rules", "page"), default="server", help="default: server"
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, 3 seconds each")
    parser.add_argument("--json", action="store_true", help="one JSON object a load or game")
    arguments = parser.parse_args()
    if arguments.what == "rules":
        rules.report(rounds=rules.QUICK_ROUNDS if arguments.quick else rules.ROUNDS, as_json=arguments.json)
        return 0
    if arguments.what == "page":
        return page.report(visits=page.VISITS // 4 if arguments.quick else page.VISITS, as_json=arguments.json)
    counted = count_work()
    if arguments.json:
        print(json.dumps(counted.as_dict()), flush=True)
    else:
        _show_work(counted)
    rooms, viewers, seconds = (20, 100, 3.0) if arguments.quick else (200, 1000, 15.0)
    loads: list[Coroutine[None, None, Measured]] = [
        rooms_at_play(rooms, seconds, think_s=0.2, say=_say),
        rooms_at_play(rooms, seconds, think_s=0, say=_say),
        room_with_crowd(viewers, seconds, think_s=0.2, say=_say),
    ]
    for load in loads:
        measured = asyncio.run(load)
        if arguments.json:
            print(json.dumps(measured.as_dict()), flush=True)
        else:
            _show(measured)
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _show_work(counted: Counted) -> None:
    print(f"the work of a room of five, counted over a match of {counted.actions} actions")
    for name, value in counted.as_dict().items():
        if name != "actions":
            print(f"  {value:>10}  {name.replace('_', ' ')} per action")
    sys.stdout.flush()


def _show(measured: Measured) -> None:
    print(f"\n{measured.load}")
    for field, label, form in SHOWN:
        print(f"  {format(getattr(measured, field), form):>10}  {label}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
