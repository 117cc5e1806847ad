"""A folder that looks like a checkout that is set up, for the commands of the guides for authors."""

import os
import sysconfig
import venv
from pathlib import Path

PROGRAMS = {
    "warroom": "import sys; from warroom_server.cli import main; sys.exit(main())",
    "pytest": "import sys, pytest; sys.exit(pytest.main())",
    "pip": "import runpy; runpy.run_module('pip', run_name='__main__')",
}


def make_checkout(folder: Path) -> Path:
    """Make a folder with `./dev` and a `.venv` into which packages may be installed."""
    venv.create(folder / ".venv", symlinks=True)
    python = folder / ".venv" / "bin" / "python"
    (site,) = (folder / ".venv" / "lib").glob("*/site-packages")
    (site / "tools.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    for name, code in PROGRAMS.items():
        _make_program(python.with_name(name), f'exec "{python}" -P -c "{code}" "$@"')
    _make_program(folder / "dev", f'[ "$1" = setup ] && exit; shift; exec "{python.with_name("warroom")}" "$@"')
    return folder


def author_environment() -> dict[str, str]:
    """Return an environment without what tests and developers set."""
    strange = ("COV_", "PYTEST_", "PYTHON", "HYPOTHESIS", "WARROOM_", "PIP_CONFIG")
    return {name: value for name, value in os.environ.items() if not name.startswith(strange)}


def _make_program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
