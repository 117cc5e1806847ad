"""How many battles of Thardferr one core fights in a second, with full reports, and what a report costs as JSON."""

import argparse
import gzip
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from warroom_games.thardferr.battle import battle
from warroom_games.thardferr.orders import Order, read_order
from warroom_games.thardferr.reports import BattleReport
from warroom_games.thardferr.rulesets import RULESETS, RulesetName

GOLDEN = Path(__file__).parent.parent / "tests" / "golden" / "thardferr"


def orders() -> list[Order]:
    """Return every battle of the known results."""
    lines = [gzip.decompress((GOLDEN / f"{name}.jsonl.gz").read_bytes()) for name in ("public", "edge")]
    return [read_order(json.loads(line)) for text in lines for line in text.splitlines()]


def per_second(fight: Callable[[Order], object], battles: list[Order], seconds: float) -> float:
    """Return how often *fight* runs in a second of this process's CPU time."""
    fought, began_s = 0, time.process_time()
    while (spent_s := time.process_time() - began_s) < seconds:
        for order in battles:
            fight(order)
        fought += len(battles)
    return fought / spent_s


def report(ruleset: RulesetName, order: Order) -> BattleReport:
    return battle(order.attacker, order.defender, ruleset=ruleset)


def report_json(ruleset: RulesetName, order: Order) -> bytes:
    return msgspec.json.encode(report(ruleset, order))


def main(seconds: float) -> None:
    battles = orders()
    largest = [order for order in battles if min(len(order.attacker.army), len(order.defender.army)) == 6]
    print(f"{'ruleset':<12}{'battles':<24}{'report':>12}{'and JSON':>12}   a second, one core")
    for ruleset in RULESETS:
        for name, chosen in ((f"all {len(battles)}", battles), (f"six units a side ({len(largest)})", largest)):
            plain = per_second(partial(report, ruleset), chosen, seconds)
            written = per_second(partial(report_json, ruleset), chosen, seconds)
            print(f"{ruleset:<12}{name:<24}{plain:>12,.0f}{written:>12,.0f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long to measure each case (default 2)")
    main(parser.parse_args().seconds)
