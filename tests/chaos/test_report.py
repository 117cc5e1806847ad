"""The report of a run: counts, figures, exit code, and the place of the logs."""

import json
from pathlib import Path

import pytest

from warroom_chaos.audit import Count, Damage
from warroom_chaos.commands.chaos import conclude
from warroom_chaos.fault_injector import InjectedFault
from warroom_chaos.fault_plan import Fault
from warroom_chaos.report import COUNTS, Figures, Report

FIGURES = Figures(
    seed=7,
    nodes=3,
    tables=4,
    seconds=12.0,
    matches=9,
    actions=400,
    refused=2,
    duplicated=30,
    lost_messages=4,
    expired=0,
    late_leases=0,
    takeover_ms=list(range(1, 201)),
    drain_pause_ms=[300],
    placed=5,
)
KILL = InjectedFault(Fault(0, "kill", 0), 5.0, 8.0)


def _report(folder: Path, *damages: Damage) -> Report:
    return Report(FIGURES, damages, [KILL], str(folder))


def test_a_run_without_damage_ends_with_0_and_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    assert conclude(_report(folder), folder, as_json=True, keeps_logs=False) == 0
    told = json.loads(capsys.readouterr().out)
    expected: dict[str, object] = {"ok": True, "actions": 400, **dict.fromkeys(COUNTS, 0), "faults": 1}
    assert {name: told[name] for name in expected} == expected
    assert (told["takeover_ms_p99"], told["drain_pause_ms_p99"]) == (199, 300)
    assert (told["duplicated"], told["lost_messages"]) == (30, 4)
    assert told["placed"] == 5
    assert not folder.exists()


@pytest.mark.parametrize("count", COUNTS)
def test_any_damage_exits_with_1_is_reported_and_keeps_the_logs(
    count: Count, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage = Damage(count=count, why="planted", room="2h0bc34", seat=1, sent_s=6.0)
    assert conclude(_report(tmp_path, damage), tmp_path, as_json=True, keeps_logs=False) == 1
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert {name: told[name] for name in COUNTS} == {**dict.fromkeys(COUNTS, 0), count: 1}
    assert (told["ok"], told["logs"], told["damages"][0]["faults"]) == (False, str(tmp_path), ["5.0 s " + _told(KILL)])
    assert f"{count}: room 2h0bc34, seat 1, sent at 6.000 s: planted" in err
    assert json.loads((tmp_path / "report.json").read_text()) == told


def _told(each: InjectedFault) -> str:
    return f"{each.fault}, until 8.0 s"


def test_the_text_report_says_that_nothing_was_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert conclude(_report(tmp_path), tmp_path, as_json=False, keeps_logs=True) == 0
    told = capsys.readouterr().out
    assert "30 actions sent twice, 4 messages between nodes lost" in told
    assert told.endswith("Nothing was lost.\n")
    assert (tmp_path / "report.json").exists()
