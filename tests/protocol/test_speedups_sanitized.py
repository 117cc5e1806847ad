"""The C module under AddressSanitizer and UndefinedBehaviorSanitizer: every property of it on many more examples."""

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "protocol" / "warroom_protocol" / "speedups.c"
TESTS = (
    "tests/protocol/test_patches.py",
    "tests/protocol/test_frames.py",
    "tests/protocol/test_speedups.py",
    "tests/adapters/websocket/test_broadcast.py",
    "tests/adapters/websocket/test_write_each.py",
)
RUN = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("warroom_protocol.speedups", sys.argv[1])
sys.modules[spec.name] = module = module_from_spec(spec)
spec.loader.exec_module(module)
if sys.argv[2] == "prove":
    exec(sys.argv[3])
else:
    import pytest
    sys.exit(pytest.main(sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the module with checks of every access and operation."""
    module = tmp_path_factory.mktemp("sanitized") / "speedups.so"
    command = [*shlex.split(sysconfig.get_config_var("LDSHARED")), "-O1", "-g", "-fPIC", "-fno-omit-frame-pointer"]
    command += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{sysconfig.get_path('include')}"]
    subprocess.run([*command, str(SOURCE), "-o", str(module)], check=True)
    return module


def run(module: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout
    environment = {
        **os.environ,
        "LD_PRELOAD": library.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps much until its end; another test counts references
        "PYTHONMALLOC": "malloc",  # so that every object has bounds of its own
        "HYPOTHESIS_PROFILE": "long",
    }
    command = [sys.executable, "-c", RUN, str(module), *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_no_test_makes_it_touch_what_is_not_its_own(sanitized: Path) -> None:
    answer = run(sanitized, "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--timeout", "3600", *TESTS)
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.long
def test_the_sanitizer_is_awake(sanitized: Path) -> None:
    """It stops a process that reads a byte behind an object."""
    proof = "import ctypes; data = bytes(40); ctypes.CDLL(None).memchr(ctypes.c_char_p(data), 1, 400)"
    answer = run(sanitized, "prove", proof)
    assert answer.returncode != 0
    assert "heap-buffer-overflow" in answer.stderr
