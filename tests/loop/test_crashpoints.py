"""Crash points: harmless unless armed, deadly when they are."""

import signal
import subprocess
import sys

import pytest

from warroom_server.loop.crashpoints import POINTS, CrashPoints

PROBE = """
from warroom_server.loop.crashpoints import points
points.arm({where!r})
for turn in range(3):
    print(turn, flush=True)
    points.reached("after_append")
"""


def test_an_unarmed_point_does_nothing() -> None:
    points = CrashPoints()
    for name in POINTS:
        points.reached(name)
    assert not points.is_armed


@pytest.mark.parametrize(
    ("where", "turns"),
    [
        pytest.param("after_append", 1, id="the first pass"),
        pytest.param("after_append:2", 2, id="the second pass"),
        pytest.param("before_append", 3, id="another point"),
    ],
)
def test_an_armed_point_kills_the_process_at_the_chosen_pass(where: str, turns: int) -> None:
    run = subprocess.run([sys.executable, "-c", PROBE.format(where=where)], capture_output=True, check=False)
    assert len(run.stdout.split()) == turns
    assert run.returncode == (0 if turns == 3 else -signal.SIGKILL)


@pytest.mark.parametrize("where", ["nowhere", "after_append:", "after_append:0", "after_append:x", "after_append:-1"])
def test_a_point_that_is_none_is_refused(where: str) -> None:
    with pytest.raises(ValueError, match="expected NAME or NAME:N"):
        CrashPoints().arm(where)
