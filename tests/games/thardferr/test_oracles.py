"""Battles whose results are known, in both rulesets: every field of every line is equal, order of units included."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from warroom_games.thardferr.battle import battle
from warroom_games.thardferr.orders import read_order
from warroom_games.thardferr.rulesets import RulesetName

GOLDEN = Path(__file__).parents[2] / "golden/thardferr"
LINES = {"public": 300, "edge": 86}


def cases(name: str) -> list[dict[str, Any]]:
    with gzip.open(GOLDEN / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def fought(case: dict[str, Any], ruleset: RulesetName) -> dict[str, Any]:
    """The report of a case, cut to what the known result tells."""
    order = read_order(case)
    report = msgspec.to_builtins(battle(order.attacker, order.defender, ruleset=ruleset))
    report["phases"] = [{name: phase[name] for name in case[ruleset]["phases"][0]} for phase in report["phases"]]
    return {name: report[name] for name in case[ruleset]}


@pytest.mark.parametrize("ruleset", ["document", "calculator"])
@pytest.mark.parametrize("name", LINES)
def test_every_known_battle_ends_as_it_should(name: str, ruleset: RulesetName) -> None:
    wrong = [case["id"] for case in cases(name) if json.dumps(fought(case, ruleset)) != json.dumps(case[ruleset])]
    assert len(cases(name)) == LINES[name]
    assert wrong == []
