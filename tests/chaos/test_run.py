"""The whole kit on real processes: a short run each time, longer and bigger ones in the deep tests."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

WARROOM = Path(sys.executable).with_name("warroom")
COUNTS = ("lost", "doubled", "aborted", "unverified", "self_takeovers")


def _chaos(*arguments: str) -> dict[str, Any]:
    done = subprocess.run([WARROOM, "chaos", "--json", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _assert_well(report: dict[str, Any]) -> None:
    assert {count: report[count] for count in COUNTS} == dict.fromkeys(COUNTS, 0)
    assert report["ok"] is True


@pytest.mark.timeout(300)
@pytest.mark.parametrize("nodes", [3])
def test_a_short_run_loses_nothing(nodes: int, tmp_path: Path) -> None:
    report = _chaos("--nodes", str(nodes), "--matches", "4", "--seconds", "12", "--seed", "12", "--logs", str(tmp_path))
    _assert_well(report)
    assert report["faults_by_kind"].keys() >= {
        "kill",
        "drain",
        "restart_store",
        "delay_store",
        "duplicate",
        "jump_clock",
    }
    assert report["takeovers"] > 0
    assert report["actions"] > 0
    assert json.loads((tmp_path / "report.json").read_text()) == report


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("nodes", "seed"), [(1, 1), (2, 2), (3, 3), (3, 4)])
def test_a_longer_run_loses_nothing(nodes: int, seed: int, tmp_path: Path) -> None:
    report = _chaos(
        "--nodes", str(nodes), "--matches", "40", "--seconds", "60", "--seed", str(seed), "--logs", str(tmp_path)
    )
    _assert_well(report)
    assert len(report["faults_by_kind"]) >= 9
