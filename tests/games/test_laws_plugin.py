"""The plugin for pytest: three lines test every law, failures are told in plain words, other tests are left alone."""

import os
import re
import subprocess
import sys
from pathlib import Path

from warroom_games.conformance import LAWS

SUPPORT = Path(__file__).resolve().parents[1] / "support"

LAW_FILE = """
from warroom_games.laws_plugin import laws_of
from sealed_bids import GAME

test_the_game_keeps_the_law = laws_of(GAME, matches=2)
"""

BROKEN_FILE = """
from warroom_games.laws_plugin import laws_of
from sealed_bids import SealedBids


class Mute(SealedBids):
    def draw(self, public, private):
        return ""


test_the_game_keeps_the_law = laws_of(Mute(), matches=2)
"""

OTHER_FILE = """
import sys


def test_nothing_of_warroom_is_imported_but_the_plugin():
    loaded = {name for name in sys.modules if name.startswith("warroom")}
    assert loaded == {"warroom_games", "warroom_games.laws_plugin"}
    assert "hypothesis" not in sys.modules


def test_a_failure_is_told_as_ever():
    assert 1 + 1 == 3
"""


def run_pytest(folder: Path, text: str, *options: str) -> tuple[int, str]:
    """Run pytest on one test file in a folder of its own, as a game author would."""
    (folder / "test_it.py").write_text(text)
    (folder / "pytest.ini").write_text(f"[pytest]\naddopts = --strict-markers\npythonpath = {SUPPORT}\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "PYTEST_"))}
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", *options, str(folder)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.returncode, answer.stdout


def test_three_lines_are_a_test_for_every_law(tmp_path: Path) -> None:
    code, told = run_pytest(tmp_path, LAW_FILE, "-v")
    assert code == 0, told
    kept = re.findall(r"test_the_game_keeps_the_law\[sealed_bids-1-(\w+)\] PASSED", told)
    assert kept == [law.__name__ for law in LAWS]


def test_a_broken_law_is_told_in_plain_words_with_the_smallest_table(tmp_path: Path) -> None:
    code, told = run_pytest(tmp_path, BROKEN_FILE, "-k", "drawn or plain")
    assert code == 1
    assert "1 failed, 1 passed" in told
    assert "Sealed Bids breaks the law that views can be drawn." in told
    assert "The law: Every view can be drawn as printable text." in told
    assert "Seen: '' is not a drawing" in told
    assert re.search(r"seats=2,\s.*options=Options\(rounds=1, cards=1, peeks=0\)", told)


def test_the_laws_can_be_chosen_and_left_out_by_their_mark(tmp_path: Path) -> None:
    code, told = run_pytest(tmp_path, f"{LAW_FILE}\n\ndef test_else():\n    pass\n", "-m", "not warroom_law")
    assert code == 0
    assert f"1 passed, {len(LAWS)} deselected" in told


def test_other_tests_are_left_alone(tmp_path: Path) -> None:
    code, told = run_pytest(tmp_path, OTHER_FILE, "-p", "no:hypothesispytest")
    assert code == 1
    assert "1 failed, 1 passed" in told
    assert "Law broken" not in told
