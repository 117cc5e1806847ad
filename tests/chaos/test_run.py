"""The whole kit on real processes: a short run each time, longer and bigger ones in the deep tests."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from warroom_chaos.fault_plan import KINDS, make_plan
from warroom_server.cluster.lease import LEASE_MS

WARROOM = Path(sys.executable).with_name("warroom")
COUNTS = ("lost", "doubled", "aborted", "unverified", "self_takeovers")
FEW = 5
PATIENCE_MS = 15_000
"""Far longer than a room needs to change owners, even on a busy machine."""
SHORT_NODES, SHORT_S, SHORT_SEED = 3, 27, 7161
"""One of the few seeds that have every fault in a short run, with time for links to lose a message."""


def _chaos(**options: object) -> dict[str, Any]:
    arguments = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    done = subprocess.run([WARROOM, "chaos", "--json", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def _assert_well(report: dict[str, Any]) -> None:
    assert {count: report[count] for count in COUNTS} == dict.fromkeys(COUNTS, 0)
    assert report["ok"] is True
    assert report["late_leases"] <= FEW, "what makes nodes renew too late hides what they lose by it"


def test_the_short_run_has_every_fault_and_a_pause_in_which_a_lease_ends() -> None:
    """An owner that continues after others took its rooms is the most dangerous."""
    plan = make_plan(SHORT_SEED, nodes=SHORT_NODES, seconds=SHORT_S)
    assert {fault.kind for fault in plan} == set(KINDS)
    assert all(fault.lasts_ms > LEASE_MS for fault in plan if fault.kind == "pause")


@pytest.mark.timeout(300)
def test_a_short_run_loses_nothing(tmp_path: Path) -> None:
    report = _chaos(nodes=SHORT_NODES, matches=4, seconds=SHORT_S, seed=SHORT_SEED, logs=tmp_path)
    _assert_well(report)
    assert report["faults_by_kind"].keys() == set(KINDS)
    assert report["takeovers"] > 0
    assert report["lost_messages"] > 0
    assert 0 < report["takeover_ms_p99"] < PATIENCE_MS
    assert report["actions"] > 0
    assert json.loads((tmp_path / "report.json").read_text()) == report


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("nodes", "seed"), [(1, 1), (2, 2), (3, 3), (3, 4)])
def test_a_longer_run_loses_nothing(nodes: int, seed: int, tmp_path: Path) -> None:
    report = _chaos(nodes=nodes, matches=40, seconds=60, seed=seed, logs=tmp_path)
    _assert_well(report)
    assert len(report["faults_by_kind"]) >= 9
    if nodes > 1:
        assert 0 < report["takeover_ms_p99"] < PATIENCE_MS
        assert 0 <= report["drain_pause_ms_p99"] < PATIENCE_MS


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_store_that_forgets_gets_everything_again(tmp_path: Path) -> None:
    report = _chaos(nodes=1, matches=20, seconds=30, seed=1, only="rewind_store", logs=tmp_path)
    _assert_well(report)
    assert report["faults_by_kind"]["rewind_store"] > 2
