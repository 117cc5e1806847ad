"""What is under deploy/: each file is judged by the tool of its kind, without an engine that would run it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documented_commands import ROOT

DEPLOY = ROOT / "deploy"
BIN = Path(sys.executable).parent
UNIT = DEPLOY / "warroom.service"


def _run(*command: object) -> str:
    """Run a tool that is expected to find nothing wrong, and return what it says."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def _settings() -> set[str]:
    listed = json.loads(_run(BIN / "warroom", "config", "--json"))
    return {setting["variable"] for setting in listed}


def test_the_dockerfile_is_as_its_linter_wants_it() -> None:
    assert _run(BIN / "hadolint", DEPLOY / "Dockerfile") == ""


def test_the_image_runs_as_nobody_in_particular_and_says_whether_it_is_healthy() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    last = text.rpartition("\nFROM ")[2]
    assert re.search(r"^USER (\d+):\d+$", last, re.MULTILINE)
    assert "HEALTHCHECK" in last
    assert text.count("\nFROM ") == 2


def test_everything_that_is_copied_into_the_image_is_there_and_let_through() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    let_through = {
        line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line.startswith("!")
    }
    sources = {
        source for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE) for source in line.split()[:-1]
    }
    assert sources == let_through
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_the_compose_file_follows_the_specification() -> None:
    _run(BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


@pytest.mark.parametrize("name", ["compose.yaml", "Dockerfile", "warroom.service"])
def test_every_setting_that_is_named_exists(name: str) -> None:
    named = set(re.findall(r"WARROOM_[A-Z_]+", (DEPLOY / name).read_text(encoding="utf-8")))
    assert named - _settings() == set()


def test_whatever_the_unit_sets_can_be_set_otherwise_in_its_file() -> None:
    """Flags would beat the file; what `Environment=` says does not."""
    text = UNIT.read_text(encoding="utf-8")
    assert re.findall(r"^ExecStart=\S+ (.*)$", text, re.MULTILINE) == ["serve"]
    own = dict(pair.split("=", 1) for pair in " ".join(re.findall(r"^Environment=(.*)$", text, re.MULTILINE)).split())
    assert (own["WARROOM_WORKERS"], own["WARROOM_DATA"]) == ("2", "%S/warroom")
    file = {"WARROOM_WORKERS": "3"}
    command = [str(BIN / "warroom"), "config", "--json"]
    run = subprocess.run(command, env={**own, **file}, capture_output=True, text=True, check=True)
    assert {one["variable"]: one["value"] for one in json.loads(run.stdout)}["WARROOM_WORKERS"] == 3


@pytest.mark.long
def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    text = UNIT.read_text(encoding="utf-8")
    program = re.search(r"^ExecStart=(\S+) serve", text, re.MULTILINE)
    assert program is not None
    installed = tmp_path / UNIT.name
    installed.write_text(text.replace(program[1], str(BIN / "warroom")), encoding="utf-8")
    assert _run("systemd-analyze", "verify", "--man=no", installed) == ""
