"""The wheel holds the whole of the packages, data files and the C module included, and nothing besides."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
PACKAGES = [ROOT / path for path in WHEEL["packages"]]
COMPILED = f"warroom_protocol/speedups{sysconfig.get_config_var('EXT_SUFFIX')}"


def build(target: str, root: Path, folder: Path, **environment: str) -> "tuple[Path, str]":
    """Build a wheel or an sdist of the project in *root*; return it and what was said."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    run = subprocess.run(
        command, cwd=root, env={**os.environ, **environment}, check=True, capture_output=True, text=True
    )
    (built,) = folder.iterdir()
    return built, run.stderr.replace(f"{built}\n", "")


def contents(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project as its sdist has it, in a folder of its own."""
    folder = tmp_path_factory.mktemp("sdist")
    sdist, _ = build("sdist", ROOT, folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return folder / sdist.name.removesuffix(".tar.gz")


def test_the_wheel_holds_every_file_of_the_packages_the_rules_to_read_and_nothing_else(tmp_path: Path) -> None:
    wheel, _ = build("wheel", ROOT, tmp_path)
    sources = {
        str(path.relative_to(package.parent))
        for package in PACKAGES
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
    }
    pages = {
        f"{target}/{path.relative_to(ROOT / folder)}"
        for folder, target in WHEEL["force-include"].items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }
    assert "warroom_games/rules_pages/graph_battle.md" in pages
    assert contents(wheel) == sources | pages | {COMPILED}


def test_a_wheel_for_this_platform_is_built_from_the_sdist(unpacked: Path, tmp_path: Path) -> None:
    assert not list(unpacked.rglob("*.so"))
    wheel, said = build("wheel", unpacked, tmp_path / "wheels")
    assert not wheel.name.endswith("-py3-none-any.whl")
    assert said == ""
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    code = "from warroom_protocol import patches, speedups; print(patches.diff is speedups.diff, speedups.__file__)"
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=tmp_path / "installed", capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == (f"True {tmp_path / 'installed' / COMPILED}\n", "")


@pytest.mark.parametrize("compiler", ["false", "no-such-compiler"])
def test_without_a_compiler_the_wheel_is_for_all_platforms_and_one_line_says_so(
    unpacked: Path, tmp_path: Path, compiler: str
) -> None:
    older = unpacked / "protocol" / COMPILED
    older.write_bytes(b"built from an older source")
    wheel, said = build("wheel", unpacked, tmp_path, CC=compiler)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert said.startswith("speedups.c was not compiled, so Warroom runs without it, more slowly: ")
    assert said.count("\n") == 1
    assert not [name for name in contents(wheel) if name.endswith(".so")]
    assert not older.exists()
