"""Ajv in strict mode, an independent validator: it refuses to compile a schema with anything unknown or ambiguous."""

import fcntl
import json
import os
import subprocess
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

from build import NODE, NPM
from protocol_document import SCHEMAS

from warroom_games.schemas import HINTS

FOLDER: Final = Path(__file__).with_name("schema_validators")
INSTALLED: Final = FOLDER / "node_modules" / ".warroom-installed"


def problems(cases: Iterable[tuple[str, object]], *, folder: Path = SCHEMAS) -> list[str | None]:
    """Return what is wrong with each case, a schema's path and a value; None if the value fits."""
    _install()
    lines = [json.dumps(sorted(HINTS)), *map(json.dumps, cases)]
    answer = _node(str(FOLDER / "validate.mjs"), str(folder), stdin="\n".join(lines))
    found: list[str | None] = [json.loads(line) for line in answer.splitlines()]
    assert len(found) == len(lines) - 1
    return found


def _install() -> None:
    """Install the packages of package-lock.json, unless they are installed."""
    wanted = sha256((FOLDER / "package-lock.json").read_bytes() + str(NODE).encode()).hexdigest()
    with (FOLDER / ".install.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not INSTALLED.exists() or INSTALLED.read_text() != wanted:
            _node(str(NPM), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
            INSTALLED.write_text(wanted)


def _node(*arguments: str, stdin: str = "") -> str:
    path = os.pathsep.join([str(NODE.parent), os.environ.get("PATH", "")])
    run = subprocess.run(
        [str(NODE), *arguments],
        cwd=FOLDER,
        env={"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
