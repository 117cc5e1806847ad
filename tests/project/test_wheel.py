"""The wheel holds the whole of the packages, data files included, and nothing besides."""

import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
PACKAGES = [ROOT / path for path in WHEEL["packages"]]


def test_the_wheel_holds_every_file_of_the_packages_the_rules_to_read_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        built = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = {
        str(path.relative_to(package.parent))
        for package in PACKAGES
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    pages = {
        f"{target}/{path.relative_to(ROOT / folder)}"
        for folder, target in WHEEL["force-include"].items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }
    assert "warroom_games/rules_pages/graph_battle.md" in pages
    assert built == sources | pages
