"""How hard the tests try, by the profile that `./dev test` chooses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROBE = '''
"""A probe."""

import pytest
from hypothesis import settings


def test_tell() -> None:
    print("told", settings().max_examples, settings().derandomize)


@pytest.mark.long
def test_deep() -> None:
    print("deep")
'''


@pytest.mark.parametrize(
    ("profile", "told", "is_deep"),
    [
        pytest.param("dev", "told 50 False", False, id="plain pytest"),
        pytest.param("ci", "told 100 True", False, id="./dev test"),
        pytest.param("long", "told 1000 False", True, id="./dev test --long"),
    ],
)
def test_a_profile_means_what_it_says_even_where_hypothesis_has_defaults_for_ci(
    tmp_path: Path, profile: str, told: str, *, is_deep: bool
) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text(encoding="utf-8"))
    (tmp_path / "test_probe.py").write_text(PROBE)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = long\n")
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:xdist", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "CI": "true", "HYPOTHESIS_PROFILE": profile},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout
    assert told in answer.stdout
    assert ("deep" in answer.stdout) is is_deep
