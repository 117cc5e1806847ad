"""A JavaScript project in which only the packed package is installed."""

import subprocess
from pathlib import Path

from node_packages import NODE, npm

PROGRAMS = Path(__file__).resolve().parents[1] / "js"
PATIENCE_S = 100


class JsProject:
    """An empty project of a user; installing the package needs no network."""

    def __init__(self, folder: Path, package: Path) -> None:
        self.folder = folder
        (folder / "package.json").write_text('{"private": true, "type": "module"}')
        npm(folder, "install", "--offline", "--no-audit", "--no-fund", str(package))

    def add(self, name: str, code: str | None = None) -> Path:
        """Put a program into the project: *code*, or the one of that name beside the tests."""
        text = (PROGRAMS / name).read_text(encoding="utf-8") if code is None else code
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def run(self, name: str, *arguments: str, code: str | None = None, flags: tuple[str, ...] = ()) -> str:
        """Add a program, run it, and return what it printed."""
        command = [str(NODE), *flags, str(self.add(name, code)), *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout
