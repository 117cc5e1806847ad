"""The limit of open files, raised in a process of its own."""

import subprocess
import sys

import pytest

PROBE = """
import logging, resource, sys
from warroom_server.adapters.process.open_files import allow_open_files
logging.basicConfig(stream=sys.stdout, format="%(message)s")
soft, hard, wanted = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(allow_open_files(wanted), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "told"),
    [
        pytest.param(100, 400, 300, "300 300 400\n", id="the system allows it"),
        pytest.param(300, 400, 200, "200 300 400\n", id="it was allowed before"),
        pytest.param(
            100, 200, 300, "few open files allowed=200 wanted=300\n200 200 200\n", id="the system allows less"
        ),
    ],
)
def test_as_many_files_are_allowed_as_are_wanted_and_can_be_had(soft: int, hard: int, wanted: int, told: str) -> None:
    arguments = [str(number) for number in (soft, hard, wanted)]
    probe = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    assert probe.stdout == told
