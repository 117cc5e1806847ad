"""`warroom thardferr battle`."""

import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from warroom_games.thardferr.forces import Force
from warroom_server.cli import main

GOLDEN = Path(__file__).parents[1] / "golden/thardferr"
PAGE = (Path(__file__).parents[2] / "docs/rules/thardferr.md").read_text(encoding="utf-8")
KNIGHTS: dict[str, Any] = {"race": "human", "army": {"Knight": 30}}
ORCS: dict[str, Any] = {"race": "orc", "army": {"Rusher": 100}}
BATTLE = {"attacker": KNIGHTS, "defender": ORCS}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["thardferr", "battle", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.mark.parametrize("ruleset", ["document", "calculator"])
def test_a_file_of_known_battles_gives_the_known_results(
    ruleset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = gzip.decompress((GOLDEN / "edge.jsonl.gz").read_bytes())
    path = tmp_path / "battles.jsonl"
    path.write_bytes(lines)
    code, out, _ = run(capsys, "--json", "--ruleset", ruleset, str(path))
    assert code == 0
    reports, cases = [list(map(json.loads, text.splitlines())) for text in (out, lines.decode())]
    assert len(reports) == len(cases) == 86
    for report, case in zip(reports, cases, strict=True):
        expected = case[ruleset]
        phases = [{name: phase[name] for name in expected["phases"][0]} for phase in report["phases"]]
        assert {**{name: report[name] for name in expected}, "phases": phases} == expected
        assert report["id"] == case["id"]


def test_a_report_in_json_has_every_field(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, json.dumps(BATTLE))
    code, out, _ = run(capsys, "--json")
    report = json.loads(out)
    assert code == 0
    assert set(report) >= {
        "winner", "scaled_defender_army", "phases", "attacker_before_healing", "defender_before_healing",
        "attacker_healing", "defender_healing", "attacker_final", "defender_final", "ks", "tegc",
    }  # fmt: skip
    assert report["stats"]["defender"] == {"Rusher": {"range": 0.0, "short": 0.0, "melee": 4.0, "defence": 3.0}}
    assert set(report["phases"][0]["stacks"][0]) >= {"raw", "mitigation", "reduction", "defence", "lost", "effects"}
    assert (report["ks"], report["tegc"]) == ({"attacker": 75, "defender": 250}, {"attacker": 51900, "defender": 58300})


@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "many lines"])
@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "wrapped"])
def test_one_object_may_be_written_in_any_shape(
    indent: int | None, wrapped: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    value = {"input": BATTLE, "expected": None} if wrapped else BATTLE
    typed(monkeypatch, "\n" + json.dumps(value, indent=indent) + "\n")
    code, out, _ = run(capsys, "--json", "-")
    assert (code, len(out.splitlines())) == (0, 1)


def test_without_json_the_battles_are_described(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "\n".join(json.dumps({**BATTLE, "id": name}) for name in ("first", "second")))
    code, out, _ = run(capsys)
    assert code == 0
    assert out.startswith("first\n\nhuman (no strategy) attacks orc (no strategy)")
    assert out.count("Round 1, melee") == 2
    assert "\n\n" + "=" * 100 + "\n\nsecond\n" in out


def test_more_rounds_may_be_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, json.dumps({**BATTLE, "max_rounds": 5}))
    _, out, _ = run(capsys, "--json")
    report = json.loads(out)
    assert (report["ended_by"], len(report["phases"])) == ("retreat", 3 * report["rounds"])


def test_the_example_on_the_rules_page_is_what_it_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    section = PAGE.split("### The calculator")[1].split("## 8.")[0]
    (battle,) = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    (report,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    typed(monkeypatch, battle)
    assert run(capsys) == (0, report, "")
    typed(monkeypatch, battle)
    _, out, _ = run(capsys, "--json")
    written = json.loads(out)
    phase = written["phases"][0]
    fields = [*Force.__struct_fields__, *written, *phase, *phase["stacks"][0]]
    assert [name for name in fields if f"`{name}`" not in section] == []


def test_the_example_of_the_help_can_be_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["thardferr", "battle", "--help"])
    assert left.value.code == 0
    _, example = capsys.readouterr().out.split("example:\n")
    typed(monkeypatch, example.split("'")[1])
    assert run(capsys)[0] == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "the input has no battle", id="nothing"),
        pytest.param("{", "line 1, column 2: Expecting property name", id="no JSON"),
        pytest.param(
            json.dumps(BATTLE) + "\n\n{oops}",
            "line 3, column 2: Expecting property name .* at 'oops}'",
            id="third line",
        ),
        pytest.param('{\n "attacker": {},\n oops\n}', "line 3, column 2: .* at 'oops'", id="inside one object"),
        pytest.param("[" * 100_000, "line 1: nested too deep|line 1, column", id="a tower"),
        pytest.param("[1]", r"line 1: the battle must be a map, got \[1\]", id="no object"),
        pytest.param(
            json.dumps({**BATTLE, "attacker": {**KNIGHTS, "army": {"Knight": -3}}}),
            "line 1: attacker: army: 'Knight' must be a whole number from 0 to 1000000000, got -3",
            id="a value",
        ),
        pytest.param(
            json.dumps(BATTLE) + "\n" + json.dumps({**BATTLE, "defender": {**ORCS, "race": "ork"}}),
            "line 2: defender: unknown race 'ork'; did you mean 'orc'",
            id="a name",
        ),
        pytest.param(
            json.dumps({**BATTLE, "attacker": {**KNIGHTS, "strategy": ""}}),
            "line 1: attacker: unknown strategy ''; did you mean",
            id="a strategy without a name",
        ),
        pytest.param(
            json.dumps(BATTLE).replace("30", "9" * 5000), "line 1: a number is too long", id="thousands of digits"
        ),
        pytest.param(
            json.dumps(BATTLE).replace("30", "NaN"),
            "'Knight' must be a whole number from 0 to 1000000000, got NaN",
            id="not a number",
        ),
        pytest.param("[" * 100_000 + "\n{}", "line 1: nested too deep|line 1, column", id="a tower over a hut"),
        pytest.param('{"a": 1, "a": 2}', "line 1: 'a' is given twice", id="twice"),
    ],
)
def test_an_error_names_line_and_value_and_no_battle_runs(
    text: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, text)
    code, out, err = run(capsys, "--json")
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert re.search(says, line)


def test_a_file_may_begin_with_a_mark_of_its_encoding_and_hold_any_character(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "battle.json"
    path.write_text(json.dumps({"input": BATTLE, "note": "\u2028"}, ensure_ascii=False), encoding="utf-8-sig")
    code, out, _ = run(capsys, "--json", str(path))
    assert (code, len(out.splitlines())) == (0, 1)


def test_a_missing_file_fails_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, str(tmp_path / "nowhere"))
    assert (code, len(err.splitlines())) == (1, 1)
    assert "nowhere: No such file or directory" in err


def test_a_binary_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bytes"
    path.write_bytes(b"\xff\xfe{}")
    code, _, err = run(capsys, str(path))
    assert code == 2
    assert "is not a text file" in err


@pytest.mark.parametrize("arguments", [[], ["war"], ["battle", "--ruleset", "house"]], ids=["none", "tool", "ruleset"])
def test_usage_is_explained(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["thardferr", *arguments])
    assert stopped.value.code == 2
    assert "usage: warroom thardferr" in capsys.readouterr().err


def test_a_terminal_without_a_battle_file_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Keyboard())
    assert main(["thardferr", "battle"]) == 2
    assert "name a FILE with a battle" in capsys.readouterr().err
