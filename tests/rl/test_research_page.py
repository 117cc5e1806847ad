"""docs/RESEARCH.md: its code runs, what it shows is so, and its example learns."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from warroom_rl.__main__ import main as describe
from warroom_rl.action_spaces import MOST_INDICES
from warroom_rl.description import described
from warroom_rl.domains import MOST_VALUES
from warroom_rl.setting import setting_of
from warroom_server.cli import main as warroom

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "RESEARCH.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
SHOWN = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
LEARN = next(line for line in TEXT.splitlines() if "learn.py four_corners" in line)
POINT = re.compile(r"(\d+) matches +\d+ s  reward ([+-]\d\.\d\d)")


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_program_on_the_page_runs(number: int, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAMS[number], encoding="utf-8")
    ran = subprocess.run([sys.executable, "-W", "error", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout


def test_the_spaces_on_the_page_are_those_of_the_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = re.search(r"python -m warroom_rl (\S+)\n", TEXT)
    assert command
    monkeypatch.setattr(sys, "argv", ["python -m warroom_rl", command[1]])
    assert describe() == 0
    assert capsys.readouterr().out == SHOWN[0]


def test_factors_are_shown_with_the_types_that_use_them() -> None:
    lines = list(described(setting_of("tile_blitz", 2, None)))
    assert lines[1:4] == [
        "action: a vector of 9 factors",
        "  0            type 6: build_infantry, build_tank, move, march, attack, end_turn",
        "  1            tile 49: build_infantry, build_tank",
    ]


@pytest.mark.parametrize(
    "arguments", [["chess"], ["strata", "--seats", "3"], ["strata", "--option", "speed=1"]], ids=str
)
def test_bad_arguments_get_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["python -m warroom_rl", *arguments])
    assert describe() == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("python -m warroom_rl: ")
    assert printed.err.count("\n") == 1


@pytest.fixture
def four_corners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Write the game of the page and return its folder."""
    assert warroom(["new-game", "four_corners", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    return tmp_path / "four_corners"


def test_a_new_game_has_the_bounds_of_the_page(four_corners: Path) -> None:
    assert SHOWN[1] in (four_corners / "four_corners" / "rules.py").read_text(encoding="utf-8")


def learn(package: Path, folder: Path, matches: int) -> tuple[list[tuple[int, float]], Path]:
    """Run the command of the page with so many matches; return the points of the curve and the picture."""
    path, _, script, game, *options = LEARN.split()
    assert path == "PYTHONPATH=four_corners"
    options[options.index("--matches") + 1] = str(matches)
    environment = {**os.environ, "PYTHONPATH": str(package), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "error", str(ROOT / script), game, *options, "--points", "5"]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    points = [(int(number), float(reward)) for number, reward in POINT.findall(ran.stdout)]
    return points, folder / options[options.index("--svg") + 1]


def test_the_example_plays_and_draws_its_curve(four_corners: Path, tmp_path: Path) -> None:
    points, picture = learn(four_corners, tmp_path, 100)
    assert [number for number, _ in points] == list(range(0, 101, 20))
    drawn = ElementTree.parse(picture).getroot()
    (line,) = drawn.iter("{http://www.w3.org/2000/svg}polyline")
    assert len(line.attrib["points"].split()) == len(points)


@pytest.mark.long
def test_the_example_learns(four_corners: Path, tmp_path: Path) -> None:
    points, _ = learn(four_corners, tmp_path, 6_000)
    assert points[0][1] < 0.4
    assert max(reward for _, reward in points) > 0.75


def test_the_example_refuses_games_with_factors(tmp_path: Path) -> None:
    script = ROOT / "clients" / "examples" / "learn.py"
    ran = subprocess.run(
        [sys.executable, script, "tile_blitz"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.endswith("the actions of tile_blitz have factors; this example learns games with indices\n")


def test_the_page_names_the_limit_of_indices() -> None:
    assert f"at most {MOST_INDICES:,} actions" in TEXT
    assert f"at most {MOST_VALUES:,} values" in TEXT
